"""``ninefold referee``: judge games for programs, one game per line."""

import argparse
import json
import sys
from typing import Any

from ninefold.cli.common import input_lines, load_book
from ninefold.core.errors import NinefoldError, Unreadable
from ninefold.core.game import Game
from ninefold.core.moves import parse_move, split_moves
from ninefold.core.position import Position

# No game has this many moves.
MAX_LINE = 1 << 16


def run(options: argparse.Namespace) -> int:
    """Judge every line of standard input, and answer as soon as it has arrived."""
    game = load_book(options).game
    for lines in input_lines(MAX_LINE):
        sys.stdout.write("".join(judge_line(game, line, options.first) for line in lines))
        sys.stdout.flush()
    return 0


def judge_line(game: Game, line: bytes, first: int) -> str:
    """The verdict on one game, as a line of JSON."""
    if len(line) > MAX_LINE:
        error = Unreadable("too-long", f"A line has at most {MAX_LINE} bytes.")
        return _answer([], game.start(first), 0, error)
    moves: list[int | str] = [*split_moves(line.decode("utf-8", "replace"))]
    position = game.start(first)
    for at, token in enumerate(moves):
        try:
            move = parse_move(str(token))
            moves[at] = move if type(move) is int else token
            position = position.follow(move)
        except NinefoldError as error:
            return _answer(moves, position, at, error)
    return _answer(moves, position.settled(), len(moves))


def _answer(
    moves: list[int | str], position: Position, plies: int, error: NinefoldError | None = None
) -> str:
    """The verdict after so many legal moves; an error is one of the move after them."""
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
        answer["error"] = {"code": error.code, "at": plies, "message": error.message}
    elif outcome is not None:
        answer["status"] = "won" if outcome.winner else "drawn"
        answer["winner"] = outcome.winner
        answer["reason"] = outcome.reason
        answer["sets"] = outcome.sets
    return json.dumps(answer) + "\n"
