// The page for learning: today's puzzle, what is due, puzzles by game, and mistakes from own games.
import { html, useEffect, useState } from "../vendor/preact-htm.js";
import { Action } from "../game.js";
import { get, post } from "./ask.js";
import { Frame, Trouble, mount, useAnswer } from "./frame.js";
import { aboutRules, rulesIn } from "./position.js";
import { Puzzles } from "./puzzle.js";
import { Select, gameOptions, loadGames } from "./select.js";

const IN_A_ROW = 10;
const WAITING = html`<p class="about">One moment …</p>`;
const ABOUT_PRACTICE = "A win that you miss, in a game or in a puzzle, waits here. Once you have found it, it comes back the next day, and then less and less often.";

const dayOf = (day) => new Date(`${day}T00:00`).toLocaleDateString("en", { day: "numeric", month: "long" });
const plural = (count, one) => `${count} ${count === 1 ? one : `${one}s`}`;

/** The rows of puzzles that can be asked for, by the name in the address. */
const ROWS = {
  today: { title: "Today's puzzle", load: async () => [await get("/api/learn/daily")] },
  due: { title: "Practice", load: async () => (await get("/api/learn/lessons")).due },
  again: {
    title: "Practice",
    load: async (query) => {
      const { due, later } = await get("/api/learn/lessons");
      return [...due, ...later].filter((one) => one.identity === query.get("puzzle"));
    },
  },
  puzzles: {
    title: "Puzzles",
    load: async (query) => (await post("/api/learn/puzzles", {
      ...rulesIn(query),
      rating: Number(query.get("rating")) || null,
      count: IN_A_ROW,
      seed: Math.floor(Math.random() * 2 ** 32),
    })).puzzles,
    hasMore: true,
  },
};

/** The tiles of a position, only to look at. */
function Preview({ view }) {
  return html`<div class="preview" aria-hidden="true">
    ${view.tiles.map((tile) => html`<span key=${tile.number} class=${tile.owner ? `seat${tile.owner}` : ""}>${tile.number}</span>`)}
  </div>`;
}

function Today({ open }) {
  const [daily, failure, again] = useAnswer(() => get("/api/learn/daily"));
  const state = { true: "You solved it on the first try.", false: "You missed it on the first try. It comes back under Practice." };
  return html`<section class="card" aria-labelledby="today">
    <h2 id="today">Today's puzzle</h2>
    <${Trouble} failure=${failure} again=${again} />
    ${daily ? html`<p><strong>${daily.view.title}</strong>, ${daily.rating_words}. ${state[daily.solved] ?? daily.question}</p>
      <${Preview} view=${daily.view} />
      <div class="controls"><${Action} kind=${daily.solved === null ? "main" : ""}
        label=${daily.solved === null ? "Solve today's puzzle" : "Look at it again"} act=${() => open({ row: "today" })} /></div>`
      : !failure && WAITING}
  </section>`;
}

function Due({ lessons, open }) {
  const { counts, next } = lessons;
  return html`<p>${counts.due ? `${plural(counts.due, "puzzle")} ${counts.due === 1 ? "is" : "are"} due today.`
      : next ? `Nothing is due today. The next puzzle comes back on ${dayOf(next)}.` : "Nothing is due."}</p>
    <p class="about">${ABOUT_PRACTICE}</p>
    ${counts.due > 0 && html`<div class="controls"><${Action} kind="main" label="Practise" act=${() => open({ row: "due" })} /></div>`}`;
}

function Mistake({ lesson, isDue, open }) {
  const solved = lesson.solved > 0 && `Solved ${lesson.solved === 1 ? "once" : `${lesson.solved} times`} since.`;
  const facts = [lesson.origin, `You took ${lesson.played}.`, solved, !isDue && `Due on ${dayOf(lesson.due)}.`];
  return html`<li>
    <p><strong>${lesson.view.title}.</strong> ${facts.filter(Boolean).join(" ")}</p>
    <div class="controls">
      <${Action} label="Find the win" act=${() => open({ row: "again", puzzle: lesson.identity })} />
      <a class="button" href=${`/game/${lesson.record}/review`}>Review the game</a>
    </div>
  </li>`;
}

function Mistakes({ lessons, open }) {
  const found = [...lessons.due.map((one) => [one, true]), ...lessons.later.map((one) => [one, false])]
    .filter(([lesson]) => lesson.record);
  return html`${found.length ? html`<ul class="mistakes">${found.map(([lesson, isDue]) =>
      html`<${Mistake} key=${lesson.identity} lesson=${lesson} isDue=${isDue} open=${open} />`)}</ul>`
    : html`<p>There is nothing to practise from your last games. <a href="/">Play a game</a>: if only one number wins and you miss it, it waits here.</p>`}
    ${lessons.warnings.map((text, at) => html`<p key=${at} class="about">${text}</p>`)}`;
}

/** What is due, and what was missed in games: both from the same answer. */
function Lessons({ open }) {
  const [lessons, failure, again] = useAnswer(() => get("/api/learn/lessons"));
  const part = (Part) => (lessons ? html`<${Part} lessons=${lessons} open=${open} />` : !failure && WAITING);
  return html`<section class="card" aria-labelledby="practice">
      <h2 id="practice">Practice</h2>
      <${Trouble} failure=${failure} again=${again} />
      ${part(Due)}
    </section>
    <section class="card" aria-labelledby="mistakes">
      <h2 id="mistakes">Mistakes from your games</h2>
      ${part(Mistakes)}
    </section>`;
}

/** The difficulties of a game, with how many puzzles there are and how many are new. */
function Rating({ game, reading, rating, change }) {
  const [found, failure, again] = useAnswer(
    () => post("/api/learn/puzzles", { game, reading, count: 0 }).then((answer) => ({ ...answer, game, reading })),
    [game, reading]);
  const isShown = found && found.game === game && found.reading === reading;
  const options = [["", "Any, the easiest first"]];
  if (isShown) {
    found.ratings.forEach(({ rating: one, about, count, new: fresh }) =>
      options.push([String(one), `${one}: ${about} (${count} puzzles, ${fresh} new)`]));
  }
  return html`<${Select} id="rating" label="Difficulty" value=${rating} options=${options} onChange=${change} />
    <p class="about" role="status">${!isShown && !failure && "Counting the puzzles of this game …"}</p>
    <${Trouble} failure=${failure} again=${again} />`;
}

/** The variants of the rules of a game, of which one is chosen, and its difficulties. */
function Variant({ game, reading, rating, chooseReading, chooseRating }) {
  return html`${game.readings.length > 1 && html`<${Select} id="reading" label="Rules" value=${reading}
      options=${game.readings.map((one) => [one.name, one.name])} onChange=${chooseReading} />`}
    <${Rating} game=${game.id} reading=${reading} rating=${rating} change=${chooseRating} />
    <div class="controls"><button type="submit" class="main">Solve puzzles</button></div>`;
}

function Choice({ choices, open }) {
  const [id, setId] = useState(choices.games[0].id);
  const [chosen, setReading] = useState("");
  const [rating, setRating] = useState("");
  const [found, failure, again] = useAnswer(async () => choices.games.find((one) => one.id === id)
    ?? { ...(await aboutRules({ game: id, reading: null, changes: [] })).book, id }, [id]);
  const game = found?.id === id ? found : null;
  const reading = game?.readings.some((one) => one.name === chosen) ? chosen : game?.reading;
  const choose = (set) => (event) => {
    setRating("");
    set(event.target.value);
  };
  const submit = (event) => {
    event.preventDefault();
    open({ row: "puzzles", game: id, reading, rating });
  };
  return html`<form class="choice-of-puzzles" onSubmit=${submit}>
    <${Select} id="game" label="Game" value=${id} options=${gameOptions(choices, { id })} onChange=${choose(setId)} />
    ${game ? html`<${Variant} game=${game} reading=${reading} rating=${rating}
        chooseReading=${choose(setReading)} chooseRating=${choose(setRating)} />`
      : failure ? html`<${Trouble} failure=${failure} again=${again} />` : WAITING}
  </form>`;
}

function Games({ open }) {
  const [choices, failure, again] = useAnswer(loadGames);
  return html`<section class="card" aria-labelledby="puzzles">
    <h2 id="puzzles">Puzzles by game</h2>
    <${Trouble} failure=${failure} again=${again} />
    ${choices ? html`<${Choice} choices=${choices} open=${open} />` : !failure && WAITING}
  </section>`;
}

function Home({ open }) {
  return html`<main id="main" class="learn">
    <${Today} open=${open} />
    <${Lessons} open=${open} />
    <${Games} open=${open} />
    <section class="card" aria-labelledby="analysis">
      <h2 id="analysis">Analysis board</h2>
      <p>Play both sides of any game, and see what every move is worth, how soon, and why.</p>
      <div class="controls"><a class="button main" href="/learn/analysis">Open the analysis board</a></div>
    </section>
  </main>`;
}

function Row({ query, leave }) {
  const row = ROWS[query.get("row")];
  const [rows, setRows] = useState(0);
  const [puzzles, failure, again] = useAnswer(() => row.load(query).then((found) => ({ found, rows })), [rows]);
  if (!puzzles || puzzles.rows !== rows) {
    return html`<main id="main" class=${failure ? "welcome" : ""}>${failure ? html`<${Trouble} failure=${failure} again=${again} />
      <div class="controls"><${Action} label="Back to Learn" act=${leave} /></div>` : WAITING}</main>`;
  }
  if (!puzzles.found.length) {
    return html`<main id="main" class="welcome"><p>There is nothing to practise here any more.</p>
      <div class="controls"><${Action} label="Back to Learn" act=${leave} /></div></main>`;
  }
  return html`<${Puzzles} key=${rows} puzzles=${puzzles.found} leave=${leave}
    more=${row.hasMore && (() => setRows(rows + 1))} />`;
}

function Page() {
  const [address, setAddress] = useState(location.search);
  useEffect(() => {
    const follow = () => setAddress(location.search);
    addEventListener("popstate", follow);
    return () => removeEventListener("popstate", follow);
  }, []);
  const go = (search) => {
    history.pushState(null, "", `/learn${search}`);
    setAddress(search);
    scrollTo(0, 0);
  };
  const query = new URLSearchParams(address);
  const row = ROWS[query.get("row")];
  if (!row) {
    return html`<${Frame} title="Learn"><${Home}
      open=${(wanted) => go(`?${new URLSearchParams(wanted)}`)} /></${Frame}>`;
  }
  return html`<${Frame} title=${row.title}><${Row} key=${address} query=${query} leave=${() => go("")} /></${Frame}>`;
}

mount(html`<${Page} />`);
