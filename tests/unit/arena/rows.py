"""Rows of games for the tests of scores and reports, made by the judge and the solver."""

import json
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ninefold import load
from ninefold.arena.nodes import nodes_for
from ninefold.arena.results import GAMES, dumps, format_row, heading
from ninefold.core.game import Game
from ninefold.core.moves import Move, parse_moves

# What a tournament leaves beside its games; reports must do without it.
TOURNAMENT = 'version = "ninefold-arena-1"\nformat = "round-robin"\nseed = 7\n'


def row(
    game: Game,
    players: Sequence[str],
    moves: str | Sequence[Move],
    number: int = 0,
    *,
    opening: str = "",
    forfeit: str = "",
    faults: Sequence[Mapping[str, Any]] = (),
    more: Mapping[str, Any] | None = None,
    changes: Sequence[str] = (),
    book: str = "",
) -> dict[str, Any]:
    """The row of a game; games 0 and 1 are a pair, and so on. A player to act may forfeit it."""
    node, edges = nodes_for(game).start(), []
    for move in parse_moves(opening):
        node = node.play(move)
    for move in parse_moves(moves) if isinstance(moves, str) else moves:
        edges.append(node.edges[move])
        node = edges[-1].to
    ending = (3 - node.turn, forfeit) if forfeit else (node.winner, node.reason)
    about = {
        "round": 1,
        "book": book or game.name,
        "reading": "",
        "changes": [*changes],
        "rules": game.fingerprint,
        "players": [*players],
        "first": 1,
        "seed": number,
        "opening": opening,
    }
    head = heading(f"{number // 2:016x}", number % 2 + 1, dumps(about)[1:-1])
    rest = "".join(f',"{name}":{dumps(value)}' for name, value in (more or {}).items())
    line = format_row(head, edges, ending, [dict(fault) for fault in faults], rest)
    found: dict[str, Any] = json.loads(line)
    return found


def whole_game(game: Game, numbers: Iterable[int]) -> list[int]:
    """The moves of a game in which these numbers are taken in turn, until it is over."""
    position, moves = game.start(), list[int]()
    for number in numbers:
        if position.outcome is None:
            moves.append(number)
            position = position.play(number)
    return moves


def write(folder: Path, rows: Iterable[Mapping[str, Any] | str]) -> Path:
    """A folder with these rows; a text is written as it is."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = (line if isinstance(line, str) else json.dumps(line) + "\n" for line in rows)
    (folder / GAMES).write_text("".join(lines), "utf-8")
    (folder / "tournament.toml").write_text(TOURNAMENT, "utf-8")
    return folder


FIFTEEN = load("magic-fifteen")
A_GAME = "5 1 9 3 4 6"  # nobody has won yet
