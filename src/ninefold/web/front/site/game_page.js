// The page of a game: to play it, to watch it, and to invite somebody to it.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Action, Game, Question } from "../game.js";
import { Keys, Rules } from "../texts.js";
import { get, whoami } from "./ask.js";
import { Clock, spokenClocks } from "./clock.js";
import { Frame, Trouble, mount, useAnswer } from "./frame.js";
import { Invitation } from "./invitation.js";
import { PlayedGame } from "./played_game.js";

const id = location.pathname.split("/")[2];

/** Whether the server can be heard, said kindly. */
function Connection({ game }) {
  const lost = navigator.onLine ? "The connection is lost. Trying again …" : "You are offline.";
  const later = game.sent ? "Your move is sent as soon as the connection is back."
    : "The game is safe, and goes on as soon as the connection is back.";
  return html`<div class="connection" role="status">
    ${!game.isConnected && html`<p><strong>${lost}</strong> ${later}</p>`}
  </div>`;
}

/** What a player asks for and the other has not answered, with the answers; the log announces it. */
function Asked({ game }) {
  const { asked, view } = game;
  const isMine = asked?.seat === view.you;
  // Whoever wants a rematch sees that on the button.
  if (!asked || !view.you || game.next || (isMine && view.over)) return null;
  const answers = ["accept-undo", "decline-undo"].map((name) => game.action(name)).filter(Boolean);
  return html`<div class="asked">
    <p>${isMine ? "You asked to take back a move. Your opponent has to agree." : asked.text}</p>
    <div class="controls">${answers.map((action) => html`<${Action} key=${action.action}
      label=${action.label} act=${() => game.talk(action)} />`)}</div>
  </div>`;
}

function Playing({ game }) {
  const tool = (name, label) => html`<${Action} key=${name} can=${Boolean(game.action(name))}
    label=${label} act=${() => game.talk(game.action(name))} />`;
  const clocks = () => {
    game.say(spokenClocks(game));
    game.changed();
  };
  return html`${game.view.you > 0 && [tool("undo", "Undo"), tool("resign", "Resign")]}
    ${game.clocks && html`<${Action} label="Read out the clocks" act=${clocks} />`}`;
}

function Finished({ game }) {
  const rematch = game.action("rematch");
  return html`<a class="button main" href=${`/game/${id}/review`}>Review</a>
    ${game.next ? html`<a class="button" href=${`/game/${game.next}`}>Go to the next game</a>`
      : game.view.you > 0 && html`<${Action} kind=${game.asked ? "main" : ""} can=${Boolean(rematch)} label=${rematch?.label ?? "Waiting for the other player"}
          act=${() => game.talk(rematch)} />`}
    <a class="button" href=${`/api/games/${id}/record`} download>Download the record</a>`;
}

function Table({ game }) {
  const view = game.shown();
  view.hands.forEach((hand, at) => {
    hand.clock = html`<${Clock} game=${game} seat=${at + 1} />`;
  });
  const act = { take: (number) => game.take(number), typed: (text) => game.typed(text), control: (one) => game.control(one) };
  return html`<${Game} view=${view} act=${act} notes=${html`<${Asked} game=${game} />`}
    tools=${game.view.over ? html`<${Finished} game=${game} />` : html`<${Playing} game=${game} />`} />`;
}

function About({ game }) {
  const { about, view } = game;
  const isWatching = !view.you && ["playing", "over"].includes(game.state);
  const terms = game.state === "open" ? [] : about.terms; // an invitation says more about them
  const facts = [...terms, isWatching && "You are watching this game"];
  return html`<div class="about"><p>${about.goal}</p><p>${facts.filter(Boolean).join(" · ")}</p></div>`;
}

/** If what had the focus is gone, the board gets it: a keyboard is never lost. */
function useFocus(game) {
  useEffect(() => {
    if (game.hadFocus && document.activeElement === document.body) {
      document.querySelector('.tile[tabindex="0"], .tools button, .tools a')?.focus();
    }
    game.hadFocus = document.activeElement !== document.body;
  });
}

function Opened({ game }) {
  useFocus(game);
  useEffect(() => {
    if (game.isLeaving) location.assign(`/game/${game.next}`);
  }, [game.isLeaving]);
  return html`<${Connection} game=${game} />
    <p class="hidden" role="status">${game.begun}</p>
    ${game.state === "open" || game.state === "withdrawn" ? html`<${Invitation} game=${game} />` : html`<${Table} game=${game} />`}
    <footer class="texts"><${Rules} rules=${game.about.rules} /><${Keys} /></footer>
    <${Question} question=${game.question?.text ?? null} onAnswer=${(yes) => game.answer(yes)} />`;
}

function Page() {
  const [, update] = useState(0);
  const [game, setGame] = useState(null);
  const changed = () => update((count) => count + 1);
  // The connection is made as whom the cookie says, so that comes first.
  const [about, failure, again] = useAnswer(() => whoami().then(() => get(`/api/games/${id}/about`)));
  useEffect(() => {
    if (about) setGame(new PlayedGame(id, about, changed));
  }, [about]);
  return html`<${Frame} title=${about?.title ?? "Game"} status=${game?.view?.status}
      about=${game?.view && html`<${About} game=${game} />`}>
    ${game?.view ? html`<${Opened} game=${game} />`
      : html`<main id="main" class="welcome"><${Trouble} failure=${failure} again=${again} />
          ${failure?.isFinal && html`<div><a class="button main" href="/">Play another game</a></div>`}</main>`}
  </${Frame}>`;
}

mount(html`<${Page} />`);
