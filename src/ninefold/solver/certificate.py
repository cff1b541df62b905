"""Certificates: a result and a strategy that shows it, for ``verify`` to follow.

A win is shown by the winner's strategy. A draw is shown by one for each player, who holds it. A
strategy answers the positions its holder has to act in, unless the answer is plain: complete a set,
or take the only number that completes one for the opponent. Where the pool running out is a draw,
positions can be closed by pairs of numbers: whenever the opponent takes one, the holder takes the
other; and by a count that needs no entry.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple, TypeAlias

from ninefold.core.errors import NinefoldError
from ninefold.core.rules import MAX_POOL

HEADING = "ninefold-certificate 1"
MAX_ENTRIES = 50_000_000
MAX_ROW = 3_000

Goal: TypeAlias = Literal["win", "hold"]
Pairs: TypeAlias = tuple[tuple[int, int], ...]


class Answer(NamedTuple):
    """The number to take, the pairs that close the position then, or both."""

    number: int | None
    pairs: Pairs | None = None


class Answers(dict[int, str]):
    """The answers of a strategy by position, packed and as text: there may be millions of them."""

    def find(self, own: int, other: int) -> Answer:
        """What to do here; neither a number nor pairs if nothing is written down."""
        text = self.get(own << MAX_POOL | other)
        return Answer(None) if text is None else parse_answer(text)

    def add(self, own: int, other: int, text: str) -> None:
        """Write down what to do here."""
        self[own << MAX_POOL | other] = text

    def rows(self) -> Iterator[tuple[int, int, str]]:
        """The holder's numbers, the opponent's, and the answer to them as text."""
        mask = (1 << MAX_POOL) - 1
        for at, text in self.items():
            yield at >> MAX_POOL, at & mask, text


class CertificateError(NinefoldError):
    """The text is not a certificate."""


class Strategy(NamedTuple):
    """What one player does to win, or to hold."""

    holder: int
    goal: Goal
    answers: Answers  # to the holder's and the opponent's numbers, as bits of the pool
    stealing: bool = False  # who begins on an empty board cannot lose: a number more never hurts


class Certificate(NamedTuple):
    """A position, its value for the player to act, and the strategies that show it."""

    game: str
    reading: str
    changes: tuple[str, ...]
    rules: str
    first: int
    moves: str
    value: str
    # Renamings of the pool's places that keep the sets: an answer holds for all images.
    symmetries: tuple[tuple[int, ...], ...]
    strategies: tuple[Strategy, ...]


def format_certificate(certificate: Certificate) -> Iterator[str]:
    """The lines of a certificate."""
    yield HEADING
    header = certificate._asdict()
    del header["strategies"]
    yield json.dumps(header)
    for strategy in certificate.strategies:
        stealing = " stealing" if strategy.stealing else ""
        yield f"player {strategy.holder} {strategy.goal}{stealing}"
        for own, other, text in strategy.answers.rows():
            yield f"{own:x} {other:x} {text}"


def parse_certificate(lines: Iterable[str]) -> Certificate:
    """The certificate written in these lines; raises CertificateError."""
    rows = (line.rstrip("\n") for line in lines)
    if next(rows, "") != HEADING:
        raise CertificateError(
            "not-a-certificate",
            "This is not a certificate.",
            "Make one with: ninefold solve GAME --certificate FILE",
        )
    fields = _header(next(rows, ""))
    strategies: list[Strategy] = []
    for number, row in enumerate(rows, 3):
        if number > MAX_ENTRIES:
            raise CertificateError("too-long", f"It has more than {MAX_ENTRIES:,} lines.")
        try:
            _parse_row(row, strategies)
        except (ValueError, LookupError):
            raise CertificateError("unreadable", f"Line {number} cannot be read.") from None
    return fields._replace(strategies=tuple(strategies))


def _header(text: str) -> Certificate:
    """The certificate without its strategies."""
    try:
        data = json.loads(text)
        fields = {key: data[key] for key in Certificate._fields if key != "strategies"}
        lists = fields["changes"], fields["symmetries"], *fields["symmetries"]
        good = (
            all(isinstance(fields[key], str) for key in ("game", "reading", "rules", "moves"))
            and fields["first"] in (1, 2)
            and fields["value"] in ("win", "draw", "loss")
            and all(isinstance(one, list) and len(one) <= MAX_POOL for one in lists)
            and all(type(item) is str for item in fields["changes"])
            and all(type(item) is int for one in fields["symmetries"] for item in one)
        )
    except (ValueError, RecursionError, TypeError, KeyError):
        good = False
    if not good:
        raise CertificateError("unreadable", "Line 2 is not the description of a position.")
    fields["changes"] = tuple(fields["changes"])
    fields["symmetries"] = tuple(map(tuple, fields["symmetries"]))
    return Certificate(**fields, strategies=())


def _parse_row(row: str, strategies: list[Strategy]) -> None:
    """A line that begins a strategy, or one of its answers."""
    words = row.split(" ")
    if words[0] == "player":
        holder, goal, *stealing = words[1:]
        if holder not in ("1", "2") or stealing not in ([], ["stealing"]):
            raise ValueError
        goals: dict[str, Goal] = {"win": "win", "hold": "hold"}
        strategies.append(Strategy(int(holder), goals[goal], Answers(), bool(stealing)))
        return
    own, other, text = row.split(" ", 2)
    if len(row) > MAX_ROW or max(len(own), len(other)) > MAX_POOL // 4:
        raise ValueError
    parse_answer(text)
    strategies[-1].answers.add(int(own, 16), int(other, 16), text)


def parse_answer(text: str) -> Answer:
    """The answer a text stands for: 5, or pairs:1:2,3:4, or both; raises ValueError."""
    words = text.split(" ")
    pairs = words.pop().removeprefix("pairs:") if words[-1].startswith("pairs:") else None
    number = int(words.pop()) if words else None
    if words or (number is None and pairs is None):
        raise ValueError
    if pairs is None:
        return Answer(number)
    places = (map(int, pair.split(":")) for pair in pairs.split(",") if pair)
    return Answer(number, tuple((one, two) for one, two in places))
