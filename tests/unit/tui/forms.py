"""Using forms as a player does, and games to list."""

from textual.pilot import Pilot
from textual.widget import Widget
from textual.widgets import OptionList
from textual.widgets._select import SelectOverlay
from unit.tui.driving import session_of, settle, text_of

from ninefold import books
from ninefold.books import Book
from ninefold.core.moves import Move
from ninefold.record.store import Store
from ninefold.session import Session
from ninefold.tui.app import NinefoldApp
from ninefold.tui.fields import Choice
from ninefold.tui.table import Table

DUEL = books.load_book("sequence-duel-arithmetic")
# The first player completes 1 2 3.
WON: tuple[Move, ...] = (1, 9, 2, 8, 3)


def played(moves: tuple[Move, ...] = WON, book: Book = DUEL, **given: object) -> str:
    """The name of a game that two people, or whoever is given, have played so far."""
    session = session_of(book, Store(), **{"player1": "Ann", "player2": "Bob", **given})
    game = session.next_game()
    for move in moves:
        game.move(move, 0.0)
    if game.outcome is not None:
        session.finish(game)
    session.close()
    return game.name


def played_match() -> Session:
    """A match to two wins, of which Ann has won the first game and just begun the second."""
    session = session_of(DUEL, Store(), player1="Ann", player2="Bob", wins=2)
    for moves in (WON, (5,)):
        game = session.next_game()
        for move in moves:
            game.move(move, 0.0)
        if game.outcome is not None:
            session.finish(game)
    session.close()
    return session


def app_of(pilot: Pilot[None]) -> NinefoldApp:
    """The app, by its own type."""
    assert isinstance(pilot.app, NinefoldApp)
    return pilot.app


async def type_into(pilot: Pilot[None], text: str) -> None:
    """Replace what is in the field that has the focus, key by key."""
    await pilot.press("end", "ctrl+u")
    for char in text:
        await pilot.press(_KEYS.get(char, char))
    await settle(pilot)


_KEYS = {
    " ": "space",
    ".": "full_stop",
    "/": "slash",
    "-": "minus",
    "_": "underscore",
    ",": "comma",
    "=": "equals_sign",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
}


async def focus(pilot: Pilot[None], name: str) -> None:
    """Go to a field with Tab alone."""
    for _ in range(40):
        focused = pilot.app.focused
        if focused is not None and focused.id == name:
            return
        await pilot.press("tab")
        await settle(pilot)
    raise AssertionError(f"{name} cannot be reached:\n{text_of(app_of(pilot))}")


async def reach(pilot: Pilot[None], widget: Widget) -> None:
    """Scroll to a widget, as the wheel does."""
    widget.scroll_visible(animate=False, immediate=True)
    await settle(pilot)


async def click(pilot: Pilot[None], name: str) -> None:
    """Click a widget, after scrolling to it."""
    widget = pilot.app.screen.query_one(f"#{name}")
    await reach(pilot, widget)
    await pilot.click(f"#{name}")
    await settle(pilot)


async def choose_by_mouse(pilot: Pilot[None], name: str, value: str) -> None:
    """Open a choice with a click and click one of its values."""
    choice = pilot.app.screen.query_one(f"#{name}", Choice)
    await click(pilot, name)
    overlay = choice.query_one(SelectOverlay)
    await click_option(pilot, overlay, [*choice.offered].index(value))


async def click_option(pilot: Pilot[None], options: OptionList, at: int) -> None:
    """Click an option of a list, after scrolling to it."""
    options.scroll_to_region(
        options.virtual_region.translate(-options.virtual_region.offset)._replace(y=at, height=1),
        animate=False,
        immediate=True,
    )
    await settle(pilot)
    row = at - options.scroll_offset.y + options.gutter.top
    assert await pilot.click(options, offset=(options.gutter.left + 2, row))
    await settle(pilot)


async def click_row(pilot: Pilot[None], at: int) -> None:
    """Click a row of the table, which must be in sight."""
    table = pilot.app.screen.query_one(Table)
    assert await pilot.click(table, offset=(3, at + 1 - table.scroll_offset.y))
    await settle(pilot)
