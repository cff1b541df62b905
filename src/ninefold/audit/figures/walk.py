"""The figures of any game small enough to walk through: every position, every move."""

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
from ninefold.audit.figures.graph import Graph, trace
from ninefold.core.game import Game
from ninefold.core.moves import Move

# Where turns may be given away, chances settle after a few rounds; these are plenty.
MAX_ROUNDS, CLOSE = 400, 1e-13

Vector = tuple[float, float, float, float]


def walk_figures(game: Game, tell: Tell) -> Figures:
    """The figures of a game of any kind; raises TooLarge."""
    graph = Graph(game, tell)
    order, cyclic = graph.order()
    finals = [at for at in order if graph.positions[at].outcome is not None]
    tell("following random and perfect players")
    rounds = MAX_ROUNDS if cyclic else 1
    random = _expect(graph, order, graph.random_moves, rounds)
    downwards = graph.order(graph.random_moves)[0] if cyclic else order
    longest, longest_game = _longest(graph, order)
    return Figures(
        exact=True,
        positions=len(order) - len(finals),
        results=_results(graph, finals),
        deciding=_deciding(graph, sorted(finals)),
        shortest=len(graph.game_to(min(finals))),  # the nearest to the start come first
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


def _results(graph: Graph, finals: list[int]) -> tuple[int, int, int]:
    won = [0, 0, 0]
    for at in finals:
        outcome = graph.positions[at].outcome
        assert outcome is not None
        won[2 if outcome.winner is None else outcome.winner - 1] += 1
    return won[0], won[1], won[2]


def _deciding(graph: Graph, finals: list[int]) -> dict[Decider, Deciding]:
    """What decides each final position; those nearest to the start come first."""
    flawless = graph.flawless()
    found: dict[Decider, Deciding] = {
        Decider(PATTERN, at): Deciding() for at in range(len(graph.game.rules.wins))
    }
    first_flawless: dict[Decider, int] = {}
    lengths: dict[int, int] = {}
    for at, came in flawless.items():
        lengths[at] = 0 if came is None else lengths[came[0]] + 1
    for at in finals:
        names = deciders(graph.positions[at])
        for decider in names:
            known = found.get(decider, Deciding())
            if at in flawless:
                way = first_flawless.get(decider)
                if way is None or lengths[at] < lengths[way]:
                    first_flawless[decider] = at
            found[decider] = known._replace(
                finals=known.finals + 1,
                alone=known.alone + (len(names) == 1),
                flawless=known.flawless + (at in flawless),
                game=known.game if known.game is not None else graph.game_to(at),
            )
    return {
        decider: deciding._replace(flawless_game=trace(flawless, first_flawless[decider]))
        if decider in first_flawless
        else deciding
        for decider, deciding in found.items()
    }


def _expect(
    graph: Graph, order: list[int], chosen: Callable[[int], list[int]], rounds: int
) -> list[Vector]:
    """How games go on from each position: won by either, drawn, and for how many more plies."""
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


def _against_random(graph: Graph, order: list[int], seat: int, rounds: int) -> Chances:
    """The chances of a perfect player in this seat against a random one."""

    def chosen(at: int) -> list[int]:
        perfect = graph.positions[at].turn == seat
        return graph.perfect_moves(at) if perfect else graph.random_moves(at)

    return _chances(_expect(graph, order, chosen, rounds)[0])


def _openings(graph: Graph, random: list[Vector]) -> dict[Move, Chances]:
    found = {}
    for move, child in zip(graph.moves[0], graph.children[0], strict=True):
        one, two, draw, plies = random[child]
        found[move] = _chances((one, two, draw, plies + 1))
    return found


def _blunders(graph: Graph, order: list[int]) -> float | None:
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


def _longest(graph: Graph, order: list[int]) -> tuple[int, Moves]:
    """The longest game; where there are cycles, one of those without a turn given away twice."""
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
