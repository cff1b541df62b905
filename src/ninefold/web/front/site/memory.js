// What a browser remembers for its user; one that keeps nothing is fine, too.

const storage = (isInTab) => (isInTab ? sessionStorage : localStorage);

/** What was remembered under this name, everywhere or only in this tab; an empty object if there is nothing. */
export function recall(name, isInTab = false) {
  try {
    return JSON.parse(storage(isInTab).getItem(name)) ?? {};
  } catch {
    return {};
  }
}

export function remember(name, value, isInTab = false) {
  try {
    storage(isInTab).setItem(name, JSON.stringify(value));
  } catch {
    // It is forgotten when the page is closed.
  }
}
