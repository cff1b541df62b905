"""``ninefold play`` seats its players once."""

import shutil

import pytest

from ninefold import players, session
from ninefold.cli import main


def test_each_player_is_made_once_for_a_whole_match(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not again for the referee, nor for the next game."""
    made = []

    def make(kind: str, game: object) -> object:
        made.append(kind)
        return players.make(kind, game)  # type: ignore[arg-type]

    monkeypatch.setattr(session, "make", make)
    match = "play magic-fifteen --p1 random --p2 greedy --wins 2 --seed 1 --no-record"
    assert main(match.split()) == 0
    assert made == ["random", "greedy"]
    assert "wins the match." in capsys.readouterr().out


def test_a_program_is_looked_up_once(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Before anything is shown, and refused if it is missing."""
    looked_up = []

    def which(name: str) -> None:
        looked_up.append(name)

    monkeypatch.setattr(shutil, "which", which)
    assert main("play magic-fifteen --first random --p2 program:nobot --no-record".split()) == 2
    assert looked_up == ["nobot"]
    out, err = capsys.readouterr()
    assert out == ""
    assert "There is no program 'nobot'." in err


def test_an_unknown_player_is_refused_once(capsys: pytest.CaptureFixture[str]) -> None:
    """With the players there are."""
    assert main("play magic-fifteen --p1 grandmaster --no-record".split()) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err == (
        "ninefold: There is no player 'grandmaster'; choose one of: human, random, greedy, "
        "level:1, level:2, level:3, level:4, level:5, perfect, program:CMD, python:MODULE:NAME, "
        "agent:FILE, llm:MODEL\n"
    )
