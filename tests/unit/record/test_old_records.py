"""Records written by an earlier version are still read and replayed."""

from pathlib import Path

import pytest

from ninefold.core.moves import format_move
from ninefold.core.outcome import Outcome
from ninefold.match import read_match
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import format_settings, read_record

FOLDER = Path(__file__).resolve().parents[2] / "data" / "records"
MATCH = "20261116-211918-bpf5"


@pytest.mark.parametrize(
    ("name", "moves", "outcome"),
    [
        ("changed", "7 5 3 8 10 12 11 6 9 2 4 1", Outcome(1, "longest-run")),
        ("declared", "5 1 7 2 9 declare:5:7:9", Outcome(1, "arithmetic", ((5, 7, 9),))),
        ("resigned", "2 9", Outcome(1, "resignation")),
        ("forfeit", "5", Outcome(1, "crash")),
        ("own-book", "1 4 2 5 3", Outcome(1, "sum", ((1, 2, 3),))),
        ("lost-turns", "5 lost 3 lost 9 1", None),
        ("timeout", "5 lost 3 lost lost lost lost", None),
    ],
)
def test_a_record_replays_to_the_same_moves_and_outcome(
    name: str, moves: str, outcome: Outcome | None
) -> None:
    """Changed rules, lost turns, a declaration, a resignation, a program, a book from a file."""
    record = read_record(str(FOLDER / f"{name}.ninefold"))
    referee = Replay(record).run()
    assert " ".join(map(format_move, referee.moves)) == moves
    assert referee.outcome == outcome
    assert record.finished == (outcome is not None)


def test_a_match_is_read_with_all_its_games() -> None:
    """Who won each game, who started it, and who won the match."""
    match, newest = read_match(Store(str(FOLDER)), MATCH)
    assert (match.first, match.winners) == (2, (2, 1, 2))
    assert (match.over, match.winner) == (True, 2)
    assert newest.settings.round == 3


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*.ninefold")), ids=lambda path: path.stem)
def test_the_tags_are_written_as_they_were(path: Path) -> None:
    """Byte for byte, so that older and newer records can be mixed."""
    tags = path.read_text("utf-8").partition("\n\n")[0] + "\n\n"
    assert format_settings(read_record(str(path)).settings) == tags
