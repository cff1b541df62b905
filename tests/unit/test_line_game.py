"""One game in line mode: what is recorded, and when it is shown."""

from collections.abc import Iterable, Sequence

import pytest

from ninefold import books
from ninefold.line.game import Left, LineGame
from ninefold.record.format import Header
from ninefold.record.seats import seat_referee
from ninefold.record.store import Recorder
from ninefold.referee.events import Event, Moved

HEADER = Header(
    game="magic-fifteen",
    reading="default",
    rules="",
    date="",
    player1="Player 1",
    player2="Player 2",
    seat1="human",
    seat2="random",
    first=1,
    time_limit=None,
    on_timeout="lose",
    seed=1,
)


class Diary(Recorder):
    """A recorder that notes what it is told, in order with what is shown."""

    def __init__(self, notes: list[str]) -> None:
        super().__init__("", print)
        self.notes = notes

    def write(self, events: Iterable[Event], plies: int) -> None:
        """Note each move."""
        self.notes += [f"recorded {event.move}" for event in events if isinstance(event, Moved)]
        assert plies > 0


class Watcher:
    """A console that notes which moves are shown; its player types these lines and leaves."""

    interactive = False
    coloured = False

    def __init__(self, notes: list[str], lines: Sequence[str]) -> None:
        self.notes = notes
        self.lines = list(lines)

    def show(self, text: str, style: str | None = None) -> None:  # noqa: ARG002
        """Note the moves in what is shown."""
        words = text.split()
        self.notes += [
            f"shown {words[at + 1].rstrip('.')}" for at, word in enumerate(words) if word == "takes"
        ]
        if "choose a number: " in text:
            self.notes.append(f"shown {text.rsplit(maxsplit=1)[-1]}")

    def ask(
        self,
        prompt: str,  # noqa: ARG002
        deadline: float | None = None,  # noqa: ARG002
        words: Sequence[str] = (),  # noqa: ARG002
        status: str = "",  # noqa: ARG002
    ) -> str:
        """The next line, or the end of input."""
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)


def test_a_move_is_recorded_before_it_is_shown() -> None:
    """A person's and a computer's alike."""
    notes: list[str] = []
    book = books.load("magic-fifteen")
    referee = seat_referee(HEADER, book)
    game = LineGame(Watcher(notes, ["5", "6"]), book, HEADER, referee, Diary(notes))
    with pytest.raises(Left):
        game.play()
    moves = referee.moves
    assert len(moves) == 4
    for move in moves:
        assert notes.index(f"recorded {move}") < notes.index(f"shown {move}")
    assert len([note for note in notes if note.startswith("recorded")]) == 4
