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
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.encoding import Array
from ninefold.encoding.state_table import OPEN, StateTable, state_table_for
from ninefold.envs.batch.base import TERMINATED
from ninefold.reachable import TooLarge
from ninefold.solver.scores import BEST

if TYPE_CHECKING:
    from ninefold.envs.gym.vector import NinefoldVectorEnv

__all__ = ["ENDLESS", "Answers", "Oracle", "UnknownObservation", "oracle_for", "oracle_of"]

# The distance of a draw that need never end.
ENDLESS = -1
# Larger pools nearly always have too many positions. It would take the judge hundreds of
# thousands of moves to find out.
MOST_NUMBERS = 16
_ILLEGAL = -2 * BEST
_WORD = 8


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
    """The oracle of a game, made once; raises TooLarge for a game with too many positions.

    With ``may_lose_turn`` it also knows the positions that are only reached when illegal actions
    lose the turn.
    """
    if len(game.pool) > MOST_NUMBERS:
        raise _too_large(f"{len(game.pool)} numbers are too many for a table of all positions.")
    try:
        table = state_table_for(game, may_lose_turn)
    except TooLarge as error:
        raise _too_large(error.reason) from None
    return table.keep("oracle", Oracle)


def _too_large(reason: str) -> TooLarge:
    advice = "Use fewer numbers, for example changes='pool=1-9', or ask ninefold.solver."
    return TooLarge("too-large", reason, advice)


def oracle_of(env: "NinefoldVectorEnv") -> "Oracle":
    """The oracle that knows every position of a vector environment; raises TooLarge."""
    bare: Any = env.unwrapped
    table = getattr(bare.batch, "table", None)
    if table is None:
        return oracle_for(bare.game, bare.illegal == "lose-turn")
    found: Oracle = table.keep("oracle", Oracle)
    return found


class Oracle:
    """The exact answers for every state of a game, computed once and then looked up."""

    def __init__(self, table: StateTable) -> None:
        self.table = table
        self.encoding = table.encoding
        self._solution = _solve(table)
        open_states = numpy.flatnonzero(table.ends == OPEN).astype(numpy.int32)
        self._index = _RowIndex(table.own_views.reshape(len(table), -1)[open_states], open_states)

    def ask(self, observations: Any, strict: bool = True) -> Answers:
        """The answers for one observation or a batch of any shape, each by the player to act.

        An unknown observation raises UnknownObservation, or has ``known`` false if not ``strict``.
        """
        given = numpy.asarray(observations)
        if given.shape[-2:] != self.encoding.shape:
            expected = f"An observation of this game has the shape {self.encoding.shape}"
            raise WrongSetting("shape", f"{expected}, not {given.shape}.")
        batch = given.shape[:-2]
        states = self._index.find(given.reshape(-1, given.shape[-2] * given.shape[-1]))
        if strict and (states < 0).any():
            raise _unknown(int((states < 0).argmax()))
        answers = self.states(numpy.maximum(states, 0), states >= 0)
        return Answers(*(each.reshape((*batch, *each.shape[1:])) for each in answers))

    def states(self, states: Any, known: Any = None) -> Answers:
        """The answers for states of the table; for a finished one, as seen by who moved last."""
        known = numpy.ones(len(states), bool) if known is None else known
        values, distances, optimal, keeping = (array[states] for array in self._solution)
        answers = Answers(values, distances, optimal, keeping, known)
        if not known.all():
            for array in answers[:4]:
                array[~known] = 0
        return answers

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
        if over.any():
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


def _unknown(at: int) -> UnknownObservation:
    return UnknownObservation(
        "unknown-observation",
        f"Observation {at} is not that of the player to act in an unfinished position.",
        "Leave out games that are over, or ask with strict=False.",
    )


def _solve(table: StateTable) -> tuple[Any, Any, Any, Any]:
    """Values, distances, optimal and value-keeping actions of all states of a table."""
    graph, legal = table.graph, table.masks == 1
    values = numpy.sign(graph.scores).astype(numpy.int8)
    lengths = map(graph.distance, range(len(table)))
    distances = [ENDLESS if length is None else length for length in lengths]
    scores = numpy.full(legal.shape, _ILLEGAL)
    found = map(graph.move_scores, range(len(table)))
    scores[legal] = numpy.fromiter(chain.from_iterable(found), scores.dtype)
    best = scores.max(axis=1, keepdims=True)
    optimal = legal & (scores == best)
    keeping = legal & (numpy.sign(scores) == numpy.sign(best))
    return (
        values,
        numpy.array(distances, numpy.int16),
        optimal.astype(numpy.int8),
        keeping.astype(numpy.int8),
    )


class _RowIndex:
    """Finds rows of small numbers in a table of distinct rows, many at a time and exactly."""

    def __init__(self, rows: Array, names: Any) -> None:
        words = _as_words(numpy.ascontiguousarray(rows))
        # Any odd factors will do; in the rare case that two rows share a code, try others.
        for seed in range(100):
            drawn = numpy.random.SeedSequence(seed).generate_state(words.shape[1], numpy.uint64)
            self._factors = drawn | numpy.uint64(1)
            codes = self._codes(words)
            order = numpy.argsort(codes, kind="stable")
            self._sorted = codes[order]
            if (self._sorted[1:] != self._sorted[:-1]).all():
                break
        else:
            raise ValueError("the rows are not distinct")
        self._rows, self._names = words[order], names[order]

    def _codes(self, words: Any) -> Any:
        codes = words[:, 0] * self._factors[0]
        for at in range(1, words.shape[1]):
            # The low bits of a product depend on low bits alone: mix the high ones in.
            codes ^= codes >> numpy.uint64(29)
            codes += words[:, at] * self._factors[at]
        return codes

    def find(self, rows: Any) -> Any:
        """The name of each row; -1 for a row that is not in the table."""
        with numpy.errstate(invalid="ignore"):  # what does not fit is compared below
            small = rows.astype(numpy.int8, copy=False)
        words = _as_words(small)
        at = numpy.searchsorted(self._sorted, self._codes(words))
        at = numpy.minimum(at, len(self._sorted) - 1)
        found = (self._rows[at] == words).all(axis=1)
        if small.dtype != rows.dtype:
            found &= (small == rows).all(axis=1)
        return numpy.where(found, self._names[at], -1)


def _as_words(rows: Any) -> Any:
    """Each row as 64-bit words, padded with zeros."""
    count, width = rows.shape
    padded = numpy.zeros((count, -(-width // _WORD) * _WORD), numpy.int8)
    padded[:, :width] = rows
    return padded.view(numpy.uint64)
