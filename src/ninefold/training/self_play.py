"""Learn a game by self-play alone, then prove what was learned.

A small network plays a few hundred games against itself, in step, and learns the value of each
action from every move. The solver does not help it learn, but only marks it. It learns until it
keeps every won position of the game against every reply, or until it has used up its steps.
"""

import sys
import time
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, NamedTuple

import numpy

from ninefold.agent_proof import Examiner, Mark, Proof, prove
from ninefold.core.game import Game
from ninefold.envs.gym.vector import NinefoldVectorEnv
from ninefold.training.network import Network


class TrainingSettings(NamedTuple):
    """What all trainings of a command have in common."""

    reading: str | None
    changes: tuple[str, ...]
    steps: int
    games: int
    width: int


class SelfPlay:
    """Many games of a network against itself, which learns from each move."""

    def __init__(self, book: str, settings: TrainingSettings, seed: int) -> None:
        games, width = settings.games, settings.width
        self.env = NinefoldVectorEnv(
            games,
            book,
            settings.reading,
            settings.changes,
            opponent="self",
            autoreset_mode="SameStep",
        )
        self.chance = numpy.random.default_rng(seed)
        shape, actions = self.env.encoding.shape, len(self.env.encoding.actions)
        self.network = Network([shape[0] * shape[1], width, width, actions], self.chance)
        self.views, info = self.env.reset(seed=seed)
        self.masks, self.seats = info["action_mask"], self.env.seats()
        # Some games are played nearly as well as it can, others at random.
        self.exploration = numpy.linspace(0.05, 1, games)
        self.finished = 0

    def step(self) -> None:
        """One move in every game."""
        explores = self.chance.random(len(self.exploration)) < self.exploration
        best = self.network.choose(self.views, self.masks)
        actions = numpy.where(explores, self.env.sample_actions(), best)
        views, rewards, terminated, truncated, info = self.env.step(actions)
        masks, seats = info["action_mask"], self.env.seats()
        # What is good for the next player is bad for this one, unless they are the same.
        next_value = self.network.values(views, masks).max(axis=1)
        next_value = numpy.where(seats == self.seats, next_value, -next_value)
        over = terminated | truncated
        targets = numpy.where(over, rewards, next_value).astype(numpy.float32)
        self.network.learn(self.views, actions, targets)
        self.views, self.masks, self.seats = views, masks, seats
        self.finished += int(over.sum())


class Point(NamedTuple):
    """A point of the learning curve."""

    step: int
    games: int
    seconds: float  # of one core, for learning only
    mark: Mark


def train(play: SelfPlay, examiner: Examiner, steps: int) -> Iterator[Point]:
    """Learn until every position is kept; the points of the learning curve, denser at first."""
    step, seconds = 0, 0.0
    while True:
        mark = examiner.mark(play.network.choose)
        yield Point(step, play.finished, seconds, mark)
        if mark.kept == mark.worth or step >= steps:
            return
        started = time.process_time()
        until = min(step + (25 if step < 500 else 100), steps)
        for _ in range(step, until):
            play.step()
        step = until
        seconds += time.process_time() - started


class Run(NamedTuple):
    """A training on one book from one seed: its learning curve, its proof, and the agent."""

    book: str
    seed: int
    seat: int  # the better one according to the solver; 1 if neither is
    curve: list[Point]
    proof: Proof
    game: Game
    weights: list[Any]

    @property
    def first(self) -> Point | None:
        """The point from which the better seat was safe until the end."""
        safe = takewhile(lambda point: point.mark.seats[self.seat - 1], reversed(self.curve))
        return min(safe, default=None)


def run(book: str, seed: int, settings: TrainingSettings) -> Run:
    """Train an agent for one book and prove what it has learned; raises NinefoldError."""
    play = SelfPlay(book, settings, seed)
    game = play.env.game
    curve = []
    for point in train(play, Examiner(game), settings.steps):
        curve.append(point)
        if point.step % 500 == 0:
            worth, kept, _ = point.mark
            said = f"{book}, seed {seed}: step {point.step:,}, {kept:,} of {worth:,} kept"
            print(said, file=sys.stderr, flush=True)
    agent = play.network.choose
    seat, proof = 1, prove(game, agent, 1)
    if proof.value < 0:
        seat, proof = 2, prove(game, agent, 2)
    return Run(book, seed, seat, curve, proof, game, play.network.slow)


def best(runs: list[Run]) -> Run:
    """The run whose agent keeps most, and learned it in the fewest games."""
    return max(runs, key=lambda one: (one.curve[-1].mark.kept, -one.curve[-1].games))
