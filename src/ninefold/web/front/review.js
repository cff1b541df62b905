// Looking back: the review of a finished game, and lines of play, step by step on the board.
import { html, useEffect, useRef } from "./vendor/preact-htm.js";
import { Board } from "./board.js";
import { Action, Hands, Message } from "./game.js";

const SIGNS = { win: "+", draw: "=", loss: "−", unknown: "?" };

/** The keys that step through positions, wherever they mean nothing else. */
function stepping(view, act) {
  return (event) => {
    const targets = { ArrowLeft: view.at - 1, ArrowRight: view.at + 1, Home: 0, End: view.count };
    const to = targets[event.key];
    const isTaken = event.target.closest(".board, input, select") || event.altKey || event.ctrlKey || event.metaKey;
    if (to === undefined || isTaken) return;
    event.preventDefault();
    if (to >= 0 && to <= view.count) act.go(to);
  };
}

/** The heading, which has the focus when the screen opens. */
function Heading({ text }) {
  const heading = useRef(null);
  useEffect(() => heading.current.focus(), []);
  return html`<h2 class="status" tabindex="-1" ref=${heading}>${text}</h2>`;
}

/** It stands between the board and what is said: whatever is said, its buttons stay where they are. */
function Stepper({ view, act }) {
  return html`<div class="controls stepper">
    <${Action} can=${view.at > 0} label="Start" act=${() => act.go(0)} />
    <${Action} can=${view.at > 0} label="Back" act=${() => act.go(view.at - 1)} />
    <${Action} can=${view.at < view.count} label="Forward" kind="main" act=${() => act.go(view.at + 1)} />
    <${Action} can=${view.at < view.count} label="End" act=${() => act.go(view.count)} />
  </div>`;
}

/** A line of play; leaving it changes nothing. */
export function Line({ view, act }) {
  return html`<main class="game" id="main" onKeyDown=${stepping(view, act)}>
    <div class="play">
      <${Heading} text="A line of play" />
      <p class="said">${view.reason}</p>
      <${Board} tiles=${view.tiles} name="Numbers" onTake=${() => {}} />
      <${Stepper} view=${view} act=${act} />
      <${Message} message=${view.message} />
      <div class="controls tools"><${Action} label="Return" act=${act.leave} /></div>
    </div>
  </main>`;
}

/** On paper, the board shows how the game ended, whatever is on the screen. */
function usePrint(view, act) {
  const seen = useRef(null);
  useEffect(() => {
    const before = () => {
      seen.current = view.at;
      act.go(view.count);
    };
    const after = () => act.go(seen.current ?? view.at);
    addEventListener("beforeprint", before);
    addEventListener("afterprint", after);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", after);
    };
  });
}

function Course({ view, act }) {
  return html`<ol class="course" aria-hidden="true">
    ${view.course.map((cell, at) => html`<li key=${at} class=${`${cell.standing}${cell.isMistake ? " mistake" : ""}${view.at === at + 1 ? " shown" : ""}`}
        onClick=${() => act.go(at + 1)}>
      <span>${cell.played}</span><span>${SIGNS[cell.standing]}${cell.isMistake ? "!" : ""}</span>
    </li>`)}
  </ol>`;
}

/** A text for the reader on the screen; on paper, where anybody may read it, another one. */
function Told({ text, printed }) {
  if (text === printed) return text;
  return html`<span class="seen">${text}</span><span class="printed">${printed}</span>`;
}

/** A review; `more` is what else can be done, and `view.printed` its texts with the names of both players. */
export function Review({ view, act, more }) {
  usePrint(view, act);
  return html`<main class="game review" id="main" onKeyDown=${stepping(view, act)}>
    <div class="play">
      <${Heading} text="Review" />
      <${Course} view=${view} act=${act} />
      <p class="legend"><${Told} text=${view.legend} printed=${view.printed.legend} /></p>
      <${Board} tiles=${view.tiles} name="Numbers" onTake=${act.find} />
      <${Stepper} view=${view} act=${act} />
      <${Message} message=${view.message} />
      <div class="controls tools">
        <${Action} can=${view.can.mistake} label="Next mistake" act=${act.mistake} />
        <${Action} can=${view.can.better} label="What was better" act=${act.better} />
        <${Action} can=${view.can.playOn} label="Play on from here" act=${act.playOn} />
        <${Action} label=${view.leave ?? "Close"} act=${act.leave} />
        ${more}
      </div>
    </div>
    <div class="side">
      <${Hands} hands=${view.hands.map((hand, at) => ({ ...hand, name: html`<${Told} text=${hand.name} printed=${view.printed.names[at]} />` }))} />
      <section aria-labelledby="overview-title">
        <h3 id="overview-title">Summary</h3>
        ${view.overview.map((line, at) => html`<p key=${at}><${Told} text=${line} printed=${view.printed.overview[at]} /></p>`)}
      </section>
      <section aria-labelledby="verdicts-title">
        <h3 id="verdicts-title">Every move</h3>
        <ol class="verdicts">
          ${view.moves.map((move, at) => html`<li key=${at} class=${move.isMistake ? "mistake" : ""}>
            <button type="button" aria-current=${view.at === at + 1 ? "step" : undefined}
              onClick=${() => act.go(at + 1)}><${Told} text=${move.text} printed=${view.printed.moves[at]} /></button></li>`)}
        </ol>
      </section>
    </div>
  </main>`;
}
