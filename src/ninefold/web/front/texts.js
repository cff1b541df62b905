// What can be read below a game.
import { html } from "./vendor/preact-htm.js";

export function Rules({ rules }) {
  return html`<details>
    <summary>Rules</summary>
    ${rules.map((part, at) => part.is_heading
      ? html`<h2 key=${at}>${part.text}</h2>` : html`<p key=${at}>${part.text}</p>`)}
  </details>`;
}

export function Keys() {
  return html`<details>
    <summary>Keys</summary>
    <p>Tab moves between the board, the field for a number and the buttons. On the board, the arrow
      keys, Home and End move between the numbers, and Enter or Space takes one.</p>
  </details>`;
}
