"""Whatever ends a process, what it promised to clean up is gone."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from processes import PATIENCE, is_gone, wait_until

SCRIPT = """
import os, signal, subprocess, sys
from ninefold import cleanup
for name in sys.argv[2:]:
    open(name, "x").close()
    cleanup.promise(os.path.abspath(name))
cleanup.forget(os.path.abspath(sys.argv[2]))
{more}
"""
ENDINGS = {
    "exit": "",
    "error": "1 / 0",
    "at once": "os._exit(3)",
    "kill": "os.kill(os.getpid(), signal.SIGKILL)",
    "terminate": "os.kill(os.getpid(), signal.SIGTERM)",
    "no helper": "cleanup._helper.kill(); cleanup._helper.wait(); open('d', 'x').close()\n"
    "cleanup.promise(os.path.abspath('d'))",
    "deaf helper": "import time\ntime.sleep(0.5)\nos.kill(cleanup._helper.pid, signal.SIGTERM)",
}


@pytest.mark.parametrize("ending", ENDINGS)
def test_promised_files_are_removed_and_forgotten_ones_stay(tmp_path: Path, ending: str) -> None:
    """Also files with strange names, and if the helper is killed or told to end before us."""
    names = ["kept", "removed", "a\nb \udcff", "ü"]
    script = SCRIPT.format(more=ENDINGS[ending])
    subprocess.run(
        [sys.executable, "-c", script, "", *names],
        cwd=tmp_path,
        check=False,
        timeout=PATIENCE,
        stderr=subprocess.DEVNULL,
    )
    wait_until(lambda: os.listdir(tmp_path) == ["kept"])


def test_without_a_helper_an_ordinary_exit_cleans_up(tmp_path: Path) -> None:
    """If no Python can be found to run it."""
    script = SCRIPT.format(more="").replace(
        "import os", "import sys; sys.executable = ''; import os"
    )
    arguments = [sys.executable, "-c", script, "", "kept", "removed"]
    subprocess.run(arguments, cwd=tmp_path, check=True, timeout=PATIENCE)
    assert os.listdir(tmp_path) == ["kept"]


def test_nobody_waits_for_the_helper_of_a_killed_process(tmp_path: Path) -> None:
    """It holds none of our pipes, so whoever reads our output sees its end with ours."""
    script = SCRIPT.format(
        more="os.kill(cleanup._helper.pid, signal.SIGSTOP)\n"
        "print(cleanup._helper.pid, flush=True)\nos._exit(0)"
    )
    arguments = [sys.executable, "-c", script, "", "kept"]
    ended = subprocess.run(
        arguments, cwd=tmp_path, check=True, capture_output=True, timeout=PATIENCE
    )
    helper = int(ended.stdout)
    assert not is_gone(helper)
    os.kill(helper, signal.SIGCONT)
    wait_until(lambda: is_gone(helper))
