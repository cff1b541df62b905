// The clocks of a game: they run here as the server last told, and the server decides.
import { html, useEffect, useState } from "../vendor/preact-htm.js";

const PULSE = 200;
const LOW = 10;

/** The seconds that a player has left: for the game, for this turn; null without a limit. */
function left(game, seat) {
  const { clocks, about, heard } = game;
  const isRunning = clocks.running === seat;
  const after = (seconds) => Math.max(0, seconds - (isRunning ? (performance.now() - heard) / 1000 : 0));
  const forGame = clocks.left[seat - 1];
  const forTurn = isRunning ? clocks.deadline : about.time_limit;
  return {
    game: forGame === null ? null : after(forGame),
    turn: about.time_limit === null ? null : after(forTurn),
  };
}

function written(seconds) {
  const whole = Math.ceil(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const two = (number) => String(number).padStart(2, "0");
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

function spoken(seconds) {
  const whole = Math.ceil(seconds);
  const parts = [[Math.floor(whole / 3600), "hour"], [Math.floor(whole / 60) % 60, "minute"], [whole % 60, "second"]];
  const said = parts.filter(([count]) => count).map(([count, unit]) => `${count} ${unit}${count === 1 ? "" : "s"}`);
  return said.join(" ") || "no time";
}

const hasClock = (game, seat) => game.clocks && game.about.people[seat - 1];

/** Both clocks in a sentence, for whoever asks. */
export function spokenClocks(game) {
  const say = (seat) => {
    const { game: whole, turn } = left(game, seat);
    const parts = [whole !== null && `${spoken(whole)} left`, turn !== null && `${spoken(turn)} for this turn`];
    return `${game.names[seat - 1]}: ${parts.filter(Boolean).join(", ")}.`;
  };
  return [1, 2].filter((seat) => hasClock(game, seat)).map(say).join(" ");
}

/** A player's clock, as text and as a bar; a computer has none. */
export function Clock({ game, seat }) {
  const [, update] = useState(0);
  const isRunning = game.clocks?.running === seat;
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => update((count) => count + 1), PULSE);
    return () => clearInterval(timer);
  }, [isRunning]);
  if (!hasClock(game, seat)) return null;
  const { game: whole, turn } = left(game, seat);
  const [most, now] = whole === null ? [game.about.time_limit, turn] : [game.about.game_time, whole];
  const texts = [whole !== null && written(whole), turn !== null && written(turn) + (whole === null ? "" : " for this turn")];
  const isLow = isRunning && Math.min(whole ?? turn, turn ?? whole) < LOW;
  return html`<dd class=${`clock${isRunning ? " running" : ""}${isLow ? " low" : ""}`}>
    <span role="timer">${texts.filter(Boolean).join(" · ")}</span>
    <progress max=${most} value=${Math.min(now, most)} aria-hidden="true"></progress>
  </dd>`;
}
