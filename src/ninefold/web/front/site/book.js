// The page of a rule book: its rules in words, a game by it, ways to learn it, its audit, and its text to share.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Action } from "../game.js";
import { ask, get, post } from "./ask.js";
import { Frame, Trouble, mount, useAnswer } from "./frame.js";
import { ShareLink } from "./invitation.js";
import { recall, remember } from "./memory.js";
import { NewGame } from "./new_game.js";
import { analysisOf, puzzlesOf } from "./position.js";

const id = decodeURIComponent(location.pathname.split("/")[2]);
const POLL = 700;
const AUDIT = "ninefold-audit";

/** Which rules: the variant and the changes that the address names. */
function asked() {
  const given = new URLSearchParams(location.search);
  return { reading: given.get("reading") ?? "", changes: given.get("changes") ?? "" };
}

function queryOf({ reading, changes }) {
  const given = new URLSearchParams();
  if (reading) given.set("reading", reading);
  if (changes) given.set("changes", changes);
  return given.size ? `?${given}` : "";
}

/** Chooses the rules; the address changes with them, so that the link is about the same game. */
function Variant({ about, rules, onChange }) {
  const [changes, setChanges] = useState(rules.changes);
  const names = Object.keys(about.readings);
  const submit = (event) => {
    event.preventDefault();
    onChange({ ...rules, changes: changes.trim() });
  };
  return html`<section class="card" aria-labelledby="variant-title">
    <h2 id="variant-title">Which rules?</h2>
    ${names.length > 1 && html`<div class="field">
      <label for="reading">Variant</label>
      <select id="reading" aria-describedby="differs" onChange=${(event) => onChange({ ...rules, reading: event.target.value })}>
        ${names.map((name) => html`<option key=${name} value=${name} selected=${name === about.reading}>${name}</option>`)}
      </select>
      <p id="differs" class="about">${about.readings[about.reading]}</p>
    </div>`}
    <form class="field" onSubmit=${submit}>
      <label for="changes">Changes</label>
      <div class="entry">
        <input id="changes" type="text" autocomplete="off" spellcheck="false" aria-describedby="changes-help"
          value=${changes} onInput=${(event) => setChanges(event.target.value)} />
        <button type="submit">Apply</button>
      </div>
      <p id="changes-help" class="about">Other values for this game, such as <code>pool=1-15; pie=true</code></p>
    </form>
  </section>`;
}

function Play({ found }) {
  const [choices, failure, again] = useAnswer(() => Promise.all([get("/api/books"), get("/api/bots")]));
  if (!choices) return html`<${Trouble} failure=${failure} again=${again} />`;
  const { reading, changes } = found.about;
  const rules = { [found.built_in ? "game" : "book"]: id, reading, changes };
  return html`<${NewGame} books=${choices[0]} bots=${choices[1].bots} rules=${rules}><h2>Play it</h2></${NewGame}>`;
}

function Learn({ about }) {
  const rules = { game: id, reading: about.reading, changes: about.changes };
  return html`<section class="card" aria-labelledby="learn-title">
    <h2 id="learn-title">Learn it</h2>
    <p>See what every move is worth, or find the number that wins.</p>
    <div class="controls">
      <a class="button" href=${analysisOf({ ...rules, first: 1, moves: [] })}>Analyse it</a>
      <a class="button" href=${puzzlesOf(rules)}>Puzzles</a>
    </div>
  </section>`;
}

/** Follows an audit from its start to its result; `[audit, failure, start, cancel]`.
 * The tab remembers which one it is: whoever comes back from the report finds it again. */
function useAudit(wanted) {
  const [audit, setAudit] = useState(null);
  const [failure, setFailure] = useState(null);
  const key = JSON.stringify(wanted);
  useEffect(() => {
    let isOpen = true;
    setAudit(null);
    setFailure(null);
    const kept = recall(AUDIT, true);
    // One that is no longer there can be asked for again.
    if (kept.key === key) get(`/api/audits/${kept.id}`).then((found) => isOpen && setAudit(found), () => {});
    return () => {
      isOpen = false;
    };
  }, [key]);
  useEffect(() => {
    if (audit?.id) remember(AUDIT, { key, id: audit.id, book: id, isAll: wanted.all_readings }, true);
  }, [audit?.id]);
  useEffect(() => {
    if (audit?.state !== "running") return undefined;
    let isOpen = true;
    const look = () => get(`/api/audits/${audit.id}`)
      // Another process may have been asked, or this one was restarted.
      .catch((failed) => (failed.code === "no-such-audit" ? post("/api/audits", wanted) : Promise.reject(failed)))
      .then((now) => isOpen && setAudit(now), (failed) => {
        if (!isOpen) return;
        if (failed.code === "offline") timer = setTimeout(look, POLL);
        else {
          setAudit(null);
          setFailure(failed);
        }
      });
    let timer = setTimeout(look, POLL);
    return () => {
      isOpen = false;
      clearTimeout(timer);
    };
  }, [audit]);
  const start = () => {
    setFailure(null);
    setAudit({ state: "asked", step: "" });
    post("/api/audits", wanted).then(setAudit, (failed) => {
      setAudit(null);
      setFailure(failed);
    });
  };
  const cancel = () => {
    setAudit(null);
    remember(AUDIT, {}, true);
    ask("DELETE", `/api/audits/${audit.id}`).catch(() => {});
  };
  return [audit, failure, start, cancel];
}

function Found({ audit }) {
  const { result } = audit;
  return html`<p class=${`verdict${result.false ? " bad" : ""}`}>${result.verdict}</p>
    <ul>${result.summary.map((line, at) => html`<li key=${at}>${line}</li>`)}</ul>
    ${result.html && html`<div class="controls">
      <a class="button main" href=${`/audit/${audit.id}`}>Read the whole report</a>
      <a class="button" href=${`/api/audits/${audit.id}/file`} download>Download it</a>
    </div>`}`;
}

function Audit({ about }) {
  const [isAll, setAll] = useState(() => recall(AUDIT, true).book === id && recall(AUDIT, true).isAll);
  const wanted = { book: id, reading: about.reading, changes: about.changes, all_readings: isAll };
  const [audit, failure, start, cancel] = useAudit(wanted);
  const isRunning = audit && audit.state !== "done";
  const step = audit?.step || "Waiting for a free place …";
  return html`<section class="audit" aria-labelledby="audit-title">
    <h2 id="audit-title">Audit</h2>
    ${!audit && html`<p>Who wins with best play? Is it fair? Can every rule matter, and is what the book claims true?</p>`}
    ${!isRunning && Object.keys(about.readings).length > 1 && html`<label class="choice">
      <input type="checkbox" checked=${isAll} onChange=${(event) => setAll(event.target.checked)} />
      All variants of the rules</label>`}
    <div role="status">
      ${isRunning && html`<p class="step"><span class="spinner" aria-hidden="true"></span>${step}</p>`}
      ${audit?.state === "done" && html`<p class="hidden">The audit is done.</p>`}
    </div>
    ${audit?.state === "done" && html`<${Found} audit=${audit} />`}
    <${Trouble} failure=${failure} />
    <div class="controls">
      ${!audit && html`<${Action} kind="main" label="Audit it" act=${start} />`}
      ${audit?.state === "running" && html`<${Action} label="Cancel" act=${cancel} />`}
    </div>
  </section>`;
}

function Text({ text }) {
  return html`<section class="source" aria-labelledby="source-title">
    <h2 id="source-title">Text</h2>
    <div class="controls">
      <a class="button" href=${`/design?from=${encodeURIComponent(id)}`}>Edit a copy</a>
      <a class="button" href=${`/api/books/${encodeURIComponent(id)}/file`} download>Download</a>
    </div>
    <details><summary>Show the text</summary><pre tabindex="0" dir="ltr">${text}</pre></details>
  </section>`;
}

function Book({ found, rules, onChange }) {
  const { about } = found;
  const facts = [`Numbers: ${about.pool}`, about.sets && `${about.sets} sets decide it`,
    about.solved ? "Small enough to solve completely" : "Too large to solve completely"];
  return html`<main class="book" id="main">
    <div class="lead">
      <p class="goal">${about.summary}</p>
      <p class="about">${[...about.changes.length ? [`Changed: ${about.changes.join("; ")}`] : [], ...facts].filter(Boolean).join(" · ")}</p>
    </div>
    <div class="pages">
      <div class="words">
        <section aria-labelledby="rules-title">
          <h2 id="rules-title">Rules</h2>
          ${about.rules.map((part, at) => part.is_heading
            ? html`<h3 key=${at}>${part.text}</h3>` : html`<p key=${at}>${part.text}</p>`)}
        </section>
      </div>
      <div class="side">
        <${Variant} about=${about} rules=${rules} onChange=${onChange} />
        <${Play} found=${found} />
        <${Learn} about=${about} />
        <section class="card" aria-labelledby="share-title">
          <h2 id="share-title">Share it</h2>
          <p>Whoever has the link can read, play, learn and audit it.</p>
          <${ShareLink} key=${queryOf(rules)} />
        </section>
      </div>
      <div class="words">
        <${Audit} about=${about} />
        <${Text} text=${found.text} />
      </div>
    </div>
  </main>`;
}

function Page() {
  const [rules, setRules] = useState(asked);
  const [shown, setShown] = useState(null);
  const [found, failure, again] = useAnswer(() => get(`/api/books/${encodeURIComponent(id)}${queryOf(rules)}`), [queryOf(rules)]);
  useEffect(() => {
    if (found) setShown(found);
  }, [found]);
  const change = (wanted) => {
    history.replaceState(null, "", `/book/${encodeURIComponent(id)}${queryOf(wanted)}`);
    setRules(wanted);
  };
  return html`<${Frame} title=${shown?.about.title ?? "Rule book"}>
    <${Trouble} failure=${failure} again=${again} />
    ${shown ? html`<${Book} found=${shown} rules=${rules} onChange=${change} />`
      : html`<main id="main">${failure?.code === "bad-book"
          && html`<a class="button" href=${`/design?from=${encodeURIComponent(id)}`}>Edit a copy</a>`}</main>`}
  </${Frame}>`;
}

mount(html`<${Page} />`);
