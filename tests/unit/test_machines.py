"""The tables of games that are kept: how many, and what goes with them."""

import gc
import weakref

import pytest

from ninefold import books
from ninefold.envs.oracle import oracle_for
from ninefold.envs.tables import machine as machines
from ninefold.envs.tables.policy import LEGAL, policy_for


def test_only_so_many_states_are_kept_with_all_that_is_made_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A machine past the bound is let go, and no table, oracle or policy of it stays behind."""
    monkeypatch.setattr(machines, "_MACHINES", {})
    monkeypatch.setattr(machines, "MOST_KEPT", 400)
    small = [books.load_book("magic-fifteen", None, (f"pool=1-{size}",)).game for size in (4, 5)]
    large = books.load_book("magic-fifteen", None, ("pool=1-7",)).game  # more than 400 of them
    first = machines.machine_for(small[0])
    assert machines.machine_for(small[1]) is not first
    assert machines.machine_for(small[0]) is first
    assert policy_for(first, LEGAL) is policy_for(first, LEGAL)
    assert oracle_for(small[0]) is oracle_for(small[0])
    gone = weakref.ref(first)
    del first
    kept = machines.machine_for(large)
    assert machines.machine_for(large) is kept
    gc.collect()
    assert gone() is None
