"""The figures of a game from its tables: counting bits instead of visiting positions."""

from collections.abc import Iterator
from typing import NamedTuple

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
from ninefold.audit.figures.perfect_play import perfect_against_random
from ninefold.audit.figures.position_layers import PositionLayers, together
from ninefold.audit.figures.random_play import RandomPlay, Situation, Tally
from ninefold.audit.figures.shortest_games import ShortestGames
from ninefold.core.moves import Declare, Move
from ninefold.core.turns import DECLARATION, ENDING, SET, End, Place


def table_figures(reachable: PositionLayers, seed: int) -> Figures:
    """The figures of a game that can be counted; raises TooLarge."""
    over = [count for count, layer in enumerate(reachable.layers) if any(map(_is_final, layer))]
    decisions = _deciders(reachable)
    deciding = {decider: _counted(reachable, found) for decider, found in decisions.items()}
    reachable.tell("counting what random players do")
    return Figures(
        exact=True,
        positions=sum(reachable.reached[phase].bit_count() for phase in reachable.open),
        results=_results(reachable, decisions),
        deciding=deciding,
        shortest=over[0],
        longest=None if reachable.endless else over[-1],
        longest_game=_longest_game(reachable, over[-1]),
        most_numbers=_most_numbers(reachable),
        random=_average([play.chances() for _, play in _random_plays(reachable)]),
        perfect=perfect_against_random(reachable, seed),
        blunders=_blunders(reachable),
        openings={move: _opened(reachable, move) for move in reachable.game.start().legal},
    )


def _is_final(place: Place) -> bool:
    return isinstance(place, End)


# Which positions are final, and what decides them.


class Decision(NamedTuple):
    """Hands with which the game ends in one way; ``node`` tells which count as the same.

    ``alone`` are those that nothing else decides; ``last`` is the declaration that ends it.
    """

    node: tuple[object, ...]
    place: End
    hands: int
    alone: int
    last: Move | None = None


def _deciders(reachable: PositionLayers) -> dict[Decider, list[Decision]]:
    """Everything that decides a game, and with which hands; every pattern is named."""
    wins = reachable.game.rules.wins
    found: dict[Decider, list[Decision]] = {Decider(PATTERN, at): [] for at in range(len(wins))}
    by = {SET: _by_set, DECLARATION: _by_declaration, ENDING: _by_ending}
    for place in reachable.reached:
        if isinstance(place, End):
            for decider, decision in by[place.by](reachable, place):
                found.setdefault(decider, []).append(decision)
    return found


def _by_ending(reachable: PositionLayers, end: End) -> Iterator[tuple[Decider, Decision]]:
    """The hands that each link of the ending decides, for each winner."""
    otherwise = reachable.game.rules.otherwise
    for link, decided in reachable.links(end).items():
        decider = Decider(OTHER, 0, otherwise) if link is None else Decider(LINK, link)
        for winner, won in reachable.tables.ends[end].items():
            hands = reachable.reached[end] & decided & won
            if hands:
                yield decider, Decision((end.turn, winner), end, hands, hands)


def _by_set(reachable: PositionLayers, final: End) -> Iterator[tuple[Decider, Decision]]:
    """The hands that complete a set of each pattern; several may share some."""
    game, reached = reachable.game, reachable.reached[final]
    holding = []
    for pattern in game.rules.wins:
        lines = [line for numbers, line in game.lines.items() if pattern in game.patterns[numbers]]
        holding.append(reached & reachable.grid.holding(final.turn, lines))
    once = twice = 0
    for hands in holding:
        twice |= once & hands
        once |= hands
    for at, hands in enumerate(holding):
        yield Decider(PATTERN, at), Decision((final.turn,), final, hands, hands & ~twice)


def _by_declaration(reachable: PositionLayers, final: End) -> Iterator[tuple[Decider, Decision]]:
    """The hands of the first set of each family that can be declared."""
    game, wins = reachable.game, reachable.game.rules.wins
    left = {pattern.family: reachable.reached[final] for pattern in wins}
    for numbers in game.sets:
        patterns, family = game.patterns[numbers], game.family(numbers)
        hands = left[family] & reachable.grid.holding(final.turn, [game.lines[numbers]])
        left[family] &= ~hands
        places = [at for at, pattern in enumerate(wins) if pattern in patterns]
        alone = hands if len(places) == 1 else 0
        for at in places:
            end = Decision((final.turn, family), final, hands, alone, Declare(numbers))
            yield Decider(PATTERN, at), end


def _counted(reachable: PositionLayers, ends: list[Decision]) -> Deciding:
    if not ends:
        return Deciding()
    flawless = together(reachable.flawless)
    finals: dict[tuple[object, ...], list[int]] = {}
    for node, place, hands, alone, _ in ends:
        counts = finals.setdefault(node, [0, 0, 0])
        for at, more in enumerate((hands, alone, hands & flawless.get(place, 0))):
            counts[at] |= more
    total, alone, kept = (
        sum(map(int.bit_count, sets)) for sets in zip(*finals.values(), strict=True)
    )
    shortest, flawless_game = (
        _shortest(ShortestGames(reachable, clean), ends) for clean in (False, True)
    )
    return Deciding(total, alone, kept, shortest, flawless_game)


def _shortest(games: ShortestGames, ends: list[Decision]) -> Moves | None:
    """The shortest game to one of these ends; None if there is none."""
    for count, layer in enumerate(games.layers):
        for end in ends:
            hands = layer.get(end.place, 0) & end.hands
            if hands:
                moves = games.to(count, end.place, hands)
                return moves if end.last is None else (*moves[:-1], end.last)
    return None


def _longest_game(reachable: PositionLayers, count: int) -> Moves:
    final, hands = next(item for item in reachable.layers[count].items() if _is_final(item[0]))
    return ShortestGames(reachable).to(count, final, hands)


def _results(
    reachable: PositionLayers, decisions: dict[Decider, list[Decision]]
) -> tuple[int, int, int]:
    """The final positions won by either player, and drawn."""
    nodes: dict[int | None, dict[tuple[object, ...], int]] = {1: {}, 2: {}, None: {}}
    for decider, ends in decisions.items():
        for end in ends:
            for winner, won in reachable.tables.ends[end.place].items():
                # Patterns share positions, so only the phase distinguishes those.
                key = (end.node, None if decider.kind == PATTERN else decider)
                nodes[winner][key] = nodes[winner].get(key, 0) | end.hands & won
    one, two, draw = (sum(map(int.bit_count, found.values())) for found in nodes.values())
    return one, two, draw


def _most_numbers(reachable: PositionLayers) -> int:
    """How many numbers a player can hold."""
    anywhere = 0
    for hands in reachable.reached.values():
        anywhere |= hands
    sizes = range(len(reachable.game.pool) + 1)
    each = [reachable.grid.counted(seat == 1, seat == 2, sizes) for seat in (1, 2)]
    return max(size for hands in each for size in sizes if anywhere & hands[size])


# Random play.


def _random_plays(reachable: PositionLayers) -> Iterator[tuple[float, RandomPlay]]:
    """How random play may begin, and how likely: with any number, or with each allowed one."""
    opening = sorted(set(reachable.game.rules.opening))
    if not opening:
        yield 1.0, RandomPlay(reachable)
    for number in opening:
        yield 1 / len(opening), RandomPlay(reachable, reachable.game.pool.index(number))


def _average(chances: list[Chances]) -> Chances:
    columns = zip(*(item[:4] for item in chances), strict=True)
    first, second, draw, plies = (sum(column) / len(chances) for column in columns)
    return Chances(first, second, draw, plies)


def _opened(reachable: PositionLayers, move: Move) -> Chances:
    """How two random players fare after this first move."""
    if isinstance(move, int):
        return RandomPlay(reachable, reachable.game.pool.index(move)).chances(move)
    return _average([play.chances(move) for _, play in _random_plays(reachable)])


def _blunders(reachable: PositionLayers) -> float | None:
    """The share of the moves of two random players that throw away a win or a draw."""
    reachable.tell("counting mistakes")
    at_stake = thrown = 0.0
    for weight, play in _random_plays(reachable):
        tally = Tally()
        for now, share in play.visits(tally):
            hands = play.quiet(now.sizes, now.holder)
            nodes, kept = _kept(reachable, play, now, hands)
            at_stake += weight * share * nodes
            thrown += weight * share * (nodes - kept)
        # Whoever is asked and holds a set has a win at stake, and declares it.
        at_stake += weight * tally.declared
    return thrown / at_stake if at_stake else None


def _kept(
    reachable: PositionLayers, play: RandomPlay, now: Situation, hands: int
) -> tuple[int, float]:
    """How many hands are won or drawn, and how many random moves keep that, on average."""
    phase, seat = now.phase, now.phase.turn
    won = hands & reachable.tables.won[seat].get(phase, 0)
    level = hands & reachable.tables.level(phase)
    picks, others = play.moves(now)
    kept = 0
    for part, winning in ((won, True), (level, False)):
        if not part:
            continue
        if picks:
            wanted = 0
            for there, to in reachable.tables.landings(phase):
                wanted |= there & reachable.kept(to, seat, winning)
            kept += reachable.count_picks(phase, part, wanted)
        for step in reachable.tables.steps(phase):
            if step.move in others:
                there = reachable.tables.made(step, part) & reachable.kept(step.to, seat, winning)
                kept += there.bit_count()
    return won.bit_count() + level.bit_count(), kept / (picks + len(others))
