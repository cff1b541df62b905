"""What the auditor finds: a verdict and its evidence."""

from itertools import accumulate
from typing import Literal, TypeAlias

from ninefold.audit.figures import Moves
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Move, format_move
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple, listed

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


_EVENTS: dict[Move, str] = {LOST: "a lost turn", PASS: "a pass", SWAP: "a swap"}


class Shown(NamedTuple):
    """A game that shows something: its moves, replayed by the judge whenever it is drawn."""

    game: Game
    moves: Moves
    first: int = 1

    @property
    def positions(self) -> list[Position]:
        """The position at the start, and the one after each move."""
        start = self.game.start(self.first)
        return [*accumulate(self.moves, Position.play, initial=start)]

    @property
    def position(self) -> Position:
        """The position after its moves."""
        return self.positions[-1]

    @property
    def line(self) -> str:
        """The moves in the one notation."""
        return " ".join(map(format_move, self.moves))

    @property
    def words(self) -> str:
        """The moves in words: 5 3 2, or 5, a lost turn and 2."""
        if all(isinstance(move, int) for move in self.moves):
            return self.line
        return listed(_EVENTS.get(move) or format_move(move) for move in self.moves)


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
    because: str | None
    verdict: Verdict
    evidence: tuple[Evidence, ...]
    reason: Answer | None


class ExampleFault(NamedTuple):
    """One thing that is wrong in an example.

    ``wrong`` is ``move``, ``choice``, ``statement`` or ``result``; ``said`` is what the book says
    there and ``truth`` what is so, after the moves of ``shown``.
    """

    wrong: str
    after: int
    said: str
    truth: str
    shown: Shown


class ExampleFinding(NamedTuple):
    """What became of an example: ``faults`` lists all that is wrong with it.

    The other fields are those of the first fault; for an example that is right, ``truth`` is how
    it ends and ``shown`` the whole game. If ``right`` is None, it is not settled, and ``truth``
    says why.
    """

    name: str
    right: bool | None
    wrong: str | None
    after: int
    said: str
    truth: str
    shown: Shown
    faults: tuple[ExampleFault, ...] = ()


class RuleFinding(NamedTuple):
    """What became of a rule: whether it can matter (None: not settled), and where it decides.

    ``kind`` is ``pattern``, ``link``, ``limit`` or ``outcome``; ``finals`` is None for a limit.
    """

    kind: str
    name: str
    can_matter: bool | None
    finals: int | None = None
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
    """A rule that can end the game in the winner's favour.

    ``quickest`` tells whether it can decide when the winner wins as soon as possible and the loser
    delays that. ``plies`` is how many moves the winner needs to force a win by this very rule, or
    None if the other player can prevent that.
    """

    kind: str
    name: str
    quickest: bool
    plies: int | None


class BestPlay(NamedTuple):
    """How best play ends; ``winner`` is None if nobody can force a win.

    ``endless`` is for a game without a forced win: whether best play never ends (None: it may
    end in a draw or never). ``set_in`` and ``ending_in`` are how many moves the winner needs to
    force a win by a set, or by the ending; None if that cannot be forced. ``shown`` is one line.
    In a game with too many positions only ``set_in`` is known, and ``rules`` holds nothing but
    the pattern that must decide, if there is only one.
    """

    winner: int | None
    endless: bool | None
    rules: tuple[ForcedEnd, ...]
    set_in: int | None
    ending_in: int | None
    shown: Shown | None


class PieFinding(NamedTuple):
    """What the game with the pie rule is worth to the first player, and with which openings.

    ``good`` is None where that is not settled. ``openings`` has the result and the length after
    each opening. ``endless`` tells of a draw whether best play never ends (None: unknown).
    """

    result: str
    plies: int | None
    good: tuple[str, ...] | None
    openings: tuple[tuple[str, str, int | None], ...] = ()
    endless: bool | None = False


class ReadingRow(NamedTuple):
    """One reading in the comparison; ``good`` is None where the good openings are not settled.

    ``how`` says what decides under best play; it is empty for a draw and where it is unknown.
    """

    reading: str
    summary: str
    result: str
    plies: int | None
    good: tuple[str, ...] | None
    how: str = ""
    endless: bool | None = False
