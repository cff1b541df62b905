"""The oracle: value, distance and the optimal actions of a batch of observations, by looking up.

>>> import ninefold
>>> from ninefold.envs.encoding import encoding_for
>>> from ninefold.envs.oracle import oracle_for
>>> game = ninefold.load("magic-fifteen")
>>> answers = oracle_for(game).ask(encoding_for(game).observe(game.play("5 2 1")))
>>> int(answers.values), int(answers.distances), answers.optimal.tolist()
(0, 6, [0, 0, 0, 0, 0, 0, 0, 0, 1])
"""

from ninefold.envs.extras import require

require("numpy", "gym")

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.envs.batch.outcomes import TERMINATED
from ninefold.envs.encoding import Array
from ninefold.envs.seats import WrongSetting
from ninefold.envs.tables.lookup import Lookup
from ninefold.envs.tables.machine import OPEN, Machine, TooLarge, machine_for
from ninefold.envs.tables.retrograde import ENDLESS, solution_of

if TYPE_CHECKING:
    from ninefold.envs.gym.vector import NinefoldVectorEnv

__all__ = ["ENDLESS", "Answers", "Oracle", "UnknownObservation", "oracle_for", "oracle_of"]

# So many numbers have more positions than a table holds, unless they are won very soon; the judge
# would play hundreds of thousands of positions before it was told.
MOST_NUMBERS = 16


class UnknownObservation(NinefoldError, ValueError):
    """What was observed is no unfinished position of the game, seen by the player to act."""


class Answers(NamedTuple):
    """What is exactly known of each observation, or of each game of an environment.

    ``values`` are 1, 0 or -1 for whoever observes; ``distances`` are the plies to the end,
    ``ENDLESS`` for a draw that need never end. ``optimal`` are the actions that win soonest, hold
    the draw or lose latest; ``keeping`` those that keep the value, however long it takes. Where
    ``known`` is false nothing is known, and all the rest is 0.
    """

    values: Array
    distances: Any
    optimal: Array
    keeping: Array
    known: Any


def _oracle(machine: Machine) -> "Oracle":
    return machine.keep("oracle", Oracle)


def oracle_for(game: Game, may_lose_turn: bool = False) -> "Oracle":
    """The one oracle of a game; raises TooLarge for a game that no table holds.

    With ``may_lose_turn`` it also knows the positions that only illegal actions lead to, where
    they lose the turn.
    """
    if len(game.pool) > MOST_NUMBERS:
        raise _too_large(f"{len(game.pool)} numbers are too many for a table of all positions.")
    try:
        machine = machine_for(game, may_lose_turn)
    except TooLarge as error:
        raise _too_large(error.reason) from None
    return _oracle(machine)


def _too_large(reason: str) -> TooLarge:
    advice = "Take fewer numbers, for instance changes=['pool=1-9'], or ask ninefold.solver."
    return TooLarge("too-large", reason, advice)


def oracle_of(env: "NinefoldVectorEnv") -> "Oracle":
    """The oracle that knows every position of a vector environment; raises TooLarge."""
    bare: Any = env.unwrapped
    machine = getattr(bare.batch, "machine", None)
    return _oracle(machine) if machine else oracle_for(bare.game, bare.illegal == "lose-turn")


class Oracle:
    """What every state of a machine is worth, found once and then looked up."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.encoding = machine.encoding
        self._solution = solution_of(machine)
        open_states = numpy.flatnonzero(machine.ends == OPEN).astype(numpy.int32)
        self._lookup = Lookup(machine.own_views.reshape(len(machine), -1)[open_states], open_states)

    def ask(self, observations: Any, strict: bool = True) -> Answers:
        """The answers for observations of players to act, one or a batch of any shape.

        An observation that is none raises UnknownObservation, or is not known if not ``strict``.
        """
        given = numpy.asarray(observations)
        if given.shape[-2:] != self.encoding.shape:
            told = f"An observation of this game has the shape {self.encoding.shape}"
            raise WrongSetting("shape", f"{told}, not {given.shape}.")
        batch = given.shape[:-2]
        states = self._lookup.find(given.reshape(-1, given.shape[-2] * given.shape[-1]))
        if strict and (states < 0).any():
            raise _unknown(int((states < 0).argmax()))
        return _shaped(self.states(numpy.maximum(states, 0), states >= 0), batch)

    def states(self, states: Any, known: Any = None) -> Answers:
        """The answers for states of the machine; a finished one is told for who moved last."""
        known = numpy.ones(len(states), bool) if known is None else known
        values, distances, optimal, keeping = (table[states] for table in self._solution)
        if not known.all():
            for told in (values, distances, optimal, keeping):
                told[~known] = 0
        return Answers(values, distances, optimal, keeping, known)

    def games(self, env: "NinefoldVectorEnv") -> Answers:
        """The answers for the games of a vector environment as they stand, for their agents.

        A game that is over has its result as the value, the distance 0 and no actions; one that was
        cut off is told as the position it stopped at, with actions if the agent is to act there.
        """
        bare: Any = env.unwrapped
        batch = bare.batch
        if bare.game.fingerprint != self.machine.game.fingerprint:
            raise WrongSetting("oracle", "This oracle knows another game.", "Use oracle_of(env).")
        answers = self._stand(batch)
        over = batch.ends == TERMINATED
        if over.any():
            # An illegal action may have ended it: the reward tells, the position does not.
            answers.values[over] = numpy.sign(batch.rewards[over])
            for told in answers[1:4]:
                told[over] = 0
        return answers

    def _stand(self, batch: Any) -> Answers:
        """What the judge's positions are worth to the agents, whoever is to act."""
        if getattr(batch, "machine", None) is not self.machine:
            views = numpy.empty((batch.count, *self.encoding.shape), numpy.int8)
            batch.show(views, numpy.empty((batch.count, len(self.encoding.actions)), numpy.int8))
            return self.ask(views, strict=False)
        answers = self.states(batch.state)
        answers.values[~batch.seen] *= -1
        for told in (answers.optimal, answers.keeping):
            told[~batch.seen] = 0
        return answers


def _unknown(at: int) -> UnknownObservation:
    return UnknownObservation(
        "unknown-observation",
        f"Observation {at} is no unfinished position of this game, seen by the player to act.",
        "Leave out games that are over, or ask with strict=False.",
    )


def _shaped(answers: Answers, batch: tuple[int, ...]) -> Answers:
    """The same answers in the shape of the batch that was asked about."""
    return Answers(*(told.reshape((*batch, *told.shape[1:])) for told in answers))
