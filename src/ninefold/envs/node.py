"""The states of a game as the adapters tell them: in actions, observations and masks."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.state import State, States
from ninefold.envs.encoding import Array, Encoding, encoding_for


@lru_cache(maxsize=8)  # of up to 65,536 nodes each
def nodes_for(game: Game) -> "States[Node]":
    """The nodes of a game, which its environments share."""
    return States(game, Node)


class Node(State):
    """A state with what the adapters tell of it, made when it is first asked for.

    ``act`` returns the move an action stands for and the node after it, and raises Illegal;
    ``views`` are the observations of players 1 and 2, ``mask`` that of the player to act, all of
    them only to be read; ``rewards`` those of players 1 and 2.
    """

    __slots__ = ("act", "mask", "rewards", "views")
    act: Callable[[int], tuple[Move, "Node"]]
    mask: Array
    rewards: tuple[float, float]
    views: tuple[Array, Array]

    def __init__(self, position: Position, states: States[Any]) -> None:
        super().__init__(position, states)
        encoding = encoding_for(position.game)
        self.act = _Acts(position, self.play, encoding).__getitem__
        self.rewards = (encoding.reward(position, 1), encoding.reward(position, 2))

    def __getattr__(self, name: str) -> Any:
        """What is left out at first, because it is not always asked for."""
        position = self.position
        if name == "views":
            observe = encoding_for(position.game).observe
            self.views = _kept(observe(position, 1)), _kept(observe(position, 2))
        elif name == "mask":
            self.mask = _kept(encoding_for(position.game).mask(position))
        else:
            return super().__getattr__(name)
        return getattr(self, name)

    def __reduce__(self) -> tuple[Any, ...]:
        return _read_back, (self.position,)


def _read_back(position: Position) -> Node:
    """The node of a position that was read from somewhere."""
    return nodes_for(position.game).of(position)


class _Acts(dict[int, tuple[Move, Node]]):
    """The move and the node after each action that was taken from a position."""

    __slots__ = ("encoding", "play", "position")

    def __init__(self, position: Position, play: Callable[[Move], Node], encoding: Encoding):
        super().__init__()
        self.position, self.play, self.encoding = position, play, encoding

    def __missing__(self, action: int) -> tuple[Move, Node]:
        """Ask the judge, and keep the answer; raises Illegal."""
        move = self.encoding.move(self.position, action)
        after = self.play(move)
        if after.kept:
            self[action] = move, after
        return move, after


def _kept(array: Array) -> Array:
    """An array that everybody shares, so that nobody may write on it."""
    array.flags.writeable = False
    return array


class Course:
    """A game in progress, for an adapter to inherit: the node it has come to, and its moves."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.encoding = encoding_for(game)
        self._first = nodes_for(game).start()
        self._begin_course()

    def _begin_course(self) -> None:
        self._node = self._first
        self.moves: list[Move] = []
        self._behind: tuple[Position, int] = self._first.position, 0

    def _take(self, action: int) -> None:
        """Play an action of the player to act; raises Illegal."""
        move, self._node = self._node.act(action)
        self.moves.append(move)

    def _play(self, move: Move) -> None:
        """Play a move of the player to act; raises Illegal."""
        self._node = self._node.play(move)
        self.moves.append(move)

    @property
    def position(self) -> Position:
        """The position after the moves so far, its hands in the order they were picked in."""
        position, played = self._behind
        for move in self.moves[played:]:
            position = position.play(move)
        self._behind = position, len(self.moves)
        return position
