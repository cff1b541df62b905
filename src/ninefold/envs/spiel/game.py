"""A game of OpenSpiel: any rule book, in any reading, by its parameters."""

import json
from collections.abc import Mapping
from typing import Any

import pyspiel

from ninefold.core.errors import Unreadable
from ninefold.core.moves import parse_moves
from ninefold.envs.spiel.line import Table
from ninefold.envs.spiel.observers import HistoryObserver, PlanesObserver
from ninefold.envs.spiel.settings import DEFAULTS, settings_from
from ninefold.envs.spiel.state import NinefoldState

NAME = "ninefold"
GAME_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Ninefold: number-claiming games",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=True,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class NinefoldGame(pyspiel.Game):  # type: ignore[misc] # it comes without types
    """A game of a rule book, in the encoding of ``ninefold.envs.encoding``."""

    def __init__(self, parameters: Mapping[str, str | int] | None = None) -> None:
        settings = settings_from(parameters or {})
        name = f"{NAME}{pyspiel.game_parameters_to_string(settings.parameters)}"
        self.table = Table(name, settings)
        self.book = settings.book
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.table.encoding.actions),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.table.most_moves,
        )
        super().__init__(GAME_TYPE, info, settings.parameters)

    def new_initial_state(self, moves: Any = None) -> NinefoldState:
        """The start; or the state after these moves, as text or as a state tells them.

        That is by ``to_dict()``, ``to_json()`` or ``to_struct()``. Raises Unreadable or Illegal.
        """
        if moves is None:
            return NinefoldState(self, self.table.start)
        return NinefoldState(self, self.table.follow(parse_moves(_text_of(moves))))

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Any:
        """What shows states to players: the planes; with perfect recall also all actions so far."""
        if not isinstance(kind, pyspiel.IIGObservationType):
            # OpenSpiel leaves the kind out where it has none.
            kind, parameters = None, kind or parameters
        if kind is not None and not kind.public_info:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            return IIGObserverForPublicInfoGame(kind, parameters)
        observer = HistoryObserver if kind is not None and kind.perfect_recall else PlanesObserver
        return observer(self.table, parameters)


def _text_of(told: Any) -> str:
    """The moves that a state tells in one way or the other; what is plain text already stays."""
    if isinstance(told, str) and not told.lstrip().startswith("{"):
        return told
    try:
        data = told if isinstance(told, Mapping) else json.loads(_json_of(told))
        return str(data["moves"])
    except (KeyError, TypeError, ValueError):
        advice = "Hand over state.to_dict()."
        raise Unreadable("unreadable", "That tells no moves.", advice) from None


def _json_of(told: Any) -> str:
    return str(told.to_json() if isinstance(told, pyspiel.StateStruct) else told)
