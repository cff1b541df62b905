"""The one breadth-first walk: every node once, the nearest to the start first."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from functools import cached_property
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
        # Tuples of integers, unlike lists, are nothing for the garbage collector to look at.
        self.children: list[tuple[int, ...]] = []
        self._before, self._last_steps = [0], list[Step]()
        self._steps, self._key, self._most = steps, key, most
        self._indices: dict[Hashable, int] = {key(start): 0}

    def __iter__(self) -> Iterator[int]:
        for at, node in enumerate(self.nodes):  # they grow on the way
            yield at
            if len(self.children) == at:  # else an earlier loop, or another one, was here
                self.children.append(self._follow(at, node))

    def _follow(self, at: int, node: Node) -> tuple[int, ...]:
        nodes, indices, key, found = self.nodes, self._indices, self._key, list[int]()
        for step, child in self._steps(node):
            index = indices.setdefault(key(child), len(nodes))
            if index == len(nodes):
                if index == self._most:
                    raise TooLarge
                nodes.append(child)
                self._before.append(at)
                self._last_steps.append(step)
            found.append(index)
        return tuple(found)

    def path(self, at: int) -> tuple[Step, ...]:
        """The steps of a shortest way from the start to this node."""
        steps: list[Step] = []
        while at:
            steps.append(self._last_steps[at - 1])
            at = self._before[at]
        return tuple(reversed(steps))

    def index(self, node: Node) -> int | None:
        """Where a node was found, or None if it has not been reached."""
        return self._indices.get(self._key(node))

    @cached_property
    def parents(self) -> list[list[int]]:
        """The nodes from which a step leads to each node of a complete walk, once for each step."""
        found: list[list[int]] = [[] for _ in self.nodes]
        for at, children in enumerate(self.children):
            for child in children:
                found[child].append(at)
        return found


def legal_steps(position: Position) -> list[tuple[Move, Position]]:
    """Every legal move of a position and the position after it."""
    return position.children()


def position_key(position: Position) -> Hashable:
    """Equal for two positions with the same future and the same player to act."""
    game, _, (one, two), phase, outcome, _ = position
    if outcome is not None:  # then it does not matter whose turn would be next
        hands = (position.order_of(1), position.order_of(2)) if game.sees_order else ()
        return one, two, hands, outcome.winner, outcome.reason, _in_order(position)
    if game.sees_order or game.picks.sees:
        return (phase[0], *position.key)
    # A phase is everything else that these rules can see. One integer takes little memory.
    size = len(game.pool)
    return (game.turns.numbers[phase] << size | one) << size | two


def _in_order(position: Position) -> tuple[bool, ...]:
    """Which patterns a hand that decided a game fits, where the order of picks counts."""
    holder, rules = position.set_holder, position.game.rules
    if holder is None or not rules.in_order:
        return ()
    return tuple(pattern.in_order(position.hands[holder - 1]) for pattern in rules.wins)


def end_key(position: Position) -> Hashable:
    """The same, but two declarations that end the game in one position are two ends."""
    return position_key(position), position.outcome
