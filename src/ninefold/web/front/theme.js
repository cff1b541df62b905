// Light, dark, or as the system has it; remembered where the browser allows it.
import { html, useEffect, useState } from "./vendor/preact-htm.js";

const THEMES = ["auto", "light", "dark"];
const KEY = "ninefold-theme";

function remembered() {
  try {
    const theme = localStorage.getItem(KEY);
    return THEMES.includes(theme) ? theme : THEMES[0];
  } catch {
    return THEMES[0];
  }
}

function remember(theme) {
  try {
    localStorage.setItem(KEY, theme);
  } catch {
    // A browser that keeps nothing shows the theme for as long as the page is open.
  }
}

export function Theme() {
  const [theme, setTheme] = useState(remembered);
  useEffect(() => {
    document.documentElement.dataset.theme = theme;
    remember(theme);
  }, [theme]);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
  return html`<button type="button" class="quiet" onClick=${() => setTheme(next)}>
    Theme: ${theme}</button>`;
}
