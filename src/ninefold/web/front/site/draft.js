// The text that somebody is writing: checked as it changes, and kept in the browser until it is saved.
import { post } from "./ask.js";

const KEY = "ninefold-design";
const PAUSE = 300;
const AGAIN = 2000;
export const MOST = 262144; // bytes, as for a file

function remembered() {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY));
    return typeof kept?.text === "string" ? kept : null;
  } catch {
    return null;
  }
}

export class Draft {
  /** `changed` is called after each change. */
  constructor(changed) {
    this.changed = changed;
    const kept = remembered();
    this.text = kept?.text ?? "";
    this.isOwn = kept?.isOwn ?? false; // whether somebody has written in it since it was saved
    this.isNew = kept === null;
    this.checked = null; // what was found in `checkedText`
    this.checkedText = null;
    this.failure = null;
    if (this.text) this.checkSoon(0);
  }

  get isStale() {
    return this.text !== this.checkedText;
  }

  get isGood() {
    return !this.isStale && this.checked.valid;
  }

  /** Another text; `isOwn` if it would be a pity to lose it. */
  set(text, isOwn) {
    this.text = text;
    this.isOwn = isOwn && text.trim() !== "";
    this.isNew = false;
    this.keep();
    this.checkSoon(PAUSE);
    this.changed();
  }

  keep() {
    try {
      localStorage.setItem(KEY, JSON.stringify({ text: this.text, isOwn: this.isOwn }));
    } catch {
      // A browser that keeps nothing has the text for as long as the page is open.
    }
  }

  checkSoon(pause) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), pause);
  }

  /** One check at a time: whatever changes meanwhile is checked after it. */
  async check() {
    if (this.isChecking) return;
    this.isChecking = true;
    const { text } = this;
    try {
      this.checked = await post("/api/books/check", { text });
      this.checkedText = text;
      this.failure = null;
    } catch (failure) {
      this.failure = failure;
      if (["offline", "busy", "too-many-requests"].includes(failure.code)) this.checkSoon(AGAIN);
    } finally {
      this.isChecking = false;
    }
    if (!this.failure && this.isStale) this.checkSoon(0);
    this.changed();
  }

  /** Save it, and return its id; throws a Failure. */
  async save() {
    const { text } = this;
    const { id } = await post("/api/books", { text });
    if (text === this.text) {
      this.isOwn = false;
      this.keep();
    }
    return id;
  }
}
