"""Batched agents: functions from observations and masks to actions, or to probabilities.

An agent is given a batch in the encoding of ``ninefold.encoding``, as the player to act sees it.
It returns either one action for each observation (integers), or the probability of every action
for each (floats). It may take a third argument: the games of the batch that are asked about.
"""

from ninefold.require import require_package

require_package("numpy", "gym")

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import numpy

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.text import shorten
from ninefold.encoding import Array, Encoding, encoding_for
from ninefold.players import Chance, Player, WrongAnswer

Agent: TypeAlias = Callable[[Array, Array, Any], Any]
# Probabilities may miss 1 by this much: agents often compute with few digits.
TOLERANCE = 1e-4
_PREDICT = "predict() of Stable-Baselines3 returns the actions and a state: return its first part."


class AgentPlayer(Player):
    """Plays what a batched agent answers, one position at a time."""

    def __init__(self, function: Callable[..., Any], takes_games: bool = False) -> None:
        self._function, self._takes_games = function, takes_games
        self._encoding: Encoding | None = None
        self.agent = self.answer

    def begin(self, game: Game, limit: float | None) -> None:  # noqa: ARG002 - nobody stops it
        """Get to know the actions of the game."""
        self._encoding = encoding_for(game)

    def answer(self, views: Array, masks: Array, games: Any) -> Any:
        """One action for each, or the probabilities of all for each; raises WrongAnswer."""
        given = (views, masks, games) if self._takes_games else (views, masks)
        return read_answer(self._function(*given), masks)

    def policy(self, position: Position, ply: int, chance: Chance) -> Mapping[Move, float]:  # noqa: ARG002 - it has its own
        """The agent's probabilities, or its action; raises Illegal, WrongAnswer."""
        encoding = self._encoding
        assert encoding is not None, "begin comes first"
        views, masks = encoding.observe(position)[None], encoding.mask(position)[None]
        (answer,) = self.answer(views, masks, numpy.zeros(1, numpy.int64))
        if answer.ndim == 0:
            return {encoding.move(position, int(answer)): 1.0}
        likely = numpy.flatnonzero(answer).tolist()
        return {encoding.move(position, action): float(answer[action]) for action in likely}

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """The agent's move; raises Illegal, WrongAnswer."""
        return chance.draw_weighted(self.policy(position, ply, chance), ply)


def read_answer(answer: Any, masks: Array) -> Any:
    """An agent's answer as integers, or as rows of floats that add up to 1; raises WrongAnswer."""
    if isinstance(answer, tuple):
        raise WrongAnswer("one array", f"a tuple of {len(answer)}", _PREDICT)
    array = numpy.asarray(answer)
    count, actions = masks.shape
    if array.shape == (count,) and array.dtype.kind in "iu":
        return array.astype(numpy.int64)
    if array.shape == (count, actions) and array.dtype.kind == "f":
        return _checked(array.astype(numpy.float64), masks)
    expected = f"{count} integers (actions) or {count} x {actions} floats (probabilities)"
    raise WrongAnswer(expected, _described(answer, array))


def _described(answer: Any, array: Any) -> str:
    if array.dtype.kind == "O":
        return shorten(repr(answer), 80)
    kind = {"b": "booleans", "f": "floats", "i": "integers", "u": "integers"}
    return f"{' x '.join(map(str, array.shape)) or 'a single value'} of " + kind.get(
        array.dtype.kind, str(array.dtype)
    )


def _checked(chances: Any, masks: Array) -> Any:
    """The same probabilities, which must be some; the last digits are corrected."""
    sums = chances.sum(axis=1)
    if not (numpy.abs(sums - 1) <= TOLERANCE).all() or (chances < 0).any():
        raise WrongAnswer("probabilities that add up to 1", "others")
    if chances[masks == 0].any():
        raise WrongAnswer("probabilities of legal actions", "some of illegal ones")
    return chances / sums[:, None]
