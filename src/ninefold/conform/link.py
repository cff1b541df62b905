"""The line to an environment in a process of its own; every wait has an end."""

import json
import os
import sys
from collections.abc import Generator, Iterator, Sequence
from time import monotonic
from typing import Any, NamedTuple

from ninefold.conform.answer import Answer, parse_answer
from ninefold.core.errors import NinefoldError
from ninefold.core.text import shorten
from ninefold.players.connection import last_words, quote
from ninefold.players.process import Closed, Flooded, Late, Process, find_program

HOST = os.path.join(os.path.dirname(os.path.abspath(__file__)), "host")
# Importing what an environment is made of may take long.
START_SECONDS = 60.0
# How often the environment may end or hang before the rest is left out.
MAX_FAILURES = 3
# An answer to more tries than this might be taken for one without an end.
MAX_TRIES = 32
BATCH = 200


class OutOfTime(Exception):
    """The time for everything is over."""


class GaveUp(Exception):
    """The environment has failed too often."""


class Settings(NamedTuple):
    """How the environment is made, and what it may use up."""

    env: str
    kwargs: dict[str, Any]
    python: str
    legal: str | None
    turn: str | None
    memory: int
    seconds: float
    budget: float
    seed: int
    copies: bool = True


class Node(NamedTuple):
    """Actions from the start, and what to try after them: each with what follows if it goes on."""

    path: tuple[int, ...]
    tries: tuple[tuple[int, int | None], ...]
    fresh: bool = False


class Link:
    """The environment; started again after it ended or hung. ``hello`` is its introduction."""

    def __init__(self, settings: Settings, begun: float) -> None:
        self._settings = settings
        self._end = begun + settings.budget
        self._process: Process | None = None
        self._token = ""
        self._failures = 0
        self.printed = ""
        self.last_failure = ("", "")
        self.tried = 0
        self.hello = self._start()

    def ask(self, nodes: Sequence[Node]) -> Iterator[tuple[Node, Answer]]:
        """Each node with its answer, in order; raises OutOfTime and GaveUp.

        Where the environment ended or hung, its tries are answered one by one, and the one to
        blame with ``failed`` and why.
        """
        split = [part for node in nodes for part in _parts(node)]
        for at in range(0, len(split), BATCH):
            rest = split[at : at + BATCH]
            while rest:
                self._send(rest)
                rest = yield from self._answers(rest)

    def stop(self) -> None:
        """End the environment."""
        if self._process is not None:
            self._process.stop()
            self._process = None

    def _answers(self, nodes: Sequence[Node]) -> Generator[tuple[Node, Answer], None, list[Node]]:
        """The answers up to the first failure, and then the nodes that are still to be asked."""
        for at, node in enumerate(nodes):
            try:
                answer = self._line(node.tries)
            except _Failure as failure:
                yield from self._isolate(node, failure)
                return [*nodes[at + 1 :]]
            self._take(node, answer)
            yield node, answer
        return []

    def _take(self, node: Node, answer: Answer) -> None:
        self.printed = self.printed or shorten(str(answer.get("printed", "")), 100)
        self.tried += len(node.tries)

    def _isolate(self, node: Node, failure: "_Failure") -> Iterator[tuple[Node, Answer]]:
        """The node try by try, each with a process that has not failed yet."""
        if len(node.tries) == 1:
            yield node, _failed(failure)
            return
        for single in node.tries:
            alone = node._replace(tries=(single,))
            self._send([alone])
            try:
                answer = self._line(alone.tries)
            except _Failure as again:
                answer = _failed(again)
            self._take(alone, answer)
            yield alone, answer

    def _send(self, nodes: Sequence[Node]) -> None:
        if self._process is None:
            self._start()
        assert self._process is not None
        self._process.send(json.dumps(nodes).encode() + b"\n")

    def _line(self, tries: Sequence[object] | None, seconds: float | None = None) -> Answer:
        """The answer to these tries; raises OutOfTime, and _Failure with the process ended."""
        process = self._process
        assert process is not None
        limit = self._settings.seconds if seconds is None else seconds
        deadline = min(monotonic() + limit, self._end)
        try:
            line = process.read(lambda data: data.find(b"\n") + 1, deadline)
            return parse_answer(line, self._token, tries)
        except Late:
            if monotonic() >= self._end:
                raise OutOfTime from None
            failure = _Failure("timeout", f"no answer within {limit:g} s")
        except Closed:
            failure = _Failure("crash", shorten(last_words(process), 300))
        except Flooded:
            failure = _Failure("crash", "its answer has no end")
        except ValueError:
            failure = _Failure("crash", f"something else wrote into its answer: {quote(line)}")
        self.stop()
        self._failures += 1
        self.last_failure = (failure.code, str(failure))
        if self._failures > MAX_FAILURES:
            raise GaveUp
        raise failure

    def _start(self) -> Answer:
        """A new process and its introduction; raises NinefoldError if there is no game with it."""
        settings = self._settings
        arguments = [settings.python or sys.executable, HOST]
        find_program(arguments)
        self._process = Process(arguments)
        try:
            return self._greet(self._process)
        except BaseException:
            self.stop()
            raise

    def _greet(self, process: Process) -> Answer:
        settings = self._settings
        self._token = os.urandom(16).hex()
        process.send(_opening(settings, self._token))
        try:
            hello = self._line(None, START_SECONDS)
        except _Failure as failure:
            raise NinefoldError("env-does-not-start", f"{settings.env}: {failure}") from None
        except OutOfTime:
            raise NinefoldError(
                "env-does-not-start", f"{settings.env} is not ready in time.", "Try --time-budget."
            ) from None
        if "refused" in hello:
            raise _refusal(settings, hello)
        return hello


class _Failure(Exception):
    """The environment ended or hung."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


def _failed(failure: _Failure) -> Answer:
    return {"at": {}, "tries": [{"failed": failure.code, "why": str(failure)}]}


def _opening(settings: Settings, token: str) -> bytes:
    names = ("env", "kwargs", "legal", "turn", "memory", "seed", "copies")
    told = {name: getattr(settings, name) for name in names}
    return json.dumps({**told, "token": token}).encode() + b"\n"


def _parts(node: Node) -> Iterator[Node]:
    for at in range(0, max(1, len(node.tries)), MAX_TRIES):
        yield node._replace(tries=node.tries[at : at + MAX_TRIES])


def _where(settings: Settings, module: str, why: str) -> str:
    """Where a module was looked for that is not there; the module may lack another one."""
    if not why.startswith("ModuleNotFoundError"):
        return ""
    python = settings.python or sys.executable
    own = f"'{module.partition('.')[0]}'" in why
    advice = "Go to its folder, or name" if own else "Name"
    return (
        f"It was looked for in {os.getcwd()} and where {python} finds modules. "
        f"{advice} the interpreter that has it with --python."
    )


def _refusal(settings: Settings, hello: Answer) -> NinefoldError:
    why = shorten(str(hello["why"]), 300)
    module, _, name = settings.env.partition(":")
    reasons = {
        "import": (f"{module} cannot be imported: {why}.", _where(settings, module, why)),
        "name": (f"{module} has no {name}: {why}.", "Write --env module:Class."),
        "make": (f"{settings.env} cannot be made: {why}.", "Arguments go into --kwargs, as JSON."),
        "reset": (f"{settings.env} cannot begin a game: {why}.", ""),
        "kind": (f"{settings.env} cannot be played: {why}.", ""),
    }
    reason, advice = reasons[hello["refused"]]
    return NinefoldError(f"env-{hello['refused']}", reason, advice)
