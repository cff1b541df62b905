"""Which links of an ending can tie: exact where that is cheap; in doubt, they can."""

from collections.abc import Iterable
from typing import TypeAlias

from ninefold.books.families import MEASURES
from ninefold.core.game import Game
from ninefold.core.rules import Criterion

Sizes: TypeAlias = set[tuple[int, int]]

# Totals that spread over more than this are not listed.
MAX_SPREAD = 100_000


def deciding(game: Game) -> int | None:
    """The first link of the ending that never ties, so that later links never count."""
    if game.rules.passing:
        return None  # perhaps nobody holds a number
    sizes, runs = final_sizes(game), False
    for at, link in enumerate(game.rules.ending):
        # Of two runs of the same length, the one that starts higher has the higher sum.
        higher = runs and link.measure == "run-sum" and not game.rules.values
        if higher or not MEASURES[link.measure].tie or (sizes and not _can_tie(game, link, sizes)):
            return at
        runs = runs or link.measure == "longest-run"
    return None


def final_sizes(game: Game) -> Sizes:
    """How many numbers the hands can have when no more can be taken; nothing if not known."""
    rules, pool = game.rules, len(game.pool)
    limit = min(pool, rules.hand_limit or pool)
    if rules.passing or game.picks.can_stick:
        return set()
    if 2 * limit <= pool:
        return {(limit, limit)}
    if rules.invalid == "lose-turn":
        return {(one, pool - one) for one in range(pool - limit, limit + 1)}
    held, turn = [0, 0], 0
    while sum(held) < pool:
        held[turn] += min(rules.picks_per_turn, limit - held[turn], pool - sum(held))
        turn = 1 - turn
    return {(held[0], held[1])}


def _can_tie(game: Game, link: Criterion, sizes: Sizes) -> bool:
    """Whether both hands can measure the same; in doubt, they can."""
    if link.measure == "count" and link.kind is None:
        return any(one == two for one, two in sizes)
    everything = all(one + two == len(game.pool) for one, two in sizes)
    if link.measure not in ("hand-sum", "distance") or not everything:
        return True
    points = [game.rules.points(number) for number in game.pool]
    whole, least = sum(points), min(points)
    if link.measure == "distance" and link.exceeding and whole == 2 * link.target:
        return True
    beyond = link.measure == "distance" and not link.exceeding
    if (max(points) - least) * len(points) > MAX_SPREAD:
        return beyond or whole % 2 == 0
    totals = _totals([one - least for one in points], {one for one, _ in sizes}, least)
    return any(
        2 * one == whole or (beyond and link.target < one < whole - link.target) for one in totals
    )


def _totals(points: Iterable[int], sizes: set[int], least: int) -> set[int]:
    """What so many numbers can add up to; each counts so many points above the least."""
    sums = [1] + [0] * max(sizes)  # by how many numbers: a bit for each sum above the least
    for more in points:
        for size in range(len(sums) - 1, 0, -1):
            sums[size] |= sums[size - 1] << more
    return {
        at + size * least
        for size in sizes
        for at, bit in enumerate(bin(sums[size])[:1:-1])
        if bit == "1"
    }
