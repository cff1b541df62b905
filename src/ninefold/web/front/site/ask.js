// Requests to the server: JSON there and back, and a failure that can be shown as it is.

export class Failure extends Error {
  /** `isFinal` if the same request would fail again. */
  constructor(code, message, isFinal = false) {
    super(message);
    Object.assign(this, { code, isFinal });
  }
}

// The request is wrong, or what it asks for does not exist; anything else can change.
const FINAL = [400, 403, 404, 405, 413];

function parse(text) {
  try {
    return text ? JSON.parse(text) : null;
  } catch {
    throw new Failure("unreadable", "The server sent something unreadable. Try again.");
  }
}

/** The text in answer to a request; throws a Failure whose message is for people. */
async function request(path, options) {
  let response;
  let text;
  try {
    response = await fetch(path, options);
    text = await response.text();
  } catch {
    throw new Failure("offline", "The server does not answer. Check your connection, then try again.");
  }
  if (!response.ok) {
    const answer = parse(text);
    const message = answer?.message ?? `The server answered ${response.status}.`;
    throw new Failure(answer?.code ?? "failed", message, FINAL.includes(response.status));
  }
  return text;
}

/** The JSON in answer to a request; throws a Failure. */
export async function ask(method, path, data) {
  const options = { method, headers: {} };
  if (data !== undefined) {
    options.headers["Content-Type"] = "application/json";
    options.body = JSON.stringify(data);
  }
  return parse(await request(path, options));
}

export const getText = (path) => request(path, { method: "GET" });

let asked = null;

/** Who I am, asked for once: the first answer makes a visitor known to the server. */
export function whoami() {
  asked ??= ask("GET", "/api/me").catch((failure) => {
    asked = null;
    throw failure;
  });
  return asked;
}

/** Choose another name; everything that shows it hears of it. */
export async function rename(name) {
  asked = Promise.resolve(await ask("POST", "/api/me", { name }));
  dispatchEvent(new Event("renamed"));
}

/** The answer to a request of somebody known: several first requests would be several visitors. */
const askKnown = (...given) => whoami().then(() => ask(...given));
export const get = (path) => askKnown("GET", path);
export const post = (path, data = {}) => askKnown("POST", path, data);
