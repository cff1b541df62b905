"""The games for OpenSpiel: importing this package registers them.

>>> import pyspiel
>>> import ninefold.envs.spiel
>>> game = pyspiel.load_game("ninefold(book=sequence_capture)")
"""

from ninefold.envs.extras import require

require("pyspiel", "openspiel")

import pyspiel

from ninefold.envs.spiel.game import GAME_TYPE, NAME, NinefoldGame
from ninefold.envs.spiel.state import NinefoldState

__all__ = ["NinefoldGame", "NinefoldState", "register"]


def register() -> None:
    """Make the game known to OpenSpiel; if it is known already, it stays."""
    if NAME not in pyspiel.registered_names():
        pyspiel.register_game(GAME_TYPE, NinefoldGame)


register()
