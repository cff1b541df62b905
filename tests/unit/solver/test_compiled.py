"""Compiled functions survive a damaged cache."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("numba")

MODULE = """
from ninefold.solver.compiled import compiled

@compiled
def double(number):
    return 2 * number

print(double(21))
"""


@pytest.mark.slow
def test_a_damaged_cache_is_compiled_again(tmp_path: Path) -> None:
    """Whatever cut the file short, the function works, without a traceback."""
    module = tmp_path / "module.py"
    module.write_text(MODULE)
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path / "cache")}

    def run() -> str:
        command = [sys.executable, str(module)]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
        return done.stdout

    assert run() == "42\n"
    (index,) = (tmp_path / "cache").rglob("*.nbi")
    index.write_bytes(index.read_bytes()[:-20])
    assert run() == "42\n"
