"""Work on many games is shared, whole, and by whoever is there."""

import itertools
import subprocess
import sys

import pytest
from processes import PATIENCE

from ninefold.envs.batch import compiled_batch as threads


def test_every_game_is_worked_on_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """In as many parts as there are cores, or in one if there are few games."""
    monkeypatch.setattr(threads, "_cores", lambda: 3)
    threads._pool.cache_clear()
    count = 3 * threads.WORTH_A_THREAD + 1
    parts = sorted(threads.share(lambda first, last: (first, last), count))
    assert len(parts) == 3 and parts[0][0] == 0 and parts[-1][1] == count
    assert all(one[1] == two[0] for one, two in itertools.pairwise(parts))
    assert threads.share(lambda first, last: (first, last), 100) == [(0, 100)]
    threads._pool.cache_clear()


def test_what_goes_wrong_in_a_thread_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the work was given."""
    monkeypatch.setattr(threads, "_cores", lambda: 2)
    threads._pool.cache_clear()

    def work(first: int, last: int) -> int:
        if first:
            raise ZeroDivisionError("a part of the work")
        return last

    with pytest.raises(ZeroDivisionError, match="a part of the work"):
        threads.share(work, 2 * threads.WORTH_A_THREAD)
    threads._pool.cache_clear()


SCRIPT = """
import os
from ninefold.envs.batch import compiled_batch as threads
threads._cores = lambda: 2
work = lambda first, last: last - first
count = 2 * threads.WORTH_A_THREAD
assert sum(threads.share(work, count)) == count
child = os.fork()
if not child:
    os._exit(0 if sum(threads.share(work, count)) == count else 1)
print(os.waitpid(child, 0)[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
def test_a_forked_process_has_threads_of_its_own() -> None:
    """Those of its parent are not there; it would wait for them for ever."""
    ran = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", SCRIPT],
        capture_output=True,
        text=True,
        check=True,
        timeout=PATIENCE,
    )
    assert ran.stdout == "0\n"
