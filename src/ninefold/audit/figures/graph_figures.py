"""The figures of any game that is small enough to visit every position."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import TypeAlias

from ninefold.audit.figures import Chances, Figures, Moves, Tell, deciding_of, results_of
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.turns import DECLARATION
from ninefold.players import random_choices
from ninefold.solver.graph import MAX_NODES, Graph
from ninefold.solver.scores import BEST, Budget, perfect_choices, sign_of, traps

# If players may lose their turns again and again, the chances are improved until they change no
# more than this, but no more often than that.
CLOSE, MAX_ROUNDS = 1e-13, 400

# The positions that the player to act chooses from.
Choices: TypeAlias = Callable[[int], Sequence[int]]


def graph_figures(
    game: Game, tell: Tell, budget: Budget | None = None, most: int = MAX_NODES
) -> Figures:
    """The figures of a game of any kind; raises TooLarge, OutOfBudget."""
    tell("visiting and solving every position")
    graph = Graph(game.start(), most, budget)
    players = _Players(graph)
    games, flawless = _Games(graph), _Games(graph, players.worth)
    finals = [at for at, position in enumerate(graph.nodes) if position.outcome is not None]
    finals.sort(key=lambda at: (games.moves[at], _order(graph.nodes[at])))
    ends = [graph.nodes[at] for at in finals]
    shown = (
        (graph.nodes[at], games.to(at), flawless.to(at) if at in flawless.moves else None)
        for at in finals
    )
    longest_game, endless = _longest(graph)
    tell("following random and perfect players")
    random, *openings = players.chances(players.random, (0, *graph.children[0]))
    return Figures(
        exact=True,
        positions=len(graph.nodes) - len(finals),
        results=results_of(ends),
        deciding=deciding_of(game, shown),
        shortest=games.moves[finals[0]],
        longest=None if endless else len(longest_game),
        longest_game=longest_game,
        most_numbers=max(len(hand) for end in ends for hand in end.hands),
        random=random,
        perfect=(players.chances(players.perfect(1))[0], players.chances(players.perfect(2))[0]),
        blunders=players.blunders(),
        openings={
            move: found._replace(plies=None if found.plies is None else found.plies + 1)
            for move, found in zip(graph.moves[0], openings, strict=True)
        },
    )


class _Games:
    """A shortest game to each position, perhaps only by moves that keep what a position is worth.

    ``moves`` counts its moves. If any order of picks is as good, the highest number is last.
    """

    def __init__(self, graph: Graph, worth: Sequence[int] | None = None) -> None:
        self.moves, self._came, todo = {0: 0}, dict[int, tuple[int, Move]](), [0]
        any_order = _has_any_order(graph.nodes[0].game)
        for at in todo:  # it grows on the way
            for move, to in zip(graph.moves[at], graph.children[at], strict=True):
                if worth and sign_of(worth[to]) != sign_of(worth[at]):
                    continue
                if to not in self.moves:
                    self.moves[to], self._came[to] = self.moves[at] + 1, (at, move)
                    todo.append(to)
                elif self.moves[to] > self.moves[at] and any_order:
                    self._came[to] = max(self._came[to], (at, move), key=_last_number)

    def to(self, at: int) -> Moves:
        """The game to this position, if there is one."""
        moves = list[Move]()
        while at:
            at, move = self._came[at]
            moves.append(move)
        return tuple(reversed(moves))


def _last_number(came: tuple[int, Move]) -> int:
    """The number of the last move; any other move is less."""
    return came[1] if isinstance(came[1], int) else -1


def _has_any_order(game: Game) -> bool:
    """Whether numbers can be taken in any order, with the same sets in the end."""
    limited = game.rules.losses or game.picks.limited_later
    return not (game.rules.sees_order or game.whole or limited)


def _order(position: Position) -> tuple[object, ...]:
    """Which of equally short games is shown: the first found, if the order of picks matters.

    Else a win of the first player by the first declaration, with few lost turns and low numbers:
    the hands are a number to base 3.
    """
    outcome, (one, two) = position.outcome, position.masks
    assert outcome is not None
    if not _has_any_order(position.game):
        return ()
    digits = enumerate(position.game.bits.values())
    numbers = sum(3**at * (bool(one & bit) + 2 * bool(two & bit)) for at, bit in digits)
    declared = outcome.sets if getattr(position.phase, "by", "") == DECLARATION else ()
    return outcome.winner or 3, declared, -(one | two).bit_count(), numbers


def _longest(graph: Graph) -> tuple[Moves, bool]:
    """The longest game, and whether there are cycles; then it is one that loses no turn twice."""
    order, cyclic = _children_first((0,), graph.children.__getitem__)
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


class _Players:
    """What random and perfect players make of the positions of a graph.

    ``worth`` is what each position is worth to the first player: the sooner a win, the more.
    """

    def __init__(self, graph: Graph) -> None:
        self._graph, self._turns = graph, [position.turn for position in graph.nodes]
        self.worth = [
            -score if turn == 2 else score
            for score, turn in zip(graph.scores, self._turns, strict=True)
        ]
        for at, position in enumerate(graph.nodes):
            if position.outcome is not None:
                self.worth[at] = {1: BEST, 2: -BEST, None: 0}[position.outcome.winner]
        self._traps = cache(lambda at: traps(self._scores(at)))
        self.random: Choices = cache(self._random)

    def _random(self, at: int) -> list[int]:
        """The positions after the moves that the random player chooses from."""
        moves, children = self._graph.moves[at], self._graph.children[at]
        chosen = random_choices(moves, self._graph.nodes[at].asking)
        if len(chosen) == len(moves):
            return children
        return [child for move, child in zip(moves, children, strict=True) if move in chosen]

    def _scores(self, at: int) -> list[int]:
        """What each move is worth to the player to act."""
        sign = 3 - 2 * self._turns[at]
        return [sign * self.worth[to] for to in self._graph.children[at]]

    def perfect(self, seat: int) -> Choices:
        """This player is perfect, the other one random."""

        def choices(at: int) -> Sequence[int]:
            children = self._graph.children[at]
            if self._turns[at] != seat or not children:
                return self.random(at)
            places = perfect_choices(self._scores(at), lambda place: self._traps(children[place]))
            return [children[place] for place in places]

        return cache(choices)

    def chances(self, choices: Choices, starts: Sequence[int] = (0,)) -> list[Chances]:
        """How games end from each of these positions, if the players choose like this."""
        order, cyclic = _children_first(starts, choices)
        # How likely the first player wins, the second, nobody; and how many moves are left.
        found = {at: self._end_of(at) for at in order}
        unfinished = [(at, choices(at)) for at in order if choices(at)]
        for _ in range(MAX_ROUNDS if cyclic else 1):
            self._graph.budget.ask()
            change = 0.0
            for at, after in unfinished:
                first, second, draw, moves = (
                    sum(part) / len(after)
                    for part in zip(*(found[to] for to in after), strict=True)
                )
                change += first + second + draw - sum(found[at][:3])
                found[at] = first, second, draw, moves + 1
            if change < CLOSE:
                break
        return [_chances(*found[at]) for at in starts]

    def _end_of(self, at: int) -> tuple[float, float, float, float]:
        """The chances in a final position; no chances at all in any other."""
        outcome = self._graph.nodes[at].outcome
        seats = () if outcome is None else (outcome.winner,)
        return float(1 in seats), float(2 in seats), float(None in seats), 0.0

    def blunders(self) -> float | None:
        """The share of random moves that throw a win or a draw away, where there is one."""
        order, _ = _children_first((0,), self.random)
        shares = dict.fromkeys(order, 0.0)  # how likely random play leads there
        shares[0], at_stake, thrown = 1.0, 0.0, 0.0
        for at in reversed(order):
            after, share = self.random(at), shares[at]
            for to in after:
                shares[to] += share / len(after)
            held = sign_of(self.worth[at])
            if after and held != 2 * self._turns[at] - 3:
                at_stake += share
                lost = sum(sign_of(self.worth[to]) != held for to in after)
                thrown += share * lost / len(after)
        return thrown / at_stake if at_stake else None


def _chances(first: float, second: float, draw: float, moves: float) -> Chances:
    """Chances, if these games end; games that never end count as draws."""
    endless = 1 - first - second - draw
    if endless < 1e-9:
        return Chances(first, second, draw, moves)
    return Chances(first, second, draw + endless, None)


def _children_first(starts: Sequence[int], choices: Choices) -> tuple[list[int], bool]:
    """What these choices lead to, the children first, and whether there are cycles."""
    seen, order, cyclic = dict[int, bool](), list[int](), False  # whether all its children are seen
    for start in starts:
        stack = [(start, iter(choices(start)))] if start not in seen else []
        seen.setdefault(start, False)
        while stack:
            at, rest = stack[-1]
            for child in rest:
                if child not in seen:
                    seen[child] = False
                    stack.append((child, iter(choices(child))))
                    break
                cyclic = cyclic or not seen[child]
            else:
                seen[at] = True
                order.append(at)
                stack.pop()
    return order, cyclic
