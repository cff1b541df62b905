"""The figures of a game from its boards: counting bits instead of walking."""

from collections.abc import Iterator
from typing import NamedTuple

from ninefold.audit.figures import PATTERN, Chances, Decider, Deciding, Figures, Moves
from ninefold.audit.figures.boards import Boards
from ninefold.audit.figures.chain import Chain, State, Tally
from ninefold.audit.figures.match import perfect_against_random
from ninefold.audit.figures.phases import Final, Place
from ninefold.audit.figures.ways import Ways
from ninefold.core.moves import Declare, Move


def counted_figures(boards: Boards, seed: int) -> Figures:
    """The figures of a game that has boards; raises TooLarge."""
    over = [ply for ply, layer in enumerate(boards.layers) if any(map(_is_final, layer))]
    deciding = {decider: _counted(boards, ends) for decider, ends in _deciders(boards).items()}
    boards.tell("counting what random players do")
    return Figures(
        exact=True,
        positions=sum(boards.reached[phase].bit_count() for phase in boards.open),
        results=_results(boards),
        deciding=deciding,
        shortest=over[0],
        longest=None if boards.endless else over[-1],
        longest_game=_longest_game(boards, over[-1]),
        most_numbers=_most_numbers(boards),
        random=_average([chain.chances() for _, chain in _chains(boards)]),
        perfect=perfect_against_random(boards, seed),
        blunders=_blunders(boards),
        openings={move: _opened(boards, move) for move in boards.game.start().legal},
    )


def _is_final(place: Place) -> bool:
    return isinstance(place, Final)


# Which positions are final, and what decides them.


class End(NamedTuple):
    """Hands with which the game ends in a final phase; ``node`` tells which count as the same.

    ``alone`` are those nothing else decides; ``last`` is the declaration that shows it.
    """

    node: tuple[object, ...]
    place: Final
    hands: int
    alone: int
    last: Move | None = None


def _deciders(boards: Boards) -> dict[Decider, list[End]]:
    """Everything that decides a game, and with which hands; every pattern is named."""
    wins = boards.game.rules.wins
    found: dict[Decider, list[End]] = {Decider(PATTERN, at): [] for at in range(len(wins))}
    for final, ends in boards.ends.items():
        if final.by == "set":
            by_set = _by_set(boards, final)
            for decider, end in by_set:
                found[decider].append(end)
        elif final.by == "declared":
            for decider, end in _by_declaration(boards, final):
                found[decider].append(end)
        for decider, hands in ends.deciders.items():
            for winner, won in ends.winners.items():
                end = End((final.turn, winner), final, hands & won, hands & won)
                found.setdefault(decider, []).append(end)
    return found


def _by_set(boards: Boards, final: Final) -> Iterator[tuple[Decider, End]]:
    """The hands that complete a set of each pattern; several may share some."""
    game, reached = boards.game, boards.reached[final]
    holding = []
    for pattern in game.rules.wins:
        lines = [line for numbers, line in game.lines.items() if pattern in game.patterns[numbers]]
        holding.append(reached & boards.phases.holding(final.turn, lines))
    once = twice = 0
    for hands in holding:
        twice |= once & hands
        once |= hands
    for at, hands in enumerate(holding):
        yield Decider(PATTERN, at), End((final.turn,), final, hands, hands & ~twice)


def _by_declaration(boards: Boards, final: Final) -> Iterator[tuple[Decider, End]]:
    """The hands of the first set of each family that can be declared."""
    game, wins = boards.game, boards.game.rules.wins
    left = {pattern.family: boards.reached[final] for pattern in wins}
    for numbers in game.sets:
        patterns, family = game.patterns[numbers], game.family(numbers)
        hands = left[family] & boards.phases.holding(final.turn, [game.lines[numbers]])
        left[family] &= ~hands
        places = [at for at, pattern in enumerate(wins) if pattern in patterns]
        alone = hands if len(places) == 1 else 0
        for at in places:
            end = End((final.turn, family), final, hands, alone, Declare(numbers))
            yield Decider(PATTERN, at), end


def _counted(boards: Boards, ends: list[End]) -> Deciding:
    if not ends:
        return Deciding()
    flawless = boards.together(boards.flawless)
    finals: dict[tuple[object, ...], list[int]] = {}
    for node, place, hands, alone, _ in ends:
        counts = finals.setdefault(node, [0, 0, 0])
        for at, more in enumerate((hands, alone, hands & flawless.get(place, 0))):
            counts[at] |= more
    total, alone, kept = (
        sum(map(int.bit_count, sets)) for sets in zip(*finals.values(), strict=True)
    )
    shortest, flawless_game = (_way(Ways(boards, clean), ends) for clean in (False, True))
    return Deciding(total, alone, kept, shortest, flawless_game)


def _way(ways: Ways, ends: list[End]) -> Moves | None:
    """The shortest game to one of these ends; None if there is none."""
    for ply, layer in enumerate(ways.layers):
        for end in ends:
            hands = layer.get(end.place, 0) & end.hands
            if hands:
                moves = ways.to(ply, end.place, hands)
                return moves if end.last is None else (*moves[:-1], end.last)
    return None


def _longest_game(boards: Boards, ply: int) -> Moves:
    final, hands = next(item for item in boards.layers[ply].items() if _is_final(item[0]))
    return Ways(boards).to(ply, final, hands)


def _results(boards: Boards) -> tuple[int, int, int]:
    """The final positions won by either player, and drawn."""
    nodes: dict[int | None, dict[tuple[object, ...], int]] = {1: {}, 2: {}, None: {}}
    for decider, ends in _deciders(boards).items():
        for end in ends:
            for winner, won in boards.ends[end.place].winners.items():
                # Patterns share positions, so those are told apart by the phase alone.
                key = (end.node, None if decider.kind == PATTERN else decider)
                nodes[winner][key] = nodes[winner].get(key, 0) | end.hands & won
    one, two, draw = (sum(map(int.bit_count, found.values())) for found in nodes.values())
    return one, two, draw


def _most_numbers(boards: Boards) -> int:
    """How many numbers a player can hold."""
    anywhere = 0
    for hands in boards.reached.values():
        anywhere |= hands
    sizes = range(len(boards.game.pool) + 1)
    each = [boards.grid.counted(seat == 1, seat == 2, sizes) for seat in (1, 2)]
    return max(size for hands in each for size in sizes if anywhere & hands[size])


# What chance makes of it.


def _chains(boards: Boards) -> Iterator[tuple[float, Chain]]:
    """The ways chance may begin: with any number, or with each of those allowed."""
    opening = sorted(set(boards.game.rules.opening))
    if not opening:
        yield 1.0, Chain(boards)
    for number in opening:
        yield 1 / len(opening), Chain(boards, boards.game.pool.index(number))


def _average(chances: list[Chances]) -> Chances:
    columns = zip(*(item[:4] for item in chances), strict=True)
    first, second, draw, plies = (sum(column) / len(chances) for column in columns)
    return Chances(first, second, draw, plies)


def _opened(boards: Boards, move: Move) -> Chances:
    """How two random players fare after this first move."""
    if isinstance(move, int):
        return Chain(boards, boards.game.pool.index(move)).chances(move)
    return _average([chain.chances(move) for _, chain in _chains(boards)])


def _blunders(boards: Boards) -> float | None:
    """The share of the moves of two random players that throw away a win or a draw."""
    boards.tell("counting mistakes")
    at_stake = thrown = 0.0
    for weight, chain in _chains(boards):
        tally = Tally()
        for state, share in chain.visits(tally):
            hands = chain.quiet(state.sizes, state.holder)
            nodes, kept = _kept(boards, chain, state, hands)
            at_stake += weight * share * nodes
            thrown += weight * share * (nodes - kept)
        # Whoever is asked and holds a set has a win at stake, and declares it.
        at_stake += weight * tally.declared
    return thrown / at_stake if at_stake else None


def _kept(boards: Boards, chain: Chain, state: State, hands: int) -> tuple[int, float]:
    """With how many hands something is at stake, and how many random moves keep it, on average."""
    phase, seat = state.phase, state.phase.turn
    won = hands & boards.won[seat].get(phase, 0)
    level = hands & boards.level(phase)
    picks, others = chain.moves(state)
    kept = 0
    for part, winning in ((won, True), (level, False)):
        if not part:
            continue
        if picks:
            wanted = 0
            for there, to in boards.phases.landings(phase):
                wanted |= there & boards.kept(to, seat, winning)
            kept += boards.count_picks(phase, part, wanted)
        for step in boards.phases.steps(phase):
            if step.move in others:
                there = boards.made(step, part) & boards.kept(step.to, seat, winning)
                kept += there.bit_count()
    return won.bit_count() + level.bit_count(), kept / (picks + len(others))
