"""A process that works for another one."""

import subprocess
import sys

import pytest

PROGRAM = """
from ninefold.conform.host.isolation import end_with_parent
end_with_parent()
print(open("/proc/self/oom_score_adj").read().strip())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux chooses like this")
def test_it_is_ended_before_its_parent_if_memory_runs_out() -> None:
    """The kernel chooses it first, so that a greedy job does not end the server."""
    command = [sys.executable, "-c", PROGRAM]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == "1000\n"
