"""A program under examination: what it is told, what it answers, and what is wrong with that."""

from collections.abc import Sequence
from time import monotonic

from ninefold.core.game import Game
from ninefold.players.connection import (
    Response,
    last_words,
    parse_response,
    quote,
    response_length,
)
from ninefold.players.process import Closed, Flooded, Late, Process

# How many of the latest commands a failure quotes.
QUOTED = 12
# How often it may answer nothing, or no response, before the rest is left out.
MAX_SILENCE = 3
ONLY_ANSWER = "Write to standard output only to answer; use standard error for anything else."


class Failed(Exception):
    """What the program gets wrong: what was sent, received and expected, and what to do."""

    def __init__(self, sent: str, received: str, expected: str, advice: str) -> None:
        super().__init__(expected)
        self.sent, self.received = sent, received
        self.expected, self.advice = expected, advice


class Skipped(Exception):
    """A check that does not apply, and why."""


class Subject:
    """The program, started when it is needed and again after it failed; no wait is without end.

    ``seconds`` is the time for one answer, and thirty times that for everything. ``games`` are
    those it may be asked to play, ``game`` the first it agreed to, ``told`` the one it knows of.
    """

    def __init__(self, arguments: Sequence[str], games: Sequence[Game], seconds: float) -> None:
        self._arguments = arguments
        self.games = games
        self.game: Game | None = None
        self.told: Game | None = None
        self.seconds = seconds
        self._end = monotonic() + 30 * seconds
        self._process: Process | None = None
        self._log: list[str] = []
        self.silences = 0

    def ask(self, command: str) -> Response:
        """The response to one command without an id; raises Failed if there is none."""
        if command == "clear_board":
            self._log = self._log[-1:]
        self.send(command)
        reply = self.read()
        if self._running().output.strip():
            raise self._unasked(self._running())
        return reply

    def must(self, command: str, advice: str) -> str:
        """The text of a response that has to be a success; raises Failed."""
        reply = self.ask(command)
        if not reply.ok:
            raise self.failure(str(reply), "a success: =", advice)
        return reply.text

    def must_refuse(self, command: str, expected: str, advice: str) -> None:
        """Send what has to be answered with a question mark; raises Failed."""
        reply = self.ask(command)
        if reply.ok:
            raise self.failure(str(reply), expected, advice)

    def send(self, text: str) -> None:
        """Send a line, or several."""
        if self.silences >= MAX_SILENCE:
            raise Skipped(f"it has failed to respond {MAX_SILENCE} times")
        if monotonic() > self._end:
            raise Skipped("it is too slow to be examined to the end")
        process = self._running()
        if process.output.strip():
            raise self._unasked(process)
        self._log.append(text)
        process.send(text.encode() + b"\n")

    def read(self) -> Response:
        """The next response; raises Failed if there is none."""
        process = self._running()
        try:
            data = process.read(response_length, monotonic() + self.seconds)
        except (Late, Closed, Flooded) as trouble:
            self.silences += 1
            raise self._no_reply(process, trouble) from None
        response = parse_response(data)
        if response is None:
            self.silences += 1
            self.stop()
            raise self.failure(quote(data), "a response, which begins with = or ?", ONLY_ANSWER)
        return response

    def watch(self, seconds: float) -> None:
        """Wait so long for something nobody asked for; raises Failed if it comes."""
        process = self._running()
        try:
            process.output = process.read(lambda output: len(output.strip()), monotonic() + seconds)
        except Late:
            return
        except Closed:
            raise self._no_reply(process, Closed()) from None
        raise self._unasked(process)

    def leave(self) -> int | None:
        """Wait for the program to end by itself; its exit code, None if it does not."""
        process = self._running()
        ended = process.wait_for_end(self.seconds)
        code = process.stop()
        self._process = self.told = None
        return code if ended else None

    def close_input(self) -> None:
        """Let the program see the end of its input."""
        self._running().close_input()

    def stop(self) -> None:
        """End the program, if it is running; the next check gets a fresh one."""
        if self._process is not None:
            self._process.stop()
        self._process = self.told = None

    def forget(self) -> None:
        """Begin a new check: what was sent before no longer matters."""
        self._log = []

    def failure(self, received: str, expected: str, advice: str) -> Failed:
        """A failure of what was sent last."""
        return Failed("; ".join(self._log[-QUOTED:]), received, expected, advice)

    def _running(self) -> Process:
        if self._process is None:
            self._process = Process(self._arguments)
        return self._process

    def _unasked(self, process: Process) -> Failed:
        self.stop()
        received = f"{quote(process.output)}, which nobody asked for"
        return self.failure(received, "one response to each command, and nothing else", ONLY_ANSWER)

    def _no_reply(self, process: Process, trouble: Exception) -> Failed:
        self.stop()
        wrote = quote(process.output) if process.output.strip() else "nothing"
        within = f"a response within {self.seconds:g} s"
        if isinstance(trouble, Flooded):
            advice = "A response ends with an empty line; it must not go on for ever."
            return self.failure(f"{wrote} and more without an end", within, advice)
        if isinstance(trouble, Closed):
            advice = (
                "A program goes on until quit: mend what ended it, and answer with ? and a reason "
                "what it cannot do."
            )
            return self.failure(f"{wrote}; {last_words(process)}", within, advice)
        if process.output.strip():
            advice = "End each response with an empty line: two line feeds."
            return self.failure(f"{wrote}, without an empty line behind it", within, advice)
        advice = (
            "Answer every command, and flush standard output after each answer "
            "(in Python: print(..., flush=True))."
        )
        return self.failure(wrote, within, advice)
