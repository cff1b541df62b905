// The form for a new game, of any game or by certain rules; what was chosen last time is proposed.
import { html, useState } from "../vendor/preact-htm.js";
import { post } from "./ask.js";
import { Trouble } from "./frame.js";
import { recall, remember } from "./memory.js";
import { Select } from "./select.js";

const NAME = "ninefold-new-game";
const OTHER = "other";
const USUAL = { opponent: "level:2", first: "1", clock: "0", match: "0", limit: "", minutes: "10", added: "5", wins: "10" };

function Radios({ name, label, value, options, onChange }) {
  return html`<fieldset class="field">
    <legend>${label}</legend>
    ${options.map(([key, text, about]) => html`<label class="choice" key=${key}>
      <input type="radio" name=${name} value=${key} checked=${key === value} onChange=${onChange} />
      <span>${text}${about && html`<span class="about">${about}</span>`}</span></label>`)}
  </fieldset>`;
}

function Number({ id, label, value, onChange, ...bounds }) {
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <input id=${id} type="number" inputmode="decimal" value=${value} onInput=${onChange} ...${bounds} />
  </div>`;
}

/** Whom this game can be played against, by the groups of the list; bots play what they like. */
function opponentsOf(books, bots, game) {
  const isComputer = (one) => books.computers.includes(one.kind);
  const ready = bots.filter((bot) => !bot.games || bot.games.includes(game));
  return {
    People: books.opponents.filter((one) => !isComputer(one)),
    Computer: books.opponents.filter(isComputer),
    Bots: ready.map((bot) => ({ kind: `bot:${bot.id}`, name: bot.name, plays: "A program that somebody has connected." })),
  };
}

/** The choices of last time, as far as they are still there. */
function proposed(books) {
  const chosen = { ...USUAL, ...recall(NAME) };
  const has = (list, value) => list.includes(value);
  if (!has(books.games.map((game) => game.id), chosen.game)) chosen.game = books.games.at(-1).id;
  if (!has([...books.clocks.keys(), OTHER].map(String), chosen.clock)) chosen.clock = USUAL.clock;
  if (!has([...books.matches.keys(), OTHER].map(String), chosen.match)) chosen.match = USUAL.match;
  return chosen;
}

/** What the server is asked for; a field that is not a number is left to it to refuse. */
function request(books, chosen, rules, opponent) {
  const number = (text, factor = 1) => (text.trim() === "" ? null : factor * text);
  const { label: _, ...preset } = books.clocks[chosen.clock] ?? {};
  const own = { time_limit: number(chosen.limit), game_time: number(chosen.minutes, 60), increment: number(chosen.added) };
  if (own.game_time === null) own.increment = null;
  return {
    ...rules,
    opponent,
    first: chosen.first === "random" ? "random" : +chosen.first,
    ...(chosen.clock === OTHER ? own : preset),
    wins: chosen.match === OTHER ? number(chosen.wins) : books.matches[chosen.match].wins,
  };
}

const gameOf = (books, chosen) => books.games.find((game) => game.id === chosen.game);

function readingOf(books, chosen) {
  const { readings, reading } = gameOf(books, chosen);
  return readings.find((one) => one.name === chosen.reading) ?? readings.find((one) => one.name === reading);
}

/** `rules` are those of the one game that is offered; the children stand above everything else. */
export function NewGame({ books, bots, rules = null, children }) {
  const [chosen, setChosen] = useState(() => proposed(books));
  const [failure, setFailure] = useState(null);
  const [isBusy, setBusy] = useState(false);
  const choose = (name) => (event) => setChosen({ ...chosen, [name]: event.target.value });
  const game = gameOf(books, chosen);
  const wanted = rules ?? { game: chosen.game, reading: readingOf(books, chosen).name };
  const opponents = opponentsOf(books, bots, wanted.game);
  const find = (kind) => Object.values(opponents).flat().find((one) => one.kind === kind);
  const opponent = find(chosen.opponent) ?? find(USUAL.opponent);
  const isPerson = opponents.People.includes(opponent);
  const submit = async (event) => {
    event.preventDefault();
    if (isBusy) return;
    setBusy(true);
    setFailure(null);
    remember(NAME, chosen);
    try {
      const begun = await post("/api/games", request(books, chosen, wanted, opponent.kind));
      location.assign(`/game/${begun.id}`);
    } catch (failed) {
      setFailure(failed);
    }
    setBusy(false);
  };
  const shared = (name) => ({ value: chosen[name], onChange: choose(name) });
  return html`<form class="card new" onSubmit=${submit}>
    ${children}
    ${!rules && html`<${Select} id="game" label="Game" ...${shared("game")}
      about=${html`${game.summary} <a href=${`/book/${game.id}`}>Read the rules</a>`}
      options=${books.games.map((one) => [one.id, one.title])} />`}
    ${!rules && game.readings.length > 1 && html`<${Radios} name="reading" label="Rules" value=${readingOf(books, chosen).name}
      onChange=${choose("reading")} options=${game.readings.map((one) => [one.name, one.name, one.summary])} />`}
    <${Select} id="opponent" label="Opponent" value=${opponent.kind} onChange=${choose("opponent")} about=${opponent.plays}
      options=${Object.entries(opponents).filter(([, group]) => group.length)
        .map(([label, group]) => [label, label, group.map((one) => [one.kind, one.name])])} />
    <${Radios} name="first" label="Who starts" ...${shared("first")}
      options=${[["1", "You"], ["2", isPerson ? "Your opponent" : opponent.name], ["random", "Toss a coin"]]} />
    <div class="pair">
      <${Select} id="clock" label="Clock" ...${shared("clock")}
        options=${[...books.clocks.map((one, at) => [String(at), one.label]), [OTHER, "Other …"]]} />
      <${Select} id="match" label="Match" ...${shared("match")}
        options=${[...books.matches.map((one, at) => [String(at), one.label]), [OTHER, "Other …"]]} />
    </div>
    ${chosen.clock === OTHER && html`<div class="pair">
      <${Number} id="limit" label="Seconds per turn" ...${shared("limit")} min="1" max="86400" step="any" />
      <${Number} id="minutes" label="Minutes each" ...${shared("minutes")} min="0.1" max="1440" step="any" />
      <${Number} id="added" label="Seconds more per turn" ...${shared("added")} min="0" max="86400" step="any" />
    </div>`}
    ${chosen.match === OTHER && html`<${Number} id="wins" label="Wins needed" ...${shared("wins")}
      min="1" max="1000" required />`}
    <${Trouble} failure=${failure} />
    <button type="submit" class="main big">Play</button>
  </form>`;
}
