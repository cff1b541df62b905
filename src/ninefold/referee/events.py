"""The events of a game. Facts are recorded; refusals and commands are only shown."""

from typing import Literal, NamedTuple, TypeAlias

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome

Cause: TypeAlias = Literal["chosen", "invalid", "timeout"]
# Why a program can lose without a move; each is also the reason of the outcome.
FORFEITS = ("no-answer", "crash", "unreadable-answer", "illegal-answer", "refusal")


class Moved(NamedTuple):
    """A move was made: by choice, by the clock, or (a lost turn) by an unavailable number."""

    seat: int
    move: Move
    cause: Cause = "chosen"
    tried: int | None = None


class TakenBack(NamedTuple):
    """Moves were undone: only the first ``plies`` of them remain."""

    plies: int


class Resigned(NamedTuple):
    """A player gave up the game."""

    seat: int


class Expired(NamedTuple):
    """A player ran out of time and lost the game."""

    seat: int


class Forfeited(NamedTuple):
    """A program made no valid move and lost the game; ``detail`` is for people."""

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


Fact: TypeAlias = Moved | TakenBack | Resigned | Expired | Forfeited
FACTS = (Moved, TakenBack, Resigned, Expired, Forfeited)
Event: TypeAlias = Fact | Ended | Refused | Command | SetAside
