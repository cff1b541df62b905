"""The state table of a page: columns of numbers, in as few bytes as a browser can unpack.

A table is the length of a JSON header (four bytes, the lowest first), the header, and the columns
that it lists, each as ``numbers_as_bytes``; everything compressed with raw deflate.
"""

import json
import zlib
from collections.abc import Iterable, Mapping
from typing import Any

from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Move
from ninefold.core.position import Position
from ninefold.referee import can_choose_again
from ninefold.web.page.states import State, States
from ninefold.web.page.texts import READERS, numbers_as_bytes

FORMAT = 1


def encode(states: States, about: Mapping[str, Any]) -> bytes:
    """The table of these states, with what else the page has to say in its header."""
    ordered, places = _in_order(states.states)
    moves = _moves(states.states, states.game)
    words, texts = states.texts.encode()
    columns = {"texts": texts}
    for name, numbers in _columns(ordered, states.game, moves, places).items():
        columns[name] = numbers_as_bytes(numbers)
    header = {
        **about,
        "format": FORMAT,
        "start": places[0],
        "counts": {"states": len(ordered), "texts": len(states.texts)},
        "words": words,
        "rows": [row._asdict() for row in states.row_data],
        "columns": [(name, len(column)) for name, column in columns.items()],
    }
    written = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    raw = len(written).to_bytes(4, "little") + written + b"".join(columns.values())
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    return packer.compress(raw) + packer.flush()


def moves_of(states: States) -> list[Move]:
    """Every move of the game, in the order of the column ``move``."""
    return [*_moves(states.states, states.game)]


def _moves(states: Iterable[State], game: Game) -> dict[Move, int]:
    """The numbers of all moves: picks in the order of the pool, then the others."""
    others = dict.fromkeys(
        step.move for state in states for step in state.steps if not isinstance(step.move, int)
    )
    known: list[Move] = [*game.pool, *(move for move in (PASS, SWAP, LOST) if move in others)]
    known += [move for move in others if move not in known]
    return {move: at for at, move in enumerate(known)}


def _in_order(states: list[State]) -> tuple[list[State], list[int]]:
    """The states in an order in which neighbours are alike, and the place of each."""

    def likeness(at: int) -> tuple[object, ...]:
        position = states[at].position
        over = position.outcome is not None
        return over, len(states[at].steps), position.turn, position.masks

    order = sorted(range(len(states)), key=likeness)
    places = [0] * len(states)
    for place, at in enumerate(order):
        places[at] = place
    return [states[at] for at in order], places


def _columns(
    states: list[State], game: Game, moves: Mapping[Move, int], places: list[int]
) -> dict[str, list[int]]:
    """A number of each state in each column, then of each step, then of other lists."""
    steps = [step for state in states for step in state.steps]
    return {
        "turn": [0 if s.position.outcome else s.position.turn for s in states],
        "again": [_can_choose_again(s.position) for s in states],
        "asking": [int(s.position.asking) for s in states],
        "hand1": [s.position.masks[0] for s in states],
        "hand2": [s.position.masks[1] for s in states],
        "lit": [game.mask(game.deciding_numbers(s.position)) for s in states],
        "winner": [s.winner for s in states],
        "plies": [0 if s.plies is None else s.plies + 1 for s in states],
        "status": [s.status for s in states],
        "choosing": [s.choosing for s in states],
        "note": [s.note for s in states],
        "skipped": [s.skipped for s in states],
        "hint1": [s.hints[0] for s in states],
        "hint2": [s.hints[1] for s in states],
        "hint3": [s.hints[2] for s in states],
        "area": [game.mask(s.area) for s in states],
        "best": [s.best for s in states],
        "better": [s.better for s in states],
        "leads": [len(s.lead) for s in states],
        "bars": [len(s.barred) for s in states],
        "steps": [len(s.steps) for s in states],
        "move": [moves[step.move] for step in steps],
        "to": _targets([(moves[step.move], places[step.to]) for step in steps]),
        "chosen": [step.chosen_by for step in steps],
        "marks": [step.is_hinted + 2 * step.is_good for step in steps],
        "made": [step.made for step in steps],
        "row": [step.row for step in steps],
        "more": [step.more for step in steps],
        "lead": [place for s in states for place in s.lead],
        "barred": [game.pool.index(number) for s in states for number, _ in s.barred],
        "why": [text for s in states for _, text in s.barred],
    }


def _can_choose_again(position: Position) -> int:
    """One bit for each of the READERS whose undo can lead back here."""
    return sum(can_choose_again(position, seat) << bit for bit, seat in enumerate(READERS))


def _targets(steps: Iterable[tuple[int, int]]) -> list[int]:
    """Where steps lead, compared with one past where the same move led last.

    A difference d is written as 2 d, or as -2 d - 1 if it is negative.
    """
    expected, found = dict[int, int](), []
    for move, target in steps:
        difference = target - expected.get(move, 0)
        found.append(2 * difference if difference >= 0 else -2 * difference - 1)
        expected[move] = target + 1
    return found
