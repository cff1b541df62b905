"""What the end-to-end tests share."""

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from e2e.engines import EXAMPLE
from e2e.program import Ninefold

# A job in the background may be deaf to Ctrl-C and to a closed terminal, and what it starts would
# be as well. A signal that is handled here is not ignored there.
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, lambda *_: None)


HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Every test here starts the program at least once, so none is part of the quick run."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def ninefold(tmp_path: Path) -> Ninefold:
    """The program, with no games recorded yet."""
    return Ninefold(tmp_path / "data")


@pytest.fixture
def judge(ninefold: Ninefold) -> Callable[..., list[dict[str, Any]]]:
    """The referee command: lines in, objects out."""

    def run(lines: str | bytes, *arguments: str) -> list[dict[str, Any]]:
        result = ninefold.run("referee", *arguments, typed=lines)
        assert result.returncode == 0
        assert result.stderr == ""
        return [json.loads(line) for line in result.stdout.splitlines()]

    return run


@pytest.fixture
def example(tmp_path: Path) -> str:
    """The bot of the documentation, as a command."""
    path = tmp_path / "bot.py"
    path.write_text("\n".join(EXAMPLE) + "\n")
    return f"{sys.executable} {path}"
