"""Games under every rule: played in line mode, recorded, read back, judged again and reviewed."""

from __future__ import annotations

import json
import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from e2e.program import Ninefold
from effort import Effort, examples
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from unit.record.records import settings_of

from contract import naive
from contract.language import AS_THEY_STAND, Written
from contract.strategies import (
    Twins,
    declared_rules,
    open_rules,
    ordered_rules,
    with_limits,
    with_turns,
)
from contract.walks import engine_move
from ninefold import books
from ninefold.books import Book
from ninefold.books.rules import format_game
from ninefold.coach.review import review_game
from ninefold.coach.review_words import remark
from ninefold.core.game import Game
from ninefold.core.moves import LOST, Declare, Move, format_move
from ninefold.core.rules import Rules
from ninefold.record.replay import Replay
from ninefold.record.store import Store, annotate
from ninefold.record.text import read_record
from ninefold.referee import Referee

LONGEST = 60


def random_game(
    rules: naive.Rules, first: int, chance: random.Random
) -> tuple[list[Move], naive.State]:
    """A game of the naive definition, and how it ended or where it was left."""
    state, moves = naive.start(first), list[Move]()
    while naive.result(rules, state) is None and len(moves) < LONGEST:
        move = chance.choice(naive.legal(rules, state))
        moves.append(engine_move(move))
        state = naive.play(rules, state, move)
    return moves, state


def write_record(folder: str, book: Book, moves: Sequence[Move], first: int) -> str:
    """Let the referee judge these moves and the recorder write them down; the path."""
    settings = settings_of(book, first=first, file=book.file, book=book.digest)
    store, referee = Store(folder), Referee(book.game, settings)
    recorder = store.recorder("game", settings, pytest.fail, book.copy)
    for move in moves:
        recorder.write(referee.move(referee.position.turn, move, 0), referee.plies)
    recorder.release()
    return store.path("game")


def check_record(book: Book, rules: naive.Rules, first: int, chance: random.Random) -> None:
    """Write a game, read it, judge it again, and put the verdicts of a review into it."""
    moves, state = random_game(rules, first, chance)
    with tempfile.TemporaryDirectory() as folder:
        path = write_record(folder, book, moves, first)
        record = read_record(path)
        referee = Replay(record).run()
        assert referee.moves == tuple(moves)
        assert referee.position.hands == state.hands
        assert (referee.outcome and tuple(referee.outcome)) == naive.result(rules, state)
        assert record.finished == (referee.outcome is not None)
        before = Path(path).read_text("utf-8")
        judged = review_game(book.game, moves, first, referee.outcome)
        annotate(path, record, list(map(remark, judged.judgements)))
        said = len(moves) - sum(item.is_forced_answer for item in judged.judgements)
        assert Path(path).read_text("utf-8").count("{review: ") == said
        again = read_record(path)
        assert Replay(again).run().moves == tuple(moves)
        annotate(path, again, [""] * len(moves))
        assert Path(path).read_text("utf-8") == before


@pytest.mark.parametrize("case", AS_THEY_STAND, ids=str)
def test_records_of_every_book_read_back_as_they_were_written(case: Written) -> None:
    """Whoever begins: the same moves, the same end, with and without remarks."""
    book, chance = books.load_book(str(case.path), case.reading), random.Random(str(case))
    for first in (1, 2):
        check_record(book, case.rules, first, chance)


def book_of(rules: Rules) -> Book:
    """A book with these rules, as a file would give it; an empty list of sets has no size there."""
    wins, losses = (
        tuple(
            pattern._replace(name=f"way-{at}")
            for at, pattern in enumerate(patterns)
            if pattern.parameters != (("sets", ()),)
        )
        for patterns in (rules.wins, rules.losses)
    )
    told = json.loads(format_game(Game(rules._replace(wins=wins, losses=losses))))["rules"]
    copy = books.format_copy({"id": "drawn", "title": "Drawn", "rules": told})
    return books.load_copy(copy, "drawn.toml")


@pytest.mark.slow
@pytest.mark.parametrize(
    "rules",
    [
        open_rules((1, 6)),
        with_turns(open_rules((1, 5))),
        with_limits(with_turns(open_rules((1, 5)))),
        with_limits(declared_rules((3, 5))),
        with_turns(declared_rules((3, 4))),
        with_turns(ordered_rules((3, 4))),
    ],
)
@given(data=st.data(), first=st.sampled_from((1, 2)), seed=st.integers(0, 999))
@settings(max_examples=examples(8))
def test_records_of_rules_no_book_has(
    rules: st.SearchStrategy[Twins], data: st.DataObject, first: int, seed: int
) -> None:
    """Any rules: written, read, judged again and annotated, with the book kept beside."""
    both = data.draw(rules)
    ways = (*both.engine.wins, *both.engine.losses)
    parameters = [value for way in ways for _, value in way.parameters]
    assume(all(abs(value) < 10**18 for value in parameters if isinstance(value, int)))
    assume(both.naive.asks_from is None or naive.wins(both.naive, both.naive.pool))
    book = book_of(both.engine)
    assert book.game.rules.pool == tuple(sorted(both.engine.pool))
    check_record(book, both.naive, first, random.Random(seed))


def typed(move: Move) -> str:
    """What a person types for a move; a number that is nowhere loses a turn."""
    if isinstance(move, Declare):
        return " ".join(["declare", *map(str, move.numbers)])
    return "99" if move is LOST else format_move(move)


@pytest.mark.slow
@pytest.mark.parametrize("case", AS_THEY_STAND if Effort.is_long else AS_THEY_STAND[::3], ids=str)
def test_line_mode_to_the_end_of_a_game(case: Written, tmp_path: Path) -> None:
    """The command itself: what is typed is played, and the end is told and recorded."""
    chance = random.Random(str(case))
    moves, state = random_game(case.rules, 1, chance)
    result = naive.result(case.rules, state)
    assert result is not None
    ninefold = Ninefold(tmp_path)
    lines = "".join(f"{typed(move)}\n" for move in moves)
    played = ninefold.run("play", str(case.path), "--reading", case.reading, typed=lines)
    assert (played.returncode, played.stderr) == (0, "")
    last = played.stdout.splitlines()[-1]
    assert ("draw" if result.winner is None else f"Player {result.winner}") in last
    (path,) = ninefold.records()
    referee = Replay(read_record(str(path))).run()
    assert referee.moves == tuple(moves)
    assert referee.outcome and tuple(referee.outcome) == result
