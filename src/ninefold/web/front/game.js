// A game on the screen, from its view alone: whoever made the view, a table or a server.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";
import { Board } from "./board.js";

/** A button that stays in place, and keeps the focus, while it can do nothing. */
export function Action({ can = true, act, label, kind = "", ...more }) {
  return html`<button type="button" class=${kind} aria-disabled=${can ? undefined : "true"}
    onClick=${() => can && act()} ...${more}>${label}</button>`;
}

/** What has just been said: a new element each time, so that a repeat is announced as well. */
export function Message({ message }) {
  return html`<div class="message" role="status">
    ${message.text && html`<p key=${message.serial}>${message.text}</p>`}
  </div>`;
}

/** Both players; a hand may have a \`clock\` to show, and a \`score\`. */
export function Hands({ hands }) {
  return html`<dl class="hands">
    ${hands.map((hand, at) => html`<div key=${at} class=${`hand seat${at + 1}${hand.isNext ? " next" : ""}`}>
      <dt><span class="chip" aria-hidden="true">${hand.marker}</span><bdi>${hand.name}</bdi>
        ${hand.score && html`${" "}<span class="score">${hand.score}</span>`}</dt>
      <dd class=${/\d/.test(hand.numbers) ? "" : "none"}>${hand.numbers}</dd>
      ${hand.clock}
    </div>`)}
  </dl>`;
}

/** Takes a number by typing it. */
export function Entry({ label, onTyped }) {
  const field = useRef(null);
  const submit = (event) => {
    event.preventDefault();
    onTyped(field.current.value);
    field.current.value = "";
  };
  return html`<form class="entry" onSubmit=${submit}>
    <label for="number">${label}</label>
    <input id="number" ref=${field} type="text" inputmode="numeric" autocomplete="off" size="4" />
    <button type="submit">Enter</button>
  </form>`;
}

export function Log({ entries }) {
  const list = useRef(null);
  useEffect(() => {
    list.current.scrollTop = list.current.scrollHeight;
  }, [entries.length]);
  return html`<section class="log" aria-labelledby="log-title">
    <h3 id="log-title">Moves</h3>
    <div class="entries" role="log" aria-labelledby="log-title" tabindex="0" ref=${list}>
      ${entries.map((entry) => html`<p key=${entry.key}>${entry.text}</p>`)}
    </div>
  </section>`;
}

/** The board with everything around it; \`tools\` are buttons, \`notes\` stand under the message. */
export function Game({ view, act, tools, notes }) {
  return html`<main class="game" id="main">
    <div class="play">
      <h2 class=${`status ${view.mood ?? ""}`} id="status">${view.status}</h2>
      <${Board} tiles=${view.tiles} name="Numbers" focus=${view.focus} onTake=${act.take} />
      <${Message} message=${view.message} />
      ${notes}
      <div class="controls">
        ${view.controls.map((control) => html`<${Action} key=${control.key} kind=${control.kind}
          label=${control.label} act=${() => act.control(control)} />`)}
      </div>
      ${view.entry && html`<${Entry} label=${view.entry} onTyped=${act.typed} />`}
      <div class="controls tools">${tools}</div>
    </div>
    <div class="side">
      <${Hands} hands=${view.hands} />
      <${Log} entries=${view.log} />
    </div>
  </main>`;
}

/** Asks before a choice that costs something; `question` is null if nothing is asked. */
export function Question({ question, onAnswer }) {
  const dialog = useRef(null);
  useEffect(() => {
    if (question && !dialog.current.open) dialog.current.showModal();
    if (!question && dialog.current.open) dialog.current.close();
  }, [question]);
  return html`<dialog ref=${dialog} aria-labelledby="question" onCancel=${(event) => {
    event.preventDefault();
    onAnswer(false);
  }}>
    <p id="question">${question ?? ""}</p>
    <div class="controls">
      <button type="button" autofocus onClick=${() => onAnswer(false)}>No</button>
      <button type="button" onClick=${() => onAnswer(true)}>Yes</button>
    </div>
  </dialog>`;
}

