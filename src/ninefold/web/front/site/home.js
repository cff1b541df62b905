// The lobby: games to go on with, a new one, open challenges, and finished games.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Action } from "../game.js";
import { get, post, whoami } from "./ask.js";
import { Frame, Trouble, mount, useAnswer } from "./frame.js";
import { openingOf } from "./invitation.js";
import { Live } from "./live.js";
import { NameForm } from "./name.js";
import { NewGame } from "./new_game.js";

// How long a list of my games may be old while the page is looked at, in milliseconds.
const REFRESH = 20_000;
const SHOWN = 10;
const WELCOME = "Number games for two: take numbers from a shared pool, complete a set, win.";

/** The open challenges, now and whenever they change, null until they are known; and whether the server is heard. */
function useLobby() {
  const [lobby, setLobby] = useState(null);
  const [isConnected, setConnected] = useState(true);
  useEffect(() => {
    new Live({ greet: () => [{ type: "lobby" }], onMessage: setLobby, onState: setConnected });
  }, []);
  return [lobby, isConnected];
}

/** My games, read again now and then while somebody looks at them. */
function useMine() {
  const [mine, failure, again] = useAnswer(() => whoami().then(() => get("/api/games/mine")));
  useEffect(() => {
    const look = () => document.hidden || again();
    const timer = setInterval(look, REFRESH);
    document.addEventListener("visibilitychange", look);
    addEventListener("pageshow", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
      removeEventListener("pageshow", look);
    };
  }, []);
  return [mine?.games, failure, again];
}

function Section({ id, title, children }) {
  return html`<section class=${id} aria-labelledby=${`${id}-title`}>
    <h2 id=${`${id}-title`}>${title}</h2>
    ${children}
  </section>`;
}

/** The opponent, and in a second line the game and what else there is to know. */
function GameText({ game, who, more = game.terms }) {
  return html`<span class="who"><bdi>${who}</bdi></span>
    <span class="about">${[game.title, ...more].join(" · ")}</span>`;
}

function Unfinished({ games }) {
  const who = (game) => (game.state === "open" ? "Open" : game.names[2 - game.you]);
  return html`<${Section} id="unfinished" title="Continue">
    <ul class="games">${games.map((game) => html`<li key=${game.id}>
      <a href=${`/game/${game.id}`} class=${game.turn === game.you ? "mine" : ""}>
        <${GameText} game=${game} who=${who(game)} />
        <span class="standing">${game.status}</span>
      </a></li>`)}</ul>
  </${Section}>`;
}

function Challenges({ lobby, isConnected, onChange }) {
  const [failure, setFailure] = useState(null);
  const accept = (id) => post(`/api/games/${id}/join`).then(() => location.assign(`/game/${id}`), setFailure);
  const withdraw = (id) => post(`/api/games/${id}/act`, { type: "withdraw" }).then(onChange, setFailure);
  const isMine = (game) => lobby.mine.includes(game.id);
  return html`<${Section} id="challenges" title="Open challenges">
    <${Trouble} failure=${failure} />
    <p class="about" role="status">${!isConnected && "The connection is lost. Trying again …"}</p>
    ${isConnected && lobby && !lobby.games.length && html`<p class="about">Nobody is waiting. Play against “Anyone” to be the first.</p>`}
    <ul class="games">${lobby?.games.map((game) => html`<li key=${game.id} class="row">
      <span><${GameText} game=${game} who=${isMine(game) ? "You" : game.names[0]}
        more=${[openingOf(game, isMine(game)), game.clock, game.length]} /></span>
      ${isMine(game) ? html`<${Action} label="Withdraw" aria-label=${`Withdraw ${game.title}`} act=${() => withdraw(game.id)} />`
        : html`<${Action} kind="main" label="Accept" aria-label=${`Accept ${game.names[0]}, ${game.title}`} act=${() => accept(game.id)} />`}
    </li>`)}</ul>
  </${Section}>`;
}

function Finished({ games }) {
  const [isOpen, setOpen] = useState(false);
  const sign = (game) => (game.winner === 0 ? "=" : game.winner === game.you ? "+" : "−");
  const look = (game) => (game.winner === 0 ? "draw" : game.winner === game.you ? "win" : "loss");
  const day = (game) => new Date(game.created).toLocaleDateString(document.documentElement.lang, { dateStyle: "medium" });
  const shown = isOpen ? games : games.slice(0, SHOWN);
  return html`<${Section} id="finished" title="Finished games">
    <ul class="games">${shown.map((game) => html`<li key=${game.id}>
      <a href=${`/game/${game.id}/review`}>
        <${GameText} game=${game} who=${game.names[2 - game.you]} more=${[...game.terms, day(game)]} />
        <span class=${`standing ${look(game)}`}><span aria-hidden="true">${sign(game)}${" "}</span>${game.status}</span>
      </a></li>`)}</ul>
    ${games.length > shown.length && html`<button type="button" onClick=${() => setOpen(true)}>Show all</button>`}
  </${Section}>`;
}

function Home() {
  const [choices, failure, again] = useAnswer(() => Promise.all([get("/api/books"), get("/api/bots")]));
  const [mine, trouble, look] = useMine();
  const [lobby, isConnected] = useLobby();
  const of = (...states) => (mine ?? []).filter((game) => states.includes(game.state));
  const isMine = (game) => game.turn === game.you;
  const unfinished = of("open", "playing").sort((one, two) => isMine(two) - isMine(one));
  const finished = of("over");
  return html`<${Frame} title="Play" about=${html`<p class="about">${WELCOME}</p>`}>
    <main class="home" id="main">
      ${unfinished.length > 0 && html`<${Unfinished} games=${unfinished} />`}
      <${Section} id="start" title="New game">${choices && html`<${NewGame} books=${choices[0]} bots=${choices[1].bots} />`}
        <${Trouble} failure=${failure ?? trouble} again=${failure ? again : look} />
      </${Section}>
      <${Challenges} lobby=${lobby} isConnected=${isConnected} onChange=${look} />
      ${finished.length > 0 && html`<${Finished} games=${finished} />`}
      <${Section} id="naming" title="Your name"><${NameForm} label="Name" /></${Section}>
    </main>
  </${Frame}>`;
}

mount(html`<${Home} />`);
