"""The tests of one game stay together: what is computed about it is computed once, then dropped."""

from typing import Any

import pytest

# The tests of what is walked through and solved, and of the tables behind the environments.
WALKS = "test_naive test_position test_coach test_puzzle test_review test_solver".split()
TABLES = "test_dataset test_encoding test_oracle test_states test_vector".split()


SMALL_POOL = 7  # the most numbers of a walk that the quick run makes


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one worker run all tests of a game, one after another; large games are slow."""
    for item in items:
        name = _game(item)
        if name:
            item.add_marker(pytest.mark.xdist_group(name))
        if item.path.stem in WALKS and _pool_size(item) > SMALL_POOL:
            item.add_marker(pytest.mark.slow)
    here = [(at, item) for at, item in enumerate(items) if _game(item)]
    ordered = sorted(here, key=lambda entry: _game(entry[1]))
    for (at, _), (_, item) in zip(here, ordered, strict=True):
        items[at] = item


def _game(item: pytest.Item) -> str:
    """The name of the game a test is about; empty for any other test."""
    params = _params(item)
    if item.path.stem in WALKS:
        return str(params.get("case", ""))
    if item.path.stem in TABLES and "name" in params:
        return f"table of {params['name']} {params.get('reading')}"
    return ""


def _pool_size(item: pytest.Item) -> int:
    """How many numbers the walk of a test is about; 0 if it has no case."""
    case = _params(item).get("case")
    return len(case.rules.pool) if case is not None else 0


def _params(item: pytest.Item) -> dict[str, Any]:
    call = getattr(item, "callspec", None)
    return call.params if call is not None else {}
