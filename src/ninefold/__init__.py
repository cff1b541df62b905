"""Number-claiming games: two players take numbers from a shared pool, certain sets win.

>>> import ninefold
>>> game = ninefold.load("sequence-duel-sum")
>>> position = game.play("5 3 2 7 4 6")
>>> position.turn, position.available, position.threats(1)
(1, (1, 8, 9), (1, 9))
>>> ninefold.hint(position).moves, ninefold.solve(position)
((1, 9), Value(result='win', plies=1))
>>> position.play(9).outcome
Outcome(winner=1, reason='sum-triple', sets=((4, 5, 9),))
"""

from collections.abc import Iterable

__version__ = "0.1.0"
__all__ = [
    "LOST",
    "PASS",
    "SWAP",
    "Declare",
    "Game",
    "Illegal",
    "Move",
    "NinefoldError",
    "Outcome",
    "Position",
    "Unreadable",
    "audit_game",
    "games",
    "hint",
    "load",
    "play_game",
    "review",
    "solve",
]

# Type checkers know this name; importing typing would take most of the time of --version.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from os import PathLike

    from ninefold.audit import Report
    from ninefold.books import Book
    from ninefold.coach import Hint, Review
    from ninefold.core.errors import Illegal, NinefoldError, Unreadable
    from ninefold.core.game import Game
    from ninefold.core.moves import LOST, PASS, SWAP, AnyMove, Declare, Move
    from ninefold.core.outcome import Outcome
    from ninefold.core.position import Position
    from ninefold.players import Who
    from ninefold.referee.whole_game import PlayedGame
    from ninefold.solver import Value

_HOMES = {
    "errors": ("Illegal", "NinefoldError", "Unreadable"),
    "game": ("Game",),
    "moves": ("LOST", "PASS", "SWAP", "Declare", "Move"),
    "outcome": ("Outcome",),
    "position": ("Position",),
}


def games() -> tuple[str, ...]:
    """The ids of all games that come with Ninefold."""
    from ninefold import books

    return books.names()


def load(
    name: "str | PathLike[str]", reading: str | None = None, changes: str | Iterable[str] = ()
) -> "Game":
    """The game with this id, or in this file; raises NinefoldError.

    ``reading`` names one of its readings. ``changes`` is what ``--set`` takes: one string such as
    ``"pool=1-12"``, or several.
    """
    from os import fspath

    from ninefold import books

    if reading is not None and not isinstance(reading, str):
        raise TypeError(f"a reading is a name, not {reading!r}")
    changes = (changes,) if isinstance(changes, str) else tuple(changes)
    return books.load_book(fspath(name), reading, changes).game


def solve(
    position: "Position | Game | str | PathLike[str]", seconds: float | None = None
) -> "Value":
    """What a position, or the start of a game or of the game with this name, is worth.

    The value is for the player to act. After ``seconds``, a large game that is not solved yet is
    ``unknown``. Raises NinefoldError.
    """
    from time import monotonic

    from ninefold.core.errors import NinefoldError
    from ninefold.solver import Solver, is_small, solver_for

    if seconds is not None and not seconds >= 0:
        raise ValueError(f"seconds must be 0 or more, not {seconds!r}")
    position = _position(position)
    if position.outcome is not None:
        raise NinefoldError("game-over", "The game is over.")
    game = position.game
    if is_small(game):
        return solver_for(game).value(position)
    end = float("inf")
    solver = Solver(game, lambda _: monotonic() > end)
    if seconds is not None:
        end = monotonic() + seconds  # loading the search does not count
    return solver.value(position)


def hint(position: "Position | Game | str | PathLike[str]") -> "Hint":
    """The best moves in a position, or at the start of a game, and why; raises NinefoldError."""
    from ninefold.coach import hint_for

    return hint_for(_position(position))


def play_game(
    game: "Game | str | PathLike[str]",
    one: "Who",
    two: "Who",
    *,
    seed: int = 0,
    first: int = 1,
    most_moves: int = 1_000,
) -> "PlayedGame":
    """A whole game between two players: names as in ``--p1``, or objects. Raises NinefoldError.

    A game that is not over after ``most_moves`` is a draw with the reason ``move-limit``.
    """
    from ninefold.core.game import Game
    from ninefold.referee.whole_game import play

    return play(game if isinstance(game, Game) else load(game), (one, two), seed, first, most_moves)


def review(
    game: "Game | str | PathLike[str]",
    moves: "str | Iterable[AnyMove] | None" = None,
    first: int = 1,
) -> "Review":
    """Every move of a game with its verdict, and where the game was decided; raises NinefoldError.

    ``game`` is a game or its name, and ``moves`` are what was played. Without ``moves``, it is a
    recorded game: its file or its id.
    """
    from os import PathLike

    from ninefold.coach.review import review_moves, review_record
    from ninefold.core.game import Game

    if isinstance(game, Game):
        if moves is None:
            raise TypeError("review(game, moves) needs the moves that were played")
        return review_moves(game, moves, first)
    if not isinstance(game, str | PathLike):
        raise TypeError(f"expected a game, its name or a recorded game, found {game!r}")
    return review_record(game) if moves is None else review_moves(load(game), moves, first)


def audit_game(
    game: "Game | Book | str | PathLike[str]",
    *,
    all_readings: bool = False,
    seconds: float | None = None,
) -> "Report":
    """What a rule book claims, and what is so: the audit of a game, a book or a name.

    Whatever takes longer than ``seconds`` is left open. Raises NinefoldError.
    """
    from ninefold.audit import audit

    return audit(game, all_readings=all_readings, seconds=seconds)


def _position(of: "Position | Game | str | PathLike[str]") -> "Position":
    from os import PathLike

    from ninefold.core.game import Game
    from ninefold.core.position import Position

    if isinstance(of, str | PathLike):
        of = load(of)
    if not isinstance(of, Game | Position):
        raise TypeError(f"expected a position, a game or the name of a game, found {of!r}")
    return of.start() if isinstance(of, Game) else of


def __getattr__(name: str) -> object:
    """Import the public names when they are first used, so that commands start quickly."""
    from importlib import import_module

    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"ninefold.core.{module}"), name)
    raise AttributeError(f"module 'ninefold' has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
