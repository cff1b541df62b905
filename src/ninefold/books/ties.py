"""Which links of an ending can tie: exact where that is cheap; in doubt, they can."""

from typing import TypeAlias

from ninefold.books.families import MEASURES
from ninefold.core.game import Game
from ninefold.core.patterns import is_of_kind
from ninefold.core.picks import JOIN
from ninefold.core.rules import Criterion, Total

Sizes: TypeAlias = set[tuple[int, int]]

MAX_TOTALS = 5_000


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
    if link.measure == "count" and link.kind is not None and everything:
        many = sum(is_of_kind(number, link.kind, link.of) for number in game.pool)
        return many % 2 == 0 and any(2 * min(pair) >= many for pair in sizes)
    if link.measure not in ("hand-sum", "distance") or not everything:
        return True
    whole = sum(map(game.rules.points, game.pool))
    if link.measure == "distance" and link.exceeding and whole == 2 * link.target:
        return True
    beyond, found = link.measure == "distance" and not link.exceeding, totals(game, "sum")
    if not found:
        return beyond or whole % 2 == 0
    fitting = [total for size, total in found if any(size in pair for pair in sizes)]
    return any(
        2 * one == whole or (beyond and link.target < one < whole - link.target) for one in fitting
    )


def totals(game: Game, total: Total) -> set[tuple[int, int]]:
    """The sizes and totals of all sets of numbers; nothing if there are too many."""
    found, join = {(0, int(total == "product"))}, JOIN[total]
    for number in game.pool:
        points = game.rules.points(number)
        found |= {(size + 1, join(value, points)) for size, value in found}
        if len(found) > MAX_TOTALS:
            return set()
    return found
