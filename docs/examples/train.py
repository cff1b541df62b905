"""Learn a game by self-play alone, then prove what was learned.

A small network plays a few hundred games against itself, in step, and learns the value of each
action from every move. The solver does not help it learn, but only marks it. It learns until it
keeps every won position of the game against every reply, or until it has used up its steps.

    python docs/examples/train.py sequence-duel-sum
    python docs/examples/train.py --curve curve.svg     # every rule book, and an image
"""

import argparse
import json
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from itertools import pairwise, takewhile
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

# One thread per process: the layers are too small to share, and sums are always the same.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move
from ninefold.require import MissingExtra, require_package

try:
    require_package("gymnasium", "train")
except MissingExtra as missing:
    sys.exit(missing.message)

import numpy as np

from ninefold import books
from ninefold.agent_proof import Examiner, Mark, Proof, prove
from ninefold.envs.gym.vector import NinefoldVectorEnv

ILLEGAL = -9.0  # below the value of any action


class Network:
    """The value of each action for the player to act, from -1 to 1: two hidden layers, and Adam."""

    def __init__(self, sizes: list[int], chance: np.random.Generator) -> None:
        self.weights: list[np.ndarray] = []
        for before, after in pairwise(sizes):
            spread = np.sqrt(2 / before)
            self.weights.append(chance.normal(0, spread, (before, after)).astype(np.float32))
            self.weights.append(np.zeros(after, np.float32))
        self.weights[-2] *= 0.1  # at first, all values are about 0
        # The slow copy is the agent, and supplies the value of the next position.
        self.slow = [weight.copy() for weight in self.weights]
        self._means = [np.zeros_like(weight) for weight in self.weights]
        self._squares = [np.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def values(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The value of each action according to the slow copy; the lowest for illegal ones."""
        return np.where(masks, layers_of(self.slow, views)[-1], ILLEGAL)

    def choose(self, views: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The agent: the legal action with the highest value."""
        return self.values(views, masks).argmax(axis=1)

    def learn(self, views: np.ndarray, actions: np.ndarray, targets: np.ndarray) -> None:
        """Move the values of these actions one step towards the targets."""
        layers = layers_of(self.weights, views)
        rows = np.arange(len(views))
        known = layers[-1][rows, actions]
        error = np.zeros_like(layers[-1])
        # A little more than the slope of tanh, so that extreme values can still change.
        error[rows, actions] = (known - targets) * (1.05 - known**2) * 2 / len(views)
        slopes: list[np.ndarray] = []
        for at in reversed(range(len(layers) - 1)):
            slopes = [layers[at].T @ error, error.sum(axis=0), *slopes]
            error = (error @ self.weights[2 * at].T) * (layers[at] > 0)
        self._follow(slopes)

    def _follow(self, slopes: list[np.ndarray], rate: float = 1e-3) -> None:
        self._steps += 1
        early = 1 - 0.9**self._steps, 1 - 0.99**self._steps
        for at, slope in enumerate(slopes):
            self._means[at] += 0.1 * (slope - self._means[at])
            self._squares[at] += 0.01 * (slope**2 - self._squares[at])
            size = np.sqrt(self._squares[at] / early[1]) + 1e-6
            self.weights[at] -= rate * (self._means[at] / early[0]) / size
            self.slow[at] += 0.01 * (self.weights[at] - self.slow[at])


def layers_of(weights: list[np.ndarray], views: np.ndarray) -> list[np.ndarray]:
    """The input and the output of each layer."""
    layers = [views.reshape(len(views), -1).astype(np.float32)]
    for at in range(0, len(weights), 2):
        summed = layers[-1] @ weights[at] + weights[at + 1]
        is_last = at == len(weights) - 2
        layers.append(np.tanh(summed) if is_last else np.maximum(summed, 0))
    return layers


class SelfPlay:
    """Many games of a network against itself, which learns from each move."""

    def __init__(self, book: str, options: argparse.Namespace) -> None:
        games, width, seed = options.games, options.width, options.seed
        self.env = NinefoldVectorEnv(
            games,
            book,
            options.reading,
            options.changes,
            opponent="self",
            autoreset_mode="SameStep",
        )
        self.chance = np.random.default_rng(seed)
        shape, actions = self.env.encoding.shape, len(self.env.encoding.actions)
        self.network = Network([shape[0] * shape[1], width, width, actions], self.chance)
        self.views, info = self.env.reset(seed=seed)
        self.masks, self.seats = info["action_mask"], self.env.seats()
        # Some games are played nearly as well as it can, others at random.
        self.exploration = np.linspace(0.05, 1, games)
        self.finished = 0

    def step(self) -> None:
        """One move in every game."""
        explores = self.chance.random(len(self.exploration)) < self.exploration
        best = self.network.choose(self.views, self.masks)
        actions = np.where(explores, self.env.sample_actions(), best)
        views, rewards, terminated, truncated, info = self.env.step(actions)
        masks, seats = info["action_mask"], self.env.seats()
        # What is good for the next player is bad for this one, unless they are the same.
        next_value = self.network.values(views, masks).max(axis=1)
        next_value = np.where(seats == self.seats, next_value, -next_value)
        over = terminated | truncated
        targets = np.where(over, rewards, next_value).astype(np.float32)
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


class Result(NamedTuple):
    """The result of training on one book."""

    book: str
    seat: int  # the better one according to the solver; 1 if neither is
    curve: list[Point]
    proof: Proof

    @property
    def first(self) -> Point | None:
        """The point from which the better seat was safe until the end."""
        safe = takewhile(lambda point: point.mark.seats[self.seat - 1], reversed(self.curve))
        return min(safe, default=None)


def run(book: str, options: argparse.Namespace) -> Result:
    """Train an agent for one book and prove what it has learned."""
    play = SelfPlay(book, options)
    game = play.env.game
    examiner = Examiner(game)
    curve = []
    for point in train(play, examiner, options.steps):
        curve.append(point)
        if point.step % 500 == 0:
            worth, kept, _ = point.mark
            print(f"{book}: step {point.step:,}, {kept:,} of {worth:,} kept", file=sys.stderr)
    agent = play.network.choose
    first = prove(game, agent, 1)
    if first.value < 0:
        return Result(book, 2, curve, prove(game, agent, 2))
    return Result(book, 1, curve, first)


def table_row(result: Result) -> list[str]:
    """The row of a book in the table."""
    last, first, proof = result.curve[-1], result.first, result.proof
    value = {1: "won", 0: "drawn", -1: "lost"}
    return [
        f"`{result.book}`",
        f"{result.seat}, {value[proof.value]}",
        f"{first.games:,} games, {first.seconds:.0f} s" if first else "never",
        f"{value[proof.worst]} ({proof.decisions:,} decisions, {proof.ends:,} ends)",
        f"{last.mark.kept:,} of {last.mark.worth:,}",
        f"{last.games:,} games, {last.seconds:.0f} s",
    ]


TITLES = ["book", "better seat", "safe after", "its worst end", "positions kept", "after"]


def as_data(result: Result) -> dict[str, Any]:
    """The result for programs."""
    slip = " ".join(map(format_move, result.proof.slip))
    proof = {**result.proof._asdict(), "slip": slip, "holds": result.proof.holds}
    points = [{**point._asdict(), "mark": point.mark._asdict()} for point in result.curve]
    first = result.first.games if result.first else None
    return {
        "book": result.book,
        "seat": result.seat,
        "safe_after": first,
        "proof": proof,
        "curve": points,
    }


def count(text: str, least: int = 0) -> int:
    """A whole number that is not too small; raises ValueError."""
    if int(text) < least:
        raise ValueError
    return int(text)


def positive(text: str) -> int:
    """A whole number from 1; raises ValueError."""
    return count(text, 1)


def options_from(arguments: list[str]) -> argparse.Namespace:
    """The options of the command line."""
    parser = argparse.ArgumentParser(
        description="Train a small agent by self-play and prove what it has learned.",
        epilog="example: python docs/examples/train.py sequence-duel-sum --curve curve.svg",
    )
    parser.add_argument("books", nargs="*", metavar="GAME", help="default: every rule book")
    parser.add_argument("--reading", help="of the rule book (default: its own)")
    parser.add_argument("--set", action="append", default=[], dest="changes", metavar="KEY=VALUE")
    parser.add_argument("--seed", type=count, default=1)
    parser.add_argument("--steps", type=count, default=12_000, help="at most (default: 12000)")
    parser.add_argument("--games", type=positive, default=512, help="in step (default: 512)")
    parser.add_argument("--width", type=positive, default=256, help="of the layers (default: 256)")
    parser.add_argument("--jobs", type=positive, default=2, help="books at a time (default: 2)")
    parser.add_argument("--curve", type=Path, metavar="FILE", help="write an image (SVG)")
    parser.add_argument("--json", action="store_true")
    return parser.parse_args(arguments)


def main(arguments: list[str]) -> int:
    """Exit code 0 if every agent keeps the value of the better seat, 1 if one does not."""
    options = options_from(arguments)
    names = options.books or books.names()
    try:
        if min(len(names), options.jobs) > 1:
            with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
                results = list(pool.map(run, names, [options] * len(names)))
        else:
            results = [run(book, options) for book in names]
    except NinefoldError as refused:
        print(refused.message, file=sys.stderr)
        return 2
    if options.json:
        print(json.dumps([as_data(result) for result in results]))
    else:
        rows = [TITLES, ["---"] * len(TITLES), *map(table_row, results)]
        print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    if options.curve:
        from learning_curve import draw

        options.curve.write_text(draw([as_data(result) for result in results]), "utf-8")
    return 0 if all(result.proof.holds for result in results) else 1


if __name__ == "__main__":
    try:
        sys.exit(main(sys.argv[1:]))
    except KeyboardInterrupt:
        sys.exit(130)
