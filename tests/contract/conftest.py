"""The tests of one game stay together: what is computed about it is computed once, then dropped."""

from pathlib import Path
from typing import Any

import pytest

from contract.language import Written

# The tests of what is walked through and solved, and of the tables behind the environments.
WALKS = (
    "test_naive test_position test_coach test_puzzle test_review test_solver test_whole_language"
).split()
TABLES = "test_datasets test_encoding test_oracle test_states test_vector".split()

HERE = Path(__file__).parent
SMALL_POOL = 7  # the most numbers of a walk that the quick run makes


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one worker run all tests of a game, one after another, and mark the slow ones."""
    for item in items:
        name = _game(item)
        if name:
            item.add_marker(pytest.mark.xdist_group(name))
        if HERE in item.path.parents and _is_slow(item):
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


def _is_slow(item: pytest.Item) -> bool:
    """Whether a test walks over a large pool, or over a book that only the language tests need."""
    case = _params(item).get("case")
    if case is None:
        return False
    return len(case.rules.pool) > SMALL_POOL or (
        isinstance(case, Written) and item.path.stem in WALKS
    )


def _params(item: pytest.Item) -> dict[str, Any]:
    call = getattr(item, "callspec", None)
    return call.params if call is not None else {}
