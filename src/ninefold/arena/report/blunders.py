"""The worst blunders of each entrant: where, what was better, and how it is refuted."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.arena.scores import Scores
from ninefold.arena.scores.rows import read_at
from ninefold.arena.scores.rules import rules_of
from ninefold.arena.scores.table import NO_DEPTH, UNKNOWN, Table
from ninefold.coach.hint import after_turn, answers_to
from ninefold.coach.review import judge
from ninefold.coach.words import describe_line, some_of, you_and_they
from ninefold.core.moves import Move, parse_moves
from ninefold.core.position import Position
from ninefold.pages.shown import Shown
from ninefold.solver import is_small, solver_for

# In all, and how many of them are looked at until an entrant has enough different ones.
MOST, MOST_TRIED = 12, 30
RESULTS = {1: "win", 0: "draw", -1: "loss"}


class Blunder(NamedTuple):
    """A move that threw a win or a draw away, and what follows from it in words."""

    player: int
    cell: int
    game: str
    ply: int
    seat: int
    move: Move
    before: int
    after: int
    depth: int | None
    shown: Shown
    better: str
    refutation: str


def worst_blunders(folder: Path, scores: Scores) -> tuple[Blunder, ...]:
    """The worst of each entrant: what lost most, and what was nearest to the end, first."""
    each = max(1, MOST // max(1, len(scores.entrants)))
    found = list[Blunder]()
    for player in scores.entrants[:MOST]:
        seen, own = set[object](), list[Blunder]()
        for at in _candidates(scores.table, player):
            one = _blunder(folder, scores.table, player, at)
            key = (one.cell, one.shown.positions[-2].key, one.move) if one else None
            if one is not None and key not in seen:
                seen.add(key)
                own.append(one)
            if len(own) == each:
                break
        found += own
    return tuple(found)


def _candidates(table: Table, player: int) -> Iterator[int]:
    """The places of decisions that threw something away, the worst first."""
    import numpy as np

    rows = table.decisions
    known = (rows["before"] != UNKNOWN) & (rows["after"] != UNKNOWN)
    lost = rows["before"].astype(int) - rows["after"]
    places = np.flatnonzero((rows["player"] == player) & known & (lost > 0))
    depth = np.where(rows["depth"] == NO_DEPTH, 99, rows["depth"])
    order = np.lexsort((places, -rows["good"][places], depth[places], -lost[places]))
    yield from places[order][:MOST_TRIED].tolist()


def _blunder(folder: Path, table: Table, player: int, at: int) -> Blunder | None:
    """The decision at a place; None if its game is not what it was when it was read."""
    games, rows = table.games, table.decisions
    place = int(rows["game"][at])
    row = read_at(folder, int(games["offset"][place]))
    cell = int(games["cell"][place])
    about = table.cells[cell]
    game = rules_of(folder, *about).game
    if game is None:
        return None
    ply = int(rows["ply"][at])
    moves = parse_moves(f"{row['opening']} {row['moves']}")[:ply]
    shown = Shown(game, tuple(moves), row.get("first", 1))
    position, move = shown.positions[-2], moves[-1]
    depth = int(rows["depth"][at])
    values = int(rows["before"][at]), int(rows["after"][at])
    more = None if depth == NO_DEPTH else depth
    words = explain(position, move, ply)
    return Blunder(player, cell, row["id"], ply, position.turn, move, *values, more, shown, *words)


def explain(position: Position, move: Move, ply: int) -> tuple[str, str]:
    """What was better than a blunder, and its refutation; its player is "you"."""
    if not is_small(position.game):
        return "", ""
    found, voices = judge(position, move, ply), you_and_they(position.turn)
    better = ""
    if found.better:
        line = describe_line(position, found.line, voices)
        better = f"Better: {some_of(found.better)}." + (f" For example: {line}." if line else "")
    if position.play(move).outcome is not None:
        return better, "the move ends the game."
    answers = answers_to(position, move, solver_for(position.game))
    return better, f"{describe_line(after_turn(position, move), answers, voices)}."


def as_data(one: Blunder, name: str, game: str) -> dict[str, Any]:
    """A blunder for programs."""
    from ninefold.core.moves import format_move

    return {
        "entrant": name,
        "game": game,
        "id": one.game,
        "ply": one.ply,
        "seat": one.seat,
        "move": format_move(one.move),
        "before": RESULTS[one.before],
        "after": RESULTS[one.after],
        "depth": one.depth,
        "moves": one.shown.line,
        "better": one.better,
        "refutation": one.refutation,
    }
