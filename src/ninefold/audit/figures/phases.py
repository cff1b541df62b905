"""What a position is beside its hands, and where each move leads, for all hands at once.

A game has a handful of phases: whose turn it is, what is left of it, what the rules remember. Sets
of hands are big integers with one bit for each pair of hands (see ``solver.grid``), so a rule such
as "past a full hand" is an operation on a set of them, not a question asked of each.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import combinations
from typing import NamedTuple, TypeAlias

from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move
from ninefold.core.position import Position
from ninefold.solver.grid import Grid


class Phase(NamedTuple):
    """All of an unfinished position but its hands; what these rules never ask has its default."""

    turn: int
    left: int = 1  # picks left in this turn
    passed: bool = False  # whether the turn before was passed
    swap: bool = False  # whether the hands may be swapped now
    asking: bool = False
    last: int = 0  # who picked last
    complete: int = 0  # who completed a set first
    began: int = 1


class Final(NamedTuple):
    """All of a finished position but its hands: ``by`` a set, a declaration, or the ending."""

    turn: int
    by: str
    last: int = 0
    complete: int = 0
    began: int = 1


Place: TypeAlias = Phase | Final
Landing: TypeAlias = tuple[int, Place]  # these hands, and the phase they are in then
DECLARED = Declare(())  # any declaration


class Step(NamedTuple):
    """A move that claims no number: the hands with which it can be made, and where it leads."""

    move: Move
    hands: int
    to: Place


class Phases:
    """The rules of a game as steps between phases."""

    def __init__(self, game: Game) -> None:
        self.game, self.rules = game, game.rules
        self.grid = Grid(len(game.pool))
        self.start = Phase(1, self.rules.picks_per_turn)
        self._landings: dict[Phase, list[Landing]] = {}
        self._steps: dict[Phase, list[Step]] = {}
        self._room = self._with_room()
        self._asks_last = "last-pick" in game.asked
        self._names_last = any(link.measure == "last-pick" for link in self.rules.ending)

    def of(self, position: Position) -> Phase:
        """The phase of an unfinished position."""
        memory, asked = position.memory, self.game.asked
        left = position.picks_left - (memory is None and position.asking)
        phase = Phase(position.turn, left, asking=position.asking)
        if self.rules.declare:
            phase = phase._replace(complete=position.first_complete or 0)
        if memory is None:
            return phase
        return phase._replace(
            passed="passed" in asked and memory.passed,
            swap=memory.swap,
            last=position.last_picker or 0 if self._asks_last else 0,
            began=memory.began if "began" in asked else 1,
        )

    @cached_property
    def full(self) -> int:
        """The hands that leave no number."""
        return self.grid.everything & ~self.grid.any_free

    @cached_property
    def held(self) -> dict[int, int]:
        """The hands in which either player holds a set."""
        return {seat: self.holding(seat, list(self.game.lines.values())) for seat in (1, 2)}

    def holding(self, seat: int, lines: list[int]) -> int:
        """The hands in which this player holds all numbers of one of these masks."""
        return self.grid.and_later(self.grid.of(seat * self.grid.indices[line] for line in lines))

    def landings(self, phase: Phase) -> list[Landing]:
        """Where the hands after a pick are, in parts that share none."""
        found = self._landings.get(phase)
        if found is None:
            picks = () if phase.asking else self._after_pick(phase)
            found = self._landings[phase] = [(hands, to) for hands, to in picks if hands]
        return found

    def steps(self, phase: Phase) -> list[Step]:
        """Every move that claims no number; a swap turns the hands round as well."""
        found = self._steps.get(phase)
        if found is None:
            found = self._steps[phase] = [step for step in self._other(phase) if step.hands]
        return found

    def swapped(self, hands: int) -> int:
        """The hands of one player, handed to the other one."""
        indices = [self.grid.indices[mask] for mask in self._first_turns()]
        return self.grid.of(
            (3 - seat) * index for index in indices for seat in (1, 2) if hands >> seat * index & 1
        )

    def _first_turns(self) -> Iterator[int]:
        """What one player may hold after the turn that took the first numbers."""
        bits = list(self.game.bits.values())
        for count in range(1, min(self.rules.picks_per_turn, len(bits)) + 1):
            yield from map(sum, combinations(bits, count))

    def _with_room(self) -> dict[int, int]:
        """The hands in which either player can take another number."""
        limit = self.rules.hand_limit
        if limit is None or limit >= len(self.game.pool):
            return {1: self.grid.everything, 2: self.grid.everything}
        return {1: self._fewer(1, limit), 2: self._fewer(2, limit)}

    def _fewer(self, seat: int, count: int) -> int:
        """The hands in which this player has fewer numbers than so many."""
        if count <= 0:
            return 0
        if count > len(self.game.pool):
            return self.grid.everything
        found = 0
        for hands in self.grid.counted(seat == 1, seat == 2, range(count)).values():
            found |= hands
        return found

    def _after_pick(self, phase: Phase) -> Iterator[Landing]:
        seat, held = phase.turn, self.held[phase.turn]
        now = phase._replace(left=phase.left - 1, passed=False, swap=False)
        now = now._replace(last=seat if self._asks_last else 0)
        if not self.rules.declare:
            yield held, Final(seat, "set")
            for hands, to in self._pick_over(now):
                yield hands & ~held, to
            return
        few = self._fewer(seat, self.game.smallest_set)
        parts = [(~0, now)]
        if not phase.complete:
            parts = [(held, now._replace(complete=seat)), (~held, now)]
        for part, then in parts:
            yield self.grid.everything & part & ~few, then._replace(asking=True)
            for hands, to in self._pick_over(then):
                yield hands & part & few, to

    def _pick_over(self, phase: Phase) -> Iterator[Landing]:
        """Go on with the turn while it has picks left and they can be made; else hand it on."""
        more = 0
        if phase.left > 0:
            more = self._room[phase.turn] & ~self.full
            yield more, phase._replace(asking=False)
        for hands, to in self._turn_over(phase, False, phase.turn):
            yield hands & ~more, to

    def _turn_over(self, phase: Phase, passed: bool, last: int) -> Iterator[Landing]:
        seat, other = phase.turn, 3 - phase.turn
        everything = self.grid.everything
        over = everything if passed and phase.passed else self.full
        over |= everything & ~(self._room[1] | self._room[2])
        pie = self._pie(phase)
        for hands, turn in ((self._room[other], other), (everything & ~self._room[other], seat)):
            final = Final(turn, "ending", last if self._names_last else 0)
            yield hands & over, final._replace(complete=phase.complete, began=phase.began)
            after = phase._replace(turn=turn, left=self.rules.picks_per_turn, asking=False)
            after = after._replace(passed=passed, swap=False)
            yield hands & ~over & ~pie, after
            yield hands & ~over & pie, after._replace(swap=True)

    def _pie(self, phase: Phase) -> int:
        """The hands after a turn that took the first numbers of the game, if that matters."""
        picked = self.rules.picks_per_turn - phase.left
        if not self.rules.pie or not picked:
            return 0
        hands = map(sum, combinations(self.game.bits.values(), picked))
        return self.grid.of(phase.turn * self.grid.indices[hand] for hand in hands)

    def _other(self, phase: Phase) -> Iterator[Step]:
        if self.rules.declare:
            yield Step(DECLARED, self.held[phase.turn], Final(phase.turn, "declared"))
        if phase.asking:
            for hands, to in self._pick_over(phase):
                yield Step(PASS, hands, to)
            return
        if self.rules.passing:
            fresh = phase.left == self.rules.picks_per_turn
            for hands, to in self._turn_over(phase, fresh, phase.last):
                yield Step(PASS, hands, to)
        if phase.swap:
            yield Step(SWAP, self.grid.everything, self._after_swap(phase))
        if self.rules.invalid == "lose-turn":
            yield from self.lost(phase)

    def lost(self, phase: Phase) -> Iterator[Step]:
        """A turn lost, on purpose or on the clock."""
        for hands, to in self._turn_over(phase, False, phase.last):
            yield Step(LOST, hands, to)

    def _after_swap(self, phase: Phase) -> Phase:
        last, complete = (seat and 3 - seat for seat in (phase.last, phase.complete))
        began = 3 - phase.began if "began" in self.game.asked else 1
        left = self.rules.picks_per_turn
        return Phase(3 - phase.turn, left, last=last, complete=complete, began=began)
