// A game on the server: what has happened in it, what this player does, and the view of it to show.
// It knows which answers the server gives, and no rules.
import { describeTile } from "../board.js";
import { readTyped } from "../typed.js";
import { Live } from "./live.js";

const STILL_SENDING = "What you did last is still being sent.";

export class PlayedGame {
  /** `about` is what does not change; `changed` is called whenever something has to be shown. */
  constructor(id, about, changed) {
    Object.assign(this, { id, about, changed });
    this.seq = 0;
    this.view = null;
    this.log = [];
    this.isConnected = true;
    this.serial = 0;
    this.focus = 0;
    this.message = { text: "", serial: 0 };
    this.live = new Live({
      greet: () => [{ type: "watch", game: id, from: this.seq }],
      onMessage: (message) => this.receive(message),
      onState: (isConnected) => this.connected(isConnected),
    });
  }

  // What happens

  connected(isConnected) {
    if (isConnected === this.isConnected) return;
    this.isConnected = isConnected;
    this.changed();
  }

  receive(message) {
    if (message.type === "refused") {
      this.say(message.message);
      this.changed();
      return;
    }
    const news = message.events.filter((event) => event.seq > this.seq);
    const isFirst = !this.view;
    const wasOpen = this.state === "open";
    const { you } = message.view;
    const said = (event) => (event.seat === you ? event.yours : event.text);
    this.log.push(...news.map((event) => ({ ...event, text: said(event) })).filter((event) => event.text));
    this.seq = message.seq;
    Object.assign(this, { view: message.view, state: message.state, clocks: message.clocks, heard: performance.now() });
    if (isFirst || news.some((event) => event.kind === "fact" || event.kind === "begun")) this.turned();
    if (wasOpen && this.state === "playing") this.begun = `The game begins. ${this.view.status}.`;
    this.isLeaving = !isFirst && !this.next && message.next && this.view.you > 0;
    this.next = message.next;
    this.changed();
  }

  /** The position is another one: what was chosen or said about the last one is past. */
  turned() {
    if (this.question?.isMove) this.question = null;
    this.chosen = this.isMine && this.view.prompt ? new Set() : null;
    this.say(this.guide);
  }

  /** How to declare a set; nothing while none is declared. */
  get guide() {
    if (!this.chosen) return "";
    const others = this.view.controls.filter((control) => !control.choose).map((control) => control.label);
    const instead = this.view.prompt && others.length ? ` Or press “${others.join("” or “")}”.` : "";
    return `Choose the numbers of your set on the board, then press “${this.declaration.label}”.${instead}`;
  }

  say(text) {
    this.message = { text, serial: ++this.serial };
  }

  get isMine() {
    return this.view.you > 0 && this.view.turn === this.view.you && this.state === "playing";
  }

  /** The request of a player that is not answered yet: to undo a move, or for another game. */
  get asked() {
    const last = this.log.findLast((event) => ["ask-undo", "decline-undo", "rematch", "fact"].includes(event.kind));
    return ["ask-undo", "rematch"].includes(last?.kind) ? last : null;
  }

  // What this player does

  /** Send an action; while a move is on its way, no other one is sent. */
  async act(type, more = {}) {
    if (this.sent) {
      this.say(STILL_SENDING);
      this.changed();
      return;
    }
    this.sent = { type, ...more };
    this.changed();
    try {
      await this.live.send({ type, game: this.id, ...more });
    } catch (failure) {
      this.say(failure.message);
    }
    this.sent = null;
    this.changed();
  }

  move(text) {
    return this.act("move", { move: text, after: this.seq });
  }

  /** What costs something is done after a question. */
  ask(question, todo, isMove = true) {
    this.question = { text: question, todo, isMove };
    this.changed();
  }

  answer(yes) {
    const { todo } = this.question;
    this.question = null;
    if (yes) todo();
    this.focus = ++this.serial;
    this.changed();
  }

  take(number) {
    if (this.chosen) {
      this.toggle(number);
      return;
    }
    const isFree = this.view.tiles.some((tile) => tile.number === number && tile.free);
    if (this.view.ask && !isFree) {
      this.ask(this.view.ask.replace("{number}", number), () => this.move(String(number)));
    } else this.move(String(number));
  }

  typed(text) {
    const { numbers, advice } = readTyped(text, Boolean(this.chosen));
    if (advice) {
      this.say(advice);
      this.changed();
    } else if (this.chosen) {
      this.chosen = new Set(numbers);
      this.declare();
    } else this.take(numbers[0]);
  }

  toggle(number) {
    if (!this.declaration.choose.includes(number)) this.say("Choose from your own numbers.");
    else {
      if (!this.chosen.delete(number)) this.chosen.add(number);
      this.say(this.chosen.size ? `Your set: ${this.set.join(" ")}` : this.guide);
    }
    this.changed();
  }

  get declaration() {
    return this.view.controls.find((control) => control.choose);
  }

  get set() {
    return [...this.chosen].sort((one, two) => one - two);
  }

  declare() {
    if (this.chosen.size) this.move([this.declaration.move, ...this.set].join(":"));
    else {
      this.say("Choose the numbers of your set on the board first.");
      this.changed();
    }
  }

  control(control) {
    if (control.key === "cancel") this.choose(null);
    else if (control.choose && !this.chosen) this.choose(new Set());
    else if (control.choose) this.declare();
    else if (control.ask) this.ask(control.ask, () => this.move(control.move));
    else {
      this.move(control.move);
      this.focus = ++this.serial;
    }
  }

  choose(chosen) {
    this.chosen = chosen;
    this.say(this.guide);
    this.changed();
  }

  /** One of the actions that the server offers. */
  talk(action) {
    if (action.ask) this.ask(action.ask, () => this.act(action.action), false);
    else this.act(action.action);
  }

  action(name) {
    return this.view.actions.find((one) => one.action === name);
  }

  // What is shown

  get names() {
    return this.view.names.map((name, at) => (this.view.you === at + 1 ? this.about.words.you : name));
  }

  tiles() {
    const { markers, words } = this.about;
    const sent = this.sent?.move;
    return this.view.tiles.map((tile) => {
      const shown = {
        ...tile,
        marker: tile.owner ? markers[tile.owner - 1] : "",
        free: this.isMine && !this.chosen && tile.free,
        barred: Boolean(tile.why),
        chosen: this.chosen ? this.chosen.has(tile.number) : undefined,
        sent: sent === String(tile.number),
      };
      return { ...shown, label: describeTile(shown, words, this.names) };
    });
  }

  hands() {
    const { markers, words } = this.about;
    const { score, match } = this.view;
    const hasScore = match || score.some(Boolean);
    return this.names.map((name, at) => ({
      name,
      marker: markers[at],
      numbers: this.view.hands[at].join(" ") || words.empty,
      isNext: this.view.turn === at + 1,
      score: hasScore ? `${score[at]} ${score[at] === 1 ? "win" : "wins"}` : "",
    }));
  }

  controls() {
    const found = this.view.controls.map((control) => ({ ...control, key: control.move, kind: control.choose ? "main" : "" }));
    if (this.chosen && !this.view.prompt) found.push({ key: "cancel", label: "Cancel" });
    return found;
  }

  shown() {
    const { view } = this;
    return {
      status: view.status,
      mood: this.isMine ? "mine" : view.over && view.over.winner === view.you ? "won" : "",
      tiles: this.tiles(),
      message: view.over && !this.message.text ? { text: view.over.text, serial: "end" } : this.message,
      controls: this.controls(),
      entry: !view.you || view.over ? "" : this.chosen ? "Numbers of your set" : "Number",
      hands: this.hands(),
      log: this.log.map((event) => ({ key: event.seq, text: event.text })),
      focus: this.focus,
    };
  }
}
