"""The oracle: exact values, distances and optimal actions for a batch of observations.

>>> import ninefold
>>> from ninefold.encoding import encoding_for
>>> from ninefold.oracle import oracle_for
>>> game = ninefold.load("magic-fifteen")
>>> answers = oracle_for(game).ask(encoding_for(game).observe(game.play("5 2 1")))
>>> int(answers.values), int(answers.distances), answers.optimal.tolist()
(0, 6, [0, 0, 0, 0, 0, 0, 0, 0, 1])
"""

from ninefold.require import WrongSetting, require_package

require_package("numpy", "gym")

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.text import NamedTuple
from ninefold.encoding import Array
from ninefold.envs.batch.base import TERMINATED
from ninefold.solver.scores import BEST
from ninefold.state_table import OPEN, StateTable, state_table_for

if TYPE_CHECKING:
    from ninefold.envs.gym.vector import NinefoldVectorEnv

# The distance of a draw that need never end.
ENDLESS = -1
_ILLEGAL = -2 * BEST


class UnknownObservation(NinefoldError, ValueError):
    """An observation is not that of the player to act in an unfinished position of the game."""


class Answers(NamedTuple):
    """What is exactly known about each observation, or about each game of an environment.

    ``values`` are 1, 0 or -1 for the observer. ``distances`` are the moves to the end, ``ENDLESS``
    for a draw that need never end. ``optimal`` marks the actions that win soonest, keep the draw or
    lose last; ``keeping`` marks all actions that keep the value. Entries that are not ``known`` are
    0 everywhere.
    """

    values: Array
    distances: Any
    optimal: Array
    keeping: Array
    known: Any


def oracle_for(game: Game, may_lose_turn: bool = False) -> "Oracle":
    """The oracle of a game, made once, with lost turns if there may be any; raises TooLarge."""
    return state_table_for(game, may_lose_turn).keep("oracle", Oracle)


def oracle_of(env: "NinefoldVectorEnv") -> "Oracle":
    """The oracle that knows every position of a vector environment; raises TooLarge."""
    bare: Any = env.unwrapped
    return oracle_for(bare.game, bare.illegal == "lose-turn")


class Oracle:
    """The exact answers for every state of a game, computed once and then looked up."""

    def __init__(self, table: StateTable) -> None:
        self.table = table
        self.encoding = table.encoding
        # The last entry of each array, all 0, is that of an unknown state.
        self._solution = [
            numpy.append(array, numpy.zeros_like(array[:1]), axis=0) for array in _solve(table)
        ]
        unfinished = numpy.flatnonzero(table.ends == OPEN)
        views = table.own_views.reshape(len(table), -1)[unfinished]
        self._index = dict(zip(_keys(views), unfinished.tolist(), strict=True))

    def ask(self, observations: Any, strict: bool = True) -> Answers:
        """The answers for one observation or a batch of any shape, each by the player to act.

        An unknown observation raises UnknownObservation, or has ``known`` false if not ``strict``.
        """
        given = numpy.asarray(observations)
        if given.shape[-2:] != self.encoding.shape:
            expected = f"An observation of this game has the shape {self.encoding.shape}"
            raise WrongSetting("shape", f"{expected}, not {given.shape}.")
        batch = given.shape[:-2]
        states = self._find(given.reshape(-1, given.shape[-2] * given.shape[-1]))
        if strict and (states < 0).any():
            at = int((states < 0).argmax())
            reason = f"Observation {at} is not that of the player to act in an unfinished position."
            advice = "Leave out games that are over, or ask with strict=False."
            raise UnknownObservation("unknown-observation", reason, advice)
        answers = self.states(states)
        return Answers(*(each.reshape((*batch, *each.shape[1:])) for each in answers))

    def _find(self, rows: Any) -> Any:
        """The state of each observation; -1 if there is none."""
        with numpy.errstate(invalid="ignore"):  # what does not fit is compared below
            small = rows.astype(numpy.int8, copy=False)
        states = numpy.array([self._index.get(key, -1) for key in _keys(small)], numpy.int64)
        return states if small is rows else numpy.where((small == rows).all(axis=1), states, -1)

    def states(self, states: Any) -> Answers:
        """The answers for states; -1 is unknown, and a finished one is seen by who moved last."""
        values, distances, optimal, keeping = (array[states] for array in self._solution)
        return Answers(values, distances, optimal, keeping, states >= 0)

    def games(self, env: "NinefoldVectorEnv") -> Answers:
        """The answers for the current games of a vector environment, as seen by their agents.

        A finished game has its result as the value, the distance 0 and no actions. A game that was
        cut off is answered for the position it stopped at, with actions if the agent is to act.
        """
        bare: Any = env.unwrapped
        batch = bare.batch
        if bare.game.fingerprint != self.table.game.fingerprint:
            raise WrongSetting("oracle", "This oracle knows another game.", "Use oracle_of(env).")
        answers = self._current(batch)
        over = batch.ends == TERMINATED
        # An illegal action may have ended it: only the reward shows that.
        answers.values[over] = numpy.sign(batch.rewards[over])
        for array in answers[1:4]:
            array[over] = 0
        return answers

    def _current(self, batch: Any) -> Answers:
        """The answers for the positions of a batch, as seen by its agents."""
        if getattr(batch, "table", None) is not self.table:
            views = numpy.empty((batch.count, *self.encoding.shape), numpy.int8)
            batch.show(views, numpy.empty((batch.count, len(self.encoding.actions)), numpy.int8))
            return self.ask(views, strict=False)
        answers = self.states(batch.state)
        answers.values[~batch.viewer_acts] *= -1
        for array in (answers.optimal, answers.keeping):
            array[~batch.viewer_acts] = 0
        return answers


def _solve(table: StateTable) -> tuple[Any, Any, Any, Any]:
    """Values, distances, optimal and value-keeping actions of all states of a table."""
    graph, legal = table.graph, table.masks == 1
    lengths = map(graph.distance, range(len(table)))
    distances = [ENDLESS if length is None else length for length in lengths]
    scores = numpy.full(legal.shape, _ILLEGAL)
    found = map(graph.move_scores, range(len(table)))
    scores[legal] = numpy.fromiter(chain.from_iterable(found), scores.dtype)
    best = scores.max(axis=1, keepdims=True)
    optimal = legal & (scores == best)
    keeping = legal & (numpy.sign(scores) == numpy.sign(best))
    return (
        numpy.sign(graph.scores).astype(numpy.int8),
        numpy.array(distances, numpy.int16),
        optimal.astype(numpy.int8),
        keeping.astype(numpy.int8),
    )


def _keys(rows: Any) -> list[bytes]:
    """Each row of small numbers as bytes."""
    keys: list[bytes] = numpy.ascontiguousarray(rows).view(f"V{rows.shape[1]}").ravel().tolist()
    return keys
