"""A position to look at: as text, or as an image of the number line."""

from typing import Any, TypeAlias

import numpy

from ninefold.core.position import Position

Image: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.uint8]]

MARKS = ("X", "O")
WHITE, INK, GREY = (255, 255, 255), (30, 30, 30), (205, 205, 205)
# Colours that can be told apart with any colour vision; the mark above the number says it too.
COLOURS = ((150, 190, 245), (250, 190, 120))
DOT, GAP, PER_ROW = 4, 4, 16
HEIGHT = 2 * 7 * DOT

# Each character has five rows of three dots.
GLYPHS = {
    "0": "###|#.#|#.#|#.#|###",
    "1": ".#.|##.|.#.|.#.|###",
    "2": "###|..#|###|#..|###",
    "3": "###|..#|###|..#|###",
    "4": "#.#|#.#|###|..#|..#",
    "5": "###|#..|###|..#|###",
    "6": "###|#..|###|#.#|###",
    "7": "###|..#|..#|..#|..#",
    "8": "###|#.#|###|#.#|###",
    "9": "###|#.#|###|..#|###",
    "-": "...|...|###|...|...",
    "X": "#.#|#.#|.#.|#.#|#.#",
    "O": ".#.|#.#|#.#|#.#|.#.",
}


def render_text(position: Position) -> str:
    """The number line, both hands in the order picked, and whose turn it is or how it ended."""
    hands = [
        f"Player {seat} {MARKS[seat - 1]}: {' '.join(map(str, position.hands[seat - 1]))}".rstrip()
        for seat in (1, 2)
    ]
    return "\n".join([number_line(position), *hands, describe_state(position)])


def number_line(position: Position) -> str:
    """The numbers of the pool, with the mark of its owner for each number that is taken."""
    owners = [(number, _owner(position, number)) for number in position.game.pool]
    return " ".join(str(n) if owner is None else f"[{MARKS[owner]}]" for n, owner in owners)


def _owner(position: Position, number: int) -> int | None:
    bit = position.game.bits[number]
    return next((at for at, mask in enumerate(position.masks) if mask & bit), None)


def describe_state(position: Position) -> str:
    """Whose turn it is, or how the game ended."""
    outcome = position.outcome
    if outcome is None:
        return f"Player {position.turn} to {'answer' if position.asking else 'move'}"
    return "Draw" if outcome.winner is None else f"Player {outcome.winner} wins: {outcome.reason}"


def render_image(position: Position) -> Image:
    """The number line as an RGB image: a box per number, with the mark of its owner."""
    pool = position.game.pool
    width = (4 * max(len(str(number)) for number in pool) + 3) * DOT
    columns = min(len(pool), PER_ROW)
    rows = -(-len(pool) // columns)
    shape = (rows * (HEIGHT + GAP) + GAP, columns * (width + GAP) + GAP, 3)
    image: Image = numpy.full(shape, WHITE, numpy.uint8)
    for at, number in enumerate(pool):
        top = GAP + at // columns * (HEIGHT + GAP)
        left = GAP + at % columns * (width + GAP)
        box = image[top : top + HEIGHT, left : left + width]
        _draw_box(box, position, number)
    return image


def _draw_box(box: Image, position: Position, number: int) -> None:
    owner = _owner(position, number)
    box[:] = GREY if owner is None else INK
    box[2:-2, 2:-2] = WHITE if owner is None else COLOURS[owner]
    if owner is not None:
        _write(box, MARKS[owner], DOT)
    _write(box, str(number), 8 * DOT)


def _write(box: Image, word: str, top: int) -> None:
    """Write a word centred in a box, from this height down."""
    left = (box.shape[1] - (4 * len(word) - 1) * DOT) // 2
    for at, character in enumerate(word):
        for row, dots in enumerate(GLYPHS[character].split("|")):
            for column, dot in enumerate(dots):
                if dot == "#":
                    y, x = top + row * DOT, left + (4 * at + column) * DOT
                    box[y : y + DOT, x : x + DOT] = INK
