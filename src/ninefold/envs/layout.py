"""The encoding without arrays: the names and the order of actions and planes, in plain Python.

What needs no NumPy, such as a dataset in CSV, tells positions by it; ``encoding`` adds the arrays.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import TypeAlias

from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move
from ninefold.core.position import Position
from ninefold.core.rules import Rules

VERSION = 0
# What a plane without a number of its own shows, everywhere the same: position, viewer.
Shown: TypeAlias = Callable[[Position, int], int]


@lru_cache(maxsize=64)
def layout_for(game: Game) -> "Layout":
    """The one layout of a game."""
    return Layout(game)


class Layout:
    """How positions and moves of one game are told in numbers; fixed for the whole game.

    ``actions`` names every action, by its index; ``planes`` every plane of an observation.
    """

    def __init__(self, game: Game) -> None:
        rules = game.rules
        self.game = game
        self.words = tuple(word for word, there in words_of(rules) if there)
        self.actions = (*map(str, game.pool), *self.words)
        self._shown = shown_by(rules)
        orders = ("own_order", "opponent_order") if rules.in_order else ()
        self.planes = ("own", "opponent", "available", *orders, *self._shown)
        self._place = {number: at for at, number in enumerate(game.pool)}

    def flat(self, position: Position, viewer: int) -> list[int]:
        """All planes as player 1 or 2 sees them, one after the other."""
        size, order = len(self.game.pool), 1 if viewer == 1 else -1
        own, other = position.masks[::order]
        free = self.game.full ^ (own | other)
        flat = [mask >> at & 1 for mask in (own, other, free) for at in range(size)]
        if self.game.rules.in_order:
            for seat in (viewer, 3 - viewer):
                places = {number: place for place, number in enumerate(position.order_of(seat), 1)}
                flat += [places.get(number, 0) for number in self.game.pool]
        for shown in self._shown.values():
            flat += [int(shown(position, viewer))] * size
        return flat

    def action(self, move: Move) -> int:
        """The index of a move; every declaration has the same."""
        if isinstance(move, int):
            return self._place[move]
        word = "declare" if isinstance(move, Declare) else move.value
        return len(self.game.pool) + self.words.index(word)

    def moves(self, position: Position) -> dict[int, Move]:
        """The legal move of each legal action; a declaration is that of the smallest set."""
        found: dict[int, Move] = {}
        for move in position.legal:
            found.setdefault(self.action(move), move)
        return dict(sorted(found.items()))


def words_of(rules: Rules) -> tuple[tuple[str, bool], ...]:
    """Every action that is no number, and whether these rules have it."""
    return (
        ("declare", rules.declare),
        ("pass", rules.declare or rules.passing),
        ("swap", rules.pie),
        ("lost", rules.invalid == "lose-turn"),
    )


def shown_by(rules: Rules) -> dict[str, Shown]:
    """The planes that show one value everywhere, only those these rules can ask about."""
    shown: dict[str, Shown] = {}
    if rules.declare:
        shown["asking"] = lambda position, _: position.asking
        shown["own_complete"] = lambda position, viewer: position.first_complete == viewer
        shown["opponent_complete"] = lambda position, viewer: position.first_complete == 3 - viewer
    if rules.picks_per_turn > 1:
        shown["picks_left"] = lambda position, _: position.picks_left
    if rules.pie:
        shown["swap"] = lambda position, _: position.may_swap
    if rules.otherwise != "draw":
        shown["began"] = lambda position, viewer: position.began == viewer
    if rules.passing:
        shown["passed"] = lambda position, _: position.passed
        if any(link.measure == "last-pick" for link in rules.ending):
            shown["own_last"] = lambda position, viewer: position.last_picker == viewer
            shown["opponent_last"] = lambda position, viewer: position.last_picker == 3 - viewer
    return shown
