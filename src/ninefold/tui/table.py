"""A table that draws only the rows in sight, so that thousands of them are as fast as ten."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

GAP = 2


class Table(ScrollView, can_focus=True):
    """Rows of text under headings, with a cursor; a click on the row under the cursor opens it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"table--heading", "table--cursor"}
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "move(-1)", show=False),
        Binding("down", "move(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("home", "jump(0)", show=False),
        Binding("end", "jump(-1)", show=False),
        Binding("enter", "open", show=False),
    ]

    class Moved(Message):
        """The cursor is on another row."""

    class Opened(Message):
        """The row under the cursor is to be opened."""

    def __init__(self, id: str) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.columns: Mapping[str, int] = {}
        self.cells: Sequence[Sequence[str]] = ()
        self.cursor = 0

    def fill(
        self, columns: Mapping[str, int], cells: Sequence[Sequence[str]], cursor: int = 0
    ) -> None:
        """Show these cells, each row under its headings with their widths."""
        self.columns, self.cells = columns, cells
        self.cursor = max(0, min(cursor, len(cells) - 1))
        self.virtual_size = Size(sum(columns.values()) + GAP * len(columns), len(cells) + 1)
        self._show_cursor()

    def render_line(self, y: int) -> Strip:
        """The headings in the first line, which stays, and a row in each other one."""
        offset_x, offset_y = self.scroll_offset
        width, at = self.size.width, y - 1 + offset_y
        if y == 0:
            style = self.get_component_rich_style("table--heading")
            text = self._joined([*self.columns])
        elif at < len(self.cells):
            on_it = at == self.cursor
            style = self.get_component_rich_style("table--cursor") if on_it else self.rich_style
            text = (">" if on_it else " ") + self._joined(self.cells[at])[1:]
        else:
            return Strip.blank(width, self.rich_style)
        return Strip([Segment(text, style)]).crop_extend(offset_x, offset_x + width, style)

    def _joined(self, cells: Sequence[str]) -> str:
        return " " + "".join(
            _fitted(cell, width) + " " * GAP
            for cell, width in zip(cells, self.columns.values(), strict=True)
        )

    def action_move(self, by: int) -> None:
        """Move the cursor."""
        self._put(self.cursor + by)

    def action_page(self, by: int) -> None:
        """Move the cursor by a screen of rows."""
        self._put(self.cursor + by * max(1, self.size.height - 2))

    def action_jump(self, at: int) -> None:
        """Move the cursor to the first or the last row."""
        self._put(at % max(1, len(self.cells)))

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if self.cells:
            self.post_message(self.Opened())

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on a row, or open the row that has it."""
        at = event.y - 1 + self.scroll_offset.y
        if event.y < 1 or at >= len(self.cells):
            return
        if at == self.cursor:
            self.action_open()
        else:
            self._put(at)

    def _put(self, at: int) -> None:
        at = max(0, min(at, len(self.cells) - 1))
        if at != self.cursor:
            self.cursor = at
            self.post_message(self.Moved())
        self._show_cursor()

    def _show_cursor(self) -> None:
        # One row more above it, which the headings cover.
        self.scroll_to_region(
            Region(self.scroll_offset.x, self.cursor, 1, 2), animate=False, immediate=True
        )
        self.refresh()


def _fitted(text: str, width: int) -> str:
    """The text in exactly this many columns."""
    if cell_len(text) > width:
        return set_cell_size(text, width - 1) + "…"
    return set_cell_size(text, width)
