"""A worker process: requests on standard input, messages about each on output, as lines of JSON.

A request names a function of ours and holds plain data: nothing a user sends is ever run.
"""

import json
import os
import signal
import sys
import time
import traceback
from contextlib import suppress
from importlib import import_module
from math import ceil
from typing import Any, TextIO

from ninefold.conform.host.isolation import end_with_parent, limit, take_streams
from ninefold.core.errors import NinefoldError

# Somebody waits for the server's own answers more urgently than for long work.
NICENESS = 5
MAX_TRACE = 4_000
OUT_OF_MEMORY = b'["memory", null]\n'


def main() -> None:
    """Work until there are no more requests; the first line says what is limited."""
    requests, answers = take_streams()
    end_with_parent()
    most = int(sys.argv[1])
    with suppress(AttributeError, OSError):
        os.nice(NICENESS)
    if hasattr(signal, "SIGXCPU"):
        signal.signal(signal.SIGXCPU, signal.SIG_DFL)
    limit("RLIMIT_CORE", 0)
    limited = {
        "processor time": limit("RLIMIT_CPU", None),
        "memory": limit("RLIMIT_AS", most, for_good=True),
    }
    print(json.dumps(["ready", limited]), file=answers, flush=True)
    for line in requests:
        call, arguments, seconds = json.loads(line)
        limit("RLIMIT_CPU", ceil(time.process_time() + seconds))
        try:
            answer = _answer(call, arguments, answers)
        except MemoryError:
            os.write(answers.fileno(), OUT_OF_MEMORY)
            os._exit(1)
        limit("RLIMIT_CPU", None)
        # What was worked out stays in caches, which must leave room for the next request.
        is_full = _memory() > most / 2
        print(f"[{answer}, {json.dumps(is_full)}]", file=answers, flush=True)
        if is_full:
            break
    os._exit(0)


def _answer(call: str, arguments: dict[str, Any], answers: TextIO) -> str:
    """The result, the refusal in words, or what went wrong, with its kind; raises MemoryError."""
    module, _, name = call.partition(":")

    def progress(data: object) -> None:
        print(json.dumps(["progress", data]), file=answers, flush=True)

    try:
        result = getattr(import_module(module), name)(**arguments, progress=progress)
        return f'"done", {json.dumps(result)}'
    except NinefoldError as error:
        return f'"refused", {json.dumps([error.code, error.message])}'
    except MemoryError:
        raise
    except Exception:  # noqa: BLE001 - whatever it is, it is an answer
        return f'"failed", {json.dumps(traceback.format_exc()[-MAX_TRACE:])}'


def _memory() -> int:
    """How many bytes of memory this process has; 0 if the system does not say."""
    with suppress(OSError, ValueError), open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    with suppress(ImportError):  # the most it has ever had
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return 0


if __name__ == "__main__":
    main()
