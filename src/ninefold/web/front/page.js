// The single file: the table is in the page, and one person or two play at this screen.
import { html, render, useState } from "./vendor/preact-htm.js";
import { Action, Game, Question } from "./game.js";
import { reviewOf } from "./judged.js";
import { HUMAN, Play, draw } from "./play.js";
import { Line, Review } from "./review.js";
import { Table, unpack } from "./table.js";
import { Keys, Rules } from "./texts.js";
import { Theme } from "./theme.js";
import { readTyped } from "./typed.js";

const PAUSE = 500;
const STEPS = 3;

/** Everything that happens in the page; `changed` is called after each change. */
class Page {
  constructor(table) {
    this.table = table;
    this.changed = () => {};
    this.setup = { opponent: table.header.opponents.find((item) => item.kind === "level:2").kind, first: "you" };
    this.games = 0;
    this.serial = 0;
    this.focus = 0;
    this.showsValues = false;
    this.screen = "welcome";
    this.message = { text: "", serial: 0 };
  }

  say(text) {
    this.message = { text, serial: ++this.serial };
  }

  // Beginning

  begin() {
    const { opponent, first } = this.setup;
    const mine = first === "you" || (first === "coin" && draw(2) === 0);
    this.start(new Play(this.table, opponent === HUMAN || mine ? [HUMAN, opponent] : [opponent, HUMAN]));
  }

  start(play) {
    this.play = play;
    this.games += 1;
    this.screen = "game";
    this.say("");
    this.focus = ++this.serial;
    this.next();
  }

  welcome() {
    clearTimeout(this.timer);
    this.screen = "welcome";
    this.changed();
  }

  // Playing

  next() {
    clearTimeout(this.timer);
    this.hintStep = 0;
    this.chosen = null;
    this.question = null;
    const { play } = this;
    if (play.isOver) this.say("");
    else if (!play.isMine) {
      const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
      this.timer = setTimeout(() => this.make(play.choice()), calm ? 0 : PAUSE);
    } else if (play.state.asking) this.chosen = new Set();
    this.changed();
  }

  make(place) {
    this.say("");
    this.play.follow(place);
    this.next();
  }

  take(number) {
    const { play } = this;
    if (!play.isMine) return;
    if (this.chosen) {
      this.toggle(number);
      return;
    }
    const place = play.pickOf(number);
    if (place >= 0) this.make(place);
    else this.refuse(number);
  }

  /** Say why a number cannot be taken, or ask if that costs the turn. */
  refuse(number) {
    const { play, table } = this;
    const { header } = table;
    const costly = play.state.steps.findIndex((step) => header.moves[step.move].is_costly);
    if (costly >= 0) {
      this.ask(play.text(header.costs, undefined, { number }), costly);
      return;
    }
    const seat = play.state.turn - 1;
    const at = header.pool.indexOf(number);
    const why = play.state.barred.get(number) ?? (at < 0 ? header.outside[seat] : header.taken[seat][at]);
    this.say(play.text(why, undefined, { number }));
    this.changed();
  }

  ask(question, place) {
    this.question = { text: question, place };
    this.changed();
  }

  answer(yes) {
    const { place } = this.question;
    this.question = null;
    if (yes) this.make(place);
    this.focus = ++this.serial;
    this.changed();
  }

  typed(text) {
    if (!this.play.isMine) return;
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
    if (!this.play.state.hands[this.play.state.turn - 1].includes(number)) {
      this.say(this.play.text(this.table.header.strange, undefined, { number }));
    } else {
      if (!this.chosen.delete(number)) this.chosen.add(number);
      this.say([...this.chosen].sort((one, two) => one - two).join(" "));
    }
    this.changed();
  }

  declare() {
    const { play, table } = this;
    const numbers = [...this.chosen].sort((one, two) => one - two);
    const own = play.state.hands[play.state.turn - 1];
    const strange = numbers.find((number) => !own.includes(number));
    const place = play.placeOf(["declare", ...numbers].join(":"));
    if (!numbers.length) this.say("Choose the numbers of your set on the board first.");
    else if (strange !== undefined) this.say(play.text(table.header.strange, undefined, { number: strange }));
    else if (place >= 0) {
      this.make(place);
      this.focus = ++this.serial;
    } else {
      const mask = numbers.reduce((sum, number) => sum + 2 ** table.header.pool.indexOf(number), 0);
      this.say(play.text(table.header.claims[mask]));
    }
    this.changed();
  }

  control(control) {
    if (control.key === "declare") {
      if (this.chosen) this.declare();
      else {
        this.chosen = new Set();
        this.say("Choose the numbers of your set on the board, then press Declare.");
        this.changed();
      }
    } else if (control.key === "cancel") {
      this.chosen = null;
      this.say("");
      this.changed();
    } else if (control.key === "line") this.hintLine();
    else if (control.question) this.ask(control.question, control.place);
    else {
      this.make(control.place);
      this.focus = ++this.serial;
      this.changed();
    }
  }

  undo() {
    this.play.undo();
    this.next();
    this.say(this.play.text(this.table.header.undone[this.play.state.turn - 1]));
    this.changed();
  }

  hint() {
    this.hintStep = Math.min(this.hintStep + 1, STEPS);
    this.say(this.play.text(this.play.state.hints[this.hintStep - 1]));
    this.changed();
  }

  values() {
    this.showsValues = !this.showsValues;
    this.changed();
  }

  again() {
    this.start(new Play(this.table, this.play.seats));
  }

  // Looking at lines and back

  showLine(state, steps, reason, reader, back) {
    this.line = { state, steps, reason, reader, back };
    this.screen = "line";
    this.goLine(1);
  }

  hintLine() {
    const { play } = this;
    const { state } = play;
    const reason = play.text(state.hints[STEPS - 1]);
    this.showLine(state, play.line(state, state.lead), reason, state.turn, "game");
  }

  goLine(at) {
    const { steps, reader } = this.line;
    this.line.at = at;
    const { step, turn } = steps[at - 1] ?? {};
    const caption = step ? this.table.text(this.table.header.moves[step.move].captions[turn - 1], reader, this.play.places())
      : "before the first move";
    this.say(`${at} of ${steps.length}: ${caption}`);
    this.changed();
  }

  leaveLine() {
    this.screen = this.line.back;
    this.say("");
    if (this.screen === "game") this.focus = ++this.serial;
    else this.goReview(this.at);
    this.changed();
  }

  review() {
    this.judged = reviewOf(this.play);
    this.printed = reviewOf(this.play, 0);
    this.screen = "review";
    this.goReview(0);
  }

  goReview(at) {
    this.at = at;
    const { moves } = this.judged;
    this.say(at ? `Move ${at} of ${moves.length}. ${moves[at - 1].text}` : "The start.");
    this.changed();
  }

  nextMistake() {
    const plies = this.judged.moves.flatMap((move, at) => (move.isMistake ? [at + 1] : []));
    this.goReview(plies.find((ply) => ply > this.at) ?? plies[0]);
  }

  showBetter() {
    const move = this.judged.moves[this.at - 1];
    this.showLine(this.play.states[this.at - 1], move.line, move.text, 0, "review");
  }

  playOn() {
    this.start(new Play(this.table, this.play.seats, this.play.path.slice(0, this.at)));
  }

  leaveReview() {
    this.screen = "game";
    this.say("");
    this.focus = ++this.serial;
    this.changed();
  }

  // Views

  gameView() {
    const { play, table } = this;
    const { state } = play;
    const { header } = table;
    const over = play.isOver;
    const mine = play.isMine;
    const status = !over && !mine ? header.thinking[state.turn - 1]
      : this.chosen ? state.choosing : state.status;
    const marks = new Map();
    if (this.hintStep === 1) state.area.forEach((number) => marks.set(number, "area"));
    else if (this.hintStep > 1) {
      state.steps.forEach((step) => step.isHinted && step.number !== undefined && marks.set(step.number, "hinted"));
    }
    const chosen = this.chosen ?? undefined;
    const note = over || (mine && !this.message.text) ? play.text(state.note) : "";
    return {
      status: play.text(status),
      tiles: play.tiles(state, {
        last: play.taken().at(-1), marks, chosen, values: this.showsValues && mine, open: mine && !chosen,
      }),
      message: over ? { text: play.text(state.note), serial: "end" } : this.message.text ? this.message
        : { text: note, serial: `note-${play.steps.length}` },
      controls: mine ? this.controls() : [],
      hintLabel: this.hintStep ? `Hint (${this.hintStep} of ${STEPS})` : "Hint",
      entry: over ? "" : this.chosen ? "Numbers of your set" : "Number",
      hands: play.hands(play.steps.length),
      log: play.log().map((text, at) => ({ key: `${this.games}-${at}-${text}`, text })),
      showsValues: this.showsValues,
      can: {
        hint: mine && this.hintStep < STEPS,
        undo: mine && play.pliesAfterUndo >= 0,
        review: over,
        again: play.steps.length > 0,
      },
      focus: this.focus,
    };
  }

  /** What a person may do besides taking a number. */
  controls() {
    const { play, table } = this;
    const { header } = table;
    const found = [];
    play.state.steps.forEach((step, place) => {
      const move = header.moves[step.move];
      if (!move.control) return;
      const value = this.showsValues ? `: ${play.valueOf(step, play.state.turn).word}` : "";
      found.push({ key: move.key, label: move.control + value, question: move.question, place });
    });
    if (header.declares) found.unshift({ key: "declare", label: "Declare", kind: "main" });
    if (this.chosen && !play.state.asking) found.push({ key: "cancel", label: "Cancel" });
    if (this.hintStep === STEPS && play.state.steps.length) found.push({ key: "line", label: "Show it on the board" });
    return found;
  }

  lineView() {
    const { play } = this;
    const { state, steps, reason, at } = this.line;
    const last = steps[at - 1]?.step;
    const shown = last ? this.table.state(last.to) : state;
    return {
      reason, at, count: steps.length, message: this.message,
      tiles: play.tiles(shown, { last: last?.number }),
    };
  }

  reviewView() {
    const { play, judged, at } = this;
    const move = judged.moves[at - 1];
    const standing = (winner) => (winner === 0 ? "draw" : winner === judged.side ? "win" : "loss");
    const marks = new Map((move?.better ?? []).flatMap((step) =>
      step.number === undefined ? [] : [[step.number, "hinted"]]));
    return {
      at,
      count: judged.moves.length,
      moves: judged.moves,
      overview: judged.overview,
      legend: judged.legend,
      printed: { ...this.printed, moves: this.printed.moves.map((one) => one.text), names: play.players },
      course: judged.moves.map((one) => ({ ...one, standing: standing(one.standing) })),
      message: this.message,
      tiles: play.tiles(play.states[at], { last: play.taken(at).at(-1), marks }),
      hands: play.hands(at),
      can: {
        mistake: judged.moves.some((one) => one.isMistake),
        better: Boolean(move?.line.length),
        playOn: at < judged.moves.length,
      },
    };
  }
}

function Welcome({ page }) {
  const { header } = page.table;
  const { setup } = page;
  const opponent = header.opponents.find((item) => item.kind === setup.opponent);
  const change = (name) => (event) => {
    setup[name] = event.target.value;
    page.changed();
  };
  const starters = { you: "You", them: opponent.name, coin: "Toss a coin" };
  const submit = (event) => {
    event.preventDefault();
    page.begin();
  };
  return html`<main class="welcome" id="main">
    <p class="goal">${header.summary}</p>
    <form class="card" onSubmit=${submit}>
      <div class="field">
        <label for="opponent">Opponent</label>
        <select id="opponent" aria-describedby="plays" onChange=${change("opponent")}>
          ${header.opponents.map((item) => html`<option key=${item.kind} value=${item.kind}
            selected=${item.kind === setup.opponent}>${item.name}</option>`)}
        </select>
        <p id="plays" class="about">${opponent.plays}</p>
      </div>
      ${opponent.kind !== HUMAN && html`<fieldset class="field">
        <legend>Who starts</legend>
        ${Object.entries(starters).map(([value, label]) => html`<label class="choice" key=${value}>
          <input type="radio" name="first" value=${value} checked=${setup.first === value}
            onChange=${change("first")} /> ${label}</label>`)}
      </fieldset>`}
      <button type="submit" class="main big">Play</button>
    </form>
  </main>`;
}

function Texts({ header }) {
  return html`<footer class="texts">
    <${Rules} rules=${header.rules} />
    <details>
      <summary>What the audit found</summary>
      <p class="about">This gives away who wins with best play.</p>
      <ul>${header.audit.map((line, at) => html`<li key=${at}>${line}</li>`)}</ul>
    </details>
    <${Keys} />
  </footer>`;
}

function Tools({ view, page }) {
  const { can } = view;
  return html`
    <${Action} can=${can.hint} label=${view.hintLabel} act=${() => page.hint()} />
    <${Action} can=${can.undo} label="Undo" act=${() => page.undo()} />
    <${Action} label="Values" aria-pressed=${String(view.showsValues)} act=${() => page.values()} />
    <${Action} can=${can.review} kind=${can.review ? "main" : ""} label="Review" act=${() => page.review()} />
    <${Action} label="Play again" can=${can.again} act=${() => page.again()} />`;
}

function App({ page }) {
  const [, update] = useState(0);
  page.changed = () => update((count) => count + 1);
  const { header } = page.table;
  const bind = (names) => Object.fromEntries(
    Object.entries(names).map(([name, method]) => [name, (...given) => page[method](...given)]));
  const screens = {
    welcome: () => html`<${Welcome} page=${page} />`,
    game: () => {
      const view = page.gameView();
      return html`<${Game} view=${view} act=${bind({ take: "take", typed: "typed", control: "control" })}
        tools=${html`<${Tools} view=${view} page=${page} />`} />`;
    },
    line: () => html`<${Line} view=${page.lineView()} act=${bind({ go: "goLine", leave: "leaveLine" })} />`,
    review: () => html`<${Review} view=${page.reviewView()} act=${{
      ...bind({ go: "goReview", mistake: "nextMistake", better: "showBetter", playOn: "playOn", leave: "leaveReview" }),
      find: (number) => {
        const at = page.play.steps.findIndex((step) => step.number === number);
        if (at >= 0) page.goReview(at + 1);
      } }} />`,
  };
  return html`<header class="top">
      <h1>${header.title}${header.variant.length > 0 && html`<small>${header.variant.join(" · ")}</small>`}</h1>
      <div class="controls">
        ${page.screen !== "welcome" && html`<button type="button" class="quiet"
          onClick=${() => page.welcome()}>New game</button>`}
        <${Theme} />
      </div>
    </header>
    ${screens[page.screen]()}
    <${Texts} header=${header} />
    <${Question} question=${page.question?.text ?? null} onAnswer=${(yes) => page.answer(yes)} />`;
}

async function open() {
  const table = new Table(await unpack(document.getElementById("table").textContent));
  render(html`<${App} page=${new Page(table)} />`, document.getElementById("app"));
}

open();
