"""The same game with other numbers: winning sets are listed, and points keep totals as they were.

How freely numbers can be exchanged depends on what the rules look at: nothing but the sets
(``free``), also which number is lower (``ordered``), or what a number is (``fixed``).
"""

from collections.abc import Iterable, Mapping
from itertools import permutations
from typing import Literal, TypeAlias

from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, SpecialMove, declare
from ninefold.core.outcome import Outcome
from ninefold.core.patterns import FAMILIES, Numbers, Pattern
from ninefold.core.position import Position
from ninefold.core.rules import Rules
from ninefold.core.sets import Sets

Freedom: TypeAlias = Literal["free", "ordered", "fixed"]
NumberMap: TypeAlias = Mapping[int, int]

_ORDER_RELATIONS = ("greater", "less")
_RUN_MEASURES = ("longest-run", "run-start", "run-sum")
_ORDER_MEASURES = ("highest", "longest-ascent", "lowest", *_RUN_MEASURES)
_TOTAL_MEASURES = ("distance", "hand-product", "hand-sum", "run-sum")


def freedom_of(rules: Rules) -> Freedom:
    """How freely the numbers of these rules can be exchanged for others."""
    relations = {restriction.relation for restriction in rules.restrictions}
    if relations - {*_ORDER_RELATIONS} or any(link.kind for link in rules.ending):
        return "fixed"
    ordered = any(link.measure in _ORDER_MEASURES for link in rules.ending)
    return "ordered" if ordered or relations or rules.row_ends else "free"


def sees_runs(rules: Rules) -> bool:
    """Whether it can matter which numbers are neighbours in the pool, once sets are listed."""
    return any(link.measure in _RUN_MEASURES for link in rules.ending)


def sees_points(rules: Rules) -> bool:
    """Whether totals of numbers can still matter once the winning sets are listed."""
    totals = any(link.measure in _TOTAL_MEASURES for link in rules.ending)
    whole = any(pattern.is_whole_hand for pattern in (*rules.wins, *rules.losses))
    return totals or whole or bool(rules.caps)


def renumbered(game: Game, numbers: NumberMap) -> Game:
    """The same game with these numbers; the map must keep the order where order matters."""
    rules, new = game.rules, numbers.__getitem__
    points = ((new(number), game.points[number]) for number in game.pool)
    values = tuple(sorted(item for item in points if item[0] != item[1]))
    changed = rules._replace(
        pool=tuple(sorted(map(new, game.pool))),
        wins=_listed(game.wins, numbers),
        losses=_listed(game.losses, numbers),
        opening=tuple(sorted(map(new, rules.opening))),
        restrictions=tuple(
            each._replace(exceptions=tuple(sorted(map(new, each.exceptions))))
            for each in rules.restrictions
        ),
        values=values if sees_points(rules) else (),
    )
    return Game(changed, game.name)


def _listed(sets: Sets, numbers: NumberMap) -> tuple[Pattern, ...]:
    """All sets as a list; totals of whole hands stay what they are, because points do."""
    orders = (order for one in sets.sets for order in _orders(sets, one))
    found = tuple(sorted(tuple(map(numbers.__getitem__, order)) for order in orders))
    if not sets.in_order:
        found = tuple(sorted(tuple(sorted(one)) for one in found))
    whole = tuple(pattern for pattern in sets.wanted if pattern.is_whole_hand)
    return (*((Pattern("sets", (("sets", found),)),) if found else ()), *whole)


def _orders(sets: Sets, numbers: Numbers) -> Iterable[Numbers]:
    """The orders in which a set counts: one stands for all if order does not matter."""
    return filter(sets.is_in_order, permutations(numbers)) if sets.in_order else (numbers,)


def map_move(move: Move, numbers: NumberMap, outside: int) -> Move:
    """The same move in other numbers; ``outside`` replaces numbers that are not in the pool."""
    if isinstance(move, SpecialMove):
        return move
    if isinstance(move, Declare):
        return declare(numbers.get(number, outside) for number in move.numbers)
    return numbers.get(move, outside)


def map_position(position: Position, game: Game, numbers: NumberMap) -> Position:
    """The same position of the renumbered game."""
    one, two = (tuple(map(numbers.__getitem__, hand)) for hand in position.hands)
    return position._replace(
        game=game,
        hands=(one, two),
        masks=(game.mask(one), game.mask(two)),
        outcome=position.outcome and map_outcome(position.outcome, game, numbers),
    )


def map_outcome(outcome: Outcome, game: Game, numbers: NumberMap) -> Outcome:
    """The same outcome of the renumbered game: a set that won is now a listed one."""
    sets = sorted(tuple(sorted(map(numbers.__getitem__, one))) for one in outcome.sets)
    by_list = outcome.reason in FAMILIES and any(
        one in found for one in sets for found in (game.wins.patterns, game.losses.patterns)
    )
    return Outcome(outcome.winner, "sets" if by_list else outcome.reason, tuple(sets))
