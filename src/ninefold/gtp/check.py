"""Checks a program that speaks the Go Text Protocol, point by point."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ninefold.books import Book
from ninefold.gtp import play_checks
from ninefold.gtp.program import CheckedProgram, Failed, Skipped
from ninefold.gtp.protocol_checks import FIRST, LAST, PROTOCOL, Check


class Result(NamedTuple):
    """The result of one check: ``status`` is ok, failed or skipped; the rest explains it."""

    check: str
    status: str
    sent: str = ""
    received: str = ""
    expected: str = ""
    advice: str = ""


BOARD = (
    Check("has a board of the right size", play_checks.has_a_board),
    Check("clear_board forgets everything", play_checks.clears_the_board),
    Check("knows b, w, black and white", play_checks.knows_the_colours),
    Check("refuses illegal moves and keeps its board", play_checks.refuses_illegal_moves),
    Check("undo takes back play and genmove", play_checks.takes_moves_back),
    Check("shows the board", play_checks.shows_the_board),
    Check("accepts lost turns", play_checks.accepts_lost_turns),
)


def examine(
    arguments: Sequence[str], books: Sequence[Book], seconds: float, seed: int
) -> Iterator[Result]:
    """The result of each check, as soon as it is known."""
    program = CheckedProgram(arguments, [book.game for book in books], seconds)
    try:
        yield run_check(FIRST, program)
        if program.silences:
            reason = "it does not answer the first command"
            yield Result("everything else", "skipped", advice=reason)
            return
        games = (_in_game(book, seed) for book in books)
        for check in (*PROTOCOL, *BOARD, *games, *LAST):
            yield run_check(check, program)
    finally:
        program.stop()


def run_check(check: Check, program: CheckedProgram) -> Result:
    """Run one check; after a failure the program is restarted for the next check."""
    program.forget()
    try:
        check.run(program)
    except Failed as failure:
        program.stop()
        found = (failure.sent, failure.received, failure.expected, failure.advice)
        return Result(check.name, "failed", *found)
    except Skipped as skipped:
        return Result(check.name, "skipped", advice=str(skipped))
    return Result(check.name, "ok")


def _in_game(book: Book, seed: int) -> Check:
    """The check that the program plays this game by its rules."""
    return Check(
        f"plays {book.id} ({book.reading}) by its rules",
        lambda program: play_checks.plays_legally(program, book.game, seed),
    )
