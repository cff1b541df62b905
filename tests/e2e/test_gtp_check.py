"""What gtp-check tells the author of a program."""

import json

import pytest
from e2e.engines import BOT, ENGINE, EXAMPLE, PAGE
from e2e.program import Ninefold
from e2e.test_docs import block

from ninefold import books
from ninefold.gtp.check import examine
from ninefold.gtp.program import CheckedProgram

GAMES = [(name, reading) for name in books.names() for reading in books.load_book(name).readings]


def statuses(ninefold: Ninefold, *arguments: str) -> dict[str, str]:
    """What gtp-check says of each check."""
    return {row["check"]: row["status"] for row in ninefold.json("gtp-check", *arguments)}


def test_our_engine_passes_the_check(ninefold: Ninefold) -> None:
    """In every game and reading, and nothing but the clock is left out."""
    found = statuses(ninefold, ENGINE)
    assert found.pop("accepts time_settings") == "skipped"
    assert set(found.values()) == {"ok"}
    for name, reading in GAMES:
        assert f"plays {name} ({books.load_book(name, reading).reading}) by its rules" in found


def test_the_example_bot_passes_the_check(ninefold: Ninefold, example: str) -> None:
    """Whoever copies it starts with a program that works."""
    result = ninefold.run("gtp-check", example)
    assert result.returncode == 0, result.stdout
    skipped = [line for line in result.stdout.splitlines() if line.startswith("skipped")]
    assert len(skipped) == 2
    assert "FAILED" not in result.stdout
    assert len([line for line in EXAMPLE if line]) < 30


CHECKED = {
    "deaf": "answers protocol_version with 2",
    "banner": "answers protocol_version with 2",
    "debug": "answers protocol_version with 2",
    "protocol-3": "answers protocol_version with 2",
    "nameless": "has a name and a version",
    "no-showboard": "lists the needed commands",
    "knows-all": "known_command agrees with list_commands",
    "no-ids": "repeats ids",
    "no-comments": "ignores comments and empty lines",
    "accepts-all": "refuses unknown commands and continues",
    "dies-of-unknown": "refuses unknown commands and continues",
    "keeps-board": "clear_board forgets everything",
    "takes-anything": "refuses illegal moves and keeps its board",
    "no-undo": "undo takes back play and genmove",
    "taken": "plays magic-fifteen (default) by its rules",
    "outside": "plays magic-fifteen (default) by its rules",
    "lost": "plays magic-fifteen (default) by its rules",
    "passes": "plays magic-fifteen (default) by its rules",
    "forgets": "plays magic-fifteen (default) by its rules",
    "words": "plays magic-fifteen (default) by its rules",
    "refuses": "plays magic-fifteen (default) by its rules",
    "exits": "plays magic-fifteen (default) by its rules",
    "closes": "plays magic-fifteen (default) by its rules",
    "floods": "undo takes back play and genmove",
    "twice": "undo takes back play and genmove",
    "garbage": "undo takes back play and genmove",
    "refuses-play": "plays magic-fifteen (default) by its rules",
    "exit-5": "answers quit and exits with code 0",
    "stays": "answers quit and exits with code 0",
    "ignores-eof": "exits when its input ends",
}

# These never end by themselves, so it does not matter how long that is waited for.
ENDLESS = ("stays", "ignores-eof")


@pytest.mark.parametrize("fault", ENDLESS)
def test_a_program_that_stays_is_found_out(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers whenever it likes, and is not waited for when it should be gone."""
    leave = CheckedProgram.leave

    def leave_soon(program: CheckedProgram) -> int | None:
        program.seconds, plenty = 0.1, program.seconds
        code = leave(program)
        program.seconds = plenty
        return code

    monkeypatch.setattr(CheckedProgram, "leave", leave_soon)
    results = [*examine([*BOT.split(), fault], [books.load_book("magic-fifteen")], 60, 1)]
    (failed,) = (result for result in results if result.check == CHECKED[fault])
    assert failed.status == "failed"
    assert all((failed.sent, failed.received, failed.expected, failed.advice))


@pytest.mark.parametrize(
    ("fault", "check"), [item for item in CHECKED.items() if item[0] not in ENDLESS]
)
def test_each_fault_is_found_and_explained(ninefold: Ninefold, fault: str, check: str) -> None:
    """The check that looks for it fails, and says what to do; the exit code is 1."""
    limit = "1" if fault == "deaf" else "60"  # whoever never answers need not be waited for
    arguments = ["--game", "magic-fifteen", "--time-limit", limit, "--json"]
    result = ninefold.run("gtp-check", f"{BOT} {fault}", *arguments)
    assert result.returncode == 1
    assert result.stderr == ""
    rows = {row["check"]: row for row in json.loads(result.stdout)}
    assert rows[check]["status"] == "failed"
    assert all(rows[check][field] for field in ("sent", "received", "expected", "advice"))


def test_a_bot_without_faults_fails_nothing(ninefold: Ninefold) -> None:
    """So whatever fails above fails because of its fault."""
    assert set(statuses(ninefold, BOT).values()) == {"ok", "skipped"}
    only_nine = statuses(ninefold, f"{BOT} nine-only")
    assert only_nine["plays sequence-capture (default) by its rules"] == "skipped"
    assert "failed" not in only_nine.values()


def test_the_failure_in_the_documentation_is_real(ninefold: Ninefold) -> None:
    """Line by line, as it is printed."""
    result = ninefold.run("gtp-check", f"{BOT} no-undo", "--game", "magic-fifteen")
    shown = block(PAGE, "FAILED")
    printed = result.stdout.splitlines()
    assert "\n".join(shown) in "\n".join(printed)


@pytest.mark.parametrize(
    "program", ["yes", "cat /dev/zero", "cat", "true", "false", "sleep 600", "sh -c 'kill -9 $$'"]
)
def test_the_check_ends_whatever_the_program_does(ninefold: Ninefold, program: str) -> None:
    """With a failure, not a traceback, and without waiting for it."""
    result = ninefold.run("gtp-check", program, "--time-limit", "0.5")
    assert result.returncode == 1
    assert result.stdout.startswith("FAILED   answers protocol_version with 2\n")
    assert result.stdout.endswith("2 checks: 0 ok, 1 failed, 1 skipped.\n")
    assert result.stderr == ""
