"""Two random players, by counting.

After so many random picks every pair of hands of these sizes is as likely as any other, and the
position does not depend on the order in which it came about: so how likely a phase is with hands of
given sizes is all there is to follow, and how many pairs of hands hold no set is all there is to
count. Only the first number of all may be a special one: it can be followed by its place.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ninefold.audit.figures import Chances
from ninefold.audit.figures.boards import Boards
from ninefold.audit.figures.phases import Landing, Phase
from ninefold.core.moves import PASS, SWAP, Move


class State(NamedTuple):
    """A phase with hands of these sizes, and who holds the number that was picked first."""

    phase: Phase
    sizes: tuple[int, int] = (0, 0)
    holder: int = 0


class Tally:
    """How likely each result is, how many plies it took, and how likely a declaration was made."""

    def __init__(self) -> None:
        self.first = self.second = self.draw = self.plies = self.declared = 0.0

    def add(self, winner: int | None, share: float) -> None:
        """Count so much for a winner, or a draw."""
        if winner is None:
            self.draw += share
        elif winner == 1:
            self.first += share
        else:
            self.second += share

    @property
    def chances(self) -> Chances:
        """All of it."""
        return Chances(self.first, self.second, self.draw, self.plies + self.declared)


class Chain:
    """How likely each state is, ply by ply, if the first number is the one at this place.

    Without a place, it is any number, each as likely as any other.
    """

    def __init__(self, boards: Boards, first: int | None = None) -> None:
        self.boards, self.grid = boards, boards.grid
        self.size = len(boards.game.pool)
        self._first = first
        self._rules = boards.game.rules
        self._openings = len(set(self._rules.opening)) or self.size
        self._start = State(boards.phases.start)
        self._quiet: dict[tuple[tuple[int, int], int], tuple[int, int]] = {}

    def chances(self, opening: Move | None = None) -> Chances:
        """How games end, perhaps after this first move."""
        tally = Tally()
        likely = {self._start: 1.0}
        if opening is not None:
            tally.plies += 1
            likely = self._opened(opening, tally)
        for now in self._plies(likely, tally):
            tally.plies += sum(now.values())
        return tally.chances

    def _opened(self, opening: Move, tally: Tally) -> dict[State, float]:
        then: dict[State, float] = {}
        if isinstance(opening, int):
            self._pick(self._start, 1.0, then, tally)
        else:
            self._step(self._start, 1.0, opening, then, tally)
        return then

    def quiet(self, sizes: tuple[int, int], holder: int) -> int:
        """The pairs of hands of a state in which nobody holds a set."""
        return self._hands(sizes, holder)[0]

    def _count(self, sizes: tuple[int, int], holder: int) -> int:
        return self._hands(sizes, holder)[1]

    def _hands(self, sizes: tuple[int, int], holder: int) -> tuple[int, int]:
        """The pairs of hands in which nobody holds a set, and how many they are."""
        known = self._quiet.get((sizes, holder))
        if known is None:
            hands = self.boards.quiet(sizes)
            if holder and self._first is not None:
                hands &= self.grid.held(holder, self._first)
            known = self._quiet[sizes, holder] = hands, hands.bit_count()
        return known

    def visits(self, tally: Tally) -> Iterator[tuple[State, float]]:
        """Every state with how likely each of its positions is, ply by ply."""
        for likely in self._plies({self._start: 1.0}, tally):
            for state, share in likely.items():
                yield state, share / self._count(state.sizes, state.holder)

    def moves(self, state: State) -> tuple[int, list[Move]]:
        """How many numbers a random player chooses from, and which other moves."""
        if state.phase.asking:
            return 0, [PASS]
        free = self._openings if state.sizes == (0, 0) else self.size - sum(state.sizes)
        others: list[Move] = [PASS] * self._rules.passing
        return free, others + [SWAP] * state.phase.swap

    def _plies(self, likely: dict[State, float], tally: Tally) -> Iterator[dict[State, float]]:
        while likely:
            yield likely
            then: dict[State, float] = {}
            for state, share in likely.items():
                picks, others = self.moves(state)
                each = share / (picks + len(others))
                if picks:
                    self._pick(state, each * picks, then, tally)
                for move in others:
                    self._step(state, each, move, then, tally)
            likely = then

    def _pick(self, state: State, share: float, then: dict[State, float], tally: Tally) -> None:
        """One of the numbers is picked, each as likely as any other."""
        phase, (one, two), holder = state
        seat = phase.turn
        sizes = (one + 1, two) if seat == 1 else (one, two + 1)
        free, ways = self.size - one - two, sizes[seat - 1]
        if self._first is not None:
            # The number picked first is not the one picked last, unless it is the only one.
            free, ways = (free, ways - (holder == seat)) if holder else (1, 1)
            holder = holder or seat
        each = share * ways / free / self._count(state.sizes, state.holder)
        after = State(phase, sizes, holder)
        rest = share - self._land(after, self.boards.phases.landings(phase), each, then, tally)
        # The rest completed a set. Where wins are declared, this one is, and that is a ply more.
        tally.add(3 - seat if self._rules.misere and not self._rules.declare else seat, rest)
        tally.declared += rest * self._rules.declare

    def _step(
        self, state: State, share: float, move: Move, then: dict[State, float], tally: Tally
    ) -> None:
        """A move without a pick."""
        after = state
        if move is SWAP:
            after = State(state.phase, state.sizes[::-1], state.holder and 3 - state.holder)
        steps = self.boards.phases.steps(state.phase)
        landings = [(step.hands, step.to) for step in steps if step.move is move]
        each = share / self._count(state.sizes, state.holder)
        self._land(after, landings, each, then, tally)

    def _land(
        self,
        after: State,
        landings: list[Landing],
        each: float,
        then: dict[State, float],
        tally: Tally,
    ) -> float:
        """Give each pair of hands without a set its share, in whatever phase it is then."""
        quiet, given = self.quiet(after.sizes, after.holder), 0.0
        for part, to in landings:
            hands = quiet & part
            share = each * hands.bit_count()
            if not hands:
                continue
            if isinstance(to, Phase):
                state = State(to, after.sizes, after.holder)
                then[state] = then.get(state, 0.0) + share
            else:
                for winner, there in self.boards.ends[to].winners.items():
                    tally.add(winner, each * (hands & there).bit_count())
            given += share
        return given
