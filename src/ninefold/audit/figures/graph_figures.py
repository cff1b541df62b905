"""The figures of any game that is small enough to visit every position."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from ninefold.audit.figures import Decider, Deciding, Figures, Moves, Tell, deciding_of, results_of
from ninefold.audit.figures.chances import blunders_of, chances_of
from ninefold.audit.figures.perfect_play import Board
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.players import RandomPlayer
from ninefold.solver.breadth_first import BreadthFirst
from ninefold.solver.graph import MAX_NODES, Graph
from ninefold.solver.scores import Budget


class GraphBoard(Board):
    """The positions of a graph, by their index."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(0, graph.budget)
        self.graph = graph
        self._random = list(map(self._find_random, range(len(graph.positions))))

    def _find_random(self, at: int) -> list[int]:
        position, moves = self.graph.positions[at], self.graph.moves[at]
        chosen = RandomPlayer().candidates(position) if moves else []
        return [self.graph.children[at][moves.index(move)] for move in chosen]

    def turn(self, at: int) -> int:
        """Who is to act in an unfinished position."""
        return self.graph.positions[at].turn

    def winner(self, at: int) -> int | None:
        """Who has won: 0 in a draw, None if the game is not over."""
        outcome = self.graph.positions[at].outcome
        return None if outcome is None else outcome.winner or 0

    def moves(self, at: int) -> list[tuple[int, int]]:
        """The position after each move, and its score for the player who makes the move."""
        return list(zip(self.graph.children[at], self.graph.move_scores[at], strict=True))

    def random(self, at: int) -> list[int]:
        """The positions after the moves that the random player chooses from."""
        return self._random[at]

    def forced(self, at: int) -> int:
        """Who can force a win from here on, or has won; 0 if nobody can."""
        winner, score = self.winner(at), self.graph.scores[at]
        if winner is None and score:
            return self.turn(at) if score > 0 else 3 - self.turn(at)
        return winner or 0

    def stake(self, at: int) -> tuple[float, float]:
        """Whether there is a win or a draw here, and how likely a random move throws it away."""
        after, forced = self.random(at), self.forced(at)
        if not after or forced == 3 - self.turn(at):
            return 0, 0
        return 1, sum(self.forced(to) != forced for to in after) / len(after)

    def flawless_games(self) -> dict[int, Moves]:
        """The positions reached without a mistake, each with a shortest game that leads to it."""

        def kept(at: int) -> Iterator[tuple[Move, int]]:
            for move, to in zip(self.graph.moves[at], self.graph.children[at], strict=True):
                if self.forced(to) == self.forced(at):
                    yield move, to

        walk = BreadthFirst(0, kept, lambda at: at)
        return {walk.nodes[at]: walk.path(at) for at in walk}


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Everything made here is kept: looking for garbage would take a third of the time."""
    enabled = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if enabled:
            gc.enable()


@_without_garbage_collection()
def graph_figures(game: Game, tell: Tell, budget: Budget | None = None) -> Figures:
    """The figures of a game of any kind; raises TooLarge, OutOfBudget."""
    tell("visiting and solving every position")
    graph = Graph(game, MAX_NODES, budget)
    board = GraphBoard(graph)
    # The nearest to the start come first.
    finals = [at for at, position in enumerate(graph.positions) if position.outcome is not None]
    ends = [graph.positions[at] for at in finals]
    longest_game, cyclic = _longest(graph)
    tell("following random and perfect players")
    return Figures(
        exact=True,
        positions=len(graph.positions) - len(finals),
        results=results_of(ends),
        deciding=_deciding(board, finals),
        shortest=len(graph.path(finals[0])),
        longest=None if cyclic else len(longest_game),
        longest_game=longest_game,
        most_numbers=max(len(hand) for end in ends for hand in end.hands),
        random=board.chances(),
        perfect=(board.chances(perfect=1), board.chances(perfect=2)),
        blunders=blunders_of(board.visits(0), board.stake),
        openings={
            move: chances_of(board.visits(child), board.winner, moves=1)
            for move, child in zip(graph.moves[0], graph.children[0], strict=True)
        },
    )


def _deciding(board: GraphBoard, finals: list[int]) -> dict[Decider, Deciding]:
    graph, flawless = board.graph, board.flawless_games()
    games = [(graph.positions[at], graph.path(at), flawless.get(at)) for at in finals]
    return deciding_of(graph.game, games)


def _longest(graph: Graph) -> tuple[Moves, bool]:
    """The longest game, and whether there are cycles; then it is one that loses no turn twice."""
    order, cyclic = graph.children_first()
    best: dict[int, tuple[int, int]] = {}  # how many moves are left, and the place of the first
    for at in order:
        lengths = [
            (best[child][0] + 1, -place)
            for place, child in enumerate(graph.children[at])
            if child in best
        ]
        best[at] = max(lengths, default=(0, 0))
    moves, at = list[Move](), 0
    while best[at][0]:
        place = -best[at][1]
        moves.append(graph.moves[at][place])
        at = graph.children[at][place]
    return tuple(moves), cyclic
