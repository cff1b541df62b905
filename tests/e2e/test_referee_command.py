"""The judge for programs: lines in, JSON objects out."""

import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from e2e.program import COMMAND, Ninefold

Judge = Callable[..., list[dict[str, Any]]]


def test_a_won_game(judge: Judge) -> None:
    """All fields, in order."""
    (answer,) = judge("5 3 2 7 4 6 9\n", "sequence-duel-sum")
    assert list(answer.items()) == [
        ("moves", [5, 3, 2, 7, 4, 6, 9]),
        ("status", "won"),
        ("winner", 1),
        ("reason", "sum-triple"),
        ("sets", [[4, 5, 9]]),
        ("plies", 7),
    ]


def test_lines_are_answered_in_order_whatever_they_hold(judge: Judge) -> None:
    """An empty line is an empty game; a bad line is answered and the next is judged."""
    lines = b"5,6,4\n\n5 5\nx\n\xff\xfe\n5 6 4 7 3 8 2 1\n11\n5 6 4 7 3 8 2"
    answers = judge(lines, "sequence-capture")
    assert [answer["status"] for answer in answers] == [
        "unfinished",
        "unfinished",
        "illegal",
        "illegal",
        "illegal",
        "illegal",
        "illegal",
        "won",
    ]
    assert [answer["plies"] for answer in answers] == [3, 0, 1, 0, 0, 7, 0, 7]
    errors = [answer["error"] for answer in answers if "error" in answer]
    assert [(error["code"], error["at"]) for error in errors] == [
        ("taken", 1),
        ("unreadable", 0),
        ("unreadable", 0),
        ("game-over", 7),
        ("not-in-pool", 0),
    ]
    assert answers[2]["winner"] is None
    assert answers[2]["error"]["message"].startswith("5 is already taken.")


@pytest.mark.parametrize(
    ("arguments", "line", "expected"),
    [
        (["magic-fifteen"], "2 9 1 6 7 3 8 5 4", ("drawn", None, "draw")),
        (["sequence-capture"], "7 8 1 4 9 6 10 3 5 2", ("won", 2, "longest-run")),
        (["sequence-capture"], "10 4 3 5 2 1 8 9 6 7", ("won", 1, "run-start")),
        (["sequence-capture", "--first", "2"], "5 6 4 7 3 8 2", ("won", 2, "consecutive")),
        (["sequence-builder"], "4 1 6 2 9", ("won", 1, "geometric")),
        (
            ["sequence-builder", "--reading", "three-slots"],
            "7 5 4 3 9 2",
            ("won", 1, "hand-sum"),
        ),
        (
            ["sequence-builder", "--reading", "three-slots"],
            "9 8 1 4 7 5",
            ("won", 1, "last-pick"),
        ),
        (
            ["sequence-builder", "--reading", "three-slots-in-order"],
            "4 1 2 9 6 8",
            ("won", 2, "hand-sum"),
        ),
        (
            ["pattern-builder", "--reading", "declare"],
            "7 8 1 4 9 6 3 5 2",
            ("won", 2, "first-complete"),
        ),
        (
            ["pattern-builder", "--reading", "declare"],
            "5 4 7 6 9 1 declare:5:7:9",
            ("won", 1, "arithmetic"),
        ),
        (
            ["pattern-builder", "--reading", "declare"],
            "5 4 7 6 9 pass 1 pass declare:5:7:9",
            ("won", 1, "arithmetic"),
        ),
        (["pattern-builder", "--reading", "declare"], "5 4 7 6 9", ("unfinished", None, None)),
        (["sequence-duel-sum", "--reading", "lose-turn"], "5 5 4 99 9", ("won", 1, "sum-triple")),
        (
            ["sequence-duel-sum", "--reading", "lose-turn"],
            "5 lost 4 lost 9",
            ("won", 1, "sum-triple"),
        ),
    ],
)
def test_every_kind_of_ending_has_its_reason(
    judge: Judge, arguments: list[str], line: str, expected: tuple[str, int | None, str | None]
) -> None:
    """The reason is the family or the measure that decided."""
    (answer,) = judge(line + "\n", *arguments)
    assert (answer["status"], answer["winner"], answer["reason"]) == expected


def test_a_line_without_end_is_refused_and_the_next_is_judged(judge: Judge) -> None:
    """Two megabytes without a line break do not eat the memory."""
    answers = judge(b"5 " * 1_000_000 + b"\n5 6\n", "sequence-capture")
    assert [answer["status"] for answer in answers] == ["illegal", "unfinished"]
    assert answers[0]["error"]["code"] == "too-long"


def test_it_answers_while_the_input_is_still_open(ninefold: Ninefold) -> None:
    """A program can ask, read the answer, and ask again."""
    with subprocess.Popen(
        [*COMMAND, "referee", "sequence-capture"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ninefold.environment,
    ) as process:
        assert process.stdin and process.stdout
        for plies, line in enumerate([b"\n", b"5\n", b"5 6\n"]):
            process.stdin.write(line)
            process.stdin.flush()
            assert json.loads(process.stdout.readline())["plies"] == plies


def peak_memory(pid: int) -> int:
    """The most memory a process has used so far, in kB."""
    status = Path(f"/proc/{pid}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0])


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_many_lines_take_constant_memory(ninefold: Ninefold) -> None:
    """After the first ten thousand lines, forty thousand more take no further memory."""
    with subprocess.Popen(
        [*COMMAND, "referee", "sequence-capture"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=ninefold.environment,
    ) as process:
        assert process.stdin and process.stdout
        peaks = []
        for block in range(5):
            feeder = Thread(target=process.stdin.write, args=(b"5 6 4 7 3 8 2\n" * 10_000,))
            feeder.start()
            won = sum(b'"won"' in process.stdout.readline() for _ in range(10_000 - 10 * block))
            feeder.join()
            won += sum(b'"won"' in process.stdout.readline() for _ in range(10 * block))
            assert won == 10_000
            peaks.append(peak_memory(process.pid))
        process.stdin.close()
    assert process.returncode == 0
    assert peaks[-1] - peaks[0] < 1_000


def test_picks_after_an_illegal_move_are_numbers_too(judge: Judge) -> None:
    """Text is only what is no pick."""
    (verdict,) = judge("1 1 7 pass x 8\n", "sequence-duel-sum")
    assert verdict["status"] == "illegal"
    assert verdict["moves"] == [1, 1, 7, "pass", "x", 8]
