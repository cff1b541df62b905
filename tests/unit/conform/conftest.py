"""What the unit tests share."""

import os
import subprocess
from collections.abc import Iterator

import pytest
from unit.conform.conforming import TESTS

from ninefold import cleanup


@pytest.fixture
def beside_the_environments(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """They are found because they are here."""
    monkeypatch.chdir(TESTS)
    cleanup._finish()
    before = children()
    yield
    cleanup._finish()  # it ends the only process that stays
    assert children() <= before, "nobody is left"


def children() -> set[int]:
    """The processes that this one has started, dead ones included until somebody asks for them."""
    with subprocess.Popen(["ps", "-A", "-o", "ppid=,pid="], stdout=subprocess.PIPE) as ps:
        assert ps.stdout is not None
        rows = [[*map(int, line.split())] for line in ps.stdout]
    return {pid for parent, pid in rows if parent == os.getpid()} - {ps.pid}
