// The analysis board: both sides are played here, and every move shows what it is worth.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { Board } from "../board.js";
import { Action, Entry, Hands, Message } from "../game.js";
import { Keys, Rules } from "../texts.js";
import { post } from "./ask.js";
import { Frame, Trouble, mount, useAnswer } from "./frame.js";
import { LineOfPlay, aboutRules, analysisOf, handsOf, movesOf, rulesIn, splitChanges, spotOf, tilesOf } from "./position.js";
import { Select, gameOptions, loadGames } from "./select.js";

// Seconds to look for proofs in a game that is too large to solve: at first, then, and on request.
const AT_ONCE = 0;
const USUAL = 5;
const LONGEST = 20;
const SHAPES = { win: "▲", draw: "■", loss: "▼" };
const ORDER = ["win", "draw", null, "loss"];

/** The position in the address. */
function spotHere(games) {
  const query = new URLSearchParams(location.search);
  const rules = rulesIn(query);
  return {
    ...rules,
    game: rules.game ?? games[0].id,
    first: query.get("first") === "2" ? 2 : 1,
    moves: (query.get("moves") ?? "").split(".").filter(Boolean),
  };
}

/** What is looked at; `changed` is called whenever something has to be shown. */
class Analysis {
  constructor(choices, changed) {
    Object.assign(this, { choices, changed });
    this.known = new Map();
    this.asked = 0;
    this.serial = 0;
    this.focus = 0;
    this.looking = 0;
    this.showsValues = true;
    this.refusal = "";
    this.goHere();
  }

  /** Show the position in the address. */
  goHere() {
    return this.go(spotHere(this.choices.games), false);
  }

  /** Show a position; if it is refused, what was shown stays. */
  async go(spot, isNew = true) {
    const asked = ++this.asked;
    this.wanted = spot;
    try {
      const [about, found] = await Promise.all([aboutRules(spot), this.find(spot, AT_ONCE)]);
      if (asked !== this.asked) return;
      Object.assign(this, { spot, about, found, refusal: "", failure: null, line: null, looking: 0, serial: this.serial + 1 });
      if (isNew) history.pushState(null, "", analysisOf(spot));
      if (!found.proved && found.seconds < USUAL) this.look(USUAL);
    } catch (failure) {
      if (asked !== this.asked) return;
      if (this.found && isNew) {
        this.wanted = this.spot;
        this.refuse(failure.message);
      } else Object.assign(this, { failure, found: null });
    }
    this.changed();
  }

  /** The analysis of a position with at least so much time, if it needs any. */
  async find(spot, seconds) {
    const key = analysisOf(spot);
    const known = this.known.get(key);
    if (known && (known.proved || known.seconds >= seconds)) return known;
    const found = { ...(await post("/api/learn/analysis", { ...spotOf(spot), seconds })), seconds };
    this.known.set(key, found);
    return found;
  }

  /** Look further ahead in this position. */
  async look(seconds) {
    const { asked } = this;
    this.looking = seconds;
    this.changed();
    try {
      const found = await this.find(this.spot, seconds);
      if (asked !== this.asked) return;
      Object.assign(this, { found, looking: 0, serial: this.serial + 1 });
    } catch (failure) {
      if (asked !== this.asked) return;
      this.looking = 0;
      this.refuse(failure.message);
    }
    this.changed();
  }

  refuse(reason) {
    this.refusal = reason;
    this.serial += 1;
    this.changed();
  }

  play(move) {
    this.go({ ...this.spot, moves: [...this.spot.moves, String(move)] });
  }

  typed(text) {
    if (/^\s*[+-]?\d{1,15}\s*$/.test(text)) this.play(Number(text));
    else this.refuse("Type one number.");
  }

  back(count) {
    this.go({ ...this.spot, moves: this.spot.moves.slice(0, count) });
  }

  show(line) {
    this.line = line;
    if (!line) this.focus = ++this.serial;
    this.changed();
  }

  values() {
    this.showsValues = !this.showsValues;
    this.changed();
  }

  // What is shown

  /** Every move, the best first. */
  get moves() {
    const later = { win: 1, loss: -1 };
    return [...this.found.moves].sort((one, two) => ORDER.indexOf(one.value) - ORDER.indexOf(two.value)
      || (later[one.value] ?? 0) * ((one.plies ?? 0) - (two.plies ?? 0)));
  }

  get headline() {
    const { found } = this;
    const best = found.moves.find((move) => move.best);
    if (!found.value.proved || !best?.proved) return "";
    return `${found.view.names[found.turn - 1]} ${best.words} with best play.`;
  }

  get message() {
    const { found } = this;
    const told = this.showsValues ? [this.headline, found.hint?.reason] : [];
    return {
      serial: this.serial,
      text: [this.refusal, found.over?.text, ...told].filter(Boolean).join("\n"),
    };
  }

  get tiles() {
    const { found } = this;
    const taken = found.moves.filter((move) => move.number !== null);
    const isChoice = found.moves.some((move) => !move.best);
    const shown = this.showsValues ? taken : [];
    return tilesOf(found.view, this.about, {
      isOpen: true,
      values: new Map(shown.map((move) => [move.number, { result: move.value ?? "unknown", word: move.words }])),
      marks: new Map(shown.filter((move) => move.best && isChoice).map((move) => [move.number, "hinted"])),
    });
  }
}

function Value({ move }) {
  return html`<span class=${`value ${move.value ?? "unknown"}`}>
    ${move.value && html`<span class="shape" aria-hidden="true">${SHAPES[move.value]}</span>`} ${move.words}</span>`;
}

/** How far a game that is too large to solve is known, and what more can be done. */
function Limits({ board }) {
  const { found, looking } = board;
  const proved = found.moves.filter((move) => move.proved).length;
  const known = `This game is too large to solve completely. ${proved} of ${found.moves.length} moves are settled here`;
  const canLook = !looking && found.seconds < LONGEST;
  return html`<div class="limits">
    <p role="status">${looking ? `Looking ahead for up to ${looking} seconds …`
      : found.proved ? "" : `${known}; what looks best is an estimate.`}</p>
    ${looking > 0 && html`<progress aria-label="Looking ahead"></progress>`}
    ${!found.proved && canLook && html`<${Action} label=${`Look for ${LONGEST} seconds`} act=${() => board.look(LONGEST)} />`}
  </div>`;
}

/** What every move is worth, with the line that follows it; they are played on the board. */
function MoveList({ board }) {
  const hasLines = board.found.moves.some((move) => move.line.length);
  const show = (move) => board.show({ line: move.line, reason: `${move.label} ${move.words}: ${move.line_words}.` });
  return html`<section aria-labelledby="every-move">
    <h3 id="every-move">Every move</h3>
    <ul class="every-move" tabindex=${hasLines ? undefined : 0} aria-labelledby="every-move">
      ${board.moves.map((move) => html`<li key=${move.move}>
        <strong>${move.label}</strong><${Value} move=${move} />
        ${move.line.length > 0 && html`<button type="button" class="quiet"
          aria-label=${`Line after ${move.label}`} onClick=${() => show(move)}>Line</button>`}
      </li>`)}
    </ul>
  </section>`;
}

function Course({ board }) {
  const played = movesOf(board.found.view);
  const step = (text, count) => html`<li key=${count}><button type="button" onClick=${() => board.back(count)}
    aria-current=${count === played.length ? "step" : undefined}>${text}</button></li>`;
  return html`<section aria-labelledby="so-far">
    <h3 id="so-far">Moves so far</h3>
    <ul class="verdicts course-of-play">${step("The start", 0)}
      ${played.map(({ text }, at) => step(`${at + 1}. ${text}`, at + 1))}</ul>
  </section>`;
}

function Position({ board }) {
  const { found, about, spot } = board;
  const special = found.moves.filter((move) => move.number === null);
  const { hint } = found;
  return html`<main class="game" id="main">
    <div class="play">
      <h2 class="status" id="status">${found.view.status}</h2>
      <${Board} tiles=${board.tiles} name="Numbers" focus=${board.focus} onTake=${(number) => board.play(number)} />
      <${Message} message=${board.message} />
      <div class="controls">
        ${special.map((move) => html`<${Action} key=${move.move} act=${() => board.play(move.move)}
          label=${board.showsValues ? `${move.label}: ${move.words}` : move.label} />`)}
        ${board.showsValues && hint?.line.length > 0 && html`<${Action} kind="main" label="Show the best line"
          act=${() => board.show({ line: hint.line, reason: hint.reason })} />`}
      </div>
      <${Limits} board=${board} />
      ${!found.over && html`<${Entry} label="Number" onTyped=${(text) => board.typed(text)} />`}
      <div class="controls tools">
        <${Action} can=${spot.moves.length > 0} label="Undo" act=${() => board.back(spot.moves.length - 1)} />
        <${Action} can=${spot.moves.length > 0} label="Start over" act=${() => board.back(0)} />
        <${Action} label="Values" aria-pressed=${String(board.showsValues)} act=${() => board.values()} />
      </div>
    </div>
    <div class="side">
      <${Hands} hands=${handsOf(found.view, about)} />
      ${!found.over && board.showsValues && html`<${MoveList} board=${board} />`}
      <${Course} board=${board} />
    </div>
  </main>`;
}

/** Which game, and which rules. Answers may be slow: each choice builds on the one before, and what is typed stays. */
function Chooser({ board }) {
  const { choices, spot, about } = board;
  const field = useRef(null);
  const { title, reading, readings } = about.book;
  const start = { moves: [], first: 1 };
  const change = (event) => {
    event.preventDefault();
    board.go({ ...board.wanted, ...start, changes: splitChanges(field.current.value) });
  };
  return html`<section class="chooser" aria-label="Game and rules">
    <${Select} id="game" label="Game" value=${spot.game} options=${gameOptions(choices, { id: spot.game, title })}
      onChange=${(event) => board.go({ ...start, game: event.target.value, reading: null, changes: [] })} />
    ${readings.length > 1 && html`<${Select} id="reading" label="Rules" value=${reading}
      options=${readings.map(({ name }) => [name, name])}
      onChange=${(event) => board.go({ ...board.wanted, ...start, reading: event.target.value })} />`}
    <details open=${spot.changes.length > 0}>
      <summary>Change the rules</summary>
      <form class="entry" onSubmit=${change}>
        <label for="changes">Changes</label>
        <input id="changes" ref=${field} type="text" autocomplete="off" spellcheck="false" aria-describedby="about-changes"
          key=${`${spot.game} ${spot.changes.join("; ")}`} defaultValue=${spot.changes.join("; ")} />
        <button type="submit">Apply</button>
      </form>
      <p id="about-changes" class="about">For example pool=1-12, as with --set at the terminal. Several are separated by semicolons.</p>
    </details>
    <p class="about">${about.goal}</p>
  </section>`;
}

/** A position that does not exist, or that could not be loaded. */
function Failed({ board }) {
  const { failure, wanted } = board;
  return html`<main id="main" class="welcome">
    <${Trouble} failure=${failure} again=${() => board.go(wanted, false)} />
    <div class="controls"><${Action} label="Start over" act=${() => board.go({ ...wanted, moves: [] })} />
      <a class="button" href="/learn/analysis">Analyse another game</a></div>
  </main>`;
}

function Opened({ choices }) {
  const [, update] = useState(0);
  const [board] = useState(() => new Analysis(choices, () => update((count) => count + 1)));
  useEffect(() => {
    const follow = () => board.goHere();
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  if (board.failure) return html`<${Failed} board=${board} />`;
  if (!board.found) return html`<main id="main"><p class="about">One moment …</p></main>`;
  const { line, about, spot } = board;
  return html`<${Chooser} board=${board} />
    ${line ? html`<${LineOfPlay} spot=${spotOf(spot)} ...${line} about=${about} leave=${() => board.show(null)} />`
      : html`<${Position} board=${board} />`}
    <footer class="texts"><${Rules} rules=${about.rules} /><${Keys} /></footer>`;
}

function Page() {
  const [choices, failure, again] = useAnswer(loadGames);
  return html`<${Frame} title="Analysis">
    ${choices ? html`<${Opened} choices=${choices} />`
      : html`<main id="main"><${Trouble} failure=${failure} again=${again} /></main>`}
  </${Frame}>`;
}

mount(html`<${Page} />`);
