"""What the unit tests share."""

import os
from collections.abc import Iterator
from contextlib import suppress

import pytest
from unit.conform.conforming import TESTS

from ninefold import cleanup


@pytest.fixture
def beside_the_environments(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """They are found because they are here."""
    monkeypatch.chdir(TESTS)
    cleanup._finish()
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass  # what other tests have left
    yield
    cleanup._finish()  # it ends the only process that stays
    with pytest.raises(ChildProcessError):  # nobody is left
        os.waitpid(-1, os.WNOHANG)
