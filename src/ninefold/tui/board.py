"""The board: every number as a tile, picked by arrows and Enter, by typing, or by clicking."""

from collections.abc import Sequence
from typing import ClassVar

from rich.segment import Segment
from textual import events
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from ninefold.tui.tiles import GAP, Layout, Tile, draw, lay_out


class BoardFrame(VerticalScroll, can_focus=False):
    """The room of a board, which lays its tiles out to fit; more than that scrolls."""

    def on_resize(self) -> None:
        """Give the board, if there is one, the room there is."""
        for board in self.query(Board):
            board.fit(self.size.width, self.size.height)


class Board(Widget, can_focus=True):
    """Tiles in a grid, with a cursor."""

    DEFAULT_CSS = """
    Board { height: auto; width: auto; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = {
        *(f"board--{look}" for look in ("free", "barred", "one", "two", "win", "chosen", "hint")),
        "board--cursor",
    }
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Left", show=False),
        Binding("right", "step(1)", "Right", show=False),
        Binding("up", "row(-1)", "Up", show=False),
        Binding("down", "row(1)", "Down", show=False),
        Binding("home", "jump(0)", "First", show=False),
        Binding("end", "jump(-1)", "Last", show=False),
        Binding("enter", "take", "Take", show=False),
        Binding("space", "mark", "Mark", show=False),
    ]

    class Taken(Message):
        """A number was picked; ``is_named`` if it was typed or clicked, not under the cursor."""

        def __init__(self, number: int, is_named: bool = False) -> None:
            super().__init__()
            self.number = number
            self.is_named = is_named

    class Toggled(Message):
        """A number was marked, or is not any more."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    class Moved(Message):
        """The cursor is on another number, or digits were typed."""

        def __init__(self, number: int) -> None:
            super().__init__()
            self.number = number

    def __init__(self, numbers: Sequence[int], size: str = "auto", id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.numbers = tuple(numbers)
        self.tiles: dict[int, Tile] = {number: Tile(number) for number in numbers}
        self.cursor = self.numbers[0]
        self.tile_size = size
        self._room = (80, 24)
        self._typed = ""

    def renew(self, numbers: Sequence[int]) -> None:
        """Show other numbers, all of them free."""
        self.numbers = tuple(numbers)
        self.tiles = {number: Tile(number) for number in numbers}
        self.cursor = self.numbers[0]
        self._typed = ""
        self.refresh(layout=True)

    @property
    def grid(self) -> Layout:
        """How the tiles are laid out now."""
        digits = max(len(str(number)) for number in self.numbers)
        worth = max(len(tile.worth) for tile in self.tiles.values())
        return lay_out(len(self.numbers), digits, worth, self._room, self.tile_size)

    def fit(self, width: int, height: int) -> None:
        """Lay the tiles out in this room."""
        if self._room != (width, height):
            self._room = (max(1, width), max(1, height))
            self.refresh(layout=True)

    def show(self, tiles: Sequence[Tile]) -> None:
        """Show these tiles."""
        self.tiles = {tile.number: tile for tile in tiles}
        self.refresh()

    def get_content_width(self, container: Size, viewport: Size) -> int:  # noqa: ARG002
        """As wide as the grid."""
        return self.grid.total_width

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002
        """As high as the grid."""
        return self.grid.total_height

    def render_line(self, y: int) -> Strip:
        """One row of the terminal."""
        grid = self.grid
        row, inside = divmod(y, grid.height)
        numbers = self.numbers[row * grid.columns : (row + 1) * grid.columns]
        gap = Segment(" " * GAP, self.rich_style)
        segments: list[Segment] = []
        for number in numbers:
            tile, on_it = self.tiles[number], number == self.cursor and self.has_focus
            style = self.get_component_rich_style(f"board--{tile.look}")
            if on_it and not tile.seat:  # the colour of an owner stays; the arrows show the cursor
                style += self.get_component_rich_style("board--cursor", partial=True)
            segments += [Segment(draw(tile, grid, on_it)[inside], style), gap]
        return Strip(segments).adjust_cell_length(self.size.width, self.rich_style)

    def point_at(self, number: int) -> None:
        """Put the cursor on a number."""
        if number in self.tiles and number != self.cursor:
            self.cursor = number
            self.post_message(self.Moved(number))
            self._show_cursor()
        self.refresh()

    def action_step(self, by: int) -> None:
        """Move the cursor within its row, and on to the next one."""
        self._typed = ""
        at = self.numbers.index(self.cursor) + by
        self.point_at(self.numbers[at % len(self.numbers)])

    def action_row(self, by: int) -> None:
        """Move the cursor to the row above or below."""
        self._typed = ""
        at = self.numbers.index(self.cursor) + by * self.grid.columns
        if 0 <= at < len(self.numbers):
            self.point_at(self.numbers[at])

    def action_jump(self, at: int) -> None:
        """Move the cursor to the first or the last number."""
        self._typed = ""
        self.point_at(self.numbers[at])

    def action_take(self) -> None:
        """Take the number under the cursor, or say why what was typed is no number here."""
        typed, self._typed = self._typed.removesuffix("-"), ""
        number = int(typed) if typed else self.cursor
        self.post_message(self.Taken(number, is_named=bool(typed)))

    def action_mark(self) -> None:
        """Mark the number under the cursor."""
        self._typed = ""
        self.post_message(self.Toggled(self.cursor))

    def forget_typing(self) -> None:
        """Drop the digits typed so far."""
        self._typed = ""

    def on_key(self, event: events.Key) -> None:
        """Typing a number moves the cursor to it; Enter takes it."""
        if event.key == "backspace":
            self._typed = self._typed[:-1]
        elif event.character == "-" and not self._typed and self.numbers[0] < 0:
            self._typed = "-"
        elif event.character and event.character.isascii() and event.character.isdigit():
            self._typed = (self._typed + event.character)[-18:]
        else:
            return
        event.stop()
        if self._typed not in ("", "-"):
            self.point_at(int(self._typed))
        self.post_message(self.Moved(self.cursor))

    @property
    def typed(self) -> str:
        """The digits typed so far."""
        return self._typed

    @property
    def typing(self) -> str:
        """What the digits typed so far are: a number, the beginning of one, or none here."""
        if not self._typed:
            return ""
        if self._typed in map(str, self.numbers):
            return f"{self._typed}: press Enter to take it."
        begun = any(str(number).startswith(self._typed) for number in self.numbers)
        return f"{self._typed} …" if begun else f"{self._typed} is not in this game."

    def on_click(self, event: events.Click) -> None:
        """A click takes the number it hits."""
        at = self.grid.at(event.x, event.y)
        if at is not None and at < len(self.numbers):
            self._typed = ""
            self.point_at(self.numbers[at])
            self.post_message(self.Taken(self.numbers[at], is_named=True))

    def on_focus(self) -> None:
        """Show the cursor."""
        self.refresh()

    def on_blur(self) -> None:
        """Hide the cursor."""
        self.refresh()

    def _show_cursor(self) -> None:
        grid = self.grid
        row, column = divmod(self.numbers.index(self.cursor), grid.columns)
        place = Region(column * (grid.width + GAP), row * grid.height, grid.width, grid.height)
        if isinstance(self.parent, BoardFrame):
            self.parent.scroll_to_region(place, animate=False)
