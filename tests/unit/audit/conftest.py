"""One worker makes the audits of a book, for all tests that look at them."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep the tests of a book together, and those of a module that name none."""
    for item in items:
        if HERE in item.path.parents:
            call = getattr(item, "callspec", None)
            name = call.params.get("name") if call is not None else None
            item.add_marker(pytest.mark.xdist_group(f"audit of {name or item.path.stem}"))
