// What every page of the site has in common: the links at the top, and where messages appear.
import { html, render, useEffect, useState } from "../vendor/preact-htm.js";
import { Theme } from "../theme.js";
import { whoami } from "./ask.js";

const LINKS = [["/", "Play"], ["/learn", "Learn"], ["/design", "Design"]];

/** Runs a promise's work while the page is open: `[result, failure, again]`. */
export function useAnswer(load, inputs = []) {
  const [state, setState] = useState([null, null]);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isOpen = true;
    load().then(
      (result) => isOpen && setState([result, null]),
      (failure) => isOpen && setState([null, failure]),
    );
    return () => {
      isOpen = false;
    };
  }, [...inputs, tries]);
  return [...state, () => setTries((count) => count + 1)];
}

/** A failure, announced at once, with a button if trying `again` can help. */
export function Trouble({ failure, again }) {
  if (!failure) return null;
  return html`<div class="trouble" role="alert">
    <p>${failure.message}</p>
    ${again && !failure.isFinal && html`<button type="button" onClick=${again}>Try again</button>`}
  </div>`;
}

function Top({ title, about }) {
  const [me, , again] = useAnswer(whoami);
  useEffect(() => {
    addEventListener("renamed", again);
    return () => removeEventListener("renamed", again);
  }, []);
  const here = location.pathname;
  const isHere = (path) => (path === "/" ? here === "/" || here.startsWith("/game/") : here.startsWith(path));
  return html`<header><div class="top">
    <a class="skip" href="#main">Skip to the content</a>
    <nav aria-label="Site">
      <a class="brand" href="/">Ninefold</a>
      ${LINKS.map(([path, label]) => html`<a key=${path} href=${path}
        aria-current=${isHere(path) ? "page" : undefined}>${label}</a>`)}
      <a href="/account" aria-current=${isHere("/account") ? "page" : undefined}>
        ${me ? html`Account: <bdi>${me.name}</bdi>` : "Account"}</a>
    </nav>
    <${Theme} />
  </div>
  ${title && html`<h1 tabindex="-1"><bdi>${title}</bdi></h1>`}${about}</header>`;
}

/** A page: the links, its title as a heading, and its content, which has to have the id "main".
 * What it is `about` stands under its title; a `status` is shown in the tab as well. */
export function Frame({ title, about, status, children }) {
  useEffect(() => {
    if (title) document.title = [status, title, "Ninefold"].filter(Boolean).join(" · ");
  }, [title, status]);
  return html`<div class="frame"><${Top} title=${title} about=${about} />${children}</div>`;
}

/** Show a page in the document. */
export function mount(page) {
  render(page, document.getElementById("app"));
}
