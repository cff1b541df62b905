"""Checks of the protocol itself: framing, ids, bad input, quitting."""

from collections.abc import Callable
from typing import NamedTuple

from ninefold.gtp.program import CheckedProgram, Skipped

NEEDED = (
    "protocol_version name version list_commands known_command boardsize clear_board play genmove "
    "undo showboard quit"
).split()
NOBODY_KNOWS = "ninefold-no-such-command"
# Seconds to watch a program for unexpected output.
WATCHED = 0.3


class Check(NamedTuple):
    """One line of the checklist."""

    name: str
    run: Callable[[CheckedProgram], None]


def _answers(program: CheckedProgram) -> None:
    advice = "Answer protocol_version with: = 2"
    text = program.must("protocol_version", advice)
    if text != "2":
        raise program.failure(f"= {text}", "= 2", advice)


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
    for command in (*program.commands(), NOBODY_KNOWS):
        expected = "false" if command == NOBODY_KNOWS else "true"
        text = program.must(f"known_command {command}", advice)
        if text.casefold() != expected:
            raise program.failure(f"= {text}", f"= {expected}", advice)


def _answers_once(program: CheckedProgram) -> None:
    program.must("name", "Answer name with any text.")
    program.watch(WATCHED)


def _echoes_ids(program: CheckedProgram) -> None:
    advice = "A number before a command is its id: put it right after = or ?, as in =17 text."
    for command, expected in (("17 name", "17"), ("name", ""), ("004 version", "004")):
        reply = program.ask(command)
        same = reply.id == expected or (reply.id and reply.id.lstrip("0") == expected.lstrip("0"))
        if not same or not reply.ok:
            raise program.failure(str(reply), f"={expected} and the text", advice)


def _ignores_comments(program: CheckedProgram) -> None:
    advice = "Cut each line at #, and send no response if nothing is left."
    program.send("\n   \n# a comment\n21 name # another comment")
    _expect(program, "21", advice)


def _ignores_control_characters(program: CheckedProgram) -> None:
    advice = "Treat a tab as a space, and drop carriage returns: line.split() does both."
    program.send("22\tname\r")
    _expect(program, "22", advice)
    program.send("\t\r\n23   name")
    _expect(program, "23", advice)


def _answers_in_order(program: CheckedProgram) -> None:
    advice = (
        "Answer each line with exactly one response, in order, even if many lines arrive at once."
    )
    program.send("31 name\n32 version\n33 protocol_version")
    for number in ("31", "32", "33"):
        _expect(program, number, advice)


def _expect(program: CheckedProgram, number: str, advice: str) -> None:
    reply = program.read()
    if reply.id != number or not reply.ok:
        raise program.failure(str(reply), f"={number} and the text", advice)


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


# FIRST must pass before anything else is tried; the checks of play come before LAST.
FIRST = Check("answers protocol_version with 2", _answers)
PROTOCOL = (
    Check("has a name and a version", _introduces_itself),
    Check("lists the needed commands", _lists_commands),
    Check("known_command agrees with list_commands", _knows_what_it_lists),
    Check("answers once, then waits", _answers_once),
    Check("repeats ids", _echoes_ids),
    Check("ignores comments and empty lines", _ignores_comments),
    Check("understands tabs and CR LF", _ignores_control_characters),
    Check("answers several commands in order", _answers_in_order),
    Check("refuses unknown commands and continues", _refuses_unknown_commands),
    Check("refuses bad arguments and continues", _refuses_bad_arguments),
    Check("accepts time_settings", _accepts_the_clock),
)
LAST = (
    Check("answers quit and exits with code 0", _quits),
    Check("exits when its input ends", _ends_with_its_input),
)
