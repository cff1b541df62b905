"""The figures of any game that is small enough to visit every position."""

from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from ninefold.audit.figures import Chances, Figures, Moves, Tell, deciding_of, results_of
from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move
from ninefold.core.position import Position
from ninefold.core.turns import DECLARATION, Lookup
from ninefold.players import random_choices
from ninefold.solver.graph import Graph
from ninefold.solver.scores import BEST, perfect_choices, sign_of, traps

# If players may lose their turns again and again, the chances are improved until they change no
# more than this, but no more often than that.
CLOSE, MAX_ROUNDS = 1e-13, 400

# The positions that the player to act chooses from.
Choices: TypeAlias = Callable[[int], Sequence[int]]
# Unfinished positions with what is chosen there, the children first.
Chosen: TypeAlias = list[tuple[int, Sequence[int]]]


def graph_figures(graph: Graph, tell: Tell) -> Figures:
    """The figures of a game of any kind, all of whose positions are in a graph."""
    game, players = graph.nodes[0].game, _Players(graph)
    games, flawless = _Games(graph), _Games(graph, players.worth)
    finals = [at for at, position in enumerate(graph.nodes) if position.outcome is not None]
    order = _display_order(game)
    finals.sort(key=lambda at: (games.moves[at], order(graph.nodes[at])))
    ends = [graph.nodes[at] for at in finals]
    clean = [flawless.moves[at] for at in finals]
    longest_game = players.longest()
    tell("following random and perfect players")
    starts = (0, *graph.children[0])
    by_chance = players.follow(players.random, starts)
    random, *openings = players.chances(by_chance, starts)
    return Figures(
        exact=True,
        positions=len(graph.nodes) - len(finals),
        results=results_of(ends),
        deciding=deciding_of(
            game, ends, lambda at: games.to(finals[at]), clean, lambda at: flawless.to(finals[at])
        ),
        shortest=games.moves[finals[0]] or 0,
        longest=None if players.is_endless else len(longest_game),
        longest_game=longest_game,
        most_numbers=max(len(hand) for end in ends for hand in end.hands),
        random=random,
        perfect=(players.perfect(1), players.perfect(2)),
        blunders=players.blunders(reversed(by_chance)),
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
        size, todo, any_order = len(graph.nodes), [0], _has_any_order(graph.nodes[0].game)
        self.moves: list[int | None] = [0, *[None] * (size - 1)]
        self._before, self._last = [0] * size, list[Move]([LOST]) * size
        signs = [0] * size if worth is None else [*map(sign_of, worth)]
        for at in todo:  # it grows on the way
            length = (self.moves[at] or 0) + 1
            for move, to in zip(graph.moves[at], graph.children[at], strict=True):
                if signs[to] != signs[at]:
                    continue
                known = self.moves[to]
                if known is None:
                    self.moves[to] = length
                    todo.append(to)
                elif not (any_order and known == length and _is_higher(move, self._last[to])):
                    continue
                self._before[to], self._last[to] = at, move

    def to(self, at: int) -> Moves:
        """The game to this position, if there is one."""
        moves = list[Move]()
        while at:
            moves.append(self._last[at])
            at = self._before[at]
        return tuple(reversed(moves))


def _is_higher(one: Move, two: Move) -> bool:
    """Whether the first move is a higher number; any other move is less than a number."""
    return isinstance(one, int) and not (isinstance(two, int) and one <= two)


def _has_any_order(game: Game) -> bool:
    """Whether numbers can be taken in any order, with the same sets in the end."""
    limited = game.rules.losses or game.picks.limited_later
    return not (game.sees_order or game.whole or limited)


def _display_order(game: Game) -> Callable[[Position], tuple[object, ...]]:
    """Which of equally short games is shown: the first found, if the order of picks matters.

    Else a win of the first player by the first declaration, with few lost turns and low numbers:
    the hands are a number to base 3.
    """
    if not _has_any_order(game):
        return lambda _: ()
    digits = [(3**at, bit) for at, bit in enumerate(game.bits.values())]
    base_3 = Lookup[int, int](lambda mask: sum(digit for digit, bit in digits if mask & bit))

    def key(position: Position) -> tuple[object, ...]:
        outcome, (one, two) = position.outcome, position.masks
        assert outcome is not None
        declared = outcome.sets if getattr(position.phase, "by", "") == DECLARATION else ()
        numbers = base_3[one] + 2 * base_3[two]
        return outcome.winner or 3, declared, -(one | two).bit_count(), numbers

    return key


class _Players:
    """What random and perfect players make of the positions of a graph."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._turns = graph, [position.turn for position in graph.nodes]
        # What each position is worth to the first player: the sooner a win, the more.
        self.worth = [
            -score if turn == 2 else score
            for score, turn in zip(graph.scores, self._turns, strict=True)
        ]
        self._ends: dict[int, tuple[float, float, float, float]] = {}
        for at, position in enumerate(graph.nodes):
            if position.outcome is not None:
                winner = position.outcome.winner
                self.worth[at] = {1: BEST, 2: -BEST, None: 0}[winner]
                self._ends[at] = (winner == 1) * 1.0, (winner == 2) * 1.0, (not winner) * 1.0, 0.0
        self._traps = Lookup[int, int](lambda at: traps(self._scores(at)))
        # All positions, the children first, and whether there are cycles.
        children = graph.children
        self._order: Sequence[int] = range(len(children))[::-1]
        self.is_endless = any(after and min(after) <= at for at, after in enumerate(children))
        if self.is_endless:
            self._order, self.is_endless = _children_first((0,), children.__getitem__)

    def longest(self) -> Moves:
        """The longest game; if there are cycles, one that loses no turn twice."""
        graph, size = self._graph, len(self._graph.nodes)
        lengths, places = [-1] * size, [0] * size  # the moves that are left, and the first of them
        for at in self._order:
            best = place = 0
            for here, child in enumerate(graph.children[at]):
                if lengths[child] >= best:
                    best, place = lengths[child] + 1, here
            lengths[at], places[at] = best, place
        moves, at = list[Move](), 0
        while lengths[at]:
            moves.append(graph.moves[at][places[at]])
            at = graph.children[at][places[at]]
        return tuple(moves)

    def random(self, at: int) -> Sequence[int]:
        """The positions after the moves that the random player chooses from."""
        moves, children = self._graph.moves[at], self._graph.children[at]
        chosen = random_choices(moves, self._graph.nodes[at].asking) if moves else ()
        if len(chosen) == len(moves):
            return children
        return [child for move, child in zip(moves, children, strict=True) if move in chosen]

    def _scores(self, at: int) -> list[int]:
        """What each move is worth to the player to act."""
        sign = 3 - 2 * self._turns[at]
        return [sign * self.worth[to] for to in self._graph.children[at]]

    def perfect(self, seat: int) -> Chances:
        """How games end if this player is perfect, and the other one random."""

        def choices(at: int) -> Sequence[int]:
            children = self._graph.children[at]
            if self._turns[at] != seat or not children:
                return self.random(at)
            places = perfect_choices(self._scores(at), lambda place: self._traps[children[place]])
            return [children[place] for place in places]

        return self.chances(self.follow(choices, (0,)), (0,))[0]

    def follow(self, choices: Choices, starts: Sequence[int]) -> Chosen:
        """What these choices lead to from each of these positions."""
        known, order = Lookup[int, Sequence[int]](choices), self._order
        if self.is_endless:
            order, _ = _children_first(starts, known.__getitem__)
        else:
            for at in starts:
                known[at]
            for at in reversed(order):
                for to in known.get(at, ()):
                    known[to]
        return [(at, known[at]) for at in order if known.get(at)]

    def chances(self, unfinished: Chosen, starts: Sequence[int]) -> list[Chances]:
        """How games end from each start, if the players choose like this."""
        # How likely the first player wins, the second, nobody; and how many moves are left.
        found = {**self._ends, **{at: (0.0, 0.0, 0.0, 0.0) for at, _ in unfinished}}
        for _ in range(MAX_ROUNDS if self.is_endless else 1):
            self._graph.budget.ask()
            change = 0.0
            for at, after in unfinished:
                first = second = draw = moves = 0.0
                for to in after:
                    one, two, none, left = found[to]
                    first += one
                    second += two
                    draw += none
                    moves += left
                count = len(after)
                chances = first / count, second / count, draw / count, moves / count + 1
                change += sum(chances[:3]) - sum(found[at][:3]) if self.is_endless else 0.0
                found[at] = chances
            if change < CLOSE:
                break
        return [_chances(*found[at]) for at in starts]

    def blunders(self, by_chance: Iterable[tuple[int, Sequence[int]]]) -> float | None:
        """The share of random moves that throw a win or a draw away, where there is one."""
        shares = [1.0, *[0.0] * (len(self.worth) - 1)]  # how likely random play leads there
        at_stake = thrown = 0.0
        for at, after in by_chance:
            share, held = shares[at], sign_of(self.worth[at])
            for to in after:
                shares[to] += share / len(after)
            if held != 2 * self._turns[at] - 3:
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
