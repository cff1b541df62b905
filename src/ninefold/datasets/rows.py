"""The rows of a dataset, and what their columns mean."""

from collections.abc import Hashable, Iterator, Mapping
from fractions import Fraction
from math import lcm
from typing import Annotated, get_type_hints

from ninefold.core.game import Game
from ninefold.core.moves import format_move
from ninefold.core.patterns import Numbers
from ninefold.core.text import NamedTuple
from ninefold.layout import layout_for
from ninefold.players import RandomPlayer
from ninefold.reachable import Reachable, Reached, Report
from ninefold.solver.scores import sign_of

# A million rows take about two minutes, and 1.5 kilobytes of memory each.
MAX_ROWS = 1_000_000


class Row(NamedTuple):
    """One position; the fields are the columns, with their types in ``formats`` and meanings."""

    ply: Annotated[int, "int16", "the fewest moves that lead to the position"]
    moves: Annotated[str, "text", "such moves, in the notation of `ninefold referee`"]
    player: Annotated[int, "int8", "1 or 2: who is to act; at the end, who made the last move"]
    over: Annotated[bool, "flag", "whether the game is over"]
    hand_1: Annotated[
        Numbers,
        "int64 list",
        "player 1's numbers, ascending; in the order picked while order matters",
    ]
    hand_2: Annotated[Numbers, "int64 list", "player 2's numbers, likewise"]
    observation: Annotated[
        list[int], "int8 list", "what `player` observes: all planes, one after the other"
    ]
    legal: Annotated[list[int], "int16 list", "the legal actions"]
    value: Annotated[
        int, "int8", "1, 0 or -1: a win, a draw or a loss for `player` under best play"
    ]
    distance: Annotated[
        int | None, "int16", "moves to the end under best play; empty if it need never end"
    ]
    optimal: Annotated[
        list[int], "int16 list", "the actions that win soonest, keep the draw or lose last"
    ]
    optimal_moves: Annotated[
        list[str], "text list", "the same as moves; declaring means the smallest set"
    ]
    visit_probability: Annotated[float, "real", "how often random play reaches it"]
    visit_fraction: Annotated[str, "text", "the same, exactly"]
    winner: Annotated[int | None, "int8", "at the end: 1, 2, or 0 for a draw"]
    reason: Annotated[str | None, "text", "at the end: why"]


# The type and the meaning of each column.
COLUMNS: Mapping[str, tuple[str, str]] = {
    name: hint.__metadata__ for name, hint in get_type_hints(Row, include_extras=True).items()
}


class Rows:
    """All rows of a game, always in the same order; raises TooLarge if there are too many."""

    def __init__(self, game: Game, most: int = MAX_ROWS, report: Report = lambda _: None) -> None:
        self.game, self.layout = game, layout_for(game)
        self._most, self._report = most, report

    def __iter__(self) -> Iterator[Row]:
        """Raises TooLarge before the first row."""
        graph = self.graph()
        visits = visits_of(graph)
        for at in range(len(graph.nodes)):
            if not at % 1000:
                self._report(f"rows so far: {at:,} of {len(graph.nodes):,}")
            yield self._row(graph, at, visits.get(at, Fraction(0)))

    def graph(self) -> Reachable:
        """Every position; the same position with another player to act is another one."""
        return Reachable(self.game, self.key, self._most, report=self._report)

    def key(self, node: Reached) -> Hashable:
        """Equal for two nodes that share a row."""
        position, player = node
        if position.outcome is None:
            return (player, *position.key)
        winner, reason, _ = position.outcome
        return player, winner, reason, bytes(self.layout.flat(position, player))

    def _row(self, graph: Reachable, at: int, visits: Fraction) -> Row:
        position, player = graph.nodes[at]
        outcome, moves, legal = position.outcome, graph.path(at), self.layout.moves(position)
        scores = dict(zip(legal, graph.move_scores(at), strict=True))
        best = [action for action in legal if scores[action] == max(scores.values())]
        hands = [
            position.order_of(seat) or self.game.numbers(position.masks[seat - 1])
            for seat in (1, 2)
        ]
        return Row(
            ply=len(moves),
            moves=" ".join(map(format_move, moves)),
            player=player,
            over=outcome is not None,
            hand_1=hands[0],
            hand_2=hands[1],
            observation=self.layout.flat(position, player),
            legal=list(legal),
            value=sign_of(graph.scores[at]),
            distance=graph.distance(at),
            optimal=best,
            optimal_moves=[format_move(legal[action]) for action in best],
            visit_probability=float(visits),
            visit_fraction=str(visits),
            winner=None if outcome is None else outcome.winner or 0,
            reason=None if outcome is None else outcome.reason,
        )


def random_play(graph: Reachable) -> Iterator[dict[int, Fraction]]:
    """The probability of each node after 0, 1, 2 … random moves; finished games drop out."""
    player, action = RandomPlayer(), layout_for(graph.game).action
    layer, whole = {0: 1}, 1
    while layer:
        yield {at: Fraction(weight, whole) for at, weight in layer.items()}
        choices: list[tuple[int, list[int]]] = []
        for at, weight in layer.items():
            if graph.actions[at]:
                after = dict(zip(graph.actions[at], graph.children[at], strict=True))
                moves = player.candidates(graph.nodes[at].position)
                choices.append((weight, [after[action(move)] for move in moves]))
        # Weights stay whole numbers: a common factor makes every share one.
        factor = lcm(*{len(children) for _, children in choices})
        layer, whole = {}, whole * factor
        for weight, children in choices:
            for child in children:
                layer[child] = layer.get(child, 0) + weight * factor // len(children)


def visits_of(graph: Reachable) -> dict[int, Fraction]:
    """How likely random play is to reach each node at any time; unreached nodes are left out."""
    found: dict[int, Fraction] = {}
    for layer in random_play(graph):
        for at, chance in layer.items():
            found[at] = found[at] + chance if at in found else chance
    return found
