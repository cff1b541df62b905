"""Number-claiming games: two players take numbers from a shared pool, certain sets win.

>>> import ninefold
>>> game = ninefold.load("sequence-duel-sum")
>>> position = game.play("5 3 2 7 4 6")
>>> position.turn, position.available, position.threats(1)
(1, (1, 8, 9), (1, 9))
>>> position.play(9).outcome
Outcome(winner=1, reason='sum-triple', sets=((4, 5, 9),))
"""

from collections.abc import Iterable

__version__ = "0.1.0"
__all__ = [
    "LOST",
    "PASS",
    "Declare",
    "Game",
    "Illegal",
    "Move",
    "NinefoldError",
    "Outcome",
    "Position",
    "Unreadable",
    "games",
    "load",
]

# Type checkers know this name; importing typing would take most of the time of --version.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from ninefold.core.errors import Illegal as Illegal
    from ninefold.core.errors import NinefoldError as NinefoldError
    from ninefold.core.errors import Unreadable as Unreadable
    from ninefold.core.game import Game as Game
    from ninefold.core.moves import LOST as LOST
    from ninefold.core.moves import PASS as PASS
    from ninefold.core.moves import Declare as Declare
    from ninefold.core.moves import Move as Move
    from ninefold.core.outcome import Outcome as Outcome
    from ninefold.core.position import Position as Position

_HOMES = {
    "errors": ("Illegal", "NinefoldError", "Unreadable"),
    "game": ("Game",),
    "moves": ("LOST", "PASS", "Declare", "Move"),
    "outcome": ("Outcome",),
    "position": ("Position",),
}


def games() -> tuple[str, ...]:
    """The ids of all games."""
    from ninefold import books

    return books.names()


def load(name: str, reading: str | None = None, changes: Iterable[str] = ()) -> "Game":
    """The game with this id, in the reading named or its default; raises NinefoldError.

    ``changes`` are what ``--set`` takes, for instance ``pool=1-12``.
    """
    from ninefold import books

    return books.load(name, reading, tuple(changes)).game


def __getattr__(name: str) -> object:
    """Import the public names when they are first used, so that commands start quickly."""
    from importlib import import_module

    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"ninefold.core.{module}"), name)
    raise AttributeError(f"module 'ninefold' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
