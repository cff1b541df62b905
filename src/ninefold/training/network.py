"""A small network in NumPy that learns the value of each action."""

from itertools import pairwise
from typing import Any

import numpy

from ninefold.players.saved import layers_of, values_of


class Network:
    """The value of each action for the player to act, from -1 to 1: two hidden layers, and Adam."""

    def __init__(self, sizes: list[int], chance: numpy.random.Generator) -> None:
        self.weights: list[Any] = []
        for before, after in pairwise(sizes):
            spread = numpy.sqrt(2 / before)
            self.weights.append(chance.normal(0, spread, (before, after)).astype(numpy.float32))
            self.weights.append(numpy.zeros(after, numpy.float32))
        self.weights[-2] *= 0.1  # at first, all values are about 0
        # The slow copy is the agent, and supplies the value of the next position.
        self.slow = [weight.copy() for weight in self.weights]
        self._means = [numpy.zeros_like(weight) for weight in self.weights]
        self._squares = [numpy.zeros_like(weight) for weight in self.weights]
        self._steps = 0

    def values(self, views: Any, masks: Any) -> Any:
        """The value of each action according to the slow copy; the lowest for illegal ones."""
        return values_of(self.slow, views, masks)

    def choose(self, views: Any, masks: Any) -> Any:
        """The agent: the legal action with the highest value."""
        return self.values(views, masks).argmax(axis=1)

    def learn(self, views: Any, actions: Any, targets: Any) -> None:
        """Move the values of these actions one step towards the targets."""
        layers = layers_of(self.weights, views)
        rows = numpy.arange(len(views))
        known = layers[-1][rows, actions]
        error = numpy.zeros_like(layers[-1])
        # A little more than the slope of tanh, so that extreme values can still change.
        error[rows, actions] = (known - targets) * (1.05 - known**2) * 2 / len(views)
        slopes: list[Any] = []
        for at in reversed(range(len(layers) - 1)):
            slopes = [layers[at].T @ error, error.sum(axis=0), *slopes]
            error = (error @ self.weights[2 * at].T) * (layers[at] > 0)
        self._follow(slopes)

    def _follow(self, slopes: list[Any], rate: float = 1e-3) -> None:
        self._steps += 1
        early = 1 - 0.9**self._steps, 1 - 0.99**self._steps
        for at, slope in enumerate(slopes):
            self._means[at] += 0.1 * (slope - self._means[at])
            self._squares[at] += 0.01 * (slope**2 - self._squares[at])
            size = numpy.sqrt(self._squares[at] / early[1]) + 1e-6
            self.weights[at] -= rate * (self._means[at] / early[0]) / size
            self.slow[at] += 0.01 * (self.weights[at] - self.slow[at])
