"""The figures of a game from its tables: counting bits instead of visiting positions."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from ninefold.audit.figures import (
    LINK,
    OTHER,
    PATTERN,
    Chances,
    Decider,
    Deciding,
    Figures,
    Moves,
)
from ninefold.audit.figures.chances import Board
from ninefold.audit.figures.packed_positions import PackedPositions
from ninefold.audit.figures.position_layers import PositionLayers
from ninefold.audit.figures.random_play import RandomPlay
from ninefold.core.moves import Declare, Move
from ninefold.core.turns import DECLARATION, ENDING, SET, End
from ninefold.solver.all_moves import Layer
from ninefold.solver.breadth_first import TooLarge

# Past this many positions, the chances of a perfect player are estimated.
MAX_POSITIONS = 250_000


def table_figures(reachable: PositionLayers, seed: int) -> Figures:
    """The figures of a game that can be counted; raises TooLarge."""
    game, ends = reachable.game, reachable.ends
    longest = next(end for end in ends if end[0] == ends[-1][0])
    by = {SET: _by_set, DECLARATION: _by_declaration, ENDING: _by_ending}
    final = [place for place in reachable.reached if isinstance(place, End)]
    decisions = [decision for end in final for decision in by[end.by](reachable, end)]
    by_decider = {Decider(PATTERN, at): list[Decision]() for at in range(len(game.rules.wins))}
    for decision in decisions:
        by_decider.setdefault(decision.decider, []).append(decision)
    deciding = {decider: _deciding(reachable, some) for decider, some in by_decider.items()}
    one, two, drawn = _distinct((decision.node, decision.hands) for decision in decisions)
    reachable.tell("counting what random players do")
    play = RandomPlay(reachable)
    random = play.chances()
    board = PackedPositions(reachable)
    perfect = [_perfect(reachable, board, seat, seed) for seat in (1, 2)]
    reachable.tell("counting mistakes")
    return Figures(
        exact=True,
        positions=sum(reachable.reached[phase].bit_count() for phase in reachable.open),
        results=(one, two, drawn),
        deciding=deciding,
        shortest=ends[0][0],
        longest=None if reachable.endless else longest[0],
        longest_game=reachable.game_to(reachable.layers, *longest),
        most_numbers=_most_numbers(reachable),
        random=random,
        perfect=(perfect[0], perfect[1]),
        blunders=play.blunders(),
        openings={move: play.chances(move) for move in game.start().legal},
    )


def _perfect(reachable: PositionLayers, board: Board, seat: int, seed: int) -> Chances:
    """The chances of a perfect player in this seat against a random one."""
    reachable.tell("perfect play against random play")
    try:
        return board.chances(seat, MAX_POSITIONS)
    except TooLarge:
        return board.estimate(seat, seed)


def _most_numbers(reachable: PositionLayers) -> int:
    """How many numbers a player can hold."""
    anywhere = 0
    for hands in reachable.reached.values():
        anywhere |= hands
    sizes = range(len(reachable.game.pool) + 1)
    each = [reachable.grid.counted(seat == 1, seat == 2, sizes) for seat in (1, 2)]
    return max(size for hands in each for size in sizes if anywhere & hands[size])


# Which positions are final, and what decides them.

# What distinguishes final positions with the same hands: whose turn it is, the reason, who wins.
Node: TypeAlias = tuple[int, str, int | None]


class Decision(NamedTuple):
    """Hands with which the game ends in one way.

    ``alone`` are those that nothing else decides; ``last`` is the declaration that ends it.
    """

    decider: Decider
    node: Node
    place: End
    hands: int
    alone: int
    last: Move | None = None


def _by_ending(reachable: PositionLayers, end: End) -> Iterator[Decision]:
    """The hands that each link of the ending decides, for each winner."""
    rules = reachable.game.rules
    for link, decided in reachable.links(end.for_ending).items():
        decider = Decider(OTHER, 0, rules.otherwise) if link is None else Decider(LINK, link)
        reason = rules.otherwise if link is None else rules.ending[link].measure
        for winner, won in reachable.tables.ends[end].items():
            hands = reachable.reached[end] & decided & won
            if hands:
                yield Decision(decider, (end.turn, reason, winner), end, hands, hands)


def _by_set(reachable: PositionLayers, end: End) -> Iterator[Decision]:
    """The hands that complete a set of each pattern; several may share some."""
    game, reached = reachable.game, reachable.reached[end]
    holding = []
    for pattern in game.rules.wins:
        lines = [line for numbers, line in game.lines.items() if pattern in game.patterns[numbers]]
        holding.append(reached & reachable.grid.holding(end.turn, lines))
    once = twice = 0
    for hands in holding:
        twice |= once & hands
        once |= hands
    node = end.turn, end.by, reachable.tables.turns.winner_by_set(end.turn)
    for at, hands in enumerate(holding):
        yield Decision(Decider(PATTERN, at), node, end, hands, hands & ~twice)


def _by_declaration(reachable: PositionLayers, end: End) -> Iterator[Decision]:
    """The hands of the first set of each family that can be declared."""
    game, wins = reachable.game, reachable.game.rules.wins
    left = {pattern.family: reachable.reached[end] for pattern in wins}
    for numbers in game.sets:
        patterns, family = game.patterns[numbers], game.wins.pattern(numbers).family
        hands = left[family] & reachable.grid.holding(end.turn, [game.lines[numbers]])
        left[family] &= ~hands
        places = [at for at, pattern in enumerate(wins) if pattern in patterns]
        alone, node = hands if len(places) == 1 else 0, (end.turn, family, end.turn)
        for at in places:
            yield Decision(Decider(PATTERN, at), node, end, hands, alone, Declare(numbers))


def _distinct(finals: Iterable[tuple[Node, int]]) -> list[int]:
    """How many different final positions are won by the first player, by the second, and drawn."""
    found: dict[Node, int] = {}
    for node, hands in finals:
        found[node] = found.get(node, 0) | hands
    return [
        sum(hands.bit_count() for (*_, winner), hands in found.items() if winner == wanted)
        for wanted in (1, 2, None)
    ]


def _deciding(reachable: PositionLayers, ends: list[Decision]) -> Deciding:
    """How often these ends of the same kind come about."""
    layers, flawless = reachable.flawless
    return Deciding(
        sum(_distinct((end.node, end.hands) for end in ends)),
        sum(_distinct((end.node, end.alone) for end in ends)),
        sum(_distinct((end.node, end.hands & flawless.get(end.place, 0)) for end in ends)),
        _shortest(reachable, reachable.layers, ends),
        _shortest(reachable, layers, ends),
    )


def _shortest(reachable: PositionLayers, layers: list[Layer], ends: list[Decision]) -> Moves | None:
    """The shortest game to one of these ends; None if there is none."""
    for count, layer in enumerate(layers):
        for end in ends:
            hands = layer.get(end.place, 0) & end.hands
            if hands:
                moves = reachable.game_to(layers, count, end.place, hands)
                return moves if end.last is None else (*moves[:-1], end.last)
    return None
