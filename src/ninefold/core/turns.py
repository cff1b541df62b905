"""How turns go, said once: what follows from a pick or any other move.

A *phase* is all of an unfinished position but its hands: whose turn it is, how many picks are left,
whether the player is asked to declare. What a move leads to depends on the phase and on a few
*facts* about the hands after it. The judge evaluates this for one position. The solver evaluates it
for all hands at once, and compiled code looks it up in a table.
"""

from collections.abc import Callable, Iterator
from itertools import count
from typing import NamedTuple, TypeAlias, TypeVar

from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove
from ninefold.core.rules import Rules


class Fact:
    """Facts about the hands after a move, a bit each; "own" is the player who made it."""

    COMPLETE = 1  # own hand holds a set that includes the newest number
    FEW = 2  # own hand is smaller than any set
    OWN_FULL = 4  # own hand takes no more numbers
    OTHER_FULL = 8
    EXHAUSTED = 16  # no number is left
    FIRST_TURN = 32  # all numbers taken so far were taken in this turn
    OWN_STUCK = 64  # there are numbers left, but the rules allow the player none of them
    OTHER_STUCK = 128
    BUST = 256  # own hand holds a losing set that includes the newest number


DECLARED = Declare(())  # stands for any declaration


class Phase(NamedTuple):
    """All of an unfinished position but its hands; what these rules cannot see has its default."""

    turn: int
    left: int = 1  # picks left in this turn
    passed: bool = False  # whether the turn before was passed
    swap: bool = False  # whether the player to act may swap the hands
    asking: bool = False  # whether the player to act is asked to declare
    last: int = 0  # who picked last
    complete: int = 0  # who completed a set first
    began: int = 1  # a swap takes this along with the hand


class End(NamedTuple):
    """All of a finished position but its hands: what it was decided ``by``."""

    turn: int
    by: str
    last: int = 0
    complete: int = 0
    began: int = 1
    left: int = 0
    passed: bool = False

    @property
    def for_ending(self) -> "End":
        """The part of it that can matter to the ending: not what would come next."""
        return self._replace(turn=0, passed=False)


Key = TypeVar("Key")
To = TypeVar("To")
SET, LOSING_SET, DECLARATION, ENDING = "set", "losing set", "declared", "ending"
Place: TypeAlias = Phase | End


class Turns:
    """The turns of one game; the fields ``sees_…`` tell what these rules can see of a phase."""

    def __init__(self, rules: Rules, pool: int, smallest_set: int) -> None:
        self.rules, self._pool, self._smallest_set = rules, pool, smallest_set
        self.sees_picks = rules.picks_per_turn > 1
        self.sees_began = rules.otherwise != "draw"
        self.ends_by_last = any(link.measure == "last-pick" for link in rules.ending)
        can_stick = bool(rules.restrictions or rules.caps)
        # Without these, the game ends with a pick, and so its player is who took the last number.
        self.sees_last = (rules.passing or can_stick) and self.ends_by_last
        self.is_endless = rules.invalid == "lose-turn"  # turns can be lost without end
        words = {
            "declare": rules.declare,
            "pass": rules.declare or rules.passing,
            "swap": rules.pie,
            "lost": self.is_endless,
        }
        self.words = tuple(word for word, exists in words.items() if exists)
        self.facts = Fact.COMPLETE | Fact.EXHAUSTED  # those these rules look at
        self.facts |= Fact.FEW if rules.declare else 0
        self.facts |= Fact.OWN_FULL | Fact.OTHER_FULL if rules.hand_limit is not None else 0
        self.facts |= Fact.FIRST_TURN if rules.pie else 0
        self.facts |= Fact.OTHER_STUCK if can_stick else 0
        # Else a player who is stuck matters only in the turn that begins, which ends the game.
        goes_on = rules.stuck == "skip" or self.sees_picks or rules.hand_limit is not None
        self.facts |= Fact.OWN_STUCK if can_stick and goes_on else 0
        self.facts |= Fact.BUST if rules.losses else 0
        # Where a pick leads, by phase and facts; then the same for a move without a number.
        self.picked: Lookup[Place, Lookup[int, Place]] = Lookup(self._row)
        self.moved: Lookup[tuple[Phase, SpecialMove, int], Place]
        self.moved = Lookup(lambda move: self.after_special(*move))
        numbers = count()
        self.numbers: Lookup[Place, int] = Lookup(lambda _: next(numbers))  # one for each phase
        self.view: Lookup[Phase, tuple[object, ...]] = Lookup(self._view)

    def start(self, first: int = 1) -> Phase:
        """The phase before the first move."""
        return Phase(first, self.rules.picks_per_turn, began=first if self.sees_began else 1)

    def _row(self, phase: Place) -> "Lookup[int, Place]":
        assert isinstance(phase, Phase), "nothing is picked after the end"
        return Lookup(lambda facts: self.after_pick(phase, facts))

    def winner_by_set(self, turn: int) -> int:
        """Who wins when this player completes a set."""
        return 3 - turn if self.rules.misere else turn

    def special_moves(self, phase: Phase) -> Iterator[SpecialMove]:
        """The moves without a number that the player to act may choose; declarations apart."""
        rules = self.rules
        if phase.asking or rules.passing:
            yield PASS
        if phase.swap:
            yield SWAP
        if self.is_endless and not phase.asking:
            yield LOST

    def most_moves(self) -> int:
        """The most moves a game can have if no turn is lost."""
        rules, picks = self.rules, self._pool
        if rules.hand_limit is not None:
            picks = min(picks, 2 * rules.hand_limit)
        questions = max(picks - self._smallest_set + 1, 0) if rules.declare else 0
        # A turn can be passed before each pick; two in a row end the game. With several picks per
        # turn, the rest of a turn can be passed too. The last pick ends the game.
        passes = picks + (picks - 1) * self.sees_picks
        return picks + questions + passes * rules.passing + rules.pie

    def after_pick(self, phase: Phase, facts: int) -> Place:
        """What a pick leads to, given the facts about the hands after it."""
        now = phase._replace(left=phase.left - 1, passed=False, swap=False)
        if self.sees_last:
            now = now._replace(last=phase.turn)
        if facts & Fact.BUST:
            return _ended(now, LOSING_SET)
        if not self.rules.declare:
            if facts & Fact.COMPLETE:
                return _ended(now, SET)
            return self._after_question(now, facts)
        if facts & Fact.COMPLETE and not now.complete:
            now = now._replace(complete=phase.turn)
        return self._after_question(now, facts) if facts & Fact.FEW else now._replace(asking=True)

    def facts_of(self, phase: Phase, own: int, other: int, picks: int) -> int:
        """The facts that follow from the sizes of both hands after a move with that many picks."""
        limit, facts = self.rules.hand_limit, 0
        if own + other == self._pool:
            facts |= Fact.EXHAUSTED
        if self.facts & Fact.FEW and own < self._smallest_set:
            facts |= Fact.FEW
        if limit is not None:
            facts |= (own >= limit and Fact.OWN_FULL) | (other >= limit and Fact.OTHER_FULL)
        picked = self.rules.picks_per_turn - phase.left + picks
        if self.facts & Fact.FIRST_TURN and not other and 0 < own == picked:
            facts |= Fact.FIRST_TURN
        return facts

    def after_special(self, phase: Phase, move: Move, facts: int) -> Place:
        """What a legal move without a pick leads to; the facts are about the hands after it."""
        if isinstance(move, Declare):
            return _ended(phase, DECLARATION)
        if move is SWAP:
            # All that belongs to the hands changes owners with them.
            last, complete = (seat and 3 - seat for seat in (phase.last, phase.complete))
            began = 3 - phase.began if self.sees_began else 1
            now = Phase(phase.turn, 0, last=last, complete=complete, began=began)
            return self._turn_over(now, facts, passed=False, last=last)
        if phase.asking:
            return self._after_question(phase, facts)
        fresh = phase.left == self.rules.picks_per_turn
        return self._turn_over(phase, facts, passed=move is PASS and fresh, last=phase.last)

    def _view(self, phase: Phase) -> tuple[object, ...]:
        """What these rules can see of a phase, from the side of the player to act."""
        view = self.remembered(phase)
        if self.rules.declare:
            return phase.asking, _relative(phase.complete, phase.turn), *view
        return view

    def remembered(self, phase: Phase) -> tuple[object, ...]:
        """The part of ``view`` that is about earlier turns."""
        rules, turn = self.rules, phase.turn
        parts = (
            (self.sees_picks, rules.picks_per_turn - phase.left),
            (rules.pie, phase.swap),
            (self.sees_began, phase.began == turn),
            (rules.passing, phase.passed),
            (self.sees_last, _relative(phase.last, turn)),
        )
        return tuple(part for is_seen, part in parts if is_seen)

    def _after_question(self, phase: Phase, facts: int) -> Place:
        """Continue the turn while it has picks left and they can be made; else hand it on."""
        if phase.left > 0 and not facts & (Fact.OWN_FULL | Fact.OWN_STUCK | Fact.EXHAUSTED):
            return phase._replace(asking=False)
        return self._turn_over(phase, facts, passed=False, last=phase.turn)

    def _turn_over(self, phase: Phase, facts: int, passed: bool, last: int) -> Place:
        """Hand the turn on, past a player who is out; the game is over if nobody can go on."""
        out = (Fact.OWN_FULL | Fact.OWN_STUCK, Fact.OTHER_FULL | Fact.OTHER_STUCK)
        own_out, other_out = (bool(facts & one) for one in out)
        is_stuck = facts & (Fact.OTHER_STUCK | Fact.OTHER_FULL) == Fact.OTHER_STUCK
        stops = is_stuck and self.rules.stuck == "end"
        turn = phase.turn if other_out and not stops else 3 - phase.turn
        over = facts & Fact.EXHAUSTED or (own_out and other_out) or stops
        if over or (passed and phase.passed):
            end = phase._replace(turn=turn, last=last if self.ends_by_last else 0)
            return _ended(end._replace(left=self.rules.picks_per_turn, passed=passed), ENDING)
        left, swap = self.rules.picks_per_turn, bool(facts & Fact.FIRST_TURN)
        return phase._replace(turn=turn, left=left, passed=passed, swap=swap, asking=False)


class Lookup(dict[Key, To]):
    """Answers worked out once each, when they are first asked for."""

    def __init__(self, find: Callable[[Key], To]) -> None:
        super().__init__()
        self._find = find

    def __missing__(self, key: Key) -> To:
        self[key] = found = self._find(key)
        return found


def _ended(phase: Phase, by: str) -> End:
    turn, left, passed, _, _, last, complete, began = phase
    return End(turn, by, last, complete, began, left, passed)


def _relative(seat: int, turn: int) -> bool | None:
    """Whether this seat is the one to act; None for nobody."""
    return seat == turn if seat else None
