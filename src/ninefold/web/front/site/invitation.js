// A game that waits for an opponent: a link to send, or the button to join.
import { html, useRef, useState } from "../vendor/preact-htm.js";
import { Action } from "../game.js";
import { post } from "./ask.js";
import { NameForm } from "./name.js";

/** A text to copy. */
export function CopyField({ id, label, text }) {
  const field = useRef(null);
  const [said, setSaid] = useState("");
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setSaid("Copied.");
    } catch {
      field.current.select();
      setSaid("It is selected: press Ctrl+C to copy it.");
    }
  };
  return html`<div class="entry share">
    <label for=${id}>${label}</label>
    <input id=${id} type="text" readonly ref=${field} value=${text} onFocus=${(event) => event.target.select()} />
    <button type="button" class="main" onClick=${copy}>Copy</button>
    <span role="status">${said}</span>
  </div>`;
}

/** The address of this page, ready to be sent. */
export const ShareLink = () => html`<${CopyField} id="link" label="Link" text=${location.href} />`;

function Owner({ game }) {
  const withdraw = game.action("withdraw");
  return html`<p>${game.about.listed
      ? "Your challenge is in the lobby. You can also send the link to somebody."
      : "Send this link to a friend. Whoever opens it first can join."}</p>
    <${ShareLink} />
    <p class="about">The game begins when somebody joins. You can leave this page meanwhile and find the game
      under Play.</p>
    ${withdraw && html`<div class="controls"><${Action} label=${withdraw.label} act=${() => game.talk(withdraw)} /></div>`}`;
}

function Guest({ game }) {
  const join = async () => {
    await post(`/api/games/${game.id}/join`);
    game.live.renew(); // as the player who has joined
  };
  return html`<${NameForm} label="You play as" button=${game.action("join").label} kind="main" then=${join} />`;
}

/** What whoever looks at the game can do, by its state. */
function Choices({ game }) {
  if (game.state !== "open") return html`<p><a href="/">Start another game</a></p>`;
  return game.view.you ? html`<${Owner} game=${game} />` : html`<${Guest} game=${game} />`;
}

/** Who begins an open game of these two, to its owner or to whoever may join it. */
export function openingOf({ names, first }, isOwner) {
  if (isOwner === (first === 1)) return "You go first";
  return isOwner ? "Your opponent goes first" : `${names[0]} goes first`;
}

/** What a game would be: its rules, who begins, its clock, and how long the match is. */
function Terms({ game }) {
  const { about, view } = game;
  const isNext = view.turn === (view.you || 2);
  const moves = view.moves.map((move) => move.text).join(", ");
  const starts = moves ? `After ${moves}, ${isNext ? "you move" : "the other player moves"} next` : openingOf(about, view.you === 1);
  const facts = { Game: about.title, Start: starts, Clock: about.clock, Match: about.length };
  return html`<dl class="terms">${Object.entries(facts).map(([name, fact]) => html`<div key=${name}>
    <dt>${name}</dt><dd>${fact}</dd></div>`)}</dl>`;
}

export function Invitation({ game }) {
  return html`<main class="card invitation" id="main">
    <h2 class="status" id="status">${game.view.status}</h2>
    ${game.state === "open" && html`<${Terms} game=${game} />`}
    <${Choices} game=${game} />
  </main>`;
}
