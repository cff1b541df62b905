"""The one notation of moves."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ninefold.core.errors import Unreadable
from ninefold.core.moves import (
    LOST,
    PASS,
    Declare,
    Move,
    declare,
    format_move,
    parse_move,
    parse_moves,
)

NUMBERS = st.integers(-(10**17), 10**17)
MOVES: st.SearchStrategy[Move] = st.one_of(
    NUMBERS,
    st.sampled_from([LOST, PASS]),
    st.lists(NUMBERS, min_size=1, max_size=5).map(declare),
)


@given(MOVES)
def test_every_move_reads_back_as_it_was_written(move: Move) -> None:
    """format_move and parse_move are inverse."""
    assert parse_move(format_move(move)) == move


def test_the_notation_of_each_move() -> None:
    """The tokens are part of the interface."""
    assert format_move(5) == "5"
    assert format_move(LOST) == "lost"
    assert format_move(PASS) == "pass"
    assert format_move(declare([9, 5, 7])) == "declare:5:7:9"


def test_a_line_may_be_separated_by_spaces_or_commas() -> None:
    """Separators can be mixed and repeated."""
    assert parse_moves(" 5, 6,7\t8 ,, lost declare:7:5:9 ") == [
        5,
        6,
        7,
        8,
        LOST,
        Declare((5, 7, 9)),
    ]


@pytest.mark.parametrize(
    "token",
    ["", "x", "5.", "4.5", "--5", "5-6", "declare", "declare:", "declare:5:", "LOST", "\uff15"],
)
def test_anything_else_is_unreadable(token: str) -> None:
    """A token that is no move is refused, never guessed at."""
    with pytest.raises(Unreadable):
        parse_move(token)


@given(st.text())
def test_no_text_makes_the_parser_fail_otherwise(text: str) -> None:
    """Any text is either moves or Unreadable."""
    try:
        parse_moves(text)
    except Unreadable as error:
        assert error.code == "unreadable"


def test_a_number_of_ten_thousand_digits_is_refused_at_once() -> None:
    """Long digit strings are no numbers of any pool."""
    with pytest.raises(Unreadable):
        parse_move("9" * 10_000)
