// Writing a rule book: faults beside the lines, examples to begin with, and the books saved before.
import { html, useEffect, useRef, useState } from "../vendor/preact-htm.js";
import { Action, Question } from "../game.js";
import { ask, get, getText } from "./ask.js";
import { Draft, MOST } from "./draft.js";
import { Editor, Findings, findingsOf } from "./editor.js";
import { Frame, Trouble, mount, useAnswer } from "./frame.js";

const CHECKING = "Checking …";

/** What the book is so far. */
function Preview({ book }) {
  if (!book) return null;
  const names = Object.keys(book.readings);
  const size = ({ pool, sets, whole_hand: whole }) =>
    [`${pool.length} numbers`, sets && `${sets} winning sets`, ...whole].filter(Boolean).join(", ");
  return html`<section class="summary" aria-labelledby="preview-title">
    <h2 id="preview-title"><bdi>${book.title}</bdi></h2>
    <p>${book.summary}</p>
    ${names.length > 1 ? html`<ul>${names.map((name) => html`<li key=${name}><strong>${name}</strong>: ${size(book.readings[name])}</li>`)}</ul>`
      : html`<p class="about">${size(book.readings[names[0]])}</p>`}
  </section>`;
}

function FileButton({ onFile }) {
  return html`<label class="file">Open a file
    <input type="file" accept=".toml,text/plain" onChange=${(event) => {
      if (event.target.files[0]) onFile(event.target.files[0]);
      event.target.value = "";
    }} /></label>`;
}

function Examples({ onChoose }) {
  const [found] = useAnswer(() => get("/api/books/examples"));
  const examples = found?.examples ?? [];
  return html`<div class="start">
    <label for="example">Start from</label>
    <select id="example" value="" onChange=${(event) => {
      onChoose(examples.find((one) => one.id === event.target.value));
      event.target.value = "";
    }}>
      <option value="">an example …</option>
      ${examples.map((one) => html`<option key=${one.id} value=${one.id}>${one.title}</option>`)}
    </select>
  </div>`;
}

function OwnBooks({ onAsk }) {
  const [found, failure, again] = useAnswer(() => get("/api/books/mine"));
  const [trouble, setTrouble] = useState(null);
  const drop = ({ id, title }) => onAsk({
    text: `Delete ${title}? Its link stops working, unless somebody else has saved it or plays it.`,
    act: () => ask("DELETE", `/api/books/${id}`).then(again, setTrouble),
  });
  const books = found?.books ?? [];
  const day = (at) => new Date(at).toLocaleDateString(undefined, { dateStyle: "medium" });
  return html`<section class="own" aria-labelledby="own-title">
    <h2 id="own-title">Your rule books</h2>
    <${Trouble} failure=${failure ?? trouble} again=${again} />
    ${found && !books.length && html`<p class="about">A rule book that you save gets a page with a link to share.</p>`}
    <ul>${books.map((one) => html`<li key=${one.id}>
      <a href=${`/book/${one.id}`}><bdi>${one.title}</bdi></a>
      <span class="about">${day(one.created)}</span>
      <button type="button" class="quiet" aria-label=${`Delete ${one.title}`} onClick=${() => drop(one)}>Delete</button>
    </li>`)}</ul>
  </section>`;
}

/** Makes a draft of the page; a link such as /design?from=ID asks for the text of a book. */
function useDraft() {
  const [, update] = useState(0);
  const draft = useRef(null);
  draft.current ??= new Draft(() => update((count) => count + 1));
  return draft.current;
}

function Design() {
  const draft = useDraft();
  const [go, setGo] = useState(null);
  const [question, setQuestion] = useState(null); // what is asked, and what a yes does
  const [trouble, setTrouble] = useState(null);
  const findings = findingsOf(draft.checked);

  const offer = (text) => {
    setTrouble(null);
    if (text === draft.text) return;
    const act = () => draft.set(text, false);
    if (draft.isOwn) setQuestion({ text: "Your text is not saved. Replace it?", act });
    else act();
  };
  const open = async (file) => {
    if (file.size > MOST) setTrouble({ message: `${file.name} has more than ${MOST.toLocaleString()} bytes.` });
    else offer((await file.text()).replaceAll("\r\n", "\n"));
  };
  useEffect(() => {
    const from = new URLSearchParams(location.search).get("from");
    if (from) {
      history.replaceState(null, "", "/design");
      getText(`/api/books/${encodeURIComponent(from)}/file`).then(offer, setTrouble);
    } else if (draft.isNew) {
      get("/api/books/examples").then(({ examples }) => draft.isNew && draft.set(examples[0].text, false), setTrouble);
    }
  }, []);

  const next = (here, isBack) => {
    const [first, ...others] = isBack ? [...findings].reverse() : findings;
    const beyond = (one) => (isBack ? (one.line ?? 0) < here : (one.line ?? 0) > here);
    const found = [first, ...others].find((one) => one && beyond(one)) ?? first;
    if (found) setGo({ ...found });
  };
  const save = async () => {
    setTrouble(null);
    const error = findings.find((one) => one.kind === "error");
    if (!draft.isStale && error) {
      setTrouble({ message: "Fix the errors first." });
      setGo({ ...error });
      return;
    }
    try {
      location.assign(`/book/${await draft.save()}`);
    } catch (failure) {
      if (failure.code === "bad-book") draft.checkSoon(0);
      setTrouble(failure.code === "bad-book" ? { message: "Fix the errors first." } : failure);
    }
  };

  const verdict = draft.failure ? draft.failure.message : draft.checked?.verdict ?? (draft.text ? CHECKING : "");
  return html`<main class="design" id="main" onDragOver=${(event) => event.preventDefault()} onDrop=${(event) => {
      if (!event.dataTransfer.files[0]) return;
      event.preventDefault();
      open(event.dataTransfer.files[0]);
    }}>
    <p class="about">A rule book is a text in TOML. Change it, and see at once what is wrong with it; then save it to play
      it, audit it and share it.</p>
    <div class="controls">
      <${Examples} onChoose=${(example) => example && offer(example.text)} />
      <${FileButton} onFile=${open} />
    </div>
    <div class="desk">
      <${Editor} text=${draft.text} findings=${findings} isStale=${draft.isStale} go=${go}
        onText=${(text) => draft.set(text, true)} onNext=${next} />
      <div class="side">
        <section class="checked" aria-labelledby="checked-title">
          <h2 id="checked-title">Check</h2>
          <p id="verdict" role="status" class=${draft.isGood ? "good" : ""}>${verdict}</p>
          <${Findings} findings=${findings} onGo=${(one) => setGo({ ...one })} />
          ${draft.checked?.more > 0 && html`<p class="about">And ${draft.checked.more} more.</p>`}
        </section>
        <${Preview} book=${draft.checked?.book} />
        <${Trouble} failure=${trouble} />
        <div class="controls"><${Action} kind="main big" label="Save" act=${save} /></div>
        <p class="about">Your text is kept in this browser until you save it. F8 goes to the next error.</p>
      </div>
    </div>
    <${OwnBooks} onAsk=${setQuestion} />
    <${Question} question=${question?.text ?? null} onAnswer=${(yes) => {
      if (yes) question.act();
      setQuestion(null);
    }} />
  </main>`;
}

mount(html`<${Frame} title="Design a game"><${Design} /></${Frame}>`);
