"""``ninefold referee``: the judge for programs, one game a line."""

import argparse
import json
import os
import sys
from typing import Any

from ninefold import books
from ninefold.core.errors import NinefoldError, Unreadable
from ninefold.core.game import Game
from ninefold.core.moves import parse_move, split_moves
from ninefold.core.position import Position

CHUNK = 1 << 16
# No game has this many moves; a line without end must not eat the memory.
MAX_LINE = 1 << 16


def run(options: argparse.Namespace) -> int:
    """Judge every line of standard input; answers leave as soon as their lines have arrived."""
    game = books.load(options.game, options.reading, tuple(options.set)).game
    pending = b""
    while chunk := os.read(0, CHUNK):
        *lines, pending = (pending + chunk).split(b"\n")
        pending = pending[: MAX_LINE + 1] if len(pending) > MAX_LINE else pending
        if lines:
            sys.stdout.write("".join(judge_line(game, line, options.first) for line in lines))
            sys.stdout.flush()
    if pending:
        sys.stdout.write(judge_line(game, pending, options.first))
    return 0


def judge_line(game: Game, line: bytes, first: int) -> str:
    """The verdict on one game, as a line of JSON."""
    if len(line) > MAX_LINE:
        error = Unreadable("too-long", f"A line has at most {MAX_LINE} bytes.")
        return _answer([], game.start(first), 0, error, 0)
    moves: list[int | str] = [*split_moves(line.decode("utf-8", "replace"))]
    position = game.start(first)
    for at, token in enumerate(moves):
        try:
            move = parse_move(str(token))
            moves[at] = move if type(move) is int else token
            position = position.follow(move)
        except NinefoldError as error:
            return _answer(moves, position, at, error, at)
    return _answer(moves, position.settled(), len(moves))


def _answer(
    moves: list[int | str],
    position: Position,
    plies: int,
    error: NinefoldError | None = None,
    at: int = 0,
) -> str:
    outcome = position.outcome
    answer: dict[str, Any] = {
        "moves": moves,
        "status": "unfinished",
        "winner": None,
        "reason": None,
        "sets": [],
        "plies": plies,
    }
    if error is not None:
        answer["status"] = "illegal"
        answer["error"] = {"code": error.code, "at": at, "message": error.message}
    elif outcome is not None:
        answer["status"] = "won" if outcome.winner else "drawn"
        answer["winner"] = outcome.winner
        answer["reason"] = outcome.reason
        answer["sets"] = outcome.sets
    return json.dumps(answer) + "\n"
