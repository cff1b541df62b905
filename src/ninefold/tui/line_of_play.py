"""A line of play, shown move by move on a board of its own; leaving it changes nothing."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Static

from ninefold.books import Book
from ninefold.coach.words import describe_turn
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.tui.base import Page
from ninefold.tui.board import Board, BoardFrame
from ninefold.tui.fields import buttons
from ninefold.tui.position_tiles import last_number, tiles_of

PAUSE = 0.9


class LineOfPlay(Page):
    """Plays a line out, then waits; the arrow keys step through it."""

    AUTO_FOCUS = ""  # nothing is chosen here
    ACTIONS: ClassVar[Mapping[str, str]] = {
        "line-back": "step(-1)",
        "line-forward": "step(1)",
        "line-close": "close",
    }
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
            yield from buttons(
                {
                    "line-back": "← Back",
                    "line-forward": "→ Forward",
                    "line-close": "Return (Esc)",
                }
            )

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

    def _show_step(self) -> None:
        at, moves = self._at, self.moves_shown
        self.query_one(Board).show(tiles_of(self.book, self.positions[at], last_number(moves[:at])))
        caption = "Before the first move"
        if at:
            who = self.names_shown[self.positions[at - 1].turn - 1]
            caption = describe_turn(who, moves[at - 1 : at])
        self.query_one("#line-caption", Static).update(f"{at} of {len(moves)}: {caption}")
