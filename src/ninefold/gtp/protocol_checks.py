"""The checks of the protocol itself: framing, ids, bad input, leaving."""

from collections.abc import Callable
from typing import NamedTuple

from ninefold.gtp.subject import Skipped, Subject
from ninefold.gtp.table import listed

NEEDED = (
    "protocol_version name version list_commands known_command boardsize clear_board play genmove "
    "undo showboard quit"
).split()
NOBODY_KNOWS = "ninefold-no-such-command"
# How long a program is watched for something it was not asked for.
WATCHED = 0.3


class Check(NamedTuple):
    """One line of the checklist."""

    name: str
    run: Callable[[Subject], None]


def _answers(subject: Subject) -> None:
    advice = "Answer protocol_version with: = 2"
    text = subject.must("protocol_version", advice)
    if text != "2":
        raise subject.failure(f"= {text}", "= 2", advice)


def _introduces_itself(subject: Subject) -> None:
    for command in ("name", "version"):
        advice = f"Answer {command} with any text."
        if not subject.must(command, advice):
            raise subject.failure("=", "= and a text", advice)


def _lists_commands(subject: Subject) -> None:
    missing = [command for command in NEEDED if command not in listed(subject)]
    if missing:
        names = ", ".join(missing)
        raise subject.failure(
            f"a list without {names}", "all needed commands", f"List them and answer them: {names}."
        )


def _knows_what_it_lists(subject: Subject) -> None:
    advice = "Answer known_command with = true for what list_commands lists, else with = false."
    for command in (*listed(subject), NOBODY_KNOWS):
        expected = "false" if command == NOBODY_KNOWS else "true"
        text = subject.must(f"known_command {command}", advice)
        if text.casefold() != expected:
            raise subject.failure(f"= {text}", f"= {expected}", advice)


def _answers_once(subject: Subject) -> None:
    subject.must("name", "Answer name with any text.")
    subject.watch(WATCHED)


def _echoes_ids(subject: Subject) -> None:
    advice = "A number before a command is its id: put it right behind = or ?, as in =17 text."
    for command, expected in (("17 name", "17"), ("name", ""), ("004 version", "004")):
        reply = subject.ask(command)
        same = reply.id == expected or (reply.id and reply.id.lstrip("0") == expected.lstrip("0"))
        if not same or not reply.ok:
            raise subject.failure(str(reply), f"={expected} and the text", advice)


def _ignores_comments(subject: Subject) -> None:
    advice = "Cut each line at #, and ignore it if nothing is left: no response at all."
    subject.send("\n   \n# a comment\n21 name # another comment")
    _expect(subject, "21", advice)


def _ignores_control_characters(subject: Subject) -> None:
    advice = "Take a tab for a space, and drop carriage returns: line.split() does both."
    subject.send("22\tname\r")
    _expect(subject, "22", advice)
    subject.send("\t\r\n23   name")
    _expect(subject, "23", advice)


def _answers_in_order(subject: Subject) -> None:
    advice = "Answer each line with exactly one response, in order; do not drop what came along."
    subject.send("31 name\n32 version\n33 protocol_version")
    for number in ("31", "32", "33"):
        _expect(subject, number, advice)


def _expect(subject: Subject, number: str, advice: str) -> None:
    reply = subject.read()
    if reply.id != number or not reply.ok:
        raise subject.failure(str(reply), f"={number} and the text", advice)


def _refuses_unknown_commands(subject: Subject) -> None:
    advice = "Answer a command you do not know with: ? unknown command. Then go on."
    subject.must_refuse(NOBODY_KNOWS, "? unknown command", advice)
    subject.must_refuse(f"41 {NOBODY_KNOWS} b 5", "?41 unknown command", advice)
    subject.must("name", advice)


def _refuses_bad_arguments(subject: Subject) -> None:
    advice = "Answer a command with wrong or missing arguments with: ? syntax error. Then go on."
    for command in ("play", "play b", "play x 5", "play b five", "boardsize many", "genmove"):
        subject.must_refuse(command, "? syntax error", advice)
    subject.must("name", advice)


def _accepts_the_clock(subject: Subject) -> None:
    if "time_settings" not in listed(subject):
        raise Skipped("it does not list it; optional")
    subject.must("time_settings 0 10 1", "Accept what time_settings of the protocol says.")


def _quits(subject: Subject) -> None:
    advice = "Answer quit with =, flush, and end with exit code 0."
    subject.must("51 quit", advice)
    code = subject.leave()
    if code != 0:
        how = "it goes on" if code is None else f"exit code {code}"
        raise subject.failure(f"=, and then: {how}", "=, and then exit code 0", advice)


def _ends_with_its_input(subject: Subject) -> None:
    subject.must("name", "Answer name with any text.")
    subject.close_input()
    if subject.leave() is None:
        raise subject.failure(
            "it goes on without any input",
            f"an end within {subject.seconds:g} s",
            "End when standard input ends: nobody can speak to it any more.",
        )


# The first must be answered before anything else is tried; boards and games come before the last.
FIRST = Check("answers protocol_version with 2", _answers)
PROTOCOL = (
    Check("has a name and a version", _introduces_itself),
    Check("lists the needed commands", _lists_commands),
    Check("known_command agrees with list_commands", _knows_what_it_lists),
    Check("answers once, and then waits", _answers_once),
    Check("repeats ids", _echoes_ids),
    Check("ignores comments and empty lines", _ignores_comments),
    Check("understands tabs and CR LF", _ignores_control_characters),
    Check("answers several commands in order", _answers_in_order),
    Check("refuses unknown commands and goes on", _refuses_unknown_commands),
    Check("refuses bad arguments and goes on", _refuses_bad_arguments),
    Check("accepts time_settings", _accepts_the_clock),
)
LAST = (
    Check("quit answers and ends it with exit code 0", _quits),
    Check("ends when its input ends", _ends_with_its_input),
)
