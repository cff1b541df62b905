// The numbers as a grid: one tab stop, arrow keys move, Enter or Space takes.
import { html, useEffect, useLayoutEffect, useRef, useState } from "./vendor/preact-htm.js";

const GAP = 8;
const SHAPES = { win: "▲", draw: "■", loss: "▼" };

/** As many columns as fit, but rows of equal length if one row more can do that. */
function columnsFor(count, width) {
  const letter = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const least = letter * (width < 30 * letter ? 3 : 5.25);
  const most = Math.max(1, Math.floor((width + GAP) / (least + GAP)));
  const rows = Math.ceil(count / most);
  for (const tried of [rows, rows + 1]) {
    if (count % tried === 0 && (tried === rows || count > 4)) return count / tried;
  }
  return Math.ceil(count / rows);
}

/** The element, and how many columns of tiles fit into it. */
function useColumns(count) {
  const frame = useRef(null);
  const [columns, setColumns] = useState(Math.min(count, 3));
  useLayoutEffect(() => {
    const measure = () => setColumns(columnsFor(count, frame.current.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(frame.current);
    return () => observer.disconnect();
  }, [count]);
  return [frame, columns];
}

/** A tile in words. */
export function describeTile(tile, words, names) {
  return [
    tile.number,
    tile.worth && words.worth.replace("{worth}", tile.worth),
    tile.owner ? `${names[tile.owner - 1]} (${tile.marker})` : tile.barred ? words.barred : words.free,
    tile.last && words.last,
    tile.lit && words.lit,
    words[tile.mark],
    tile.chosen && words.chosen,
    tile.value?.word,
  ].filter(Boolean).join(", ");
}

/** `focus` is a number that changes whenever the board should have the focus. */
export function Board({ tiles, name, focus, onTake }) {
  const [frame, columns] = useColumns(tiles.length);
  const [active, setActive] = useState(0);
  const tileAt = (at) => frame.current.querySelectorAll(".tile")[at];
  useEffect(() => {
    if (focus) tileAt(active)?.focus();
  }, [focus]);

  const onKeyDown = (event) => {
    const forward = getComputedStyle(frame.current).direction === "rtl" ? -1 : 1;
    const start = active - (active % columns);
    const whole = event.ctrlKey || event.metaKey;
    const targets = {
      ArrowRight: active + forward,
      ArrowLeft: active - forward,
      ArrowDown: active + columns,
      ArrowUp: active - columns,
      Home: whole ? 0 : start,
      End: whole ? tiles.length - 1 : Math.min(start + columns, tiles.length) - 1,
    };
    const to = targets[event.key];
    if (to === undefined || event.altKey) return;
    event.preventDefault();
    if (to < 0 || to >= tiles.length) return;
    setActive(to);
    tileAt(to).focus();
  };

  const rows = [];
  for (let at = 0; at < tiles.length; at += columns) rows.push(tiles.slice(at, at + columns));
  return html`<div class="board" role="grid" aria-label=${name} aria-readonly="true" ref=${frame}
      onKeyDown=${onKeyDown}>
    ${rows.map((row, place) => html`<div class="row" role="row" key=${place}>
      ${row.map((tile, inRow) => html`<${Tile} key=${tile.number} tile=${tile}
        isActive=${place * columns + inRow === active}
        onFocus=${() => setActive(place * columns + inRow)}
        onTake=${() => onTake(tile.number)} />`)}
      ${Array.from({ length: columns - row.length }, (_, gap) =>
        html`<span class="gap" key=${`gap-${gap}`} role="presentation"></span>`)}
    </div>`)}
  </div>`;
}

function Tile({ tile, isActive, onFocus, onTake }) {
  const looks = ["tile"];
  if (tile.owner) looks.push(`seat${tile.owner}`);
  for (const look of ["free", "barred", "last", "lit", "chosen", "sent"]) if (tile[look]) looks.push(look);
  if (tile.mark) looks.push(tile.mark);
  if (tile.value) looks.push(tile.value.result);
  return html`<button type="button" role="gridcell" class=${looks.join(" ")}
      tabindex=${isActive ? 0 : -1} aria-label=${tile.label} aria-selected=${tile.chosen}
      aria-disabled=${tile.free || tile.chosen !== undefined ? undefined : "true"}
      data-number=${tile.number} onFocus=${onFocus} onClick=${onTake}>
    <span class="number">${tile.number}</span>
    ${tile.worth && html`<span class="worth">=${tile.worth}</span>`}
    ${tile.marker && html`<span class="marker">${tile.marker}</span>`}
    ${tile.value && html`<span class="value"><span class="shape">${SHAPES[tile.value.result]}</span>
      ${" "}${tile.value.word}</span>`}
    ${tile.lit && html`<span class="sign">★</span>`}
    ${tile.mark && html`<span class="sign">${tile.mark === "area" ? "?" : "!"}</span>`}
  </button>`;
}
