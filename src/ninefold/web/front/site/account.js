// Who I am to the server: a name, an account if I want one, my bots, and my data.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { Question } from "../game.js";
import { ask, get, post, whoami } from "./ask.js";
import { Frame, Trouble, mount, useAnswer } from "./frame.js";
import { CopyField } from "./invitation.js";
import { NameForm } from "./name.js";

const PASSWORD = { type: "password", minlength: 8, maxlength: 200, required: true };

function Section({ id, title, children }) {
  return html`<section class="card" aria-labelledby=${id}><h2 id=${id}>${title}</h2>${children}</section>`;
}

function Field({ id, label, ...input }) {
  return html`<div class="field"><label for=${id}>${label}</label><input id=${id} name=${id} ...${input} /></div>`;
}

/** A form that does something with its values; `done` is what it says afterwards. */
function Form({ label, act, done = "", kind = "", children }) {
  const [state, setState] = useState({});
  const submit = async (event) => {
    event.preventDefault();
    const form = event.target;
    const values = Object.fromEntries(new FormData(form));
    setState({ isBusy: true });
    try {
      await act(values);
      form.reset();
      setState({ said: done });
    } catch (failure) {
      setState({ failure });
    }
  };
  return html`<form class="form" onSubmit=${submit}>
    ${children}
    <button type="submit" class=${kind} aria-disabled=${state.isBusy ? "true" : undefined}>${label}</button>
    <span role="status">${state.said ?? ""}</span>
    <${Trouble} failure=${state.failure} />
  </form>`;
}

/** Tells a password manager whose password this is. */
function Username({ me }) {
  return html`<input type="text" name="username" autocomplete="username" value=${me.name} hidden readonly />`;
}

/** The page again: everything on it depends on who I am. */
const again = () => location.reload();

function SignedOut({ me }) {
  const [isNew, setNew] = useState(true);
  const name = { type: "text", maxlength: 40, required: true, dir: "auto", autocomplete: "username" };
  const send = (path) => async ({ account, password }) => {
    await post(path, { name: account, password });
    again();
  };
  return html`<${Section} id="sign-in" title="Keep your games on all your devices">
    <p class="about">You can play without an account. With one, your games are there wherever you sign in.
      What you have played here comes along.</p>
    <div class="controls">
      <button type="button" aria-pressed=${String(isNew)} onClick=${() => setNew(true)}>New account</button>
      <button type="button" aria-pressed=${String(!isNew)} onClick=${() => setNew(false)}>I have an account</button>
    </div>
    <${Form} key=${isNew} label=${isNew ? "Create the account" : "Sign in"} kind="main"
        act=${send(isNew ? "/api/account" : "/api/session")}>
      <${Field} id="account" label="Name" ...${name} defaultValue=${isNew ? me.name : ""} />
      <${Field} id="password" label=${isNew ? "Password (8 characters or more)" : "Password"} ...${PASSWORD}
        autocomplete=${isNew ? "new-password" : "current-password"} />
    <//>
    ${isNew && html`<p class="about">There is no way to get back a password that you have lost.</p>`}
  <//>`;
}

function SignedIn({ me }) {
  const change = ({ old, "new-password": chosen }) => post("/api/account/password", { old, new: chosen });
  const leave = (path) => async () => {
    await ask("DELETE", path);
    again();
  };
  return html`<${Section} id="sign-in" title="Your account">
    <p>You are signed in as <bdi>${me.name}</bdi>.</p>
    <div class="controls">
      <${Form} label="Sign out" act=${leave("/api/session")} />
      <${Form} label="Sign out on all devices" act=${leave("/api/sessions")} />
    </div>
    <details>
      <summary>Change the password</summary>
      <${Form} label="Change it" act=${change} done="Changed. Your other devices are signed out.">
        <${Username} me=${me} />
        <${Field} id="old" label="Current password" ...${PASSWORD} autocomplete="current-password" />
        <${Field} id="new-password" label="New password (8 characters or more)" ...${PASSWORD}
          autocomplete="new-password" />
      <//>
    </details>
  <//>`;
}

function Bots() {
  const [answer, failure, reload] = useAnswer(() => whoami().then(() => get("/api/tokens")));
  const [made, setMade] = useState(null);
  const [dropped, setDropped] = useState(null);
  const [trouble, setTrouble] = useState(null);
  const make = async ({ bot }) => {
    setMade(await post("/api/tokens", { name: bot }));
    reload();
  };
  const drop = async (yes) => {
    setDropped(null);
    if (!yes) return;
    setMade(null);
    setTrouble(null);
    await ask("DELETE", `/api/tokens/${dropped.id}`).then(reload, setTrouble);
  };
  return html`<${Section} id="bots" title="Bots">
    <p class="about">A bot is a program that plays here with a token. Anybody who is here can challenge it.</p>
    <${Trouble} failure=${failure ?? trouble} again=${failure && reload} />
    <ul class="games">${(answer?.bots ?? []).map((bot) => html`<li key=${bot.id} class="row">
      <bdi class="who">${bot.name}</bdi>
      <button type="button" aria-label=${`Delete ${bot.name}`} onClick=${() => setDropped(bot)}>Delete</button>
    </li>`)}</ul>
    <${Form} label="New bot" act=${make}>
      <${Field} id="bot" label="Name of the bot" type="text" maxlength="40" required dir="auto" autocomplete="off" />
    <//>
    ${made && html`<div class="field" role="status">
      <p>Copy the token of <bdi>${made.name}</bdi> now; it is not shown again.</p>
      <${CopyField} id="token" label="Token" text=${made.token} />
    </div>`}
    <${Question} question=${dropped && `Delete ${dropped.name}? It loses the games that it plays.`} onAnswer=${drop} />
  <//>`;
}

function Data({ me }) {
  const [isSure, setSure] = useState(null); // null until somebody was asked
  const cancel = useRef(null);
  const begin = useRef(null);
  // The button that was pressed is gone, so the keyboard goes on where the choice is.
  useEffect(() => {
    if (isSure !== null) (isSure ? cancel : begin).current.focus();
  }, [isSure]);
  const erase = async ({ confirm }) => {
    await post("/api/me/delete", me.account ? { password: confirm } : {});
    location.assign("/");
  };
  return html`<${Section} id="data" title="Your data">
    <p class="about">A cookie that says who you are, your name, when you signed in, your games, bots, rule books and answers
      to puzzles. Nothing else is kept, and nothing is shared with other sites.</p>
    <p><a href="/api/me/data" download="ninefold-data.json">Download all of it</a></p>
    ${isSure
      ? html`<${Form} label="Delete everything now" act=${erase}>
          <p>You resign the games that you are playing, and your name is removed from all others. A rule book of yours stays
            while somebody else has saved or played it. This cannot be undone.</p>
          ${me.account && html`<${Username} me=${me} />
            <${Field} id="confirm" label="Password" ...${PASSWORD} autocomplete="current-password" />`}
          <button type="button" ref=${cancel} onClick=${() => setSure(false)}>Cancel</button>
        <//>`
      : html`<div><button type="button" ref=${begin} onClick=${() => setSure(true)}>Delete all of it …</button></div>`}
  <//>`;
}

function Account() {
  const [me, failure, reload] = useAnswer(whoami);
  return html`<${Frame} title="Account">
    <main class="account" id="main">
      <${Trouble} failure=${failure} again=${reload} />
      ${me && html`<${Section} id="called" title="Your name">
          <p class="about">Everybody you play with sees it.</p>
          <${NameForm} label="Name" />
        <//>
        ${me.account ? html`<${SignedIn} me=${me} />` : html`<${SignedOut} me=${me} />`}
        <${Bots} />
        <${Data} me=${me} />`}
    </main>
  <//>`;
}

mount(html`<${Account} />`);
