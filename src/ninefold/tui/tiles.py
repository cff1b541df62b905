"""How the numbers are laid out and drawn: three sizes of tiles, each readable without colour."""

from math import ceil
from typing import NamedTuple

# Rows of a tile, and columns besides its number and the marker of its owner.
SIZES = {"small": (1, 2), "medium": (3, 4), "large": (5, 8)}
GAP = 1
_BOXES = {
    "free": ("╭", "─", "╮", "│", "╰", "╯"),
    "barred": ("┌", "┄", "┐", "┊", "└", "┘"),
    "taken": ("┏", "━", "┓", "┃", "┗", "┛"),
    "win": ("╔", "═", "╗", "║", "╚", "╝"),
}


class Tile(NamedTuple):
    """One number as it stands on the board."""

    number: int
    owner: str = ""  # the marker of who holds it
    seat: int = 0
    barred: bool = False  # free, but may not be taken now
    last: bool = False
    winning: bool = False
    chosen: bool = False  # part of the set about to be declared
    hint: str = ""  # "?" for the area of a hint, "!" for its number
    threat: str = ""  # the markers of those who would complete a set with it
    worth: str = ""  # what it counts in totals, if that is not the number itself

    @property
    def look(self) -> str:
        """The name of its style."""
        if self.winning:
            return "win"
        if self.chosen or self.hint:
            return "chosen" if self.chosen else "hint"
        if self.seat:
            return "one" if self.seat == 1 else "two"
        return "barred" if self.barred else "free"

    @property
    def mark(self) -> str:
        """One sign that says what is special about it."""
        if self.winning or self.chosen:
            return "*" if self.winning else "+"
        return self.hint or ("•" if self.last else "-" if self.barred else "")


class Layout(NamedTuple):
    """A grid of tiles: how many next to each other, and the size of each."""

    size: str
    columns: int
    rows: int
    width: int  # of a tile
    height: int

    @property
    def total_width(self) -> int:
        """The columns of the terminal that the grid takes."""
        return self.columns * (self.width + GAP) - GAP

    @property
    def total_height(self) -> int:
        """The rows of the terminal that the grid takes."""
        return self.rows * self.height

    def at(self, x: int, y: int) -> int | None:
        """The index of the tile at this place; None between tiles and beyond them."""
        column, inside = divmod(x, self.width + GAP)
        on_grid = 0 <= column < self.columns and inside < self.width and y >= 0
        return y // self.height * self.columns + column if on_grid else None


def lay_out(
    count: int, digits: int, worth: int, room: tuple[int, int], size: str = "auto"
) -> Layout:
    """The grid for so many numbers in this room; a size that does not fit becomes smaller.

    ``digits`` and ``worth`` are the lengths of the longest number, and of what it counts.
    """
    wanted = [*SIZES] if size == "auto" else [*SIZES][: [*SIZES].index(size) + 1]
    for name in reversed(wanted):
        height, more = SIZES[name]
        # Only a tile of one row shows what a number counts next to it.
        width = max(digits + 1 + worth * (height == 1), worth) + more
        most = max(1, (room[0] + GAP) // (width + GAP))
        columns = _columns(count, most)
        layout = Layout(name, columns, ceil(count / columns), width, height)
        if layout.total_height <= room[1] and layout.total_width <= room[0]:
            return layout
    return layout  # the smallest scrolls


def _columns(count: int, most: int) -> int:
    """Few rows, and all of the same length if one row more can do that."""
    rows = ceil(count / most)
    for tried in (rows, rows + 1):
        if count % tried == 0 and count // tried <= most and (tried == rows or count > 4):
            return count // tried
    return ceil(count / rows)


def draw(tile: Tile, layout: Layout, cursor: bool) -> list[str]:
    """The rows of one tile."""
    inside = layout.width - 2
    label = f"{tile.number}{tile.owner}"
    if layout.height == 1:
        label = f"{tile.number}{tile.worth}{tile.owner}"
        left = ">" if cursor else tile.mark or " "
        right = (tile.mark or "<") if cursor else tile.mark or tile.threat[:1] or " "
        return [f"{left}{label:^{inside}}{right}"]
    kind = "win" if tile.winning else "taken" if tile.seat else "barred" if tile.barred else "free"
    corner_a, across, corner_b, side, corner_c, corner_d = _BOXES[kind]
    left, right = ("▶", "◀") if cursor else (side, side)
    top = f"{corner_a}{tile.mark.center(inside, across)}{corner_b}"
    below = tile.threat if not tile.seat else ""
    bottom = f"{corner_c}{(below or tile.worth).center(inside, across)}{corner_d}"
    blank = [f"{side}{' ' * inside}{side}"] * ((layout.height - 3) // 2)
    return [top, *blank, f"{left}{label:^{inside}}{right}", *blank, bottom]
