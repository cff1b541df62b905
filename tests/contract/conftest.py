"""The tests of one game stay together: what is computed about it is computed once, then dropped."""

import pytest

# The tests of what is walked through and solved, and of the tables behind the environments.
WALKS = "test_naive test_position test_coach test_puzzle test_review test_solver".split()
TABLES = "test_dataset test_encoding test_oracle test_states test_vector".split()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one worker run all tests of a game, one after another."""
    for item in items:
        name = _game(item)
        if name:
            item.add_marker(pytest.mark.xdist_group(name))
    here = [(at, item) for at, item in enumerate(items) if _game(item)]
    ordered = sorted(here, key=lambda entry: _game(entry[1]))
    for (at, _), (_, item) in zip(here, ordered, strict=True):
        items[at] = item


def _game(item: pytest.Item) -> str:
    """The name of the game a test is about; empty for any other test."""
    params = item.callspec.params if isinstance(item, pytest.Function) and _has_cases(item) else {}
    if item.path.stem in WALKS:
        return str(params.get("case", ""))
    if item.path.stem in TABLES and "name" in params:
        return f"table of {params['name']} {params.get('reading')}"
    return ""


def _has_cases(item: pytest.Function) -> bool:
    return hasattr(item, "callspec")
