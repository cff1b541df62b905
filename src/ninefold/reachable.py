"""Every reachable position of a game, as a graph with exact scores."""

from collections.abc import Callable, Hashable
from functools import cached_property
from typing import NamedTuple, TypeAlias

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Move
from ninefold.core.position import Position
from ninefold.layout import layout_for
from ninefold.solver import breadth_first, solver_for
from ninefold.solver.scores import BEST, plies_of, sign_of

# Larger games nearly always have too many positions, and it would take long to find out.
MOST_NUMBERS = 16


class TooLarge(NinefoldError):
    """The game has too many positions to list them all."""

    def __init__(self, reason: str) -> None:
        super().__init__("too-large", reason, "Use fewer numbers, for example pool=1-9.")


class Reached(NamedTuple):
    """A position and the player to act in it; once the game is over, who made the last move."""

    position: Position
    player: int

    @property
    def result(self) -> int:
        """1, 0 or -1: whether the player has won, drawn or lost a game that is over."""
        assert self.position.outcome is not None
        return self.position.outcome.result_for(self.player)


Key: TypeAlias = Callable[[Reached], Hashable]
Report: TypeAlias = Callable[[str], None]


def after(position: Position, move: Move) -> Reached:
    """The position that a move leads to."""
    child = position.play(move)
    return Reached(child, child.turn if child.outcome is None else position.turn)


def lost_turn(position: Position) -> Move:
    """The move that replaces an illegal action which loses the turn."""
    return PASS if position.asking else LOST


class Reachable:
    """The positions that the actions of a game reach from the start, nearest first.

    Two positions with the same ``key`` are one node; ``path(at)`` is a shortest game to it. With
    ``may_lose_turn``, the last child of each follows a lost turn. Raises TooLarge.
    """

    def __init__(
        self,
        game: Game,
        key: Key,
        most: int,
        may_lose_turn: bool = False,
        report: Report = lambda _: None,
    ) -> None:
        if len(game.pool) > MOST_NUMBERS:
            raise TooLarge(f"{len(game.pool)} numbers are too many to list all positions.")
        self.game, self._may_lose_turn = game, may_lose_turn
        self._layout = layout_for(game)
        # Small numbers as bytes: a list per node would keep the garbage collector busy.
        self.actions: list[bytes] = []  # the legal ones of each node
        self.switches: list[bytes] = []  # whether the other player acts in each of its children
        start = Reached(game.start(), 1)
        walk = breadth_first.BreadthFirst(start, self._steps, key, most)
        self.nodes, self.children, self.path = walk.nodes, walk.children, walk.path
        try:
            for at in walk:
                if not at % 1000:
                    report(f"positions found so far: {len(self.nodes):,}")
        except breadth_first.TooLarge:
            raise TooLarge(f"This game has more than {most:,} positions.") from None
        # How long each draw takes, as far as it is known.
        self._draws: dict[int, int | None] = {
            at: 0 for at, actions in enumerate(self.actions) if not actions
        }

    def _steps(self, node: Reached) -> list[tuple[Move, Reached]]:
        position, turn = node.position, node.position.turn
        legal = self._layout.moves(position)
        moves = [*legal.values()]
        if self._may_lose_turn and position.outcome is None:
            moves.append(lost_turn(position))
        steps = [(move, after(position, move)) for move in moves]
        self.actions.append(bytes(legal))
        self.switches.append(bytes([child.player != turn for _, child in steps]))
        return steps

    @cached_property
    def scores(self) -> list[int]:
        """The exact score of each node for its player; ``BEST`` for a game that is won."""
        score = solver_for(self.game).score
        return [
            BEST * node.result if node.position.outcome is not None else score(node.position)
            for node in self.nodes
        ]

    def move_scores(self, at: int) -> list[int]:
        """The exact score of each legal action of a node, for the player who takes it."""
        steps = zip(self.actions[at], self.children[at], self.switches[at], strict=False)
        scores = []
        for _, child, switches in steps:
            score = self.scores[child]
            score -= sign_of(score)  # one move more
            scores.append(-score if switches else score)
        return scores

    def distance(self, at: int) -> int | None:
        """The moves to the end if both keep the result; None for a draw that need never end."""
        if self.scores[at]:
            return plies_of(self.scores[at])
        known, path = self._draws, list[int]()
        while at not in known:
            path.append(at)
            known[at] = None  # coming back here means that it need never end
            pairs = zip(self.children[at], self.move_scores(at), strict=False)
            at = next(child for child, score in pairs if not score)  # the first that keeps it
        length = known[at]
        for node in reversed(path):
            length = known[node] = None if length is None else length + 1
        return length
