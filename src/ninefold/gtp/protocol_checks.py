"""Checks of the protocol itself: framing, ids, bad input, quitting."""

from ninefold.gtp.program import Check, CheckedProgram, Skipped
from ninefold.players.response import Response

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


def _echoes_ids(program: CheckedProgram) -> None:
    advice = "A number before a command is its id: put it right after = or ?, as in =17 text."
    for command, expected in (("17 name", "17"), ("name", ""), ("004 version", "004")):
        _expect(program, program.ask(command), expected, advice)


def _ignores_comments(program: CheckedProgram) -> None:
    advice = "Cut each line at #, and send no response if nothing is left."
    program.send("\n   \n# a comment\n21 name # another comment")
    _expect(program, program.read(), "21", advice)


def _ignores_control_characters(program: CheckedProgram) -> None:
    advice = "Treat a tab as a space, and drop carriage returns: line.split() does both."
    program.send("22\tname\r")
    _expect(program, program.read(), "22", advice)
    program.send("\t\r\n23   name")
    _expect(program, program.read(), "23", advice)


def _answers_in_order(program: CheckedProgram) -> None:
    advice = (
        "Answer each line with exactly one response, in order, even if many lines arrive at once."
    )
    program.send("31 name\n32 version\n33 protocol_version")
    for number in ("31", "32", "33"):
        _expect(program, program.read(), number, advice)


def _expect(program: CheckedProgram, reply: Response, number: str, advice: str) -> None:
    same = reply.id.lstrip("0") == number.lstrip("0")
    if not same or not reply.ok:
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
FIRST: dict[str, Check] = {"answers protocol_version with 2": _answers}
PROTOCOL: dict[str, Check] = {
    "has a name and a version": _introduces_itself,
    "lists the needed commands": _lists_commands,
    "known_command agrees with list_commands": _knows_what_it_lists,
    "answers once, then waits": _answers_once,
    "repeats ids": _echoes_ids,
    "ignores comments and empty lines": _ignores_comments,
    "understands tabs and CR LF": _ignores_control_characters,
    "answers several commands in order": _answers_in_order,
    "refuses unknown commands and continues": _refuses_unknown_commands,
    "refuses bad arguments and continues": _refuses_bad_arguments,
    "accepts time_settings": _accepts_the_clock,
}
LAST: dict[str, Check] = {
    "answers quit and exits with code 0": _quits,
    "exits when its input ends": _ends_with_its_input,
}
