"""An environment in its own process; every wait has a limit."""

import json
import os
import sys
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Any, NamedTuple

from ninefold.conform.answer import Answer, parse_answer
from ninefold.core.errors import NinefoldError
from ninefold.core.position import Position
from ninefold.core.text import shorten
from ninefold.players.process import Closed, Flooded, Late, Process, find_program, quote

HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "host")
# Importing the libraries of an environment may take long.
START_SECONDS = 60.0
# How often the environment may crash or hang before the rest is skipped.
MAX_FAILURES = 3
# A longer answer could be mistaken for an endless one.
MAX_TRIES = 32
BATCH = 200


class OutOfTime(Exception):
    """The whole time budget is used up."""


class GaveUp(Exception):
    """The environment has failed too often: the last crash or timeout, and why."""


class EnvironmentSettings(NamedTuple):
    """How to make the environment, and its limits."""

    env: str
    kwargs: dict[str, Any]
    python: str
    legal: str | None
    turn: str | None
    memory: int
    seconds: float
    budget: float
    seed: int


class Place(NamedTuple):
    """A position, a path to it, and what the environment said when it was first reached."""

    position: Position
    path: tuple[int, ...]
    said: Answer


class Probe(NamedTuple):
    """Actions to try in one place: each with the action that follows it."""

    place: Place
    tries: tuple[tuple[int, int | None], ...]
    fresh: bool = False


class Environment:
    """The environment, restarted after a crash or a hang. ``hello`` is its introduction."""

    def __init__(self, settings: EnvironmentSettings, begun: float) -> None:
        self._settings = settings
        self._end = begun + settings.budget
        self._process: Process | None = None
        self._token = ""
        self._failures = 0
        self.printed = ""
        self.tried = 0
        try:
            self.hello = self._start()
        except BaseException:
            self.stop()
            raise

    def ask(self, probes: Sequence[Probe]) -> Iterator[tuple[Probe, Answer]]:
        """Each probe with its answer, in order; raises OutOfTime and GaveUp."""
        waiting = deque(
            probe._replace(tries=probe.tries[at : at + MAX_TRIES])
            for probe in probes
            for at in range(0, max(1, len(probe.tries)), MAX_TRIES)
        )
        sent = 0  # how many of them the process was sent
        while waiting:
            if not sent:
                batch = [*islice(waiting, BATCH)]
                self._send(json.dumps([(each.place.path, *each[1:]) for each in batch]))
                sent = len(batch)
            probe = waiting.popleft()
            sent -= 1
            try:
                answer = self._line(probe.tries, self._settings.seconds)
            except _Failure as failure:
                sent = 0
                if len(probe.tries) != 1:  # find the one that failed
                    waiting.extendleft(probe._replace(tries=(each,)) for each in probe.tries[::-1])
                    continue
                code, why = failure.args
                answer = {"at": {}, "tries": [{"failed": code, "why": why}]}
            self.printed = self.printed or shorten(str(answer.get("printed", "")), 100)
            self.tried += len(probe.tries)
            yield probe, answer

    def stop(self) -> None:
        """Stop the environment."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _send(self, request: str) -> None:
        if self._process is None:
            self._start()
        assert self._process is not None
        self._process.send(request.encode() + b"\n")

    def _line(self, tries: Sequence[object] | None, seconds: float) -> Answer:
        """The answer to these tries; raises OutOfTime, or _Failure after stopping the process."""
        process = self._process
        assert process is not None
        deadline = min(monotonic() + seconds, self._end)
        try:
            line = process.read(lambda data: data.find(b"\n") + 1, deadline)
            return parse_answer(line, self._token, tries)
        except Late:
            if monotonic() >= self._end:
                raise OutOfTime from None
            failure = _Failure("timeout", f"no answer within {seconds:g} s")
        except Closed:
            failure = _Failure("crash", shorten(process.last_words(), 300))
        except Flooded:
            failure = _Failure("crash", "its answer never ends")
        except ValueError:
            failure = _Failure("crash", f"unexpected output instead of an answer: {quote(line)}")
        self.stop()
        self._failures += 1
        if self._failures > MAX_FAILURES:
            raise GaveUp(*failure.args)
        raise failure

    def _start(self) -> Answer:
        """Start a process and return its introduction; raises NinefoldError if it cannot play."""
        settings = self._settings
        arguments = [settings.python or sys.executable, HOST]
        find_program(arguments)
        self._process = Process(arguments)
        self._token = os.urandom(16).hex()
        self._send(json.dumps({**settings._asdict(), "token": self._token}))
        try:
            hello = self._line(None, START_SECONDS)
        except _Failure as failure:
            reason = f"{settings.env}: {failure.args[1]}"
            raise NinefoldError("env-does-not-start", reason) from None
        except OutOfTime:
            reason = f"{settings.env} did not start in time."
            advice = "Allow more with --time-budget."
            raise NinefoldError("env-does-not-start", reason, advice) from None
        if "refused" in hello:
            raise _refusal(settings, hello)
        return hello


class _Failure(Exception):
    """The environment crashed or hung: crash or timeout, and why."""


def _refusal(settings: EnvironmentSettings, hello: Answer) -> NinefoldError:
    why = shorten(str(hello["why"]), 300)
    module, _, name = settings.env.partition(":")
    problem, advice = {
        "import": (f"{module} cannot be imported", ""),
        "name": (f"{module} has no {name}", "Write --env module:Class."),
        "make": (f"{settings.env} cannot be created", "Pass its arguments with --kwargs, as JSON."),
        "reset": (f"{settings.env} cannot start a game", ""),
        "kind": (f"{settings.env} cannot be played", ""),
    }[hello["refused"]]
    if hello["refused"] == "import" and why.startswith("ModuleNotFoundError"):
        # The missing module may also be one that the module of the environment imports.
        own, python = module.partition(".")[0], settings.python or sys.executable
        missing = (why.split("'")[1:] or [own])[0].partition(".")[0]
        install = f"Install it ({python} -m pip install {missing})"
        advice = (
            f"Searched in {os.getcwd()} and the module path of {python}. "
            f"{'Run this in its folder' if missing == own else install}, or name the interpreter "
            "that has it with --python."
        )
    return NinefoldError(f"env-{hello['refused']}", f"{problem}: {why}.", advice)
