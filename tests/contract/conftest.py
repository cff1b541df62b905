"""Tests of one game stay together: what is known of it is found out once, and then let go."""

import pytest

# The tests of what is walked through, and of what is solved.
SHARING = "test_naive test_position test_coach test_puzzle test_review test_solver".split()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one worker run all tests of a case, one after another."""
    for item in items:
        name = _case(item)
        if name:
            item.add_marker(pytest.mark.xdist_group(name))
    here = [(at, item) for at, item in enumerate(items) if _case(item)]
    ordered = sorted(here, key=lambda entry: _case(entry[1]))
    for (at, _), (_, item) in zip(here, ordered, strict=True):
        items[at] = item


def _case(item: pytest.Item) -> str:
    """The name of the game a test is about; nothing for any other test."""
    call = getattr(item, "callspec", None)
    return str(call.params.get("case", "")) if call and item.path.stem in SHARING else ""
