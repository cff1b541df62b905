"""What the auditor finds: a verdict and its evidence."""

from typing import Literal, NamedTuple, TypeAlias

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import format_move
from ninefold.core.position import Position

Verdict: TypeAlias = Literal["proved", "refuted", "other-reason", "not-settled"]

VERDICTS: dict[Verdict, str] = {
    "proved": "proved",
    "refuted": "refuted",
    "other-reason": "true, but not for the reason given",
    "not-settled": "not settled",
}


class Shown(NamedTuple):
    """A game that shows something: its moves, replayed by the judge whenever it is drawn."""

    game: Game
    moves: Moves
    first: int = 1

    @property
    def position(self) -> Position:
        """The position after its moves."""
        position = self.game.start(self.first)
        for move in self.moves:
            position = position.play(move)
        return position

    @property
    def line(self) -> str:
        """The moves in the one notation."""
        return " ".join(map(format_move, self.moves))


class Evidence(NamedTuple):
    """A sentence, and perhaps the game that shows it."""

    text: str
    shown: Shown | None = None


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
    because: str
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    reason: Answer | None


class ExampleFinding(NamedTuple):
    """What became of an example: right, or wrong at some point.

    ``wrong`` is ``move``, ``choice``, ``statement`` or ``result``; ``told`` is what the book says
    there and ``truth`` what is so, after the moves of ``shown``.
    """

    name: str
    right: bool
    wrong: str | None
    after: int
    told: str
    truth: str
    shown: Shown


class RuleFinding(NamedTuple):
    """What became of a rule: alive or dead (None: not settled), and where it decides.

    ``kind`` is ``pattern``, ``link``, ``limit`` or ``outcome``; ``finals`` is None for a limit.
    """

    kind: str
    name: str
    alive: bool | None
    finals: int | None
    alone: int | None
    flawless: int | None
    text: str
    shown: Shown | None
    flawless_shown: Shown | None


class OpeningFinding(NamedTuple):
    """What an opening is worth: the result for the first player, and by chance."""

    move: str
    result: str
    plies: int | None
    share: float | None
    trials: int
    good: bool | None


class PieFinding(NamedTuple):
    """What the game with the pie rule is worth to the first player, and with which openings.

    ``good`` is None where that is not settled.
    """

    result: str
    plies: int | None
    good: tuple[str, ...] | None


class ReadingRow(NamedTuple):
    """One reading in the comparison; ``good`` is None where the good openings are not settled."""

    reading: str
    summary: str
    result: str
    plies: int | None
    good: tuple[str, ...] | None
