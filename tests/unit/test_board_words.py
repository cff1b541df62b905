"""What boards say besides the books: each event in a line of a log, and names in sentences."""

import pytest

from ninefold import books
from ninefold.board_words import isolated, log_text
from ninefold.narration import View
from ninefold.referee import Referee
from ninefold.referee.events import Event
from ninefold.session import new_settings

NAMES = ("Ann", "Bob")


def referee_of(name: str, reading: str | None = None, **settings: object) -> tuple[View, Referee]:
    """A game of two people, and its words."""
    book = books.load_book(name, reading)
    referee = Referee(book.game, new_settings(book, 1, player1="Ann", player2="Bob", **settings))
    return View(book, NAMES, (True, True)), referee


def told(words: View, referee: Referee, events: list[Event], yours: bool = False) -> list[str]:
    """The lines about these events, for anybody or for the player they are about."""
    return [text for event in events if (text := log_text(words, event, referee)[yours])]


@pytest.mark.parametrize("name", books.names())
def test_a_move_is_one_sentence_in_every_book(name: str) -> None:
    """Whatever the book shows after a move at a terminal."""
    words, referee = referee_of(name)
    assert told(words, referee, referee.submit(1, "5", 0.0)) == ["Ann takes 5."]
    assert told(words, referee, referee.undo(1, 0.0)) == ["Undone: Ann chooses again."]


def test_a_log_speaks_to_the_player_it_is_about() -> None:
    """Moves, turns lost on the clock and moves taken back."""
    words, referee = referee_of("sequence-duel-sum", "lose-turn", time_limit=10.0)
    assert told(words, referee, referee.submit(1, "5", 0.0), yours=True) == ["You take 5."]
    referee.begin_turn(0.0)
    lost = told(words, referee, referee.tick(10.0), yours=True)
    assert lost == ["Time is up. You lose the turn."]
    undone = told(words, referee, referee.undo(1, 0.0), yours=True)
    assert undone == ["Undone: you choose again."]


def test_the_end_is_told_elsewhere() -> None:
    """By a set or by resignation: the log ends with the last move."""
    words, referee = referee_of("magic-fifteen")
    for seat, number in ((1, 5), (2, 1), (1, 4), (2, 2)):
        referee.submit(seat, str(number), 0.0)
    assert told(words, referee, referee.submit(1, "6", 0.0)) == ["Ann takes 6."]
    words, referee = referee_of("magic-fifteen")
    assert told(words, referee, referee.resign(2)) == []


def test_a_turn_that_is_lost_says_why() -> None:
    """An unavailable number in the words of the book; the clock, with what it costs."""
    words, referee = referee_of("sequence-duel-sum", "lose-turn", time_limit=10.0)
    lost = told(words, referee, referee.submit(1, "77", 0.0))
    assert lost == ["Invalid move; 77 is not available. Ann loses this turn."]
    referee.begin_turn(0.0)
    assert told(words, referee, referee.tick(10.0)) == ["Time is up. Bob loses the turn."]
    words, referee = referee_of("magic-fifteen", time_limit=10.0, on_timeout="random")
    referee.begin_turn(0.0)
    (drawn,) = told(words, referee, referee.tick(10.0))
    number = referee.moves[0]
    assert drawn == f"Time is up. {number} is drawn at random for Ann."


def test_names_from_right_to_left_are_isolated() -> None:
    """All others stay as they are, to the letter."""
    assert isolated("Zoë (2)") == "Zoë (2)"
    for name in ("עומר 12", "سلمى"):
        assert isolated(name) == f"\u2068{name}\u2069"
