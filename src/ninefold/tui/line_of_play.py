"""A line of play, shown move by move on a board of its own; leaving it changes nothing."""

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Button, Static

from ninefold.books import Book
from ninefold.coach.words import DEEDS, format_choice
from ninefold.core.moves import Move, SpecialMove
from ninefold.core.position import Position
from ninefold.tui.base import Page
from ninefold.tui.board import Board, BoardFrame
from ninefold.tui.position_tiles import last_number, tiles_of

PAUSE = 0.9


class LineOfPlay(Page):
    """Plays a line out, then waits; the arrow keys step through it."""

    AUTO_FOCUS = ""  # nothing is chosen here
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "Back", priority=True),
        Binding("right,space", "step(1)", "Forward", priority=True),
        Binding("escape,enter,h", "close", "Return to the game", priority=True),
    ]

    def __init__(
        self,
        book: Book,
        position: Position,
        line: Sequence[Move],
        names: tuple[str, str],
        reason: str = "",
    ) -> None:
        super().__init__()
        self.book = book
        self.names_shown = names
        self.moves_shown = tuple(line)
        self.positions = [position]
        for move in line:
            self.positions.append(self.positions[-1].play(move))
        self._reason = reason
        self._at = 0
        self._timer: Timer | None = None  # while the moves follow each other by themselves

    def compose(self) -> ComposeResult:
        """The reason, the board, what happens now, and controls."""
        with Vertical(classes="line-of-play"):
            yield Static(self._reason, id="line-reason", markup=False)
            with BoardFrame():
                yield Board(self.book.game.pool, self.preferences.tiles)
            yield Static(id="line-caption", markup=False)
            with Horizontal(classes="buttons"):
                yield Button("← Back", id="line-back", compact=True)
                yield Button("→ Forward", id="line-forward", compact=True)
                yield Button("Return (Esc)", id="line-close", compact=True)

    def on_mount(self) -> None:
        """Show the first move, and the others one after the other."""
        self.query_one(Board).can_focus = False
        self._at = 0 if self.preferences.animations else min(1, len(self.moves_shown))
        self._show_step()
        if self.preferences.animations:
            self._timer = self.set_interval(PAUSE, self._advance)

    def _advance(self) -> None:
        if self._at < len(self.moves_shown):
            self._at += 1
            self._show_step()
        elif self._timer is not None:
            self._timer.stop()

    def action_step(self, by: int) -> None:
        """One move back or forward; from now on only the player moves."""
        if self._timer is not None:
            self._timer.stop()
        self._at = max(0, min(len(self.moves_shown), self._at + by))
        self._show_step()

    def action_close(self) -> None:
        """Return to the position the line started from."""
        self.dismiss()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        steps = {"line-back": -1, "line-forward": 1}
        if event.button.id in steps:
            self.action_step(steps[event.button.id])
        else:
            self.action_close()

    def _show_step(self) -> None:
        at, moves = self._at, self.moves_shown
        self.query_one(Board).show(tiles_of(self.book, self.positions[at], last_number(moves[:at])))
        caption = "Before the first move"
        if at:
            who = self.names_shown[self.positions[at - 1].turn - 1]
            caption = f"{who} {_deed(moves[at - 1], who.casefold() in ('you', 'they'))}"
        self.query_one("#line-caption", Static).update(f"{at} of {len(moves)}: {caption}")


def _deed(move: Move, plain: bool) -> str:
    """What somebody does: take 5 after "you" and "they", takes 5 after a name."""
    s = "" if plain else "s"
    if isinstance(move, SpecialMove):
        return DEEDS[move][not plain]
    return f"take{s} {move}" if isinstance(move, int) else f"declare{s} {format_choice(move)[8:]}"
