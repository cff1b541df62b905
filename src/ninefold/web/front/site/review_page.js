// The page of a finished game: its review, step by step on the board.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { describeTile } from "../board.js";
import { Line, Review } from "../review.js";
import { Rules } from "../texts.js";
import { get, post, whoami } from "./ask.js";
import { Frame, Trouble, mount, useAnswer } from "./frame.js";
import { analysisOf } from "./position.js";

const id = location.pathname.split("/")[2];

/** The review of a game on the screen: which position is shown, and what is said about it. */
class Reviewed {
  constructor(about, review, changed) {
    Object.assign(this, { about, review, changed });
    this.names = review.names.map((name, at) => (review.reader === at + 1 ? about.words.you : name));
    this.serial = 0;
    this.line = null;
    this.go(0);
  }

  say(text) {
    this.message = { text, serial: ++this.serial };
  }

  // What the reader does

  go(at) {
    const { moves } = this.review;
    this.at = at;
    this.say(at ? `Move ${at} of ${moves.length}. ${moves[at - 1].text}` : "The start.");
    this.changed();
  }

  find(number) {
    const at = this.review.moves.findIndex((move) => move.number === number);
    if (at >= 0) this.go(at + 1);
  }

  nextMistake() {
    const plies = this.review.moves.flatMap((move, at) => (move.mistake ? [at + 1] : []));
    this.go(plies.find((ply) => ply > this.at) ?? plies[0]);
  }

  showBetter() {
    this.line = { move: this.review.moves[this.at - 1], at: 0 };
    this.goLine(1);
  }

  goLine(at) {
    const { steps } = this.line.move;
    this.line.at = at;
    this.say(`${at} of ${steps.length}: ${at ? steps[at - 1].text : "before the first move"}`);
    this.changed();
  }

  leaveLine() {
    this.line = null;
    this.go(this.at);
  }

  async playOn() {
    try {
      const begun = await post(`/api/games/${id}/play-on`, { moves: this.at });
      location.assign(`/game/${begun.id}`);
    } catch (failure) {
      this.say(failure.message);
      this.changed();
    }
  }

  // What is shown

  /** Where this position can be analysed. */
  get analysis() {
    const { book, first } = this.about;
    const moves = this.review.moves.slice(0, this.at).map((one) => one.move);
    return analysisOf({ ...book, first, moves });
  }

  /** Every number as it stands in a position; `last` was taken last, `marks` are signs by number. */
  tiles(hands, last, { lit = [], marks = new Map() } = {}) {
    const { pool, markers, words } = this.about;
    return pool.map(({ number, worth }) => {
      const owner = hands[0].includes(number) ? 1 : hands[1].includes(number) ? 2 : 0;
      const tile = {
        number, worth, owner, marker: owner ? markers[owner - 1] : "", free: false,
        last: number === last, lit: lit.includes(number), mark: marks.get(number) ?? "",
      };
      return { ...tile, label: describeTile(tile, words, this.names) };
    });
  }

  hands({ hands, turn, over }) {
    return this.names.map((name, at) => ({
      name,
      marker: this.about.markers[at],
      numbers: hands[at].join(" ") || this.about.words.empty,
      isNext: !over && turn === at + 1,
    }));
  }

  overview(text) {
    return [this.review.ended, text].join("\n").split("\n").filter(Boolean);
  }

  shown() {
    const { at, review } = this;
    const { moves } = review;
    const move = moves[at - 1];
    const side = review.reader ?? 1;
    const standing = (one) => (!one.proved ? "unknown" : one.standing === null ? "draw" : one.standing === side ? "win" : "loss");
    const isEnd = at === moves.length;
    const last = moves.slice(0, at).findLast((one) => one.number !== null)?.number;
    const marks = new Map(move?.mistake ? move.better.map((better) => [Number(better), "hinted"]) : []);
    return {
      at,
      count: moves.length,
      moves: moves.map((one) => ({ text: one.text, isMistake: one.mistake })),
      overview: this.overview(review.overview),
      legend: review.legend,
      printed: { ...review.printed, overview: this.overview(review.printed.overview), names: review.names },
      course: moves.map((one) => ({ played: one.label, standing: standing(one), isMistake: one.mistake })),
      message: this.message,
      tiles: this.tiles(review.positions[at].hands, last, { marks, lit: isEnd ? review.lit : [] }),
      hands: this.hands(review.positions[at]),
      leave: "Back to the game",
      can: {
        mistake: moves.some((one) => one.mistake),
        better: Boolean(move?.steps.length),
        playOn: !review.positions[at].over,
      },
    };
  }

  shownLine() {
    const { move, at } = this.line;
    const { steps } = move;
    const before = this.review.positions[move.ply - 1];
    const last = steps.slice(0, at).findLast((one) => one.number !== null)?.number;
    return {
      reason: move.text,
      at,
      count: steps.length,
      message: this.message,
      tiles: this.tiles((steps[at - 1] ?? before).hands, last),
    };
  }
}

/** Who played, when, and how. */
function About({ about }) {
  const [one, two] = about.names;
  const day = new Date(about.created).toLocaleDateString(document.documentElement.lang, { dateStyle: "long" });
  return html`<p class="about"><bdi>${one}</bdi> and <bdi>${two}</bdi> · ${[day, ...about.terms].join(" · ")}</p>`;
}

function Opened({ page }) {
  if (page.line) {
    return html`<${Line} view=${page.shownLine()} act=${{ go: (at) => page.goLine(at), leave: () => page.leaveLine() }} />`;
  }
  return html`<${Review} view=${page.shown()} act=${{
    go: (at) => page.go(at),
    find: (number) => page.find(number),
    mistake: () => page.nextMistake(),
    better: () => page.showBetter(),
    playOn: () => page.playOn(),
    leave: () => location.assign(`/game/${id}`),
  }} more=${html`<a class="button" href=${page.analysis}>Analyse this position</a>
    <a class="button" href=${`/api/games/${id}/record`} download>Download the record</a>
    <button type="button" onClick=${() => print()}>Print</button>`} />`;
}

/** The review, asked for until it is there; `tell` hears how far it is. */
async function load(tell) {
  await whoami();
  const about = await get(`/api/games/${id}/about`);
  for (;;) {
    const { review, progress } = await get(`/api/games/${id}/review`);
    if (review) return { about, review };
    tell(progress);
  }
}

/** What is shown instead of a review: that there is none yet, how far it is, or what went wrong. */
function Waiting({ failure, again, progress }) {
  if (failure?.code === "not-over") {
    return html`<p>This game is not over yet. Its review will be here.</p>
      <p><a class="button main" href=${`/game/${id}`}>Go to the game</a></p>`;
  }
  if (failure) {
    return html`<${Trouble} failure=${failure} again=${again} />
      ${failure.isFinal && html`<div><a class="button main" href="/">Play a game</a></div>`}`;
  }
  return html`<p role="status">Judging every move …
    ${progress && html` move ${progress.move} of ${progress.of}`}</p>`;
}

function Page() {
  const [, update] = useState(0);
  const [page, setPage] = useState(null);
  const [progress, setProgress] = useState(null);
  const [loaded, failure, again] = useAnswer(() => load(setProgress));
  useEffect(() => {
    const changed = () => update((count) => count + 1);
    if (loaded) setPage(new Reviewed(loaded.about, loaded.review, changed));
  }, [loaded]);
  return html`<${Frame} title=${loaded ? loaded.about.title : "Review"} status=${loaded && "Review"}
      about=${loaded && html`<${About} about=${loaded.about} />`}>
    ${page ? html`<${Opened} page=${page} /><footer class="texts"><${Rules} rules=${page.about.rules} /></footer>`
      : html`<main id="main" class="welcome"><${Waiting} failure=${failure} again=${again} progress=${progress} /></main>`}
  </${Frame}>`;
}

mount(html`<${Page} />`);
