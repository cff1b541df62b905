"""The one breadth-first walk: every node once, the nearest to the start first."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, TypeVar

from ninefold.core.moves import Move
from ninefold.core.position import Position

Node = TypeVar("Node")
Step = TypeVar("Step")


class TooLarge(Exception):
    """There are more nodes than the walk may visit."""


class BreadthFirst(Generic[Node, Step]):
    """A walk from one node along all steps; iterate over it to go on, and stop whenever you like.

    ``steps`` lists where each step leads from a node. Two nodes with the same ``key`` are one.
    Iterating yields the index of each node in ``nodes`` before its steps are followed;
    ``children`` holds the indices that the steps of a node led to. Raises TooLarge past ``most``.
    """

    def __init__(
        self,
        start: Node,
        steps: Callable[[Node], Iterable[tuple[Step, Node]]],
        key: Callable[[Node], Hashable],
        most: int | None = None,
    ) -> None:
        self.nodes: list[Node] = [start]
        self.children: list[list[int]] = []
        self._came: list[tuple[int, Step] | None] = [None]
        self._steps, self._key, self._most = steps, key, most
        self._indices: dict[Hashable, int] = {key(start): 0}

    def __iter__(self) -> Iterator[int]:
        for at, node in enumerate(self.nodes):  # they grow on the way
            yield at
            if len(self.children) == at:  # else an earlier loop, or another one, was here
                self.children.append(
                    [self._find(child, at, step) for step, child in self._steps(node)]
                )

    def path(self, at: int) -> tuple[Step, ...]:
        """The steps of a shortest way from the start to this node."""
        steps: list[Step] = []
        came = self._came[at]
        while came is not None:
            at, step = came
            steps.append(step)
            came = self._came[at]
        return tuple(reversed(steps))

    def index(self, node: Node) -> int | None:
        """Where a node was found, or None if it has not been reached."""
        return self._indices.get(self._key(node))

    def _find(self, node: Node, before: int, step: Step) -> int:
        key = self._key(node)
        at = self._indices.get(key)
        if at is None:
            at = self._indices[key] = len(self.nodes)
            if self._most is not None and at >= self._most:
                raise TooLarge
            self.nodes.append(node)
            self._came.append((before, step))
        return at


def legal_steps(position: Position) -> Iterator[tuple[Move, Position]]:
    """Every legal move of a position and the position after it."""
    for move in position.legal:
        yield move, position.play(move)


def position_key(position: Position) -> Hashable:
    """Equal for two positions with the same future and the same player to act."""
    return (position.turn, *position.key)


def end_key(position: Position) -> Hashable:
    """The same, but two declarations that end the game in one position are two ends."""
    return position_key(position), position.outcome
