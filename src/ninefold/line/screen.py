"""The screen of line mode: what happens in a game, shown on a console in the words of the book."""

from ninefold.books import Book
from ninefold.core.moves import Declare, format_move
from ninefold.core.position import Position
from ninefold.line.console import Console
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.referee.events import Ended, Event, Forfeited, Moved, Refused, TakenBack

_STYLES = {Forfeited: "refusal", Refused: "refusal", Ended: "win"}


class Screen(View):
    """Shows one game on a console; a live game and a replay look the same."""

    def __init__(
        self, console: Console, book: Book, names: tuple[str, str], humans: tuple[bool, bool]
    ) -> None:
        super().__init__(book, names, humans)
        self.console = console

    def show(self, text: str, style: str | None = None) -> None:
        """Show text unchanged except for colour, also of both players' markers in brackets."""
        one, two = self.book.words.markers
        marks = {} if (one, two) == ("1", "2") else {f"[{one}]": "one", f"[{two}]": "two"}
        if text:
            self.console.show(text, style, marks)

    def opening(self, position: Position) -> None:
        """The start of a game and its first turn."""
        self.show(self.text("opening", position) + self.turn(position))

    def resumed(self, position: Position, over: bool) -> None:
        """The board of a resumed game, and whose turn it is unless it is over."""
        self.show(self.text("board", position))
        if not over:
            self._turn(position)

    def typed(self, position: Position, event: Event) -> None:
        """The prompt and the answer that caused this event, unless the book hides a computer's."""
        if not self.is_impersonal(position):
            text = _answer_of(event)
            text = "" if position.asking and text == "pass" else text
            self.show(f"{self.prompt(position)}{text}\n")

    def event(self, event: Event, referee: Referee) -> None:
        """Show an event; the front end answers commands itself."""
        self.show(self.describe(event, referee), _STYLES.get(type(event)))
        if isinstance(event, Refused):
            self.show(self.text("retry", referee.position))

    def next_turn(self, before: Position, referee: Referee) -> None:
        """The next turn, if the last event led to one."""
        after = referee.position
        if referee.outcome is None and after is not before and not after.asking:
            self._turn(after)

    def _turn(self, position: Position) -> None:
        self.show(self.text("between", position) + self.turn(position))


def _answer_of(event: Event) -> str:
    """What a player typed to cause this event; nothing if the clock did."""
    if isinstance(event, Moved) and event.cause != "timeout":
        if isinstance(event.move, Declare):
            return "declare " + " ".join(map(str, event.move.numbers))
        return format_move(event.move) if event.tried is None else str(event.tried)
    if isinstance(event, TakenBack):
        return "undo"
    resigned = isinstance(event, Forfeited) and event.reason == "resignation"
    return "resign" if resigned else ""
