"""Checks a program that speaks the Go Text Protocol, point by point."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import NamedTuple

from ninefold.books import Book
from ninefold.gtp.play_checks import BOARD, plays_legally
from ninefold.gtp.program import Check, CheckedProgram, Failed, Skipped
from ninefold.gtp.protocol_checks import FIRST, LAST, PROTOCOL


class Result(NamedTuple):
    """The result of one check: ``status`` is ok, failed or skipped; the rest explains it."""

    check: str
    status: str
    sent: str = ""
    received: str = ""
    expected: str = ""
    advice: str = ""


def examine(
    arguments: Sequence[str], books: Sequence[Book], seconds: float, seed: int
) -> Iterator[Result]:
    """The result of each check, as soon as it is known."""
    program = CheckedProgram(arguments, [book.game for book in books], seconds)
    games = {
        f"plays {book.id} ({book.reading}) by its rules": partial(
            plays_legally, game=book.game, seed=seed
        )
        for book in books
    }
    try:
        for name, check in (FIRST | PROTOCOL | BOARD | games | LAST).items():
            yield _run(name, check, program)
            if name in FIRST and program.silences:
                reason = "it does not answer the first command"
                yield Result("everything else", "skipped", advice=reason)
                return
    finally:
        program.stop()


def _run(name: str, check: Check, program: CheckedProgram) -> Result:
    """Run one check; after a failure the program is restarted for the next check."""
    program.log.clear()
    try:
        check(program)
    except Failed as failure:
        program.stop()
        return Result(name, "failed", *failure.args)
    except Skipped as skipped:
        return Result(name, "skipped", advice=str(skipped))
    return Result(name, "ok")
