"""Walks that play the naive definition and the engine side by side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple, Protocol, TypeVar

from effort import Effort

from contract import naive, naive_readings
from ninefold import books
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move
from ninefold.core.position import Position

Item = TypeVar("Item")
Pair = tuple[naive.State, Position]
# The numbers on which any turn may be lost, which multiplies the positions.
WITH_LOST_TURNS = tuple(range(1, 8 if Effort.is_long else 7))
EITHER_STARTS = 7  # the most numbers with which both starters are walked through every day
WORDS = {naive.LOST: LOST, naive.PASS: PASS, naive.SWAP: SWAP}


class Playable(Protocol):
    """Rules to walk over, as the engine and as the naive definition know them."""

    @property
    def game(self) -> Game:
        """The engine's game."""

    @property
    def rules(self) -> naive.Rules:
        """The naive game."""

    @property
    def lost(self) -> bool:
        """Whether any turn may be lost."""


class Drawn(NamedTuple):
    """Rules no book has."""

    game: Game
    rules: naive.Rules
    lost: bool = False


class Case(NamedTuple):
    """One reading of one book, on its own pool or another, with or without lost turns."""

    book: str
    reading: str
    pool: naive.Numbers = ()
    lost: bool = False
    misere: bool = False

    @property
    def game(self) -> Game:
        """The engine's game."""
        game = books.load_book(self.book, self.reading).game
        if not (self.pool or self.misere):
            return game
        pool = self.pool or game.rules.pool
        return Game(game.rules._replace(pool=pool, misere=self.misere))

    @property
    def rules(self) -> naive.Rules:
        """The naive game."""
        rules = naive_readings.READINGS[self.book, self.reading](self.pool or self.game.rules.pool)
        return rules._replace(misere=self.misere)

    def __str__(self) -> str:
        """The name the case has in test reports."""
        pool = f" on {' '.join(map(str, self.pool))}" if self.pool else ""
        extras = (" with lost turns" * self.lost) + (" misère" * self.misere)
        return f"{self.book} {self.reading}{pool}{extras}"


READINGS = [Case(*names) for names in naive_readings.READINGS]
MISERE = [case._replace(misere=True) for case in READINGS if case.reading != "declare"]


def on_few_numbers(cases: list[Case], most: int) -> list[Case]:
    """The cases on at most this many numbers; in the long run, on their own pools."""
    if Effort.is_long:
        return cases
    return [case._replace(pool=case.rules.pool[:most]) for case in cases]


def sample(items: list[Item], most: int = 400) -> list[Item]:
    """At most so many of them, evenly spread; in the long run, all."""
    return items if Effort.is_long else items[:: 1 + len(items) // most]


def engine_move(move: naive.Move) -> Move:
    """The engine's name of a naive move."""
    if isinstance(move, tuple):
        return Declare(move)
    if isinstance(move, str):
        return WORDS[move]
    return move


def naive_move(move: Move) -> naive.Move:
    """The naive name of an engine move."""
    if isinstance(move, Declare):
        return move.numbers
    return move if isinstance(move, int) else move.value


def playable(rules: naive.Rules, state: naive.State, lost: bool) -> list[naive.Move]:
    """The legal moves and, if turns may be lost, a lost turn."""
    moves = naive.legal(rules, state)
    if lost and moves and not state.asking and not rules.forfeits:
        return [*moves, naive.LOST]
    return moves


def observed(rules: naive.Rules, state: naive.State) -> tuple[object, ...]:
    """The state without what no rule can ask about any more.

    That is the order of the hands, unless it counts, and the last picker, until no number is left.
    Of the order, the reading declare can still ask which sets the first completer had first. Of the
    turns before, the rarer rules can ask about the last one.
    """
    ordered = rules.in_order or rules.sees_order
    hands: tuple[object, ...] = state.hands if ordered else tuple(map(frozenset, state.hands))
    # Who took the last number has won with a total of both hands.
    shared = naive.count_both_hands(rules.families)
    matters = rules.passing or shared or naive.over(rules, state)
    picker = state.picker if matters else None
    asked = rules.asks_from and state.completer
    first = asked and naive.first_sets(rules, state.hand(asked))
    if rules.limits:  # who is stuck ends the game, whoever took the last number
        hands, picker = (hands, *compared_numbers(rules, state)), state.picker
    what = hands, state.turn, state.asking, state.completer if rules.asks_from else 0, first
    return *what, state.declared, picker, *rarely_observed(rules, state)


def compared_numbers(rules: naive.Rules, state: naive.State) -> tuple[naive.Numbers, ...]:
    """The single numbers that limits compare a pick with: the last, each player's last or first."""
    last = state.hand(state.picker)[-1:] if state.picker else ()
    seen = {
        "last": (last,),
        "own-last": tuple(hand[-1:] for hand in state.hands),
        "own-first": tuple(hand[:1] for hand in state.hands),
    }
    return tuple(number for name in seen if name in rules.compared for number in seen[name])


def rarely_observed(rules: naive.Rules, state: naive.State) -> tuple[object, ...]:
    """What only the rarer rules can ask about."""
    passed = rules.passing and state.turns[-1:] == (naive.PASS,)
    over_by_passing = rules.passing and state.turns[-2:] == (naive.PASS, naive.PASS)
    taken = state.taken if rules.picks > 1 else 0
    beginner = state.beginner if rules.otherwise != "draw" else 0
    return passed, over_by_passing, taken, beginner, naive.may_swap(rules, state)


class Place(NamedTuple):
    """A position play can lead to: as the naive definition sees it, and as the engine does.

    ``what`` is all that the rules can observe of it, ``leads_to`` the same for each move.
    """

    state: naive.State
    position: Position
    what: object
    leads_to: dict[naive.Move, object]


def explore(case: Playable) -> Iterator[Place]:
    """Every position play can lead to, once."""
    rules, game = case.rules, case.game
    todo = [
        (observed(rules, naive.start(first)), naive.start(first), game.start(first))
        for first in starters(rules)
    ]
    seen = {what for what, _, _ in todo}
    while todo:
        what, state, position = todo.pop()
        leads_to: dict[naive.Move, object] = {}
        for move in playable(rules, state, case.lost):
            after = naive.play(rules, state, move)
            leads_to[move] = there = observed(rules, after)
            if there not in seen:
                seen.add(there)
                todo.append((there, after, position.play(engine_move(move))))
        yield Place(state, position, what, leads_to)


def starters(rules: naive.Rules) -> tuple[int, ...]:
    """Who starts: either player on a small pool, and in the long run on any pool.

    On a larger pool, every position with the other starter is the mirror image of one without.
    """
    return (1, 2) if len(rules.pool) <= EITHER_STARTS or Effort.is_long else (1,)


def walk(case: Playable) -> Iterator[Pair]:
    """Every position play can lead to, once, as the naive definition and the engine see it."""
    return ((place.state, place.position) for place in explore(case))


@lru_cache(maxsize=1)
def explored(case: Playable) -> list[Place]:
    """The whole walk, kept for the next test: the tests of one case stay together."""
    return list(explore(case))


class View(NamedTuple):
    """What both sides must agree on.

    Whose turn it is, and whether there is a question, means nothing once the game is over.
    """

    hands: tuple[naive.Numbers, naive.Numbers]
    available: naive.Numbers
    outcome: tuple[int | None, str, tuple[naive.Numbers, ...]] | None
    turn: tuple[int, bool] | None
    legal: list[Move]


def naive_view(rules: naive.Rules, state: naive.State) -> View:
    """What the naive definition says about a state."""
    result = naive.result(rules, state)
    moves = [engine_move(move) for move in naive.legal(rules, state)]
    turn = None if result else (state.turn, state.asking)
    return View(state.hands, naive.free(rules, state), result, turn, sorted(moves, key=str))


def engine_view(position: Position) -> View:
    """What the engine says about a position."""
    end = position.outcome
    outcome = end and (end.winner, end.reason, end.sets)
    turn = None if end else (position.turn, position.asking)
    moves = sorted(position.legal, key=str)
    return View(position.hands, position.available, outcome, turn, moves)
