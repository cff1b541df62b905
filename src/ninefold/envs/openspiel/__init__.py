"""OpenSpiel games: importing this package registers them.

>>> import pyspiel
>>> import ninefold.envs.openspiel
>>> game = pyspiel.load_game("ninefold(book=sequence_capture)")
"""

from ninefold.require import require_package

require_package("pyspiel", "openspiel")

import pyspiel

from ninefold.envs.openspiel.game import GAME_TYPE, NAME, NinefoldGame
from ninefold.envs.openspiel.snapshot import NinefoldState

__all__ = ["NinefoldGame", "NinefoldState", "register"]


def register() -> None:
    """Register the game with OpenSpiel, unless it is registered already."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, NinefoldGame)


register()
