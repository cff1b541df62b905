"""Forfeits: what the referee, the record and the screen make of a program that does not move."""

import pytest
from unit.players.test_program import settings

from ninefold import books
from ninefold.core.outcome import Outcome
from ninefold.narration import View
from ninefold.record.replay import Replay
from ninefold.record.text import RecordError, format_fact, format_settings, parse_record
from ninefold.referee import Referee
from ninefold.referee.events import FORFEITS, Ended, Forfeited, Refused


def table(one: str, two: str) -> Referee:
    """The referee of a game between these players."""
    return Referee(books.load_book("magic-fifteen").game, settings(one, two))


@pytest.mark.parametrize("reason", FORFEITS)
def test_a_forfeit_ends_the_game_for_the_other_player(reason: str) -> None:
    """And the outcome carries the reason."""
    referee = table("program:x", "human")
    outcome = Outcome(2, reason)
    assert referee.forfeit(1, reason, "why") == [Forfeited(1, reason, "why"), Ended(outcome)]
    assert referee.outcome == outcome
    (refused,) = referee.forfeit(1, reason)
    assert isinstance(refused, Refused)
    assert refused.error.code == "game-over"


@pytest.mark.parametrize("seats", [("human", "program:x"), ("random", "program:x")])
def test_only_a_program_whose_turn_it_is_can_forfeit(seats: tuple[str, str]) -> None:
    """Neither a person, nor a player of ours, nor out of turn."""
    referee = table(*seats)
    for seat in (1, 2):
        (refused,) = referee.forfeit(seat, "crash")
        assert isinstance(refused, Refused)
        assert refused.error.code == "no-forfeit"
    assert referee.outcome is None
    with pytest.raises(ValueError, match="reason must be one of"):
        referee.forfeit(2, "boredom")


def test_the_line_in_the_record_cannot_be_broken_by_what_a_program_says() -> None:
    """Braces, line breaks and escapes become harmless, and it is not too long."""
    line = format_fact(Forfeited(1, "crash", "a } 0-1\n{b\x1b[2J" + "x" * 1_000), 0)
    assert line.startswith("forfeit:1:crash {a ) 0-1 (b?[2J")
    assert line.count("{") == line.count("}") == line.count("\n") == 1
    assert len(line) < 340


@pytest.mark.parametrize(
    ("seats", "lines", "complaint"),
    [
        (("human", "program:x"), "1. 5\nforfeit:2:boredom\n", "unexpected 'forfeit:"),
        (("human", "program:x"), "1. 5\nforfeit:3:crash\n", "unexpected 'forfeit:"),
        (("human", "program:x"), "forfeit:2:crash\n", "no program is to move"),
        (("human", "program:x"), "forfeit:1:crash\n", "no program is to move"),
        (("human", "random"), "1. 5\nforfeit:2:crash\n", "no program is to move"),
        (("human", "program:x"), "1. 5\nforfeit:2:crash\n2. 6\n", "already over"),
        (("human", "program:x"), "1. 5\nforfeit:2:crash\n0-1\n", "but the moves say 1-0"),
        (("human", "program:x"), "1. 5\nforfeit:2:crash\n1/2-1/2\n", "but the moves say 1-0"),
        (("human", "program:'"), "1. 5\n*\n", "No closing quotation"),
    ],
)
def test_a_forfeit_that_cannot_have_happened_is_refused(
    seats: tuple[str, str], lines: str, complaint: str
) -> None:
    """With the line it stands on."""
    text = format_settings(settings(*seats)) + lines
    with pytest.raises(RecordError, match=complaint):
        Replay(parse_record(text.encode(), "game")).run()


@pytest.mark.parametrize("name", books.names())
@pytest.mark.parametrize("reason", FORFEITS)
def test_every_book_has_words_for_it(name: str, reason: str) -> None:
    """Who failed, how, and who wins in the words of the book."""
    book = books.load_book(name)
    view = View(book, ("Ann", "Bob"), (True, False))
    shown = view.ended(Outcome(1, reason), book.game.start(2))
    failed, victory = shown.splitlines()
    assert "Bob" in failed and "{" not in shown
    assert "Ann" in victory and "win" in victory
    others = {view.ended(Outcome(1, other), book.game.start(2)) for other in FORFEITS}
    assert len(others) == len(FORFEITS)
