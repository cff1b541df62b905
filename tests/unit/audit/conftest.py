"""The tests of the auditor stay together: a report that several of them look at is made once."""

from pathlib import Path

import pytest
from unit.audit.auditing import TOGETHER

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let one worker run all tests of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(TOGETHER)
