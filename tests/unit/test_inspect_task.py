"""The tasks for Inspect, run by Inspect itself."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_inspect_runs_the_tasks(tmp_path: Path) -> None:
    """All cases of ``inspect_cases.py`` hold, in a process of their own."""
    pytest.importorskip("inspect_ai")
    cases = str(Path(__file__).with_name("inspect_cases.py"))
    quiet = ["-p", "no:cacheprovider", "-o", "filterwarnings=ignore", f"--basetemp={tmp_path}/t"]
    result = subprocess.run(
        [sys.executable, "-m", "pytest", cases, *quiet],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "100%" in result.stdout
