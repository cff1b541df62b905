"""The course of a game: a strip with a cell for every move, and who stood better after it."""

from collections.abc import Sequence
from math import ceil
from typing import ClassVar, NamedTuple

from rich.segment import Segment
from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

SIGNS = {"win": "+", "draw": "=", "loss": "-", "unknown": "?", "open": "·"}


class Cell(NamedTuple):
    """A move, and how the game stood for the reader after it; "open" if it is not yet judged."""

    label: str
    standing: str = "open"
    mistake: bool = False


class Course(Widget):
    """Cells in rows, one of them shown on the board; a click shows another one."""

    DEFAULT_CSS = """
    Course { height: auto; width: 1fr; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"course--{standing}" for standing in SIGNS),
        "course--shown",
    }

    class Chosen(Message):
        """A cell was clicked."""

        def __init__(self, at: int) -> None:
            super().__init__()
            self.at = at

    def __init__(self, cells: Sequence[Cell], id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._cells = tuple(cells)
        self._at = 0
        self._labelled = True

    def show(self, cells: Sequence[Cell], at: int, labelled: bool = True) -> None:
        """Show these cells, with or without what was played, and which of them is on the board."""
        self._cells, self._at = tuple(cells), at
        if labelled != self._labelled:
            self._labelled = labelled
            self.refresh(layout=True)
        self.refresh()
        if isinstance(self.parent, Widget):
            place = Region(0, at // self._columns * self._height, 1, self._height)
            self.parent.scroll_to_region(place, animate=False)

    @property
    def _width(self) -> int:
        """Of a cell: a mark at each side of its sign, or of the number above it."""
        longest = max(len(cell.label) for cell in self._cells) if self._labelled else 1
        return 2 + max(1, longest)

    @property
    def _height(self) -> int:
        return 2 if self._labelled else 1

    @property
    def _columns(self) -> int:
        return max(1, self.size.width // self._width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As many rows as it takes."""
        return ceil(len(self._cells) / max(1, width // self._width)) * self._height

    def render_line(self, y: int) -> Strip:
        """One row of numbers, or of what the moves were worth."""
        row, inside = divmod(y, self._height)
        start, segments = row * self._columns, []
        for at, cell in enumerate(self._cells[start : start + self._columns], start):
            style = self.get_component_rich_style(f"course--{cell.standing}")
            if at == self._at:
                style += self.get_component_rich_style("course--shown", partial=True)
            text = cell.label.rjust(self._width - 2)
            if inside == self._height - 1:
                text = SIGNS[cell.standing].rjust(self._width - 2)
                text += "!" if cell.mistake else ""
            left = "▶" if at == self._at else " "
            segments.append(Segment(f"{left}{text}".ljust(self._width), style))
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Show the position after the move that was clicked."""
        column = event.x // self._width
        at = event.y // self._height * self._columns + column
        if column < self._columns and at < len(self._cells):
            self.post_message(self.Chosen(at))
