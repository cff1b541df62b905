"""``ninefold hint``: the best numbers in a position, and why."""

import argparse

from ninefold.cli.common import load_position, print_json
from ninefold.coach.hint import Hint, hint_for
from ninefold.coach.words import sentence
from ninefold.core.moves import Move, format_move
from ninefold.line.wrap import wrap


def run(options: argparse.Namespace) -> int:
    """Print the hint for the position after ``--moves``, as sentences or as JSON."""
    _, position = load_position(options)
    hint = hint_for(position)
    if options.json:
        print_json(_as_data(hint, options.step))
        return 0
    for step in range(1, options.step + 1):
        print(wrap(sentence(hint, step)))
    return 0


def _as_data(hint: Hint, step: int) -> dict[str, object]:
    return {
        "kind": hint.kind,
        "value": hint.value.result,
        "plies": hint.value.plies,
        "moves": _moves(hint.moves),
        "sets": hint.sets,
        "threats": hint.threats,
        "line": _moves(hint.line),
        "refutations": [
            {"move": format_move(move), "line": _moves(line)} for move, line in hint.refutations
        ],
        "sentences": [sentence(hint, at) for at in range(1, step + 1)],
    }


def _moves(moves: tuple[Move, ...]) -> list[str]:
    return [format_move(move) for move in moves]
