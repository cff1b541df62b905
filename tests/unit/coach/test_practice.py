"""When a puzzle comes back, and the file that remembers it."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

from ninefold import books
from ninefold.coach.practice import (
    INTERVALS,
    Answer,
    PracticeLog,
    Progress,
    agenda,
    day_of,
    missed_books,
    missed_puzzles,
    progress,
    source_of,
)
from ninefold.coach.puzzle import Puzzle, puzzle_at
from ninefold.core.moves import parse_moves

MISSED = "2026-01-01T12:00:00Z"


@pytest.fixture(autouse=True)
def _greenwich() -> Iterator[None]:
    """Days begin at midnight UTC here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "UTC")
        time.tzset()
        yield
    time.tzset()


def at(day: int, solved: bool, hour: int = 12) -> Answer:
    """An answer on this day of January."""
    return Answer(f"2026-01-{day:02}T{hour:02}:00:00Z", solved)


def test_a_mistake_is_due_on_the_day_it_was_made() -> None:
    """Nobody has to wait to set it right."""
    assert progress(MISSED, []) == Progress(0, date(2026, 1, 1))


def test_a_solved_puzzle_comes_back_less_and_less_often() -> None:
    """After 1, 3, 7, 16, 35 … days, and at last twice a year."""
    moment, answers, gaps = MISSED, list[Answer](), list[int]()
    for _ in range(len(INTERVALS) + 2):
        answers.append(Answer(moment, True))
        due = progress(MISSED, answers).due
        gaps.append((due - day_of(moment)).days)
        moment = f"{due}T23:59:59Z"
    assert gaps == [1, 3, 7, 16, 35, 80, 180, 180, 180]


def test_a_failed_puzzle_comes_back_at_once_and_begins_anew() -> None:
    """However often it had been solved."""
    answers = [at(1, True), at(2, True), at(5, True), at(12, False)]
    assert progress(MISSED, answers) == Progress(0, date(2026, 1, 12))
    assert progress(MISSED, [*answers, at(12, True, 13)]) == Progress(1, date(2026, 1, 13))


def test_solving_before_it_is_due_changes_nothing() -> None:
    """Two windows, or a second helping on the same day."""
    once = progress(MISSED, [at(1, True)])
    assert progress(MISSED, [at(1, True), at(1, True, 13)]) == once


def test_the_same_mistake_in_a_later_game_counts_as_a_failure() -> None:
    """What happens at the board happens to the schedule."""
    answers = [at(1, True), at(2, True)]
    assert progress("2026-01-03T00:00:00Z", answers) == Progress(0, date(2026, 1, 3))


def test_a_date_that_cannot_be_read_is_long_ago() -> None:
    """So the puzzle is due, and nothing breaks."""
    assert progress("yesterday", []).due == date.min
    assert day_of("2026-13-45T99:00:00Z") == date.min


def missed(log: PracticeLog, name: str, moves: str, moment: str = MISSED) -> Puzzle:
    """A puzzle that was asked, and missed."""
    book = books.load_book(name)
    played = tuple(parse_moves(moves))
    puzzle = puzzle_at(book.game.play(played), played)
    assert puzzle is not None
    log.add(puzzle.identity, Answer(moment, False, source_of(puzzle, book)))
    return puzzle


def test_a_puzzle_that_was_asked_and_missed_comes_back(tmp_path: Path) -> None:
    """Like a mistake in a game, with its position; as long as its rules are the same."""
    log = PracticeLog(str(tmp_path / "practice.log"))
    puzzle = missed(log, "sequence-duel-arithmetic", "9")
    (mistake,) = missed_puzzles(log.read())
    assert mistake.puzzle.identity == puzzle.identity
    assert (mistake.puzzle.moves, mistake.book.id) == ((9,), "sequence-duel-arithmetic")
    assert (mistake.date, mistake.game, mistake.origin) == (MISSED, None, "")
    (lesson,) = agenda([mistake, mistake], log.read())
    assert lesson.progress == Progress(0, date(2026, 1, 1))
    log.add(puzzle.identity, at(2, True))
    (lesson,) = agenda(missed_puzzles(log.read()), log.read())
    assert lesson.progress == Progress(1, date(2026, 1, 3))


def test_a_puzzle_solved_at_once_does_not_come_back(tmp_path: Path) -> None:
    """Only what was missed is practised."""
    log = PracticeLog(str(tmp_path / "practice.log"))
    log.add("a:1:2", at(1, True))
    assert missed_puzzles(log.read()) == []


@pytest.mark.parametrize(
    "source",
    [
        '{"game": "gone.toml", "reading": "default", "changes": [], "first": 1, "moves": []}',
        '{"game": "sequence-capture", "reading": "default", "changes": [], "first": 1}',
        '{"game": 5, "reading": 5, "changes": 5, "first": 5, "moves": 5}',
        "{not JSON}",
        "{}",
    ],
)
def test_a_missed_puzzle_that_cannot_be_found_again_is_left_alone(
    tmp_path: Path, source: str
) -> None:
    """Its book is gone or has other rules, or somebody has edited the file."""
    log = PracticeLog(str(tmp_path / "practice.log"))
    log.add("a:1:2", Answer(MISSED, False, source))
    assert missed_puzzles(log.read()) == []


def test_the_books_of_missed_puzzles_are_known_by_name(tmp_path: Path) -> None:
    """Each once, the one missed last first; what cannot be read has none."""
    log = PracticeLog(str(tmp_path / "practice.log"))
    for day, name in enumerate(("magic", "own", "magic", "mine"), 1):
        log.add(f"{day}", at(day, False)._replace(source=f'{{"game": "{name}"}}'))
    log.add("5", at(5, True))
    for day, source in enumerate(("{}", "{not JSON}"), 6):
        log.add(f"{day}", at(day, False)._replace(source=source))
    assert missed_books(log.read()) == ["mine", "magic", "own"]


def test_a_missed_puzzle_of_other_rules_is_left_alone(tmp_path: Path) -> None:
    """The rule book has changed since."""
    log = PracticeLog(str(tmp_path / "practice.log"))
    identity = missed(log, "sequence-duel-arithmetic", "9").identity
    fingerprint, _, rest = identity.partition(":")
    changed = f"{fingerprint[::-1]}:{rest}"
    assert missed_puzzles({changed: log.read()[identity]}) == []


def test_answers_are_read_back_in_their_order(tmp_path: Path) -> None:
    """By the identity of the puzzle; there is nothing before the first."""
    log = PracticeLog(str(tmp_path / "data" / "practice.log"))
    assert log.read() == {}
    log.add("a:1:2", at(1, False))
    log.add("b:1:2", at(1, True))
    log.add("a:1:2", at(2, True))
    assert log.read() == {"a:1:2": [at(1, False), at(2, True)], "b:1:2": [at(1, True)]}


def test_what_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    """A damaged line, a newer kind of line, bytes that are no text: none is lost, none hurts."""
    path = tmp_path / "practice.log"
    strange = b"\xff\xfe\n2026-01-01T00:00:00Z postponed a:1:2\n\n{}\n2026-01-01T00:00:00Z sol"
    path.write_bytes(strange)
    log = PracticeLog(str(path))
    assert log.read() == {}
    log.add("a:1:2", at(1, True))
    assert log.read() == {"a:1:2": [at(1, True)]}
    assert path.read_bytes() == strange + b"\n2026-01-01T12:00:00Z solved a:1:2\n"


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    """Every answer of both is there, each on its own line."""
    path = tmp_path / "practice.log"
    script = (
        "import sys; from ninefold.coach.practice import Answer, PracticeLog\n"
        "log = PracticeLog(sys.argv[1])\n"
        "for _ in range(50): log.add(sys.argv[2], Answer('2026-01-01T00:00:00Z', True))"
    )
    writers = [
        subprocess.Popen([sys.executable, "-c", script, str(path), name]) for name in ("a", "b")
    ]
    assert [writer.wait() for writer in writers] == [0, 0]
    answers = PracticeLog(str(path)).read()
    assert {name: len(found) for name, found in answers.items()} == {"a": 50, "b": 50}


def test_a_folder_that_cannot_be_written_is_reported(tmp_path: Path) -> None:
    """With the reason, for whoever asks."""
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match=r"Not a directory|File exists"):
        PracticeLog(str(tmp_path / "file" / "practice.log")).add("a", at(1, True))


def test_the_file_is_in_the_data_directory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Beside the folder of games."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    if sys.platform == "linux":
        assert PracticeLog().path == os.path.join(tmp_path, "ninefold", "practice.log")
