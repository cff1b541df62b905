"""What the coach can know: it speaks about games that are solved without a visible wait."""

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.solver import is_small, most_numbers


def check_known(game: Game) -> None:
    """Refuse a game whose values cannot be known in time; raises NinefoldError."""
    if not is_small(game):
        reason = "This game is too large to be known here."
        raise NinefoldError("too-large", reason, largest_known(game))


def largest_known(game: Game) -> str:
    """How many numbers there may be, in a sentence."""
    return f"By these rules, at most {most_numbers(game.rules)} numbers are."
