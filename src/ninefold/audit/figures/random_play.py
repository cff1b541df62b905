"""Two random players, by counting instead of playing.

After some random picks, all pairs of hands of the same sizes are equally likely, and the order of
the picks does not matter. So it is enough to follow how likely each phase is with hands of given
sizes, and to count how many pairs of hands hold no set. Only the very first number may be special:
it can be followed by its place.
"""

from collections.abc import Iterator
from typing import NamedTuple

from ninefold.audit.figures import Chances
from ninefold.audit.figures.position_layers import PositionLayers
from ninefold.core.moves import PASS, SWAP, Move
from ninefold.core.turns import Phase
from ninefold.solver.all_moves import Landing


class Situation(NamedTuple):
    """A phase with hands of these sizes, and who holds the number that was picked first."""

    phase: Phase
    sizes: tuple[int, int] = (0, 0)
    holder: int = 0


class Tally:
    """How likely each result is, how many moves it takes, and how likely a declaration is."""

    def __init__(self) -> None:
        self.first = self.second = self.draw = self.plies = self.declared = 0.0

    def add(self, winner: int | None, share: float) -> None:
        """Add this probability for a winner, or a draw."""
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


class RandomPlay:
    """How likely each situation is, move by move, if the first number is the one at this place.

    Without a place, it is any number, all equally likely.
    """

    def __init__(self, reachable: PositionLayers, first: int | None = None) -> None:
        self.reachable, self.tables, self.grid = reachable, reachable.tables, reachable.grid
        self.size = len(reachable.game.pool)
        self._first = first
        self._rules = reachable.game.rules
        self._openings = len(set(self._rules.opening)) or self.size
        self._start = Situation(reachable.tables.start)
        self._quiet: dict[tuple[tuple[int, int], int], tuple[int, int]] = {}

    def chances(self, opening: Move | None = None) -> Chances:
        """How games end, perhaps after this first move."""
        tally = Tally()
        likely = {self._start: 1.0}
        if opening is not None:
            tally.plies += 1
            likely = self._opened(opening, tally)
        for now in self._moves(likely, tally):
            tally.plies += sum(now.values())
        return tally.chances

    def _opened(self, opening: Move, tally: Tally) -> dict[Situation, float]:
        then: dict[Situation, float] = {}
        if isinstance(opening, int):
            self._pick(self._start, 1.0, then, tally)
        else:
            self._step(self._start, 1.0, opening, then, tally)
        return then

    def quiet(self, sizes: tuple[int, int], holder: int) -> int:
        """The pairs of hands in a situation in which nobody holds a set."""
        return self._hands(sizes, holder)[0]

    def _count(self, sizes: tuple[int, int], holder: int) -> int:
        return self._hands(sizes, holder)[1]

    def _hands(self, sizes: tuple[int, int], holder: int) -> tuple[int, int]:
        """The pairs of hands in which nobody holds a set, and how many they are."""
        known = self._quiet.get((sizes, holder))
        if known is None:
            hands = self.reachable.quiet(sizes)
            if holder and self._first is not None:
                hands &= self.grid.held(holder, self._first)
            known = self._quiet[sizes, holder] = hands, hands.bit_count()
        return known

    def visits(self, tally: Tally) -> Iterator[tuple[Situation, float]]:
        """Every situation with how likely each of its positions is, move by move."""
        for likely in self._moves({self._start: 1.0}, tally):
            for state, share in likely.items():
                yield state, share / self._count(state.sizes, state.holder)

    def moves(self, state: Situation) -> tuple[int, list[Move]]:
        """How many numbers a random player chooses from, and which other moves."""
        if state.phase.asking:
            return 0, [PASS]
        free = self._openings if state.sizes == (0, 0) else self.size - sum(state.sizes)
        others: list[Move] = [PASS] * self._rules.passing
        return free, others + [SWAP] * state.phase.swap

    def _moves(
        self, likely: dict[Situation, float], tally: Tally
    ) -> Iterator[dict[Situation, float]]:
        while likely:
            yield likely
            then: dict[Situation, float] = {}
            for state, share in likely.items():
                picks, others = self.moves(state)
                each = share / (picks + len(others))
                if picks:
                    self._pick(state, each * picks, then, tally)
                for move in others:
                    self._step(state, each, move, then, tally)
            likely = then

    def _pick(
        self, state: Situation, share: float, then: dict[Situation, float], tally: Tally
    ) -> None:
        """One of the numbers is picked, all equally likely."""
        phase, (one, two), holder = state
        seat = phase.turn
        sizes = (one + 1, two) if seat == 1 else (one, two + 1)
        free, ways = self.size - one - two, sizes[seat - 1]
        if self._first is not None:
            # The number picked first is not the one picked last, unless it is the only one.
            free, ways = (free, ways - (holder == seat)) if holder else (1, 1)
            holder = holder or seat
        each = share * ways / free / self._count(state.sizes, state.holder)
        after = Situation(phase, sizes, holder)
        rest = share - self._land(after, self.tables.landings(phase), each, then, tally)
        # The rest completed a set. Where wins are declared, it is declared: one more move.
        tally.add(3 - seat if self._rules.misere and not self._rules.declare else seat, rest)
        tally.declared += rest * self._rules.declare

    def _step(
        self, state: Situation, share: float, move: Move, then: dict[Situation, float], tally: Tally
    ) -> None:
        """A move without a pick."""
        after = state
        if move is SWAP:
            after = Situation(state.phase, state.sizes[::-1], state.holder and 3 - state.holder)
        steps = self.tables.steps(state.phase)
        made = [(self.tables.made(step, step.hands), step) for step in steps if step.move is move]
        landings = [(hands, step.to) for hands, step in made]
        each = share / self._count(state.sizes, state.holder)
        self._land(after, landings, each, then, tally)

    def _land(
        self,
        after: Situation,
        landings: list[Landing],
        each: float,
        then: dict[Situation, float],
        tally: Tally,
    ) -> float:
        """Give each pair of hands without a set its share, in the phase it leads to."""
        quiet, given = self.quiet(after.sizes, after.holder), 0.0
        for part, to in landings:
            hands = quiet & part
            share = each * hands.bit_count()
            if not hands:
                continue
            if isinstance(to, Phase):
                state = Situation(to, after.sizes, after.holder)
                then[state] = then.get(state, 0.0) + share
            else:
                for winner, there in self.tables.ends[to].items():
                    tally.add(winner, each * (hands & there).bit_count())
            given += share
        return given
