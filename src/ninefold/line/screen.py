"""The screen of a game: shows the text of the view on a console."""

from ninefold.books import Book
from ninefold.books.words import fill
from ninefold.core.moves import PASS, SWAP, Declare, Move, format_move
from ninefold.core.position import Position
from ninefold.core.text import shorten
from ninefold.line.console import Console, paint_markers
from ninefold.line.view import View
from ninefold.referee import Referee
from ninefold.referee.events import (
    Ended,
    Event,
    Forfeited,
    Moved,
    Refused,
    TakenBack,
)

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
        self.show(self.view.opening(position) + self.view.turn(position))

    def resumed(self, position: Position, over: bool) -> None:
        """The board of a resumed game, and whose turn it is unless it is over."""
        turn = "" if over else self.view.between(position) + self.view.turn(position)
        self.show(self.view.board(position) + turn)

    def typed(self, position: Position, text: str) -> None:
        """The prompt with the answer of a computer or of a recorded game."""
        self.show(self.view.answered(position, "" if position.asking and text == "pass" else text))

    def event(self, event: Event, referee: Referee) -> None:
        """Show an event; the front end answers commands itself."""
        position = referee.position
        if isinstance(event, Moved):
            self.show(self.view.moved(event, position, referee.was_asked))
        elif isinstance(event, Forfeited):
            self.show(_detail(self.view.names[event.seat - 1], event.detail), "refusal")
        elif isinstance(event, Ended):
            self.show(self.view.ended(event.outcome, position), "win")
        elif isinstance(event, Refused):
            self.show(self.view.refused(event, position) + self._also(position), "refusal")
            self.show(self.view.retry(position))
        elif isinstance(event, TakenBack):
            again = f"Undone: {self.view.names[position.turn - 1]} chooses again.\n"
            self.show(again + self.view.opening(position))

    def _also(self, position: Position) -> str:
        """What else a refused player could type, besides the numbers."""
        if position.asking or position.outcome is not None:
            return ""
        may = (("may-pass", PASS), ("may-swap", SWAP))
        player = {"player": self.view.names[position.turn - 1]}
        phrases = self.view.book.words.phrases
        lines = (fill(phrases[name], player) for name, move in may if move in position.legal)
        return "".join(line + "\n" for line in lines)

    def next_turn(self, before: Position, referee: Referee) -> None:
        """The next turn, if the last event led to one."""
        after = referee.position
        if referee.outcome is None and after is not before and not after.asking:
            self.show(self.view.between(after) + self.view.turn(after))


def _detail(name: str, detail: str) -> str:
    """What went wrong with a program, in one line."""
    words = shorten(" ".join(detail.split()), MAX_DETAIL)
    return f"{name}: {words}\n" if words else ""


def spoken(move: Move) -> str:
    """A move as a player would type it."""
    if isinstance(move, Declare):
        return "declare " + " ".join(map(str, move.numbers))
    return format_move(move)


def answer_of(event: Event) -> str:
    """What a player typed to cause this event; nothing if the clock did."""
    if isinstance(event, Moved) and event.cause != "timeout":
        return spoken(event.move) if event.tried is None else str(event.tried)
    if isinstance(event, TakenBack):
        return "undo"
    resigned = isinstance(event, Forfeited) and event.reason == "resignation"
    return "resign" if resigned else ""
