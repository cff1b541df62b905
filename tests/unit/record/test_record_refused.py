"""Records are never believed without a judge: what cannot be is refused, with the place."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from unit.record.records import GAME, WON, record_text, refusal

from ninefold.core.errors import NinefoldError
from ninefold.record.replay import Replay
from ninefold.record.text import RecordError, parse_record


@pytest.mark.parametrize(
    ("moves", "reason"),
    [
        (GAME + "7. 6\n", "test, line 25: impossible: 6 is already taken."),
        (GAME + "7. 11\n", "test, line 25: impossible: 11 is not in the pool."),
        (GAME + "7. lost\n", "test, line 25: impossible: A turn cannot be given away."),
        (GAME + "8. 2\n", "test, line 25: expected move 7, found 8"),
        (
            GAME + "7. invalid:9 lost\n",
            "test, line 25: impossible: the rules lead to something else",
        ),
        (GAME + "2\n", "test, line 25: unexpected '2'"),
        (GAME + "7. two\n", "test, line 25: 'two' is not a move."),
        (GAME + "7.\n", "test, line 25: '' is not a move."),
        (GAME + "undo:6\n", "test, line 25: there is no move 7 to undo"),
        (GAME + "timeout:1\n", "test, line 25: impossible: there is no time limit for this player"),
        (GAME + WON + "8. 9\n", "test, line 27: '8.' comes after the result"),
        (GAME + "7. 2\n8. 9\n", "test, line 26: impossible: the game was already over"),
        (GAME + "1-0\n", "test, line 24: the result is 1-0, but the game is not over"),
        (GAME + "7. 2\n0-1\n", "test, line 25: the result is 0-1, but the moves say 1-0"),
    ],
)
def test_an_impossible_record_is_refused_with_the_place(moves: str, reason: str) -> None:
    """Nothing is guessed and nothing is repaired."""
    assert refusal(moves).startswith(reason)


@pytest.mark.parametrize(
    ("moves", "tags"),
    [
        ("1. timeout 5\n", {"time_limit": 9.0}),
        ("1. timeout lost\n", {"time_limit": 9.0}),
        ("1. timeout 5\n", {"time_limit": 9.0, "on_timeout": "lose-turn"}),
        ("1. timeout 5\n1. 6\n", {"time_limit": 9.0, "on_timeout": "random"}),
        ("1. 5\n2. timeout 6\n", {"time_limit": 9.0, "on_timeout": "random"}),
        ("1. 5\ntimeout:1\n", {"time_limit": 9.0}),
        ("1. 5\ntimeout:2\n", {"time_limit": 9.0}),
        ("1. invalid:5 5\n", {}),
        ("1. 05\n", {}),
        ("1. +5\n", {}),
        ("1. 5\n2. 6\nundo:1\n", {}),
        ("1. 5\n2. 6\n3. 4\nundo:1\n", {}),
    ],
)
def test_what_the_players_cannot_have_done_is_refused(moves: str, tags: dict[str, object]) -> None:
    """Seat 2 is a computer here: it has no clock, and nobody goes back to its turn."""
    assert refusal(moves, **tags)


@pytest.mark.parametrize(
    ("tag", "value", "reason"),
    [
        ("rules", "0123456789abcdef", "the rules of sequence-capture (default) have changed"),
        ("game", "chess", "There is no game 'chess'"),
        ("reading", "sideways", "sequence-capture has no reading 'sideways'"),
        ("seat1", "oracle", "There is no player 'oracle'"),
        ("first", 3, "invalid First: '3'"),
        ("time_limit", -1.0, "invalid TimeLimit: '-1'"),
        ("time_limit", float("nan"), "invalid TimeLimit: 'nan'"),
        ("on_timeout", "cry", "invalid OnTimeout: 'cry'"),
        ("player1", "a\x1bb", "invalid Player1:"),
    ],
)
def test_a_record_with_wrong_tags_is_refused(tag: str, value: object, reason: str) -> None:
    """Also one of a book whose rules have changed since."""
    assert reason in refusal(GAME, **{tag: value})


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\n",
        b"[Game",
        b'[Game "x"]\n',
        b'[Game "x"]\n\n',
        b"\xff\xfe\n\n",
        b'[Game "x"]\n[Game "x"]\n\n',
        record_text("").replace(b"[Seed", b"[Sead"),
        b"x" * (2 << 20),
    ],
)
def test_what_is_no_record_is_refused(data: bytes) -> None:
    """Empty, cut off, binary, misspelt or huge."""
    with pytest.raises(RecordError):
        parse_record(data, "test")


@given(st.binary(max_size=200), st.integers(0, 600))
@settings(max_examples=300)
def test_no_bytes_make_the_reader_fail_otherwise(noise: bytes, at: int) -> None:
    """Any damage gives a record or a refusal."""
    whole = record_text(GAME + WON)
    for data in (noise, whole[:at] + noise + whole[at:], whole[:at] + noise + whole[at + 20 :]):
        try:
            Replay(parse_record(data, "test")).run()
        except NinefoldError as error:
            assert error.code == "bad-record"
