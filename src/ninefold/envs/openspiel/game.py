"""A game of OpenSpiel: any rule book in any reading, and what players see of its states."""

import json
from collections.abc import Mapping
from typing import Any

import numpy
import pyspiel

from ninefold.core.errors import Unreadable
from ninefold.core.moves import parse_moves
from ninefold.envs.openspiel.settings import DEFAULTS, limit_of, settings_from
from ninefold.envs.openspiel.snapshot import SharedGame
from ninefold.envs.openspiel.state import NinefoldState

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


class NinefoldGame(pyspiel.Game):  # type: ignore[misc] # it has no types
    """A game of a rule book, in the encoding of ``ninefold.encoding``."""

    def __init__(self, parameters: Mapping[str, str | int] | None = None) -> None:
        self.book, kept = settings_from(parameters or {})
        name = f"{NAME}{pyspiel.game_parameters_to_string(kept)}"
        self.shared = SharedGame(name, self.book.game, limit_of(self.book, kept))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.shared.encoding.actions),
            max_chance_outcomes=0,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.shared.most_moves,
        )
        super().__init__(GAME_TYPE, info, kept)

    def new_initial_state(self, moves: Any = None) -> NinefoldState:
        """The start, or the state after these moves.

        They are text, or what ``to_dict()``, ``to_json()`` or ``to_struct()`` of a state return.
        Raises Unreadable or Illegal.
        """
        if moves is None:
            return NinefoldState(self, self.shared.start)
        return NinefoldState(self, self.shared.follow(parse_moves(_text_of(moves))))

    def make_py_observer(self, kind: Any = None, parameters: Any = None) -> Any:
        """An observer of the planes; with perfect recall, also of all actions so far."""
        if not isinstance(kind, pyspiel.IIGObservationType):
            # OpenSpiel may leave the kind out.
            kind, parameters = None, kind or parameters
        if kind is not None and not kind.public_info:
            from open_spiel.python.observation import IIGObserverForPublicInfoGame

            return IIGObserverForPublicInfoGame(kind, parameters)
        if parameters:
            raise ValueError(f"an observation takes no parameters: {parameters}")
        return Observer(self.shared, with_history=kind is not None and kind.perfect_recall)


def _text_of(moves: Any) -> str:
    """The moves as text, from what a state returns; plain text stays as it is."""
    if isinstance(moves, str) and not moves.lstrip().startswith("{"):
        return moves
    try:
        text = moves.to_json() if isinstance(moves, pyspiel.StateStruct) else moves
        return str((text if isinstance(text, Mapping) else json.loads(text))["moves"])
    except (KeyError, TypeError, ValueError):
        advice = "Use state.to_dict()."
        raise Unreadable("unreadable", "There are no moves in it.", advice) from None


class Observer:
    """The planes of ``ninefold.encoding``, as seen by either player.

    With a history, also one row per action so far with a 1 in its column.
    """

    def __init__(self, shared: SharedGame, with_history: bool) -> None:
        self._actions = shared.encoding.actions
        shapes = {"observation": shared.encoding.shape}
        if with_history:
            shapes["history"] = (shared.most_moves, len(self._actions))
        sizes = [rows * columns for rows, columns in shapes.values()]
        self.tensor = numpy.zeros(sum(sizes), numpy.float32)
        pieces = numpy.split(self.tensor, numpy.cumsum(sizes)[:-1])
        # These are views of the tensor: writing to them writes to it.
        self.dict = {
            name: piece.reshape(shape)
            for (name, shape), piece in zip(shapes.items(), pieces, strict=True)
        }

    def set_from(self, state: Any, player: int) -> None:
        """Write what player 0 or 1 sees in this state, and the actions so far."""
        self.dict["observation"][:] = state.snapshot.state.views[player]
        if "history" in self.dict:
            history, actions = self.dict["history"], state.snapshot.actions
            history.fill(0)
            history[range(len(actions)), actions] = 1

    def string_from(self, state: Any, player: int) -> str:  # noqa: ARG002 - both see everything
        """The position as text, or the actions so far."""
        if "history" not in self.dict:
            return str(state)
        return " ".join(self._actions[action] for action in state.snapshot.actions)
