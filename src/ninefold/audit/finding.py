"""What the auditor finds: a verdict and its evidence."""

from typing import Literal, TypeAlias

from ninefold.core.text import NamedTuple
from ninefold.pages.shown import Evidence, Shown

Verdict: TypeAlias = Literal[
    "proved", "refuted", "contradiction", "agreement", "other-reason", "not-settled"
]

VERDICTS: dict[Verdict, str] = {
    "proved": "proved",
    "refuted": "refuted",
    "contradiction": "contradiction",
    "agreement": "no contradiction",
    "other-reason": "true, but not for the reason given",
    "not-settled": "not settled",
}


class Answer(NamedTuple):
    """Whether a statement holds (None: not settled), and why."""

    holds: bool | None
    evidence: tuple[Evidence, ...] = ()


def answer(holds: bool | None, text: str, shown: Shown | None = None) -> Answer:
    """An answer with one piece of evidence."""
    return Answer(holds, (Evidence(text, shown),))


class ClaimFinding(NamedTuple):
    """What became of a claim; ``reason`` is None if the book gives none that can be tested."""

    kind: str
    says: str
    because: str | None
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    reason: Answer | None


class ExampleFault(NamedTuple):
    """One thing that is wrong in an example: what the book says, and what is so."""

    wrong: str  # move, choice, statement or result
    after: int
    said: str
    truth: str
    shown: Shown


class ExampleFinding(NamedTuple):
    """What became of an example, with all its faults; most fields are those of the first fault."""

    name: str
    right: bool | None  # None: not settled
    wrong: str | None
    after: int
    said: str
    truth: str  # if it is right, how it ends; if it is not settled, why
    shown: Shown
    faults: tuple[ExampleFault, ...] = ()


class RuleFinding(NamedTuple):
    """What became of a rule: whether it can matter (None: not settled), and where it decides."""

    kind: str  # pattern, loss, link, limit or outcome
    name: str
    can_matter: bool | None
    finals: int | None = None  # None for a limit
    alone: int | None = None
    flawless: int | None = None
    text: str = ""
    shown: Shown | None = None
    flawless_shown: Shown | None = None


class OpeningFinding(NamedTuple):
    """What an opening is worth: the result for the first player, and by chance."""

    move: str
    result: str
    plies: int | None
    share: float | None
    trials: int
    good: bool | None


class ForcedEnd(NamedTuple):
    """A rule that can end the game in the winner's favour."""

    kind: str
    name: str
    quickest: bool  # whether it can decide the quickest win against the longest defence
    plies: int | None  # in how many moves a win by this very rule can be forced, if it can


class BestPlay(NamedTuple):
    """How best play ends; in a game with too many positions, only ``set_in`` is known."""

    winner: int | None  # None if nobody can force a win
    endless: bool | None  # without a forced win: best play never ends (None: or in a draw)
    rules: tuple[ForcedEnd, ...]  # with too many positions, the one that must decide, if any
    set_in: int | None  # in how many moves a win by a set can be forced, if it can
    ending_in: int | None
    shown: Shown | None


class PieFinding(NamedTuple):
    """What the game with the pie rule is worth to the first player, and with which openings."""

    result: str
    plies: int | None
    good: tuple[str, ...] | None  # None: not settled
    openings: tuple[tuple[str, str, int | None], ...] = ()  # each with its result and length
    endless: bool | None = False  # of a draw: whether best play never ends (None: unknown)


class ReadingRow(NamedTuple):
    """One reading in the comparison."""

    reading: str
    summary: str
    result: str
    plies: int | None
    good: tuple[str, ...] | None  # None: not settled
    how: str = ""  # what decides under best play; empty for a draw, and where it is unknown
    endless: bool | None = False
