// A WebSocket that stays open as well as it can: after each gap it begins again where it was.
import { Failure } from "./ask.js";

// Between two attempts at first and at most, in milliseconds, as is all of this.
const FIRST_PAUSE = 250;
const LONGEST_PAUSE = 8_000;
// A silence that is looked into: at any time, and after an action.
const SILENCE = 25_000;
const SILENCE_AFTER_ACTION = 4_000;
// How long an answer may then take, and if there is another reason to doubt.
const PATIENCE = 10_000;
const SHORT_PATIENCE = 2_500;

/** A text that nobody else chooses. Not crypto.randomUUID: plain HTTP does not have it. */
export function newKey() {
  return Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class Live {
  /** `greet` returns the messages that begin a connection; `onMessage` is given every other one
   * than answers to `send`, and `onState` whether there is a connection. */
  constructor({ greet, onMessage, onState }) {
    Object.assign(this, { greet, onMessage, onState });
    this.unanswered = new Map();
    this.pause = FIRST_PAUSE;
    this.socket = null;
    this.timer = 0;
    this.listen();
    this.connect();
  }

  /** Send an action, as often as it takes to get an answer: the server does it once.
   * Throws a Failure if it is refused. */
  send(message) {
    const key = newKey();
    return new Promise((resolve, reject) => {
      this.unanswered.set(key, { message: { ...message, key }, resolve, reject });
      this.write({ ...message, key });
      if (this.isOpen) this.wait(SILENCE_AFTER_ACTION, SHORT_PATIENCE);
    });
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  write(message) {
    if (this.isOpen) this.socket.send(JSON.stringify(message));
  }

  connect() {
    clearTimeout(this.timer);
    const address = new URL("/ws", location.href);
    address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(address);
    this.socket = socket;
    this.timer = setTimeout(() => this.again(), PATIENCE);
    socket.onopen = () => {
      [...this.greet(), ...[...this.unanswered.values()].map((one) => one.message)]
        .forEach((message) => this.write(message));
      this.wait(SILENCE);
    };
    socket.onmessage = ({ data }) => this.receive(JSON.parse(data));
    socket.onclose = () => this.again();
  }

  receive(message) {
    this.pause = FIRST_PAUSE;
    this.onState(true);
    this.wait(SILENCE);
    const asked = this.unanswered.get(message.key);
    if (asked) {
      this.unanswered.delete(message.key);
      if (message.type === "refused") asked.reject(new Failure(message.code, message.message));
      else asked.resolve(message);
    } else if (message.type !== "pong") this.onMessage(message);
  }

  /** After this long without a message, look whether anybody is still there. */
  wait(silence, patience = PATIENCE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.probe(patience), silence);
  }

  probe(patience) {
    if (!this.isOpen) return;
    this.write({ type: "ping" });
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.again(), patience);
  }

  /** Begin again at once, as whom the cookie says by now. */
  renew() {
    this.drop();
    this.connect();
  }

  /** Forget this connection, and try another one soon. */
  again() {
    this.drop();
    this.onState(false);
    this.timer = setTimeout(() => this.connect(), this.pause * (0.5 + Math.random() / 2));
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  drop() {
    clearTimeout(this.timer);
    const socket = this.socket;
    this.socket = null;
    if (!socket) return;
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  /** What the browser notices is only a hint: a server on this computer needs no network. */
  listen() {
    addEventListener("online", () => this.isOpen || this.renew());
    addEventListener("offline", () => this.probe(SHORT_PATIENCE));
    document.addEventListener("visibilitychange", () => document.hidden || this.probe(SHORT_PATIENCE));
    addEventListener("pagehide", () => this.drop());
    addEventListener("pageshow", (event) => event.persisted && this.connect());
  }
}
