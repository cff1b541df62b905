"""The names and order of actions and observation planes, without the arrays of ``encoding``."""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import AnyMove, Declare, Move, as_move, format_move
from ninefold.core.position import Position, as_seat

VERSION = 0
# The planes with the numbers that restrictions look at, in the order of ``Position.compared``.
_COMPARED = (
    ("last", ("last_number",)),
    ("own-last", ("own_last_number", "opponent_last_number")),
    ("own-first", ("own_first_number", "opponent_first_number")),
)
# The value of a plane that is the same in every place, from a position and its viewer.
PlaneValue: TypeAlias = Callable[[Position, int], int]


@lru_cache(maxsize=64)
def layout_for(game: Game) -> "Layout":
    """The layout of a game, made once."""
    return Layout(game)


class Layout:
    """The positions and moves of one game as numbers; ``actions`` and ``planes`` are names."""

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self.game = game
        self.words = game.turns.words
        self.actions = (*map(str, game.pool), *self.words)
        self._flags = _flags(game)
        orders = ("own_order", "opponent_order") if rules.sees_order else ()
        compared = (name for seen, names in _COMPARED if seen in game.picks.sees for name in names)
        self.planes = ("own", "opponent", "available", *orders, *compared, *self._flags)
        size = range(len(game.pool))
        self._digits = lru_cache(1 << 12)(lambda mask: tuple(mask >> at & 1 for at in size))
        self._place = {number: at for at, number in enumerate(game.pool)}

    def flat(self, position: Position, viewer: int) -> list[int]:
        """All planes as seen by player 1 or 2, one after the other."""
        pool, seats = self.game.pool, (as_seat(viewer), 3 - viewer)
        own, other = position.masks if viewer == 1 else position.masks[::-1]
        free = self.game.full ^ (own | other)
        flat = [*self._digits(own), *self._digits(other), *self._digits(free)]
        if self.game.rules.sees_order:
            for order in map(position.order_of, seats):
                flat += [order.index(number) + 1 if number in order else 0 for number in pool]
        for mask in position.compared(viewer):
            # At the end, what came before can no longer matter.
            flat += [position.outcome is None and mask >> at & 1 for at in range(len(pool))]
        for value in self._flags.values():
            flat += [int(value(position, viewer))] * len(pool)
        return flat

    def action(self, move: AnyMove) -> int:
        """The action of a move; all declarations share one. Raises Illegal if there is none."""
        move = move if type(move) is int else as_move(move)
        try:
            if isinstance(move, int):
                return self._place[move]
            word = "declare" if isinstance(move, Declare) else move.value
            return len(self.game.pool) + self.words.index(word)
        except (KeyError, ValueError):
            reason = f"{format_move(move)} is not an action of this game."
            advice = f"Choose one of: {', '.join(self.actions)}."
            raise Illegal("no-action", reason, advice) from None

    def moves(self, position: Position) -> dict[int, Move]:
        """The move of each legal action, in order; declaring means declaring the smallest set."""
        found: dict[int, Move] = {}
        for move in position.legal:
            found.setdefault(self.action(move), move)
        return dict(sorted(found.items()))


def _flags(game: Game) -> dict[str, PlaneValue]:
    """The planes with one value in every place, limited to what can matter under these rules."""
    rules, sees_last = game.rules, game.turns.sees_last
    planes: tuple[tuple[str, bool, PlaneValue], ...] = (
        ("asking", rules.declare, lambda now, _: now.asking),
        ("own_complete", rules.declare, lambda now, me: now.first_complete == me),
        ("opponent_complete", rules.declare, lambda now, me: now.first_complete == 3 - me),
        ("picks_left", rules.picks_per_turn > 1, lambda now, _: now.picks_left),
        ("swap", rules.pie, lambda now, _: now.may_swap),
        ("began", rules.otherwise != "draw", lambda now, me: now.began == me),
        ("passed", rules.passing, lambda now, _: now.passed),
        ("own_last", sees_last, lambda now, me: now.last_picker == me),
        ("opponent_last", sees_last, lambda now, me: now.last_picker == 3 - me),
    )
    return {name: value for name, exists, value in planes if exists}
