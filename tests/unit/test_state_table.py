"""State tables are cached up to a bound, together with what is derived from them."""

import gc
import weakref

import pytest

from ninefold import books, state_table
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
