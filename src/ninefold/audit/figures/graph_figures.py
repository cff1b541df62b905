"""The figures of any game that is small enough to visit every position."""

from collections.abc import Iterator
from functools import cache

from ninefold.audit.figures import Figures, Moves, Tell, deciding_of, results_of
from ninefold.audit.figures.chances import Board, blunders_of, chances_of
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.players import RandomPlayer
from ninefold.solver.breadth_first import BreadthFirst
from ninefold.solver.graph import MAX_NODES, Graph
from ninefold.solver.scores import Budget


def _board(graph: Graph) -> Board:
    """The positions of a graph, for players to play on."""

    def winner(at: int) -> int | None:
        outcome = graph.nodes[at].outcome
        return None if outcome is None else outcome.winner or 0

    @cache
    def moves(at: int) -> list[tuple[int, int]]:
        return [(child, graph.score_of_move(at, child)) for child in graph.children[at]]

    @cache
    def random(at: int) -> list[int]:
        chosen = RandomPlayer().candidates(graph.nodes[at])
        return [graph.children[at][graph.moves[at].index(move)] for move in chosen]

    return Board(0, lambda at: graph.nodes[at].turn, winner, moves, random, graph.budget)


def _flawless_games(graph: Graph, forced: list[int]) -> dict[int, Moves]:
    """The positions reached without a mistake, each with a shortest game that leads to it."""

    def kept(at: int) -> Iterator[tuple[Move, int]]:
        for move, to in zip(graph.moves[at], graph.children[at], strict=True):
            if forced[to] == forced[at]:
                yield move, to

    walk = BreadthFirst(0, kept, lambda at: at)
    return {walk.nodes[at]: walk.path(at) for at in walk}


def graph_figures(
    game: Game, tell: Tell, budget: Budget | None = None, most: int = MAX_NODES
) -> Figures:
    """The figures of a game of any kind; raises TooLarge, OutOfBudget."""
    tell("visiting and solving every position")
    graph = Graph(game.start(), most, budget)
    board = _board(graph)
    # Who can force a win in each position, or has won; 0 if nobody can.
    forced = [
        board.winner(at) or (board.turn(at) if score > 0 else 3 - board.turn(at) if score else 0)
        for at, score in enumerate(graph.scores)
    ]
    flawless = _flawless_games(graph, forced)
    # The nearest to the start come first.
    finals = [at for at, position in enumerate(graph.nodes) if position.outcome is not None]
    ends = [graph.nodes[at] for at in finals]
    longest_game, cyclic = _longest(graph)

    def stake(at: int) -> tuple[float, float]:
        if board.winner(at) is not None or forced[at] == 3 - board.turn(at):
            return 0, 0
        after = board.random(at)
        return 1, sum(forced[to] != forced[at] for to in after) / len(after)

    tell("following random and perfect players")
    return Figures(
        exact=True,
        positions=len(graph.nodes) - len(finals),
        results=results_of(ends),
        deciding=deciding_of(
            game, ((graph.nodes[at], graph.path(at), flawless.get(at)) for at in finals)
        ),
        shortest=len(graph.path(finals[0])),
        longest=None if cyclic else len(longest_game),
        longest_game=longest_game,
        most_numbers=max(len(hand) for end in ends for hand in end.hands),
        random=board.chances(),
        perfect=(board.chances(perfect=1), board.chances(perfect=2)),
        blunders=blunders_of(board.visits(0), stake),
        openings={
            move: chances_of(board.visits(child), board.winner, moves=1)
            for move, child in zip(graph.moves[0], graph.children[0], strict=True)
        },
    )


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
