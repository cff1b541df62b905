"""Checks of a program that speaks the Go Text Protocol: framing, ids, bad input, play, quitting."""

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from ninefold.books import Book
from ninefold.gtp.play_checks import BOARD, plays_legally
from ninefold.gtp.program import Check, CheckedProgram, Failed, Skipped

NEEDED = (
    "protocol_version name version list_commands known_command boardsize clear_board play genmove "
    "undo showboard quit"
).split()
NOBODY_KNOWS = "ninefold-no-such-command"
# Seconds to watch a program for unexpected output.
WATCHED = 0.3


def _answers(program: CheckedProgram) -> None:
    program.must_say("protocol_version", "2", "Answer protocol_version with: = 2")


def _introduces_itself(program: CheckedProgram) -> None:
    for command in ("name", "version"):
        advice = f"Answer {command} with any text."
        if not program.must(command, advice):
            raise program.failure("=", "= and a text", advice)


def _lists_commands(program: CheckedProgram) -> None:
    listed = program.commands()
    missing = [command for command in NEEDED if command not in listed]
    if missing:
        names = ", ".join(missing)
        raise program.failure(
            f"a list without {names}", "all needed commands", f"List them and answer them: {names}."
        )


def _knows_what_it_lists(program: CheckedProgram) -> None:
    advice = "Answer known_command with = true for what list_commands lists, else with = false."
    for command in program.commands():
        program.must_say(f"known_command {command}", "true", advice)
    program.must_say(f"known_command {NOBODY_KNOWS}", "false", advice)


def _answers_once(program: CheckedProgram) -> None:
    program.must("name", "Answer name with any text.")
    program.watch(WATCHED)


def _repeats_ids(
    program: CheckedProgram, exchanges: Mapping[str, Sequence[str]], advice: str
) -> None:
    """Each text is answered by successes with these ids."""
    for text, ids in exchanges.items():
        program.send(text)
        for number in ids:
            reply = program.read()
            if reply.id.lstrip("0") != number.lstrip("0") or not reply.ok:
                raise program.failure(str(reply), f"={number} and the text", advice)
        program.refuse_more()


def _refuses_unknown_commands(program: CheckedProgram) -> None:
    advice = "Answer a command you do not know with: ? unknown command. Then continue."
    program.must_refuse(NOBODY_KNOWS, "? unknown command", advice)
    program.must_refuse(f"41 {NOBODY_KNOWS} b 5", "?41 unknown command", advice)
    program.must("name", advice)


def _refuses_bad_arguments(program: CheckedProgram) -> None:
    advice = "Answer a command with wrong or missing arguments with: ? syntax error. Then continue."
    for command in ("play", "play b", "play x 5", "play b five", "boardsize many", "genmove"):
        program.must_refuse(command, "? syntax error", advice)
    program.must("name", advice)


def _accepts_the_clock(program: CheckedProgram) -> None:
    if "time_settings" not in program.commands():
        raise Skipped("it does not list it; optional")
    program.must("time_settings 0 10 1", "Accept time_settings as the protocol defines it.")


def _quits(program: CheckedProgram) -> None:
    advice = "Answer quit with =, flush, and exit with code 0."
    program.must("51 quit", advice)
    code = program.leave()
    if code != 0:
        how = "it keeps running" if code is None else f"exit code {code}"
        raise program.failure(f"=, and then: {how}", "=, and then exit code 0", advice)


def _ends_with_its_input(program: CheckedProgram) -> None:
    program.must("name", "Answer name with any text.")
    program.close_input()
    if program.leave() is None:
        raise program.failure(
            "it keeps running without any input",
            f"an exit within {program.seconds:g} s",
            "Exit when standard input ends: no more commands can arrive.",
        )


# The checks of play come between these and LAST.
PROTOCOL: dict[str, Check] = {
    "answers protocol_version with 2": _answers,
    "has a name and a version": _introduces_itself,
    "lists the needed commands": _lists_commands,
    "known_command agrees with list_commands": _knows_what_it_lists,
    "answers once, then waits": _answers_once,
    "repeats ids": partial(
        _repeats_ids,
        exchanges={"17 name": ["17"], "name": [""], "004 version": ["004"]},
        advice="A number before a command is its id: put it right after = or ?, as in =17 text.",
    ),
    "ignores comments and empty lines": partial(
        _repeats_ids,
        exchanges={"\n   \n# a comment\n21 name # another comment": ["21"]},
        advice="Cut each line at #, and send no response if nothing is left.",
    ),
    "understands tabs and CR LF": partial(
        _repeats_ids,
        exchanges={"22\tname\r": ["22"], "\t\r\n23   name": ["23"]},
        advice="Treat a tab as a space, and drop carriage returns: line.split() does both.",
    ),
    "answers several commands in order": partial(
        _repeats_ids,
        exchanges={"31 name\n32 version\n33 protocol_version": ["31", "32", "33"]},
        advice="Answer each line with exactly one response, in order, even if many lines arrive at "
        "once.",
    ),
    "refuses unknown commands and continues": _refuses_unknown_commands,
    "refuses bad arguments and continues": _refuses_bad_arguments,
    "accepts time_settings": _accepts_the_clock,
}
LAST: dict[str, Check] = {
    "answers quit and exits with code 0": _quits,
    "exits when its input ends": _ends_with_its_input,
}


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
        for name, check in (PROTOCOL | BOARD | games | LAST).items():
            yield _run(name, check, program)
            if check is _answers and program.silences:
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
