// Lists to choose from, each with its label.
import { html } from "../vendor/preact-htm.js";
import { get } from "./ask.js";

/** `options` are pairs of a value and a text; a third part makes one a group of such pairs. */
export function Select({ id, label, value, options, onChange, about }) {
  const option = ([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`;
  return html`<div class="field">
    <label for=${id}>${label}</label>
    <select id=${id} aria-describedby=${about ? `${id}-about` : undefined} onChange=${onChange}>
      ${options.map(([key, text, group]) => group
        ? html`<optgroup key=${key} label=${text}>${group.map(option)}</optgroup>` : option([key, text]))}
    </select>
    ${about && html`<p id=${`${id}-about`} class="about">${about}</p>`}
  </div>`;
}

/** The built-in games, and the rule books that this person has saved. */
export async function loadGames() {
  const [{ games }, { books }] = await Promise.all([get("/api/books"), get("/api/books/mine")]);
  return { games, books };
}

/** The options for them; one that is in neither list, such as a friend's rule book, is added. */
export function gameOptions({ games, books }, { id, title }) {
  const pairs = (list) => list.map((one) => [one.id, one.title]);
  const isListed = [...games, ...books].some((one) => one.id === id);
  const others = pairs(isListed ? books : [{ id, title }, ...books]);
  return others.length ? [["games", "Games", pairs(games)], ["books", "Rule books", others]] : pairs(games);
}
