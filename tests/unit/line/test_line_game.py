"""One game in line mode: what is recorded, and when it is shown."""

from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path

import pytest
from unit.record.records import settings_of

from ninefold import books
from ninefold.line.console import Console
from ninefold.line.game import Left, LineGame, help_text
from ninefold.line.series import Series
from ninefold.line.wrap import note
from ninefold.players import make
from ninefold.record.store import Recorder, Store
from ninefold.referee import Referee
from ninefold.referee.events import Event, Moved
from ninefold.referee.parse import COMMANDS
from ninefold.session import LiveGame, Session

SETTINGS = settings_of(
    books.load_book("magic-fifteen"), player1="Player 1", player2="Player 2", seat2="random"
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


class Watcher(Console):
    """A console that notes which moves are shown; its player types these lines and leaves."""

    interactive = False
    coloured = False

    def __init__(self, notes: list[str], lines: Sequence[str]) -> None:
        self.notes = notes
        self.lines = list(lines)

    def show(self, text: str, style: str | None = None, marks: object = None) -> None:  # noqa: ARG002
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
    book = books.load_book("magic-fifteen")
    referee = Referee(book.game, SETTINGS)
    live = LiveGame("", referee, Diary(notes), (None, make("random")))
    game = LineGame(Watcher(notes, ["5", "6"]), book, live)
    with pytest.raises(Left):
        game.play()
    moves = referee.moves
    assert len(moves) == 4
    for move in moves:
        assert notes.index(f"recorded {move}") < notes.index(f"shown {move}")
    assert len([note for note in notes if note.startswith("recorded")]) == 4


class BrokenConsole(Watcher):
    """A console nobody reads any more when the winner is announced."""

    def show(self, text: str, style: str | None = None, marks: object = None) -> None:
        """Fail at the end of the game."""
        if style == "win":
            raise BrokenPipeError
        super().show(text, style, marks)


def test_leaving_while_the_end_is_shown_leaves_a_finished_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is added behind the result, and nobody is told to go on."""
    book = books.load_book("magic-fifteen")
    settings = SETTINGS._replace(seat2="human", rules=book.game.fingerprint)
    store = Store(str(tmp_path))
    console = BrokenConsole([], ["5", "1", "4", "2", "6"])
    with pytest.raises(BrokenPipeError):
        Series(console, Session(book, settings, store, note)).play()
    (name,) = store.names()
    assert (tmp_path / f"{name}.ninefold").read_text().endswith("5. 6\n{sum; 4 5 6} 1-0\n")
    assert capsys.readouterr().err == "The game is over and recorded.\n"


@pytest.mark.parametrize(
    ("family", "example"),
    [
        ({"count": 2, "equals": 8}, "declare 1 7    declare a"),
        ({"count": 3, "equals": 15}, "declare 1 5 9  declare a"),
        ({"count": 5, "equals": 35}, "declare 5 6 7 8 9  declare a"),
        ({"whole-hand": True, "equals": 15}, "declare A B C  declare a"),
    ],
)
def test_help_shows_how_a_set_of_this_game_is_declared(
    family: dict[str, object], example: str
) -> None:
    """With as many numbers as it takes."""
    rules = {"pool": "1-9", "wins": {"sum": family}, "declare": True}
    book = books.read_book({"title": "Sums", "id": "sums", "rules": rules})
    assert f"\n{example}" in help_text(book, recorded=True)


def test_help_lists_the_moves_of_these_rules_alone() -> None:
    """A player who is asked to declare may pass, too; a lost turn is nothing to type."""
    listed = {
        (): [],
        ("declare=true",): ["declare", "pass"],
        ("passing=true",): ["pass"],
        ("pie=true",): ["swap"],
        ("passing=true", "pie=true"): ["pass", "swap"],
        ('invalid="lose-turn"',): [],
    }
    for changes, words in listed.items():
        book = books.load_book("magic-fifteen", None, changes)
        lines = help_text(book, recorded=True).splitlines()
        assert [line.split()[0] for line in lines[1 : -len(COMMANDS) + 1]] == words


@pytest.mark.parametrize("interactive", [True, False])
def test_who_waits_at_a_terminal_learns_who_is_thinking(
    interactive: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it takes a while; a pipe is told nothing."""
    texts: list[str] = []

    def patience(text: str) -> AbstractContextManager[None]:
        texts.append(text)
        return nullcontext()

    monkeypatch.setattr("ninefold.line.game.patience", patience)
    book, console = books.load_book("magic-fifteen"), Watcher([], ["5"])
    console.interactive = interactive
    referee = Referee(book.game, SETTINGS)
    game = LineGame(console, book, LiveGame("", referee, Diary([]), (None, make("random"))))
    with pytest.raises(Left):
        game.play()
    assert texts == ["Player 2 is thinking ..." if interactive else ""]
