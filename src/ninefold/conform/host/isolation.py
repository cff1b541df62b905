"""A process that works for another one: its own pipes, limited, and gone when the other is."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from typing import TextIO


def limit(name: str, most: int | None, for_good: bool = False) -> bool:
    """Allow no more of a resource than this, None for any; False if the system has no such limit.

    Code that runs here can lift the limit again, unless it is ``for_good``.
    """
    with suppress(ImportError, AttributeError, OSError, ValueError):
        import resource

        number = getattr(resource, name)
        _, hard = resource.getrlimit(number)
        soft = hard if most is None else most
        resource.setrlimit(number, (soft, soft if for_good else hard))
        return True
    return False


def take_streams() -> tuple[TextIO, TextIO]:
    """Our own ends of the pipes; whatever else runs here reads and writes /dev/null."""
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8", newline="\n")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    return requests, answers


def end_with_parent() -> None:
    """From now on, exit when the parent process is gone, even during an endless step.

    If memory runs out, the system ends this process first, not the parent.
    """
    with suppress(OSError), open("/proc/self/oom_score_adj", "w", encoding="ascii") as file:
        file.write("1000")
    threading.Thread(target=_watch, args=(os.getppid(),), daemon=True).start()


def _watch(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(1)
