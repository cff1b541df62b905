"""The events of a game. Facts are recorded; refusals and commands are only shown."""

from typing import Literal, NamedTuple, TypeAlias

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome

Cause: TypeAlias = Literal["chosen", "invalid", "timeout"]
# Why a program can lose without a move.
FORFEITS = (
    *("no-answer", "crash", "unreadable-answer", "illegal-answer", "truncated-answer", "refusal"),
)


class Moved(NamedTuple):
    """A move was made: by choice, by the clock, or (a lost turn) by an unavailable number.

    ``left`` is the time its player has left for the game, in seconds.
    """

    seat: int
    move: Move
    cause: Cause = "chosen"
    tried: int | None = None
    left: float | None = None


class TakenBack(NamedTuple):
    """Moves were undone: only the first ``plies`` of them remain."""

    plies: int


class Forfeited(NamedTuple):
    """A player lost without a move: by resignation, timeout, or one of the FORFEITS."""

    seat: int
    reason: str
    detail: str = ""


class Ended(NamedTuple):
    """The game is over."""

    outcome: Outcome


class Refused(NamedTuple):
    """An input changed nothing; the error says why."""

    seat: int
    error: NinefoldError


class Command(NamedTuple):
    """A request that the front end answers: help, hint, rules, board, save, quit."""

    name: str
    argument: str = ""


class SetAside(NamedTuple):
    """The game is set aside: nobody is playing, turn after turn was lost."""

    lapses: int


Fact: TypeAlias = Moved | TakenBack | Forfeited
Event: TypeAlias = Fact | Ended | Refused | Command | SetAside
