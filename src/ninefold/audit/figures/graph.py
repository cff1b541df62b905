"""Every position of a game, found by asking the judge, and what each is worth."""

from collections.abc import Callable

from ninefold.audit.figures import Moves, Tell, TooLarge
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.players import RandomPlayer
from ninefold.solver.scores import BEST, for_mover, for_same, sign_of

# Ten numbers with passing have 344,061: each pair of hands, with either to act, passed or not.
MAX_NODES = 400_000


class Graph:
    """All positions that can come about, the nearest to the start first, and the moves between.

    Two positions with the same key and the same player to act are one. Raises TooLarge.
    """

    def __init__(self, game: Game, tell: Tell, most: int = MAX_NODES) -> None:
        self.game, self.tell, self._most = game, tell, most
        self.positions: list[Position] = []
        self.came: list[tuple[int, Move] | None] = []
        self.moves: list[list[Move]] = []
        self.children: list[list[int]] = []
        self._found: dict[tuple[object, ...], int] = {}
        tell("walking through every position")
        self._walk()
        tell("solving every position")
        self.scores = _solve(self)
        self.move_scores = [
            [self.score_of_move(at, child) for child in children]
            for at, children in enumerate(self.children)
        ]
        self.random = list(map(self._random_moves, self.positions, self.moves))

    def _walk(self) -> None:
        self._node(self.game.start(), None)
        at = 0
        while at < len(self.positions):
            position = self.positions[at]
            legal = position.legal
            self.moves.append(legal)
            self.children.append([self._node(position.play(move), (at, move)) for move in legal])
            at += 1

    def _node(self, position: Position, came: tuple[int, Move] | None) -> int:
        key = (position.turn, *position.key)
        at = self._found.get(key)
        if at is None:
            at = self._found[key] = len(self.positions)
            if at >= self._most:
                raise TooLarge
            self.positions.append(position)
            self.came.append(came)
        return at

    def score_of_move(self, at: int, child: int) -> int:
        """The score of the move from one position to another, for its maker."""
        before, after = self.positions[at], self.positions[child]
        if after.outcome is not None:
            winner = after.outcome.winner
            return 0 if winner is None else BEST - 1 if winner == before.turn else 1 - BEST
        score = self.scores[child]
        return for_same(score) if after.turn == before.turn else for_mover(score)

    def game_to(self, at: int) -> Moves:
        """A shortest game that leads to this position."""
        return trace(self.came, at)

    def random_moves(self, at: int) -> list[int]:
        """The places of the moves the program's random player chooses from."""
        return self.random[at]

    @staticmethod
    def _random_moves(position: Position, moves: list[Move]) -> list[int]:
        return [moves.index(move) for move in RandomPlayer().candidates(position)] if moves else []

    def perfect_moves(self, at: int) -> list[int]:
        """The places of the moves the perfect player chooses from: the quickest win, or traps."""
        children, scores = self.children[at], self.move_scores[at]
        best = max(scores)
        if best > 0:
            return [place for place, score in enumerate(scores) if score == best]
        ranks = {
            place: (self._traps(children[place]), score)
            for place, score in enumerate(scores)
            if (score < 0) == (best < 0)
        }
        top = max(ranks.values())
        return [place for place in ranks if ranks[place] == top]

    def _traps(self, at: int) -> int:
        """How many moves here throw away what the best ones keep."""
        scores = self.move_scores[at]
        best = max(scores, default=0)
        if best < 0:
            return 0
        return sum(score <= 0 for score in scores) if best else sum(score < 0 for score in scores)

    def keeping(self, at: int) -> list[int]:
        """The places of the moves that keep what the player to act has."""
        mine = sign_of(self.scores[at])
        return [place for place, score in enumerate(self.move_scores[at]) if sign_of(score) == mine]

    def flawless(self) -> dict[int, tuple[int, Move] | None]:
        """The positions reached without a mistake, each with the shortest way to it."""
        reached: dict[int, tuple[int, Move] | None] = {0: None}
        queue = [0]
        for at in queue:
            for place in self.keeping(at) if self.children[at] else ():
                child = self.children[at][place]
                if child not in reached:
                    reached[child] = (at, self.moves[at][place])
                    queue.append(child)
        return reached

    def order(self, chosen: Callable[[int], list[int]] | None = None) -> tuple[list[int], bool]:
        """The positions in an order in which children come first, and whether there are cycles.

        With ``chosen``, only the moves at the places it names are followed.
        """
        seen = bytearray(len(self.positions))
        order: list[int] = []
        cyclic = False
        stack = [(0, iter(self._next(0, chosen)))]
        seen[0] = 1
        while stack:
            at, rest = stack[-1]
            for child in rest:
                if not seen[child]:
                    seen[child] = 1
                    stack.append((child, iter(self._next(child, chosen))))
                    break
                cyclic = cyclic or seen[child] == 1
            else:
                seen[at] = 2
                order.append(at)
                stack.pop()
        return order, cyclic

    def _next(self, at: int, chosen: Callable[[int], list[int]] | None) -> list[int]:
        children = self.children[at]
        if chosen is None or not children:
            return children
        return [children[place] for place in chosen(at)]


def trace(
    came: list[tuple[int, Move] | None] | dict[int, tuple[int, Move] | None], at: int
) -> Moves:
    """The moves that led to this position."""
    moves: list[Move] = []
    step = came[at]
    while step is not None:
        at, move = step
        moves.append(move)
        step = came[at]
    return tuple(reversed(moves))


def _solve(graph: Graph) -> list[int]:
    """The score of every position for the player to act; what nobody can force is a draw.

    From the end to the beginning, ply by ply, so that cycles do no harm.
    """
    count = len(graph.positions)
    before: list[list[int]] = [[] for _ in range(count)]
    for at, children in enumerate(graph.children):
        for child in children:
            before[child].append(at)
    scores, open_moves = [0] * count, [len(children) for children in graph.children]
    frontier = [at for at, position in enumerate(graph.positions) if position.outcome is not None]
    known = bytearray(count)
    for at in frontier:
        known[at] = 1
    graph.scores = scores
    while frontier:
        wins, losses = _further_back(graph, before, frontier, known, open_moves)
        for at, score in {**losses, **wins}.items():
            scores[at] = score
            known[at] = 1
        frontier = [*wins, *(at for at in losses if at not in wins)]
    return scores


def _further_back(
    graph: Graph,
    before: list[list[int]],
    frontier: list[int],
    known: bytearray,
    open_moves: list[int],
) -> tuple[dict[int, int], dict[int, int]]:
    """The positions that are won or lost because of those that became known last."""
    wins: dict[int, int] = {}
    losses: dict[int, int] = {}
    for child in frontier:
        for at in before[child]:
            if known[at]:
                continue
            score = graph.score_of_move(at, child)
            if score > 0:
                wins[at] = score
            elif score < 0:
                open_moves[at] -= 1
                if not open_moves[at]:
                    losses[at] = score
    return wins, losses
