"""A position to look at: as text, and as a picture of the number line, made of plain pixels."""

from typing import Any, TypeAlias

import numpy

from ninefold.core.position import Position

Picture: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.uint8]]

MARKS = ("X", "O")
WHITE, INK, GREY = (255, 255, 255), (30, 30, 30), (205, 205, 205)
# Colours that people with any colour vision tell apart; the mark above the number says it, too.
COLOURS = ((150, 190, 245), (250, 190, 120))
DOT, GAP, PER_ROW = 4, 4, 16
HEIGHT = 2 * 7 * DOT

# Each character is five rows of three dots.
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


def text(position: Position) -> str:
    """The number line, both hands in the order picked, and whose turn it is or how it ended."""
    cells = [_cell(position, number) for number in position.game.pool]
    hands = [
        f"Player {seat} {MARKS[seat - 1]}: {' '.join(map(str, position.hands[seat - 1]))}".rstrip()
        for seat in (1, 2)
    ]
    return "\n".join([" ".join(cells), *hands, state(position)])


def _cell(position: Position, number: int) -> str:
    owner = _owner(position, number)
    return str(number) if owner is None else f"[{MARKS[owner]}]"


def _owner(position: Position, number: int) -> int | None:
    bit = position.game.bits[number]
    return next((at for at, mask in enumerate(position.masks) if mask & bit), None)


def state(position: Position) -> str:
    """Whose turn it is, or how the game ended."""
    outcome = position.outcome
    if outcome is None:
        return f"Player {position.turn} to {'answer' if position.asking else 'move'}"
    return "Draw" if outcome.winner is None else f"Player {outcome.winner} wins: {outcome.reason}"


def picture(position: Position) -> Picture:
    """The number line as an RGB image: each number in its box, with the mark of who holds it."""
    pool = position.game.pool
    width = (4 * max(len(str(number)) for number in pool) + 3) * DOT
    columns = min(len(pool), PER_ROW)
    rows = -(-len(pool) // columns)
    shape = (rows * (HEIGHT + GAP) + GAP, columns * (width + GAP) + GAP, 3)
    image: Picture = numpy.full(shape, WHITE, numpy.uint8)
    for at, number in enumerate(pool):
        top = GAP + at // columns * (HEIGHT + GAP)
        left = GAP + at % columns * (width + GAP)
        box = image[top : top + HEIGHT, left : left + width]
        _draw_box(box, position, number)
    return image


def _draw_box(box: Picture, position: Position, number: int) -> None:
    owner = _owner(position, number)
    box[:] = GREY if owner is None else INK
    box[2:-2, 2:-2] = WHITE if owner is None else COLOURS[owner]
    if owner is not None:
        _write(box, MARKS[owner], DOT)
    _write(box, str(number), 8 * DOT)


def _write(box: Picture, word: str, top: int) -> None:
    """Write a word into the middle of a box, from this height down."""
    left = (box.shape[1] - (4 * len(word) - 1) * DOT) // 2
    for at, character in enumerate(word):
        for row, dots in enumerate(GLYPHS[character].split("|")):
            for column, dot in enumerate(dots):
                if dot == "#":
                    y, x = top + row * DOT, left + (4 * at + column) * DOT
                    box[y : y + DOT, x : x + DOT] = INK
