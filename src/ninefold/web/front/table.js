// Reads the state table that the engine wrote: its format, and nothing about the rules.

/** The bytes of the table, from their base64 text. */
export async function unpack(text) {
  const packed = Uint8Array.from(atob(text.trim()), (char) => char.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Numbers in groups of seven bits, the lowest first. */
function readNumbers(bytes) {
  const found = [];
  let number = 0;
  let scale = 1;
  for (const byte of bytes) {
    number += (byte & 127) * scale;
    scale *= 128;
    if (byte < 128) {
      found.push(number);
      number = 0;
      scale = 1;
    }
  }
  return found;
}

/** Where the list of each state begins, from the lengths of all lists. */
function beginnings(lengths) {
  let sum = 0;
  return lengths.map((length) => (sum += length) - length);
}

export class Table {
  constructor(bytes) {
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
    this.header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length)));
    this.columns = {};
    let at = 4 + length;
    for (const [name, size] of this.header.columns) {
      this.columns[name] = readNumbers(bytes.subarray(at, (at += size)));
    }
    this._readTargets();
    this._readTexts();
    this._from = {};
    for (const name of ["steps", "leads", "bars"]) this._from[name] = beginnings(this.columns[name]);
    this._states = new Map();
  }

  // A target is written as its distance from one past where the same move led last.
  _readTargets() {
    const { move, to } = this.columns;
    const expected = new Map();
    this.columns.to = to.map((code, at) => {
      const difference = code % 2 ? -(code + 1) / 2 : code / 2;
      const target = (expected.get(move[at]) ?? 0) + difference;
      expected.set(move[at], target + 1);
      return target;
    });
  }

  _readTexts() {
    this._texts = [];
    const numbers = this.columns.texts;
    for (let at = 0; at < numbers.length; at += numbers[at] + 1) {
      this._texts.push(numbers.slice(at + 1, at + 1 + numbers[at]));
    }
  }

  /** A text as this reader (0: two people, 1 or 2: the person in that seat) reads it. */
  text(id, reader = 0, places = {}) {
    const words = this._texts[id].map((at) => this.header.words[at]);
    const text = words.map((word) => (Array.isArray(word) ? word[reader] : word)).join(" ");
    return text.replace(/\{(\w+)(?::([^}]*))?\}/g, (whole, name, given) => {
      const value = places[name];
      return typeof value === "function" ? value(given) : value ?? whole;
    });
  }

  /** The numbers of the pool whose bits are set. */
  numbers(mask) {
    return this.header.pool.filter((_, at) => Math.floor(mask / 2 ** at) % 2);
  }

  /** Everything that is known about a state. */
  state(at) {
    if (!this._states.has(at)) this._states.set(at, this._readState(at));
    return this._states.get(at);
  }

  _readState(at) {
    const columns = this.columns;
    const list = (counts) => {
      const from = this._from[counts][at];
      return Array.from({ length: columns[counts][at] }, (_, place) => from + place);
    };
    const state = { at };
    for (const name of ["turn", "again", "asking", "winner", "status", "choosing", "note", "skipped",
      "best", "better"]) {
      state[name] = columns[name][at];
    }
    return {
      ...state,
      hands: [this.numbers(columns.hand1[at]), this.numbers(columns.hand2[at])],
      lit: this.numbers(columns.lit[at]),
      area: this.numbers(columns.area[at]),
      plies: columns.plies[at], // one more than there are, or 0 if that is not known
      hints: [columns.hint1[at], columns.hint2[at], columns.hint3[at]],
      lead: list("leads").map((place) => columns.lead[place]),
      barred: new Map(
        list("bars").map((place) => [this.header.pool[columns.barred[place]], columns.why[place]]),
      ),
      steps: list("steps").map((place) => ({
        move: columns.move[place],
        number: this.header.pool[columns.move[place]], // none if it takes no number
        to: columns.to[place],
        chosen: columns.chosen[place],
        isHinted: columns.marks[place] % 2 === 1,
        isGood: columns.marks[place] >= 2,
        made: columns.made[place],
        row: columns.row[place],
        more: columns.more[place],
      })),
    };
  }
}
