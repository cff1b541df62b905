"""Moves and their one notation, shared by records, the batch judge and lists of moves in Python.

A pick is written as its number: ``5``. So that nothing needs unwrapping, a pick also *is* that
integer in Python. The other moves are ``lost`` (a turn lost), ``pass`` (a turn passed, or a
question answered with no), ``swap`` (the hands change owners) and ``declare:5:7:9``.
"""

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from operator import index
from typing import SupportsIndex, TypeAlias

from ninefold.core.errors import Unreadable
from ninefold.core.text import NamedTuple, shorten


class SpecialMove(Enum):
    """A move that takes no number."""

    LOST = "lost"
    PASS = "pass"
    SWAP = "swap"

    __hash__ = object.__hash__  # that of other enumerations is slow, and moves are often looked up


LOST = SpecialMove.LOST
PASS = SpecialMove.PASS
SWAP = SpecialMove.SWAP


class Declare(NamedTuple):
    """The claim that these numbers, in ascending order, are a winning set."""

    numbers: tuple[int, ...]


Move: TypeAlias = int | SpecialMove | Declare
# What is accepted as a move: the move itself, any other integer such as NumPy's, or its notation.
AnyMove: TypeAlias = Move | SupportsIndex | str

# Longer digit strings are no number of any pool; refusing them early keeps int() cheap.
MAX_DIGITS = 18
_INTEGER = re.compile(rf"[+-]?[0-9]{{1,{MAX_DIGITS}}}\Z")


def declare(numbers: Iterable[int]) -> Declare:
    """The declaration of these numbers, in whatever order they were named."""
    return Declare(tuple(sorted(numbers)))


def as_move(given: AnyMove) -> Move:
    """The move that an integer, a notation or a move stands for; raises Unreadable, TypeError."""
    if type(given) is int or isinstance(given, SpecialMove):
        return given
    if isinstance(given, Declare):
        return declare(map(index, given.numbers))
    if isinstance(given, str):
        return parse_move(given.strip())
    if isinstance(given, bool) or not hasattr(given, "__index__"):
        raise TypeError(f"not a move: {given!r}")
    return index(given)


def specials_last(moves: Sequence[Move]) -> tuple[Move, ...]:
    """The same moves, passing and swapping last; a lost turn only if there is nothing else."""
    chosen = [move for move in moves if move is not LOST] or moves
    return tuple(sorted(chosen, key=lambda move: isinstance(move, SpecialMove)))


def format_move(move: Move) -> str:
    """The notation of a move."""
    if type(move) is int:
        return str(move)
    if isinstance(move, Declare):
        return ":".join(["declare", *map(str, move.numbers)])
    return move.value if isinstance(move, SpecialMove) else str(move)


def format_moves(moves: Iterable[Move]) -> list[str]:
    """The notation of each move."""
    return [format_move(move) for move in moves]


def parse_move(token: str) -> Move:
    """The move a token of the notation stands for; raises Unreadable."""
    if _INTEGER.match(token):
        return int(token)
    if token in ("lost", "pass", "swap"):
        return SpecialMove(token)
    head, *numbers = token.split(":")
    if head == "declare" and numbers and all(map(_INTEGER.match, numbers)):
        return declare(map(int, numbers))
    raise Unreadable(
        "unreadable",
        f"{shorten(token, 20)!r} is not a move.",
        "Write a number, lost, pass, swap, or declare:5:7:9.",
    )


def split_moves(text: str) -> list[str]:
    """The tokens of a line of moves, separated by spaces or commas."""
    return text.replace(",", " ").split()


def parse_moves(text: str) -> list[Move]:
    """The moves written in a line, separated by spaces or commas; raises Unreadable."""
    return [parse_move(token) for token in split_moves(text)]
