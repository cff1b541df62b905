// What a browser remembers for its user; one that keeps nothing is fine, too.

/** What was remembered under this name; an empty object if there is nothing. */
export function recall(name) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? {};
  } catch {
    return {};
  }
}

export function remember(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // It is forgotten when the page is closed.
  }
}
