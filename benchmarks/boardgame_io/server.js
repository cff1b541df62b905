// boardgame.io's own server with magic fifteen; moves are kept in memory only, as is its default.
const { Server, Origins } = require("boardgame.io/server");

const hasFifteen = (hand) =>
  hand.some((a, i) => hand.some((b, j) => j > i && hand.some((c, k) => k > j && a + b + c === 15)));

const game = {
  name: "magic-fifteen",
  setup: () => ({ hands: { 0: [], 1: [] } }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    take: ({ G, playerID }, number) => {
      if (!(number >= 1 && number <= 9) || G.hands[0].includes(number) || G.hands[1].includes(number)) {
        return "INVALID_MOVE";
      }
      G.hands[playerID].push(number);
    },
  },
  endIf: ({ G, ctx }) => {
    if (hasFifteen(G.hands[ctx.currentPlayer])) return { winner: ctx.currentPlayer };
    if (G.hands[0].length + G.hands[1].length === 9) return { draw: true };
  },
};

Server({ games: [game], origins: [Origins.LOCALHOST] }).run(Number(process.argv[2]));
