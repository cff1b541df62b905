// Puzzles one after another: in each, one number wins.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { Action, Game } from "../game.js";
import { Keys, Rules } from "../texts.js";
import { post } from "./ask.js";
import { Trouble, useAnswer } from "./frame.js";
import { newKey } from "./live.js";
import { LineOfPlay, aboutRules, analysisOf, handsOf, movesOf, spotOf, tilesOf } from "./position.js";

const STEPS = 3;
const AGAIN = "Again: you missed this one last time.";
const HINTS = ["Hint", "Show the number (counts as missed)", "Say why", "Hint"];

/** What happens in a row of puzzles; what was missed is asked again at the end. */
class Run {
  constructor(puzzles, changed) {
    this.queue = [...puzzles];
    this.changed = changed;
    this.number = 0;
    this.results = [];
    this.serial = 0;
    this.next();
  }

  get puzzle() {
    return this.queue[this.number - 1];
  }

  get isOver() {
    return this.number > this.queue.length;
  }

  next() {
    const wasAlone = this.queue.length === 1; // at once, it would only be remembered
    if (this.result === false && !wasAlone) this.queue.push({ ...this.puzzle, origin: AGAIN, isAgain: true });
    this.number += 1;
    Object.assign(this, {
      attempt: newKey(), step: 0, result: null, isSolved: false, line: null, isShowing: false, isBusy: false,
      marks: new Map(), values: new Map(), message: { text: "", serial: 0 }, focus: ++this.serial,
    });
    this.changed();
  }

  say(text) {
    this.message = { text, serial: ++this.serial };
    this.changed();
  }

  /** Only the first result of an attempt counts. */
  count(isRight) {
    if (this.result !== null) return;
    this.result = isRight;
    if (!this.puzzle.isAgain) this.results.push(isRight);
  }

  /** Ask the server about this attempt; one request at a time. */
  async ask(path, more, use) {
    if (this.isBusy || this.isSolved) return;
    this.isBusy = true;
    const { attempt } = this;
    try {
      const found = await post(path, { ...spotOf(this.puzzle), attempt, ...more });
      if (attempt === this.attempt) use(found);
    } catch (failure) {
      this.say(failure.message);
    }
    this.isBusy = false;
    this.changed();
  }

  take(number) {
    return this.ask("/api/learn/answer", { move: String(number) }, (found) => {
      if (found.right !== null) this.answered(number, found);
      this.say(found.text);
    });
  }

  answered(number, { right, line, text }) {
    this.count(right);
    this.isSolved = right;
    this.line = { line, reason: text };
    this.values.set(number, right ? { result: "win", word: "right" } : { result: "loss", word: "wrong" });
    if (right) this.marks.clear();
  }

  typed(text) {
    if (/^\s*[+-]?\d{1,15}\s*$/.test(text)) this.take(Number(text));
    else this.say("Type one number.");
  }

  hint() {
    return this.ask("/api/learn/hint", { step: this.step + 1 }, (found) => {
      this.step = found.step;
      this.marks = found.moves.length ? new Map(found.moves.map((move) => [Number(move), "hinted"]))
        : new Map(found.area.map((number) => [number, "area"]));
      if (this.step > 1) this.count(false);
      if (found.line) this.line = { line: found.line, reason: found.text };
      this.say(found.text);
    });
  }

  show(isShowing) {
    this.isShowing = isShowing;
    if (!isShowing) this.focus = ++this.serial;
    this.changed();
  }
}

function Tools({ run }) {
  const next = useRef(null);
  // With the keyboard, Enter goes on.
  useEffect(() => {
    if (run.isSolved) next.current.querySelector("button").focus();
  }, [run.isSolved]);
  return html`
    ${!run.isSolved && html`<${Action} can=${run.step < STEPS} label=${HINTS[run.step]} act=${() => run.hint()} />`}
    <span ref=${next}><${Action} kind=${run.isSolved ? "main" : ""} label=${run.isSolved ? "Next" : "Skip"}
      act=${() => run.next()} /></span>
    ${run.result !== null && html`<a class="button" href=${analysisOf(run.puzzle)}>Analyse this position</a>`}`;
}

function Puzzle({ run, about }) {
  const { puzzle, isSolved } = run;
  const { view } = puzzle;
  const shown = {
    status: isSolved ? "Solved." : `${puzzle.question} You are ${about.markers[view.you - 1]}.`,
    mood: isSolved ? "won" : "",
    tiles: tilesOf(view, about, { marks: run.marks, values: run.values, isOpen: !isSolved }),
    message: run.message,
    controls: run.line ? [{ key: "line", label: "Show it on the board" }] : [],
    entry: isSolved ? "" : "Number",
    hands: handsOf(view, about),
    log: movesOf(view).map(({ key, text }) => ({ key: `${run.number}-${key}`, text })),
    focus: run.focus,
  };
  const act = { take: (number) => run.take(number), typed: (text) => run.typed(text), control: () => run.show(true) };
  return html`<${Game} view=${shown} act=${act} tools=${html`<${Tools} run=${run} />`} />`;
}

/** The puzzle that is asked now, with its rules. */
function Asked({ run }) {
  const { puzzle } = run;
  const [about, failure, again] = useAnswer(() => aboutRules(puzzle), [run.number]);
  const isShown = about && about.title === puzzle.view.title;
  if (!isShown) return html`<main id="main"><${Trouble} failure=${failure} again=${again} /></main>`;
  const place = run.queue.length > 1 && `Puzzle ${run.number} of ${run.queue.length}`;
  const rating = `${puzzle.rating_words[0].toUpperCase()}${puzzle.rating_words.slice(1)}`;
  const facts = [place, rating, puzzle.origin];
  return html`<section class="about" aria-label="This puzzle">
      <p><strong>${about.title}.</strong> ${about.goal}</p>
      <p>${facts.filter(Boolean).join(" · ")}</p>
    </section>
    ${run.isShowing ? html`<${LineOfPlay} spot=${spotOf(puzzle)} ...${run.line} about=${about} leave=${() => run.show(false)} />`
      : html`<${Puzzle} key=${run.number} run=${run} about=${about} />`}
    <footer class="texts"><${Rules} rules=${about.rules} /><${Keys} /></footer>`;
}

function resultOf(results) {
  const [first, second] = results;
  const solved = results.filter(Boolean).length;
  if (first === undefined) return "You answered no puzzles.";
  if (second === undefined) return first ? "You solved it on the first try." : "You missed it on the first try.";
  return `Solved on the first try: ${solved} of ${results.length} puzzles.`;
}

function End({ run, more, leave }) {
  const heading = useRef(null);
  useEffect(() => heading.current.focus(), []);
  const { results } = run;
  return html`<main id="main" class="welcome">
    <h2 class="status" tabindex="-1" ref=${heading}>That was the last one.</h2>
    <p>${resultOf(results)} ${results.includes(false) && "What you missed comes back under Practice."}</p>
    <div class="controls">
      ${more && html`<${Action} kind="main" label="More puzzles" act=${more} />`}
      <${Action} label="Back to Learn" act=${leave} />
    </div>
  </main>`;
}

/** Puzzles in a row; `more` begins another row of the same kind, if there is one. */
export function Puzzles({ puzzles, more, leave }) {
  const [, update] = useState(0);
  const [run] = useState(() => new Run(puzzles, () => update((count) => count + 1)));
  return run.isOver ? html`<${End} run=${run} more=${more} leave=${leave} />` : html`<${Asked} run=${run} />`;
}
