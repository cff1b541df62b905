"""The figures of any game that is small enough to visit every position."""

from collections.abc import Callable

from ninefold.audit.figures import (
    PATTERN,
    Chances,
    Decider,
    Deciding,
    Figures,
    Moves,
    Tell,
    deciders,
)
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.players import RandomPlayer
from ninefold.solver.graph import MAX_NODES, Graph
from ninefold.solver.policy import perfect_choices, traps
from ninefold.solver.scores import Budget

# Where turns may be lost on purpose, chances settle after a few rounds; these are plenty.
MAX_ROUNDS, CLOSE = 400, 1e-13

Vector = tuple[float, float, float, float]


class AuditGraph(Graph):
    """The graph of a game with the moves that random and perfect players choose from."""

    def __init__(self, game: Game, budget: Budget | None = None) -> None:
        super().__init__(game, MAX_NODES, budget)
        self._random = list(map(self._candidates, range(len(self.positions))))

    def _candidates(self, at: int) -> list[int]:
        moves = self.moves[at]
        chosen = RandomPlayer().candidates(self.positions[at]) if moves else []
        return [moves.index(move) for move in chosen]

    def random_moves(self, at: int) -> list[int]:
        """The places of the moves the random player chooses from."""
        return self._random[at]

    def perfect_moves(self, at: int) -> list[int]:
        """The places of the moves the perfect player chooses from."""
        children, scores = self.children[at], self.move_scores[at]
        return perfect_choices(scores, lambda place: traps(self.move_scores[children[place]]))

    def flawless(self) -> dict[int, tuple[Move, ...]]:
        """The positions reached without a mistake, each with a shortest game that leads to it."""
        reached: dict[int, tuple[Move, ...]] = {0: ()}
        queue = [0]
        for at in queue:
            for place in self.keeping(at) if self.children[at] else ():
                child = self.children[at][place]
                if child not in reached:
                    reached[child] = (*reached[at], self.moves[at][place])
                    queue.append(child)
        return reached


def graph_figures(game: Game, tell: Tell, budget: Budget | None = None) -> Figures:
    """The figures of a game of any kind; raises TooLarge, OutOfBudget."""
    tell("visiting and solving every position")
    graph = AuditGraph(game, budget)
    order, cyclic = graph.children_first()
    finals = [at for at in order if graph.positions[at].outcome is not None]
    tell("following random and perfect players")
    rounds = MAX_ROUNDS if cyclic else 1
    random = _expect(graph, order, graph.random_moves, rounds)
    downwards = graph.children_first(graph.random_moves)[0] if cyclic else order
    longest, longest_game = _longest(graph, order)
    return Figures(
        exact=True,
        positions=len(order) - len(finals),
        results=_results(graph, finals),
        deciding=_deciding(graph, sorted(finals)),
        shortest=len(graph.path(min(finals))),  # the nearest to the start come first
        longest=None if cyclic else longest,
        longest_game=longest_game,
        most_numbers=max(max(map(len, graph.positions[at].hands)) for at in order),
        random=_chances(random[0]),
        perfect=(
            _against_random(graph, order, 1, rounds),
            _against_random(graph, order, 2, rounds),
        ),
        blunders=_blunders(graph, downwards),
        openings=_openings(graph, random),
    )


def _results(graph: AuditGraph, finals: list[int]) -> tuple[int, int, int]:
    won = [0, 0, 0]
    for at in finals:
        outcome = graph.positions[at].outcome
        assert outcome is not None
        won[2 if outcome.winner is None else outcome.winner - 1] += 1
    return won[0], won[1], won[2]


def _deciding(graph: AuditGraph, finals: list[int]) -> dict[Decider, Deciding]:
    """What decides each final position; those nearest to the start come first."""
    flawless = graph.flawless()
    found: dict[Decider, Deciding] = {
        Decider(PATTERN, at): Deciding() for at in range(len(graph.game.rules.wins))
    }
    for at in finals:
        names = deciders(graph.positions[at])
        for decider in names:
            known = found.get(decider, Deciding())
            clean, best = flawless.get(at), known.flawless_game
            if clean is not None and (best is None or len(clean) < len(best)):
                known = known._replace(flawless_game=clean)
            found[decider] = known._replace(
                finals=known.finals + 1,
                alone=known.alone + (len(names) == 1),
                flawless=known.flawless + (clean is not None),
                game=known.game if known.game is not None else graph.path(at),
            )
    return found


def _expect(
    graph: AuditGraph, order: list[int], chosen: Callable[[int], list[int]], rounds: int
) -> list[Vector]:
    """How games go on from each position: won by either, drawn, and for how many more moves."""
    values: list[Vector] = [(0.0, 0.0, 0.0, 0.0)] * len(graph.positions)
    rows: list[tuple[int, list[int]]] = []
    for at in order:
        outcome = graph.positions[at].outcome
        if outcome is None:
            children = graph.children[at]
            rows.append((at, [children[place] for place in chosen(at)]))
        else:
            values[at] = (
                float(outcome.winner == 1),
                float(outcome.winner == 2),
                float(outcome.winner is None),
                0.0,
            )
    for _ in range(rounds):
        graph.budget.ask()
        moved = 0.0
        for at, children in rows:
            one = two = draw = rest = 0.0
            for child in children:
                value = values[child]
                one += value[0]
                two += value[1]
                draw += value[2]
                rest += value[3]
            count = len(children)
            rest = rest / count + 1
            change = abs(rest - values[at][3])
            values[at] = (one / count, two / count, draw / count, rest)
            if change > moved:
                moved = change
        if moved < CLOSE:
            break
    return values


def _chances(value: Vector) -> Chances:
    one, two, draw, plies = value
    endless = 1 - one - two - draw
    if endless < 1e-9:
        return Chances(one, two, draw, plies)
    return Chances(one, two, draw + endless, None)


def _against_random(graph: AuditGraph, order: list[int], seat: int, rounds: int) -> Chances:
    """The chances of a perfect player in this seat against a random one."""

    def chosen(at: int) -> list[int]:
        perfect = graph.positions[at].turn == seat
        return graph.perfect_moves(at) if perfect else graph.random_moves(at)

    return _chances(_expect(graph, order, chosen, rounds)[0])


def _openings(graph: AuditGraph, random: list[Vector]) -> dict[Move, Chances]:
    found = {}
    for move, child in zip(graph.moves[0], graph.children[0], strict=True):
        one, two, draw, plies = random[child]
        found[move] = _chances((one, two, draw, plies + 1))
    return found


def _blunders(graph: AuditGraph, order: list[int]) -> float | None:
    """The share of the moves of two random players that throw away a win or a draw.

    In this order of the positions the children come first, as far as random players go.
    """
    visits = {0: 1.0}
    at_stake = thrown = 0.0
    for at in reversed(order):
        weight = visits.get(at, 0.0)
        if not weight or graph.positions[at].outcome is not None:
            continue
        places = graph.random_moves(at)
        for place in places:
            child = graph.children[at][place]
            visits[child] = visits.get(child, 0.0) + weight / len(places)
        if graph.scores[at] >= 0:
            kept = set(graph.keeping(at))
            at_stake += weight
            thrown += weight * sum(place not in kept for place in places) / len(places)
    return thrown / at_stake if at_stake else None


def _longest(graph: AuditGraph, order: list[int]) -> tuple[int, Moves]:
    """The longest game; where there are cycles, one of those that lose no turn twice."""
    best: dict[int, tuple[int, int]] = {}
    for at in order:
        lengths = [
            (best[child][0] + 1, place)
            for place, child in enumerate(graph.children[at])
            if child in best
        ]
        best[at] = max(lengths, key=lambda item: (item[0], -item[1]), default=(0, -1))
    moves: list[Move] = []
    at = 0
    while best[at][1] >= 0:
        place = best[at][1]
        moves.append(graph.moves[at][place])
        at = graph.children[at][place]
    return best[0][0], tuple(moves)
