// Positions as the server shows them: on the board, in addresses, and as lines step by step.
import { html, useState } from "../vendor/preact-htm.js";
import { describeTile } from "../board.js";
import { Line } from "../review.js";
import { post } from "./ask.js";
import { Trouble, useAnswer } from "./frame.js";

/** The fields by which requests name a position. */
export const spotOf = ({ game, reading, changes, moves, first }) => ({ game, reading, changes, moves, first });

/** The changes of rules that somebody wrote in a line. */
export const splitChanges = (text) => text.split(";").map((change) => change.trim()).filter(Boolean);

/** Which rules an address names: a built-in game or a stored rule book, its variant, and changes. */
export const rulesIn = (query) => ({
  game: query.get("game"),
  reading: query.get("reading"),
  changes: splitChanges(query.get("changes") ?? ""),
});

function queryOf({ game, reading, changes }, more = {}) {
  const query = new URLSearchParams({ ...more, game });
  if (reading) query.set("reading", reading);
  if (changes.length) query.set("changes", changes.join("; "));
  return query;
}

/** Where a position can be analysed. */
export function analysisOf({ moves, first, ...rules }) {
  const query = queryOf(rules);
  if (first !== 1) query.set("first", first);
  if (moves.length) query.set("moves", moves.join("."));
  return `/learn/analysis?${query}`;
}

/** Where puzzles by these rules are. */
export const puzzlesOf = (rules) => `/learn?${queryOf(rules, { row: "puzzles" })}`;

const described = new Map();

/** What does not change about the rules of a position; asked for once. */
export function aboutRules({ game, reading, changes }) {
  const wanted = { game, reading, changes };
  const key = JSON.stringify(wanted);
  if (!described.has(key)) {
    described.set(key, post("/api/learn/about", wanted).catch((failure) => {
      described.delete(key);
      throw failure;
    }));
  }
  return described.get(key);
}

/** `marks` are the signs of hints and `values` what numbers are worth, both by number. */
export function tilesOf(view, about, { marks = new Map(), values = new Map(), isOpen = false } = {}) {
  return view.tiles.map((tile) => {
    const shown = {
      ...tile,
      marker: tile.owner ? about.markers[tile.owner - 1] : "",
      free: isOpen && tile.free,
      barred: Boolean(tile.why),
      mark: marks.get(tile.number) ?? "",
      value: values.get(tile.number) ?? null,
    };
    return { ...shown, label: describeTile(shown, about.words, view.names) };
  });
}

export function handsOf(view, about) {
  return view.names.map((name, at) => ({
    name,
    marker: about.markers[at],
    numbers: view.hands[at].join(" ") || about.words.empty,
    isNext: view.turn === at + 1,
  }));
}

/** The moves so far, each with its player. */
export function movesOf(view) {
  return view.moves.map(({ seat, text }, at) => ({ key: `${at}-${text}`, text: `${view.names[seat - 1]}: ${text}` }));
}

/** A line of play from a position on; `leave` returns to where it was opened. */
export function LineOfPlay({ spot, line, reason, about, leave }) {
  const [found, failure, again] = useAnswer(() => post("/api/learn/line", { ...spot, line }));
  const [at, go] = useState(1);
  if (!found) return html`<main id="main"><${Trouble} failure=${failure} again=${again} /></main>`;
  const { text, view } = found.frames[at];
  const end = view.over ? ` ${view.status}` : "";
  return html`<${Line} act=${{ go, leave }} view=${{
    reason,
    at,
    count: line.length,
    tiles: tilesOf(view, about),
    message: { serial: at, text: `${at} of ${line.length}: ${text || "before the first move"}.${end}` },
  }} />`;
}
