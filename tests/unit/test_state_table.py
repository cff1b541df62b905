"""State tables are cached up to a bound, together with what is derived from them."""

import gc
import weakref
from random import Random

import numpy
import pytest

import ninefold
from ninefold import books, state_table
from ninefold.encoding import encoding_for
from ninefold.oracle import oracle_for
from ninefold.state_table import LEGAL, policy_for


def test_only_so_many_states_are_kept_with_all_that_is_made_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A table past the bound is dropped, and so are its oracle and policies."""
    monkeypatch.setattr(state_table, "_TABLES", {})
    monkeypatch.setattr(state_table, "MOST_KEPT", 400)
    small = [books.load_book("magic-fifteen", None, (f"pool=1-{size}",)).game for size in (4, 5)]
    large = books.load_book("magic-fifteen", None, ("pool=1-7",)).game  # more than 400 of them
    first = state_table.state_table_for(small[0])
    assert state_table.state_table_for(small[1]) is not first
    assert state_table.state_table_for(small[0]) is first
    assert policy_for(first, LEGAL) is policy_for(first, LEGAL)
    assert oracle_for(small[0]) is oracle_for(small[0])
    gone = weakref.ref(first)
    del first
    kept = state_table.state_table_for(large)
    assert state_table.state_table_for(large) is kept
    gc.collect()
    assert gone() is None


def test_the_exported_arrays_play_the_game() -> None:
    """Random games by look-ups alone end as the judge says, for both players."""
    for name, reading in (("magic-fifteen", "default"), ("pattern-builder", "declare")):
        game = books.load_book(name, reading).game
        tables = state_table.state_table_for(game).arrays()
        encoding, chance = encoding_for(game), Random(1)
        for _ in range(200):
            position, state, turn = game.start(), 0, 1
            while not tables["over"][state]:
                assert (position.turn, position.outcome) == (turn, None)
                assert numpy.array_equal(tables["observation"][state], encoding.observe(position))
                assert numpy.array_equal(tables["legal"][state], encoding.mask(position))
                action = chance.choice(tables["legal"][state].nonzero()[0].tolist())
                position = position.play(encoding.move(position, action))
                mover, before = turn, state
                state = int(tables["next_state"][before, action])
                turn = 3 - turn if tables["switches"][before, action] else turn
            assert position.outcome is not None
            assert tables["reward"][state] == position.outcome.result_for(mover)
            assert tables["reasons"][tables["reason"][state]] == position.outcome.reason
            seen = encoding.observe(position, 3 - mover)
            assert numpy.array_equal(tables["other_observation"][state], seen)
        assert (tables["next_state"] >= 0).tolist() == (tables["legal"] == 1).tolist()
        assert tables["value"][0] == {"win": 1, "draw": 0}[ninefold.solve(game).result]
