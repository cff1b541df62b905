// One game that follows the state table: what has happened, and the view of it to show.
// It knows where the engine's answers are written, and no rules.
import { describeTile } from "./board.js";

export const HUMAN = "human";

/** A whole number below this one, each equally likely. */
export function draw(below) {
  const most = Math.floor(2 ** 32 / below) * below;
  const found = new Uint32Array(1);
  do crypto.getRandomValues(found);
  while (found[0] >= most);
  return found[0] % below;
}

export class Play {
  /** `seats` are two kinds of players; `path` are the steps made so far, as places. */
  constructor(table, seats, path = []) {
    this.table = table;
    this.seats = seats;
    this.states = [table.state(table.header.start)];
    this.steps = [];
    const people = [1, 2].filter((seat) => this.isPerson(seat));
    this.reader = people.length === 1 ? people[0] : 0;
    for (const place of path) this.follow(place);
  }

  get state() {
    return this.states.at(-1);
  }

  get path() {
    return this.steps.map((step, at) => this.states[at].steps.indexOf(step));
  }

  get isOver() {
    return this.state.turn === 0;
  }

  isPerson(seat) {
    return this.seats[seat - 1] === HUMAN;
  }

  /** Whether a person is to act. */
  get isMine() {
    return !this.isOver && this.isPerson(this.state.turn);
  }

  opponent(seat) {
    return this.table.header.opponents.find((item) => item.kind === this.seats[seat - 1]);
  }

  /** What both players are called. */
  get players() {
    return [1, 2].map((seat) =>
      this.isPerson(seat) ? this.table.header.players[seat - 1] : this.opponent(seat).called,
    );
  }

  /** The same, but the only person is you. */
  get names() {
    return this.players.map((name, at) => (this.reader === at + 1 ? this.table.header.you : name));
  }

  /** Make the move at this place among the legal ones. */
  follow(place) {
    const step = this.state.steps[place];
    this.steps.push(step);
    this.states.push(this.table.state(step.to));
  }

  /** The place of the legal move that takes this number, or -1. */
  pickOf(number) {
    return this.state.steps.findIndex((step) => step.number === number);
  }

  /** The place of the legal move with this notation, or -1. */
  placeOf(key) {
    return this.state.steps.findIndex((step) => this.table.header.moves[step.move].key === key);
  }

  /** A place among those that the computer to act chooses between. */
  choice() {
    const { bit } = this.opponent(this.state.turn);
    const places = this.state.steps.flatMap((step, at) => (step.chosen & bit ? [at] : []));
    return places[draw(places.length)];
  }

  /** How many moves are left after an undo of the person to act; -1 if there is none to undo. */
  get pliesAfterUndo() {
    return this.states.slice(0, -1).findLastIndex((before) => before.again & (1 << this.reader));
  }

  undo() {
    const plies = this.pliesAfterUndo;
    this.states.length = plies + 1;
    this.steps.length = plies;
  }

  /** The numbers taken in the first `plies` moves, in this order. */
  taken(plies = this.steps.length) {
    return this.steps.slice(0, plies).flatMap((step) => step.number ?? []);
  }

  /** What belongs into the places of a text about the position after so many moves. */
  places(plies = this.steps.length, more = {}) {
    const { separator, none } = this.table.header;
    const state = this.states[plies];
    const join = (numbers) => numbers.join(separator) || none;
    const taken = this.taken(plies);
    const inOrder = (hand) => taken.filter((number) => hand.includes(number));
    const [one, two] = this.players;
    return {
      1: one,
      2: two,
      hand1: join(inOrder(state.hands[0])),
      hand2: join(inOrder(state.hands[1])),
      last: state.hands[0].includes(taken.at(-1)) ? one : two,
      sum: (addends) => inOrder(addends.split(",").map(Number)).join(" + "),
      picks: join(state.steps.flatMap((step) => step.number ?? [])),
      ...more,
    };
  }

  text(id, plies, more, reader = this.reader) {
    return this.table.text(id, reader, this.places(plies, more));
  }

  /** What a move is worth to the player who makes it: its result, and in words. */
  valueOf(step, turn) {
    const { winner, plies } = this.table.state(step.to);
    const result = winner === 0 ? "draw" : winner === turn ? "win" : "loss";
    return { result, word: this.table.header.values[result][plies && plies + 1] };
  }

  /** The steps of best play from a state on, after these first ones, until it comes back. */
  line(state, first) {
    const steps = [];
    const met = new Set();
    const queue = [...first];
    while (state.steps.length && (queue.length || !met.has(state.at))) {
      if (!queue.length) met.add(state.at);
      const step = state.steps[queue.length ? queue.shift() : state.best];
      steps.push({ step, turn: state.turn });
      state = this.table.state(step.to);
    }
    return steps;
  }

  /** Everything that happened, in this order; the result is separate, and announced once. */
  log() {
    const { header } = this.table;
    const entries = [this.text(header.opening)];
    this.steps.forEach((step, at) => {
      const [before, after] = [this.states[at], this.states[at + 1]];
      entries.push(this.text(header.moves[step.move].deeds[before.turn - 1], at));
      if (after.turn === before.turn && after.skipped) entries.push(this.text(after.skipped, at + 1));
    });
    return entries;
  }

  /** Every number as it stands in a state; `marks` are signs of hints, by number. */
  tiles(state, { last, marks = new Map(), chosen, values = false, open = false } = {}) {
    const { header } = this.table;
    return header.pool.map((number, at) => {
      const owner = state.hands[0].includes(number) ? 1 : state.hands[1].includes(number) ? 2 : 0;
      const step = state.steps.find((one) => one.number === number);
      const worth = header.worth[at] === number ? "" : String(header.worth[at]);
      const tile = {
        number,
        owner,
        worth,
        marker: owner ? header.markers[owner - 1] : "",
        free: open && Boolean(step),
        barred: state.barred.has(number),
        last: number === last,
        lit: state.lit.includes(number),
        mark: marks.get(number) ?? "",
        chosen: chosen ? chosen.has(number) : undefined,
        value: values && step ? this.valueOf(step, state.turn) : null,
      };
      return { ...tile, label: describeTile(tile, header.tile, this.names) };
    });
  }

  /** Both players: who they are, and what they hold. */
  hands(plies) {
    const state = this.states[plies];
    return this.names.map((name, at) => ({
      name,
      marker: this.table.header.markers[at],
      numbers: this.taken(plies).filter((number) => state.hands[at].includes(number)).join(" ")
        || this.table.header.empty,
      isNext: state.turn === at + 1,
    }));
  }
}
