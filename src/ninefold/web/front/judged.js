// The review of a game, put together from the verdicts in the table.

/** Every move with its verdict, and the summary, for the reader of the game or another one. */
export function reviewOf(play, reader = play.reader) {
  const { header } = play.table;
  const text = (id, plies, more) => play.text(id, plies, more, reader);
  const side = play.reader || 1;
  const counts = [[0, 0, 0], [0, 0, 0]];
  let course = 0;
  const moves = play.steps.map((step, at) => {
    const before = play.states[at];
    const row = header.rows[step.row];
    row.counts.forEach((count, kind) => (counts[before.turn - 1][kind] += count));
    const said = text(row.said[course], at);
    course = row.courses[course];
    const more = text(step.more, at);
    const made = text(step.made, at);
    const judged = fill(header.joins.more, said, more);
    return {
      seat: before.turn,
      played: step.number ?? header.moves[step.move].label[0],
      text: fill(header.joins.said, made, judged),
      standing: play.states[at + 1].winner,
      isMistake: row.counts[1] > 0,
      better: step.isGood ? [] : before.steps.filter((one) => one.isGood && one !== step),
      line: row.counts[1] > 0 ? play.line(before, [before.better]) : [],
    };
  });
  const end = play.state;
  const last = play.steps.findLastIndex((step) => header.rows[step.row].decided);
  const ply = last + 1;
  const decided = ply ? text(header.rows[play.steps[last].row].decided, last, { ply })
    : text(header.settled);
  const summaries = counts.map((count, at) => summary(play.table, at, count, text));
  return {
    moves,
    side,
    legend: text(header.legends[side - 1]),
    overview: [...text(end.note).split("\n"), decided, ...summaries],
  };
}

/** Two texts joined as the engine joins them; one of them if the other is empty. */
function fill(join, first, second) {
  return first && second ? join.replace("{first}", () => first).replace("{second}", () => second)
    : first || second;
}

function summary({ header }, at, [moves, mistakes, only], text) {
  const counts = [moves, mistakes, only];
  const place = header.kinds.reduce(
    (sum, kinds, which) => sum * kinds + Math.min(counts[which], kinds - 1), 0);
  const format = (count) => count.toLocaleString("en");
  return text(header.summaries[at][place], undefined, {
    moves: format(moves), mistakes: format(mistakes), only: String(only),
  });
}
