"""A game: rules compiled once into what the judge looks up."""

from collections.abc import Iterable, Set
from functools import cached_property

from ninefold.core.endings import Endings
from ninefold.core.errors import RulesError
from ninefold.core.moves import AnyMove, parse_moves
from ninefold.core.outcome import Outcome
from ninefold.core.patterns import Pattern
from ninefold.core.picks import LIMIT_FIRST, Picks, Seen
from ninefold.core.position import Hand, Position
from ninefold.core.rules import MAX_POOL, Among, Rules
from ninefold.core.sets import TABLE_POOL, Sets
from ninefold.core.state import State, States
from ninefold.core.text import listed
from ninefold.core.turns import Fact, Turns
from ninefold.core.work import Work

_TABLES = {
    *("after_quiet_pick", "after_set", "bits", "endings", "full", "lines", "opening"),
    *("one_phase", "plain", "points", "table", "turns", "whole"),
}


class Game:
    """Compiled rules; make positions with ``start`` and ``play``. Raises RulesError."""

    def __init__(self, rules: Rules, name: str = "game") -> None:
        self.rules = rules
        self.name = name
        self.pool = tuple(sorted(set(rules.pool)))
        if not 1 <= len(self.pool) <= MAX_POOL:
            raise RulesError("pool-size", f"a pool holds 1 to {MAX_POOL} different numbers")
        self.bits = {number: 1 << at for at, number in enumerate(self.pool)}
        self.full = (1 << len(self.pool)) - 1
        if not self.bits.keys() >= set(rules.opening):
            raise RulesError("opening", "an opening must be one of the numbers of the pool")
        self.picks = Picks(rules, self.bits)
        self.opening = self.picks.opening
        if not self.picks.allowed(Seen(0, 0)):
            limits = listed(LIMIT_FIRST)
            raise RulesError(
                "no-first-number", f"no number may be taken first: {limits} leave none"
            )
        self.points = {number: rules.points(number) for number in self.pool}
        work, points = Work(), dict(rules.values)
        self.wins = Sets(rules.wins, self.bits, points, work, rules.in_order)
        self.losses = Sets(rules.losses, self.bits, points, work)
        self.patterns, self.sets, self.whole = self.wins.patterns, self.wins.sets, self.wins.whole
        self.lines, self.table = self.wins.lines, self.wins.table
        self.smallest_set = self.wins.smallest
        self.turns = Turns(rules, len(self.pool), self.smallest_set)
        self.endings = Endings(self)
        self.sees_order = rules.sees_order
        # Where a look-up in the table tells the facts about a pick, and whose turn it is says
        # everything else, the judge needs nothing else.
        self.one_phase = not (rules.declare or rules.has_turns or self.turns.sees_began)
        plain = self.turns.facts == Fact.COMPLETE | Fact.EXHAUSTED and not (
            rules.in_order or self.picks.limited or self.wins.shared
        )
        self.plain = self.table if plain and self.one_phase else None
        phases = [self.turns.start(seat) for seat in (1, 1, 2)]  # by whose turn it is, from 1 on
        self.after_quiet_pick = tuple(self.turns.picked[phase][0] for phase in phases)
        self.after_set = tuple(self.turns.picked[phase][Fact.COMPLETE] for phase in phases)
        self._numbers: dict[int, tuple[int, ...]] = {}
        self._completed: dict[tuple[int, int], Outcome] = {}
        self._starts = {
            first: Position(self, ((), ()), (0, 0), self.turns.start(first)) for first in (1, 2)
        }

    def __deepcopy__(self, memo: object) -> "Game":
        return self  # nothing of it ever changes but what it keeps to be quick

    def __reduce__(self) -> tuple[type["Game"], tuple[Rules, str]]:
        return Game, (self.rules, self.name)

    def __dir__(self) -> list[str]:
        """What users of a game need; the tables the judge and the solver read are left out."""
        return sorted({*super().__dir__()} - _TABLES)

    def __repr__(self) -> str:
        return f"<Game {self.name}: {len(self.pool)} numbers, {len(self.sets)} winning sets>"

    def start(self, first: int = 1) -> Position:
        """The position before the first move, with player 1 or 2 to move."""
        position = self._starts.get(first)
        if position is None:
            raise ValueError(f"first must be 1 or 2, not {first!r}")
        return position

    def state(self, first: int = 1) -> State:
        """The same as a state, whose moves are looked up once they were played: for many games."""
        return self.states.start(first)

    @cached_property
    def states(self) -> States[State]:
        """The states that were seen so far."""
        return States(self, State)

    def play(self, moves: str | Iterable[AnyMove], first: int = 1) -> Position:
        """The position after these moves; raises Unreadable, Illegal, and TypeError for no list.

        The moves are a written list: see ``Position.follow`` for what may be left out of one.
        """
        if not isinstance(moves, Iterable) or isinstance(moves, bytes | Set):
            raise TypeError(f"moves are a text such as '5 3' or a list, not {moves!r}")
        position = self.start(first)
        for move in parse_moves(moves) if isinstance(moves, str) else moves:
            position = position.follow(move)
        return position.settled()

    def mask(self, numbers: Iterable[int]) -> int:
        """The bits of these numbers of the pool."""
        return sum(self.bits[number] for number in numbers)

    def numbers(self, mask: int) -> tuple[int, ...]:
        """The numbers of these bits, in ascending order."""
        found = self._numbers.get(mask)
        if found is None:
            found = tuple(number for number, bit in self.bits.items() if mask & bit)
            if len(self.pool) <= TABLE_POOL:
                self._numbers[mask] = found
        return found

    def completed(
        self, mask: int, hand: Hand, turn: int, other: Hand = (), lost: bool = False
    ) -> Outcome:
        """How the game ends when this player's newest number has completed a set that decides."""
        outcome = self._completed.get((mask, turn))
        if outcome is None:
            sets = self.losses if lost else self.wins
            held = sets.held(mask, hand, other)
            winner = 3 - turn if lost else self.turns.winner_by_set(turn)
            outcome = Outcome(winner, sets.pattern(held[0], hand, other).family, held)
            if self.plain is not None:
                self._completed[mask, turn] = outcome
        return outcome

    def deciding_pattern(self, position: Position) -> Pattern:
        """The pattern of the first set that decided a finished game."""
        outcome, holder = position.outcome, position.set_holder
        assert outcome is not None and holder is not None
        lost = holder != outcome.winner and not self.rules.misere
        sets = self.losses if lost else self.wins
        return sets.pattern(outcome.sets[0], position.hands[holder - 1], position.hands[2 - holder])

    def deciding_numbers(self, position: Position) -> tuple[int, ...]:
        """The set that decided a finished game, or the winner's run; empty if neither did."""
        outcome, link = position.outcome, position.deciding_link
        if outcome is None or outcome.sets:
            return outcome.sets[0] if outcome else ()
        if link is None or not link.is_about_runs or outcome.winner is None:
            return ()
        return self.run(position.masks[outcome.winner - 1], link.among)

    def run(self, mask: int, among: Among = "lowest") -> tuple[int, ...]:
        """The longest run of neighbours; the lowest or highest if there are several."""
        length, start = self.longest_run(mask, among)
        at = 0 if start is None else self.pool.index(start)
        return self.pool[at : at + length]

    def longest_run(self, mask: int, among: Among = "lowest") -> tuple[int, int | None]:
        """Length and first number of the run that ``run`` returns."""
        length, starts = 0, 0
        while mask:  # where runs of one more neighbour start
            length, starts, mask = length + 1, mask, mask & mask >> 1
        starts = starts & -starts if among == "lowest" else starts
        return length, self.pool[starts.bit_length() - 1] if starts else None

    @cached_property
    def fingerprint(self) -> str:
        """A short digest of the compiled rules: equal rules, equal fingerprint."""
        from ninefold.core.fingerprint import fingerprint_of

        return fingerprint_of(self)
