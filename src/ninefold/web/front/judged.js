// The review of a game, put together from the verdicts in the table.

/** Every move with its verdict, and the summary, for the reader of the game. */
export function reviewOf(play) {
  const { header } = play.table;
  const counts = [[0, 0, 0], [0, 0, 0]];
  let course = 0;
  const moves = play.steps.map((step, at) => {
    const before = play.states[at];
    const row = header.rows[step.row];
    row.counts.forEach((count, kind) => (counts[before.turn - 1][kind] += count));
    const said = play.text(row.said[course], at);
    course = row.courses[course];
    const more = play.text(step.more, at);
    const made = play.text(step.made, at);
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
  const last = play.steps.findLastIndex((_, at) => play.states[at].winner !== end.winner);
  const ply = last + 1;
  const decided = ply ? play.text(header.rows[play.steps[last].row].decided, last, { ply })
    : play.text(header.settled);
  const summaries = counts.map((count, at) => summary(play, at, count));
  return {
    moves,
    side: play.reader || 1,
    legend: play.text(header.legend),
    overview: [...play.text(end.note).split("\n"), decided, ...summaries],
  };
}

/** Two texts joined as the engine joins them; one of them if the other is empty. */
function fill(join, first, second) {
  return first && second ? join.replace("{first}", () => first).replace("{second}", () => second)
    : first || second;
}

function summary(play, at, [moves, mistakes, only]) {
  const counts = [moves, mistakes, only];
  const place = play.table.header.kinds.reduce(
    (sum, kinds, which) => sum * kinds + Math.min(counts[which], kinds - 1), 0);
  const format = (count) => count.toLocaleString("en");
  return play.text(play.table.header.summaries[at][place], undefined, {
    moves: format(moves), mistakes: format(mistakes), only: String(only),
  });
}
