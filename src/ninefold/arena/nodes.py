"""Positions with what a tournament asks about them, worked out once: a game is a walk over these.

The judge says where a move leads, and the solver what it is worth. Both are asked once for each
position, and the answers are kept, up to a bound.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move, format_move
from ninefold.core.position import Position
from ninefold.core.state import State, States
from ninefold.players import Player
from ninefold.solver import FEW_FREE, QUICK_NUMBERS, OutOfBudget, is_small, solver_for
from ninefold.solver.scores import plies_of, sign_of

if TYPE_CHECKING:
    from ninefold.encoding import Encoding

# A late position of a large game is given up after so many positions; time would not be repeatable.
MOST_SEARCHED = 200_000
MOST_TABLES = 16


class Values(NamedTuple):
    """What a player can choose from: the value of the best and the worst move, and how many.

    A value is 1 for a win, 0 for a draw, -1 for a loss, for the player to act; None if unknown.
    """

    before: int | None
    depth: int | None  # moves to the end under best play; None for a draw
    worst: int | None
    good: int | None  # how many moves keep the value
    legal: int


class Edge(NamedTuple):
    """A move of a node with everything a row says about it, as text for JSON."""

    to: "Node"
    move: Move
    text: str
    before: str
    after: str
    depth: str
    worst: str
    good: str
    legal: str
    lost: int  # how many half points the move throws away; 0 if unknown
    seat: int


class Node(State):
    """A position, its moves as edges, and the edges each built-in player chooses from."""

    __slots__ = ("_edges", "choices", "place")

    def __init__(self, position: Position, states: "States[Any]") -> None:
        super().__init__(position, states)
        self._edges: dict[Move, Edge] | None = None
        self.choices: dict[str, tuple[Edge, ...]] = {}  # by the name of the player
        self.place = -1  # its row among the observations, once it has one

    @property
    def edges(self) -> dict[Move, Edge]:
        """Every legal move, in the order of the judge."""
        if self._edges is None:
            self._edges = _edges_of(self)
        return self._edges

    def choices_of(self, name: str, player: Player) -> tuple[Edge, ...]:
        """What the built-in player of this name chooses from."""
        found = self.choices.get(name)
        if found is None:
            found = tuple(map(self.edges.__getitem__, player.candidates(self.position)))
            self.choices[name] = found
        return found


def _edges_of(node: Node) -> dict[Move, Edge]:
    """The edges of a node, with values from the solver."""
    scores = move_scores(node.position)
    values = values_of(node.legal, scores)
    depth, worst, good, legal = map(_json, values[1:])
    before, edges = values.before, dict[Move, Edge]()
    for move in node.legal:
        after = None if scores is None else sign_of(scores[move])
        lost = 0 if before is None or after is None else before - after
        told = format_move(move), _json(before), _json(after), depth, worst, good, legal
        edges[move] = Edge(node.play(move), move, *told, lost, node.turn)
    return edges


def _json(value: int | None) -> str:
    return "null" if value is None else str(value)


def values_of(legal: Sequence[Move], scores: Mapping[Move, int] | None) -> Values:
    """What is at stake; giving the turn away does not count as a choice."""
    chosen = [move for move in legal if move is not LOST] or legal
    if scores is None:
        return Values(None, None, None, None, len(chosen))
    best, signs = max(scores.values()), [sign_of(scores[move]) for move in chosen]
    held = sign_of(best)
    return Values(held, plies_of(best) if best else None, min(signs), signs.count(held), len(signs))


def move_scores(position: Position) -> Mapping[Move, int] | None:
    """The solver's score of each legal move; None if the game is too large to know it here."""
    game = position.game
    if is_small(game):
        return solver_for(game).move_scores(position)
    few = len(position.available) <= FEW_FREE and not game.rules.sees_order
    if not (few and all(position.masks) and len(game.pool) > QUICK_NUMBERS):
        return None  # whether it is found could depend on what was searched before
    solver = solver_for(game)
    try:
        with solver.limited(lambda seen: seen > MOST_SEARCHED):
            return solver.move_scores(position)
    except OutOfBudget:
        return None


class Nodes:
    """The nodes of one game, and their observations as rows of arrays, for batched agents."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.states = States(game, Node)
        self.actions: dict[Node, dict[int, Edge]] = {}  # the edge of each legal action
        self._encoding: Encoding | None = None
        self._views: Any = None
        self._masks: Any = None
        self._count = 0

    def start(self, first: int = 1) -> Node:
        """The node before the first move."""
        return self.states.start(first)

    @property
    def encoding(self) -> "Encoding":
        """The encoding of the game; raises MissingExtra."""
        if self._encoding is None:
            from ninefold.encoding import encoding_for

            self._encoding = encoding_for(self.game)
        return self._encoding

    def observe(self, nodes: Sequence[Node]) -> tuple[Any, Any]:
        """What the player to act in each of these nodes sees, and which actions are legal."""
        for node in nodes:
            if node.place < 0:
                self._add(node)
        places = [node.place for node in nodes]
        views, masks = self._views[places], self._masks[places]
        for node in nodes:
            if not node.kept:
                node.place = -1
        self._count = min(self._count, self.states.most)  # the rest are not kept
        return views, masks

    def _add(self, node: Node) -> None:
        """Give a node the next row; the arrays double when they are full."""
        import numpy

        encoding, at = self.encoding, self._count
        if self._views is None:
            self._views = numpy.zeros((1024, *encoding.shape), numpy.int8)
            self._masks = numpy.zeros((1024, len(encoding.actions)), numpy.int8)
        elif at == len(self._views):
            self._views = numpy.concatenate([self._views, numpy.zeros_like(self._views)])
            self._masks = numpy.concatenate([self._masks, numpy.zeros_like(self._masks)])
        self._views[at] = encoding.observe(node.position)
        self._masks[at] = encoding.mask(node.position)
        node.place, self._count = at, at + 1


@lru_cache(maxsize=MOST_TABLES)
def nodes_for(game: Game) -> Nodes:
    """The nodes of a game, shared by all its pairings in this process."""
    return Nodes(game)
