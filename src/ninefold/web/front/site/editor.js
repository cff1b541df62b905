// A text with numbered lines; what is wrong with a line stands beside it, and in a list.
import { html, useEffect, useLayoutEffect, useRef, useState } from "../vendor/preact-htm.js";

const SIGNS = { error: "✖", warning: "▲" };

/** Everything that was found, by line; what has no line comes first. */
export function findingsOf(checked) {
  const of = (kind, faults) => faults.map((fault) => ({ ...fault, kind }));
  const found = [...of("error", checked?.faults ?? []), ...of("warning", checked?.warnings ?? [])];
  return found.sort((one, two) => (one.line ?? 0) - (two.line ?? 0));
}

/** Where a finding is, in words: a fault of a book that this one extends is in another file. */
function placeOf({ line, file, kind }) {
  const where = line ? `Line ${line}` : "The whole text";
  return [...file ? [file, where.toLowerCase()] : [where], ...kind === "warning" ? [kind] : []].join(", ");
}

/** The list; choosing one goes to its line. */
export function Findings({ findings, onGo }) {
  return html`<ol class="findings">
    ${findings.map((one, at) => html`<li key=${at} class=${one.kind}>
      <button type="button" onClick=${() => onGo(one)}>
        <span class="sign" aria-hidden="true">${SIGNS[one.kind]}</span>
        <span><strong>${placeOf(one)}</strong>: ${one.message}</span>
      </button></li>`)}
  </ol>`;
}

/** What stands beside the lines: drawn over the text, and as wide as it. */
function Marks({ lines, findings }) {
  const byLine = new Map();
  for (const one of findings) {
    if (one.line && !one.file) byLine.set(one.line, [...(byLine.get(one.line) ?? []), one]);
  }
  return [...byLine].map(([line, found]) => html`<div key=${line} class=${`mark ${found[0].kind}`}
      style=${{ insetBlockStart: `calc(${line - 1} * var(--row))` }}>
    <span class="ghost">${lines[line - 1]}</span><span class="remark">
      ${SIGNS[found[0].kind]} ${found.map((one) => one.message).join(" · ")}</span>
  </div>`);
}

function Gutter({ count, findings }) {
  const kinds = new Map(findings.map((one) => [one.line, one.kind]));
  return [...kinds].filter(([line]) => line && line <= count).map(([line, kind]) =>
    html`<span key=${line} class=${`flag ${kind}`} style=${{ insetBlockStart: `calc(${line - 1} * var(--row))` }}>
      ${SIGNS[kind]}</span>`);
}

const lineAt = (text, at) => text.slice(0, at).split("\n").length;

/** `go` is where to put the cursor, a new object each time: `{ line, column }`. */
export function Editor({ text, findings, isStale, go, onText, onNext }) {
  const field = useRef(null);
  const numbers = useRef(null);
  const marks = useRef(null);
  const [here, setHere] = useState(1);
  const lines = text.split("\n");

  const scroll = () => {
    const { scrollTop, scrollLeft } = field.current;
    numbers.current.style.transform = `translateY(${-scrollTop}px)`;
    marks.current.style.transform = `translate(${-scrollLeft}px, ${-scrollTop}px)`;
  };
  // Before the next key arrives: F8 twice goes two errors further.
  useLayoutEffect(() => {
    if (!go) return;
    const before = lines.slice(0, Math.max(0, (go.line ?? 1) - 1)).join("\n").length;
    const at = Math.min(text.length, before + (go.line > 1 ? 1 : 0) + (go.column ?? 1) - 1);
    field.current.focus();
    field.current.setSelectionRange(at, at);
    const row = field.current.scrollHeight / Math.max(1, lines.length);
    field.current.scrollTop = Math.max(0, row * ((go.line ?? 1) - 4));
    field.current.scrollLeft = 0;
    setHere(go.line ?? 1);
  }, [go]);
  useEffect(scroll, [text]);

  const look = () => setHere(lineAt(text, field.current.selectionStart));
  const onKeyDown = (event) => {
    if (event.key !== "F8") return;
    event.preventDefault();
    onNext(lineAt(text, field.current.selectionStart), event.shiftKey);
  };
  const said = findings.filter((one) => one.line === here && !one.file);
  return html`<div class=${`editor${isStale ? " stale" : ""}`}>
    <div class="gutter" aria-hidden="true"><div ref=${numbers}>
      <pre>${lines.map((_, at) => at + 1).join("\n")}</pre>
      <${Gutter} count=${lines.length} findings=${findings} />
    </div></div>
    <div class="sheet">
      <div class="marks" aria-hidden="true" ref=${marks}><${Marks} lines=${lines} findings=${findings} /></div>
      <textarea id="text" ref=${field} value=${text} wrap="off" spellcheck="false" autocapitalize="off"
        autocomplete="off" autocorrect="off" dir="ltr" aria-label="Rule book"
        aria-invalid=${String(findings.some((one) => one.kind === "error"))} aria-describedby="verdict here"
        onInput=${(event) => onText(event.target.value)} onScroll=${scroll} onKeyDown=${onKeyDown}
        onKeyUp=${look} onClick=${look} onFocus=${look}></textarea>
    </div>
    <p class="here" id="here" role="status">${said.map((one) => `${placeOf(one)}: ${one.message}`).join(" ")}</p>
  </div>`;
}
