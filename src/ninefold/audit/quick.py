"""The figures of an ordinary game from its layers: counting bits instead of walking."""

from math import comb

from ninefold.audit.figures import PATTERN, Chances, Decider, Deciding, Figures, Tell
from ninefold.audit.layers import Layers
from ninefold.audit.match import perfect_against_random
from ninefold.core.game import Game
from ninefold.core.moves import Move


def quick_figures(game: Game, tell: Tell, seed: int) -> Figures:
    """The figures of an ordinary game."""
    layers = Layers(game, tell)
    longest = max(ply for ply, over in enumerate(layers.over) if over)
    tell("counting what random players do")
    return Figures(
        exact=True,
        positions=sum(positions.bit_count() for positions in layers.unfinished),
        results=_results(layers),
        deciding=_deciding(layers),
        shortest=min(ply for ply, over in enumerate(layers.over) if over),
        longest=longest,
        longest_game=layers.game_to(longest, layers.over[longest]),
        most_numbers=(longest + 1) // 2,
        random=_chances(layers, None),
        perfect=perfect_against_random(layers, seed),
        blunders=_blunders(layers),
        openings={number: _chances(layers, at) for at, number in enumerate(game.pool)},
    )


def _results(layers: Layers) -> tuple[int, int, int]:
    one, two, draw = (sum(map(int.bit_count, plies)) for plies in layers.winners)
    return one, two, draw


def _deciding(layers: Layers) -> dict[Decider, Deciding]:
    found = {}
    for decider, plies in layers.finals.items():
        flawless = [final & layers.flawless[ply] for ply, final in enumerate(plies)]
        count = sum(map(int.bit_count, plies))
        found[decider] = Deciding(
            finals=count,
            alone=count - _shared(layers, decider),
            flawless=sum(map(int.bit_count, flawless)),
            game=_first_game(layers, plies),
            flawless_game=_first_game(layers, flawless, flawless=True),
        )
    return found


def _shared(layers: Layers, decider: Decider) -> int:
    """How many final positions of this pattern another one would decide as well."""
    if decider.kind != PATTERN:
        return 0
    shared = [0] * (layers.last + 1)
    for other, plies in layers.finals.items():
        if other != decider and other.kind == PATTERN:
            shared = [one | two for one, two in zip(shared, plies, strict=True)]
    own = layers.finals[decider]
    return sum((one & two).bit_count() for one, two in zip(own, shared, strict=True))


def _first_game(
    layers: Layers, plies: list[int], flawless: bool = False
) -> tuple[Move, ...] | None:
    """The shortest game to one of these positions; None if there are none."""
    for ply, positions in enumerate(plies):
        if positions:
            return layers.game_to(ply, positions, flawless)
    return None


def _chances(layers: Layers, opening: int | None) -> Chances:
    """How two random players fare, perhaps after a first pick at this place.

    After so many random picks every pair of hands is equally likely, and an unfinished position
    does not depend on the order in which it came about: so counting positions is enough.
    """
    where = layers.grid.everything if opening is None else layers.grid.held(1, opening)
    going_on = 1.0
    plies, won = 0.0, [0.0, 0.0, 0.0]
    for ply in range(1, layers.last + 1):
        plies += going_on
        ways = _ways(layers.size, ply, opening is not None)
        later = (layers.unfinished[ply] & where).bit_count() / ways
        if ply < layers.last:
            seat = layers.mover(ply - 1)
            winner = 3 - seat if layers.game.rules.misere else seat
            won[winner - 1] += going_on - later
        else:
            for at, share in enumerate(_last_ply(layers, where, ways, going_on)):
                won[at] += share
        going_on = later
    return Chances(won[0], won[1], won[2], plies)


def _last_ply(layers: Layers, where: int, ways: int, going_on: float) -> list[float]:
    """How the games that are still going on before the very last pick end."""
    last, seat = layers.last, layers.mover(layers.last - 1)
    held = layers.held[0] | layers.held[1]
    shares = [(plies[last] & ~held & where).bit_count() / ways for plies in layers.winners]
    winner = 3 - seat if layers.game.rules.misere else seat
    shares[winner - 1] += going_on - sum(shares)
    return shares


def _ways(size: int, ply: int, opened: bool) -> int:
    """How many pairs of hands there are after so many plies, perhaps with a given opening."""
    one, two = (ply + 1) // 2, ply // 2
    first = comb(size - 1, one - 1) if opened else comb(size, one)
    return first * comb(size - one, two)


def _blunders(layers: Layers) -> float | None:
    """The share of the moves of two random players that throw away a win or a draw."""
    layers.tell("counting mistakes")
    at_stake = thrown = 0.0
    for ply in range(layers.last):
        open_ = layers.unfinished[ply]
        won, level = open_ & layers.won, open_ & ~(layers.won | layers.lost)
        weight = 1 / _ways(layers.size, ply, False)
        nodes = won.bit_count() + level.bit_count()
        at_stake += nodes * weight
        seat, free = layers.mover(ply), layers.size - ply
        kept = _moves_into(layers, seat, won, layers.good(ply + 1, seat))
        kept += _moves_into(layers, seat, level, layers.level(ply + 1))
        thrown += (nodes - kept / free) * weight
    return thrown / at_stake if at_stake else None


def _moves_into(layers: Layers, seat: int, positions: int, wanted: int) -> int:
    """How many moves of this player lead from these positions to those wanted."""
    if not positions or not wanted:
        return 0
    grid = layers.grid
    return sum(
        ((positions & grid.free(at)) << seat * grid.indices[1 << at] & wanted).bit_count()
        for at in range(layers.size)
    )
