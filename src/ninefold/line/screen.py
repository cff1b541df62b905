"""The screen of a game: shows the text of the view on a console."""

from ninefold.books import Book
from ninefold.core.moves import Declare, format_move
from ninefold.core.position import Position
from ninefold.core.text import shorten
from ninefold.line.console import Console, paint_markers
from ninefold.line.view import View
from ninefold.referee import Referee
from ninefold.referee.events import Ended, Event, Forfeited, Moved, Refused, TakenBack

MAX_DETAIL = 300


class Screen:
    """Shows one game; a live game and a replay look the same."""

    def __init__(
        self, console: Console, book: Book, names: tuple[str, str], humans: tuple[bool, bool]
    ) -> None:
        self.console = console
        self.view = View(book, names, humans)
        markers = book.words.markers
        self._markers = markers if console.coloured and markers != ("1", "2") else None

    def show(self, text: str, style: str | None = None) -> None:
        """Show text unchanged except for colour."""
        if self._markers:
            text = paint_markers(text, self._markers)
        if text:
            self.console.show(text, style)

    def opening(self, position: Position) -> None:
        """The start of a game and its first turn."""
        self.show(self.view.text("opening", position) + self.view.turn(position))

    def resumed(self, position: Position, over: bool) -> None:
        """The board of a resumed game, and whose turn it is unless it is over."""
        self.show(self.view.text("board", position))
        if not over:
            self._turn(position)

    def typed(self, position: Position, text: str) -> None:
        """The prompt with the answer of a computer or of a recorded game."""
        self.show(self.view.answered(position, "" if position.asking and text == "pass" else text))

    def event(self, event: Event, referee: Referee) -> None:
        """Show an event; the front end answers commands itself."""
        position = referee.position
        if isinstance(event, Moved):
            self.show(self.view.moved(event, position, referee.was_asked))
        elif isinstance(event, Forfeited):
            detail = shorten(" ".join(event.detail.split()), MAX_DETAIL)
            program = self.view.names[event.seat - 1]
            self.show(f"{program}: {detail}\n" if detail else "", "refusal")
        elif isinstance(event, Ended):
            self.show(self.view.ended(event.outcome, position), "win")
        elif isinstance(event, Refused):
            refusal = self.view.refused(event, position) + self.view.choices(position)
            self.show(refusal, "refusal")
            self.show(self.view.text("retry", position))
        elif isinstance(event, TakenBack):
            again = f"Undone: {self.view.names[position.turn - 1]} chooses again.\n"
            self.show(again + self.view.text("opening", position))

    def next_turn(self, before: Position, referee: Referee) -> None:
        """The next turn, if the last event led to one."""
        after = referee.position
        if referee.outcome is None and after is not before and not after.asking:
            self._turn(after)

    def _turn(self, position: Position) -> None:
        self.show(self.view.text("between", position) + self.view.turn(position))


def answer_of(event: Event) -> str:
    """What a player typed to cause this event; nothing if the clock did."""
    if isinstance(event, Moved) and event.cause != "timeout":
        if isinstance(event.move, Declare):
            return "declare " + " ".join(map(str, event.move.numbers))
        return format_move(event.move) if event.tried is None else str(event.tried)
    if isinstance(event, TakenBack):
        return "undo"
    resigned = isinstance(event, Forfeited) and event.reason == "resignation"
    return "resign" if resigned else ""
