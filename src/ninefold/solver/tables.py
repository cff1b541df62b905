"""Every position of a game solved at once, from the end to the beginning."""

from array import array
from collections.abc import Iterable, Iterator
from functools import cached_property
from itertools import product
from typing import NamedTuple, TypeAlias

from ninefold.core.endings import Rank
from ninefold.core.game import TABLE_POOL, Game
from ninefold.core.moves import LOST, SWAP
from ninefold.core.position import Position
from ninefold.core.turns import (
    COMPLETE,
    ENDING,
    SET,
    End,
    Phase,
    Place,
)
from ninefold.solver.all_moves import AllMoves, Landing, Layer, Step
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.grid import MAX_CELLS
from ninefold.solver.scores import BEST, Budget

Sizes: TypeAlias = tuple[int, int]  # how many numbers each player holds
Winners: TypeAlias = dict[int | None, int]  # by who wins, None for a draw: with which hands


class PhaseMoves(NamedTuple):
    """A phase with all that solving it looks at again and again."""

    phase: Phase
    landings: list[Landing]
    steps: list[Step]
    targets: frozenset[Place]


class Tables(AllMoves):
    """The positions of a game as sets of hands in each phase, and their values.

    They hold what follows from the first position, or from ``start``, when no turn is lost on the
    clock; ``wide`` tables hold hands of any size in each phase. Raises TooLarge and OutOfBudget.
    """

    def __init__(
        self,
        game: Game,
        budget: Budget | None = None,
        start: Position | None = None,
        wide: bool = False,
    ) -> None:
        start = start or game.start()
        # A swap would exchange what was taken at the start, which has no place in the tables.
        swaps = game.rules.pie and any(start.masks) and not all(start.masks)
        taken = start.masks[0] | start.masks[1]
        free = len(game.pool) - taken.bit_count()
        if free > TABLE_POOL or game.endings.sees_order or swaps:
            raise TooLarge
        super().__init__(game, start.masks)
        assert isinstance(start.phase, Phase)
        self.start, self.budget = start.phase, budget or Budget()
        self.open: dict[Phase, int] = {}
        self.ends: dict[End, Winners] = {}
        self._find_places(wide)
        # How many numbers each player can hold in each place; None: any number.
        self.sizes = None if wide or not self._is_narrow() else self._find_sizes()
        self._find_ends()
        # What each player can force, and in how many moves: one plane for each bit of a code.
        self.won: dict[int, Layer] = {1: {}, 2: {}}
        self.codes: dict[Phase, list[int]] = {phase: [] for phase in self.open}
        self._bytes: dict[Phase, list[bytes]] = {}
        self._solve()

    # All places there are, and who wins at the ends.

    def _find_places(self, wide: bool) -> None:
        """Every phase, with its unfinished hands, and every end; raises TooLarge.

        In wide tables, also those that only a turn lost on the clock leads to.
        """
        todo = [self.start]
        self.open[self.start] = 0
        for phase in todo:
            self.budget.ask(len(todo))
            self.open[phase] = self.unfinished(phase)
            if len(self.open) * self.grid.cells > MAX_CELLS:
                raise TooLarge
            lost = self.special(phase, LOST) if wide and not phase.asking else []
            for to in (*(to for _, to in self.moves(phase)), *(step.to for step in lost)):
                if isinstance(to, End):
                    self.ends[to] = {}
                elif to not in self.open:
                    self.open[to] = 0
                    todo.append(to)

    def _is_narrow(self) -> bool:
        """Whether the sizes of hands follow from the phase, and comparing fewer hands pays."""
        rules = self.game.rules
        compares = rules.ending or rules.otherwise != "draw"
        return bool(compares) and not rules.passing and rules.invalid != "lose-turn"

    def _find_sizes(self) -> dict[Place, set[Sizes]]:
        """The sizes that hands can have in each place, if no turn is lost on the clock."""
        found: dict[Place, set[Sizes]] = {}
        one, two = self.base
        todo: list[tuple[Place, Sizes]] = [(self.start, (one.bit_count(), two.bit_count()))]
        while todo:
            place, sizes = todo.pop()
            known = found.setdefault(place, set())
            if sizes not in known:
                known.add(sizes)
                if isinstance(place, Phase):
                    todo += self._next_sizes(place, sizes)
        return found

    def _next_sizes(self, phase: Phase, sizes: Sizes) -> Iterator[tuple[Place, Sizes]]:
        """Where the moves lead from hands of these sizes: all facts but one follow from them."""
        own, other = sizes if phase.turn == 1 else sizes[::-1]
        if not phase.asking:
            facts, picked = self.turns.facts_of(phase, own + 1, other, 1), self.turns.picked[phase]
            after = (own + 1, other) if phase.turn == 1 else (other, own + 1)
            yield picked[facts], after
            yield picked[facts | COMPLETE], after
        for move in {step.move for step in self.steps(phase)}:
            facts = self.turns.facts_of(phase, own, other, 0)
            to = self.turns.after_special(phase, move, facts)
            yield to, (sizes[1], sizes[0]) if move is SWAP else sizes

    def _find_ends(self) -> None:
        """Who wins at each end, with which hands."""
        known: dict[End, Winners] = {}
        for end in self.ends:
            if end.by != ENDING:
                winner = self.turns.winner_by_set(end.turn) if end.by == SET else end.turn
                self.ends[end] = {winner: self.grid.everything}
                continue
            same = end._replace(turn=0, passed=False)  # what would come next does not matter
            if same not in known:
                known[same] = self._compared(same)
            self.ends[end] = known[same]

    def _end_sizes(self, end: End) -> Iterable[Sizes]:
        """The sizes that hands can have at an end, whose turn it would be aside."""
        if self.sizes is not None:
            ends = (end._replace(turn=turn) for turn in (1, 2))
            return {sizes for one in ends for sizes in self.sizes.get(one, ())}
        size, rules = len(self.game.pool), self.game.rules
        limit = size if rules.hand_limit is None else min(size, rules.hand_limit)
        one, two = (mask.bit_count() for mask in self.base)
        every = product(range(one, limit + 1), range(two, limit + 1))
        return [
            (mine, theirs)
            for mine, theirs in every
            if mine + theirs == size
            or (mine + theirs < size and (rules.passing or mine == theirs == limit))
        ]

    def _compared(self, end: End) -> Winners:
        """Who wins with each pair of hands when no number can be claimed any more."""
        if not self.game.rules.ending and self.game.rules.otherwise == "draw":
            return {None: self.grid.everything}
        higher, lower, equal = array("Q"), array("Q"), array("Q")
        for index, one, two in self._ranked(end):
            (higher if one > two else lower if one < two else equal).append(index)
        found: Winners = {1: self.grid.of(higher), 2: self.grid.of(lower)}
        winner, _ = self.game.endings.compare(end, (), ())
        found[winner] = found.get(winner, 0) | self.grid.of(equal)
        return found

    def _ranked(self, end: End) -> Iterator[tuple[int, Rank, Rank]]:
        """Every pair of hands at an end, with what the ending compares of them."""
        rank = self.game.endings.rank
        ones: dict[int, Rank] = {}
        twos: dict[int, Rank] = {}
        for count, (index, one, two) in enumerate(self.grid.pairs(self._end_sizes(end))):
            if not count % 4096:
                self.budget.ask(count)
            mine, theirs = ones.get(one), twos.get(two)
            if mine is None:
                mine = ones[one] = rank(one, None, end.last == 1, end.complete == 1)
            if theirs is None:
                theirs = twos[two] = rank(two, None, end.last == 2, end.complete == 2)
            yield index, mine, theirs

    def links(self, end: End) -> dict[int | None, int]:
        """By the link of the ending that decides: with which hands; None if all are equal."""
        found: dict[int | None, list[int]] = {}
        for index, one, two in self._ranked(end):
            _, link = self.game.endings.compare(end, one, two)
            found.setdefault(link, []).append(index)
        return {link: self.grid.of(indices) for link, indices in found.items()}

    # What every position is worth.

    def _solve(self) -> None:
        """From the end to the beginning, one move at a time; what nobody can force is a draw."""
        won, fresh = self.won, dict[int, Layer]()
        for seat in (1, 2):
            fresh[seat] = {end: hands[seat] for end, hands in self.ends.items() if hands.get(seat)}
            won[seat].update(fresh[seat])
        phases = [self._phase_moves(phase) for phase in self.open]
        left = dict(self.open)
        moves = solved = 0
        while fresh[1] or fresh[2]:
            moves += 1
            found: dict[int, Layer] = {1: {}, 2: {}}
            for leads in phases:
                phase, seat, hands = leads.phase, leads.phase.turn, left[leads.phase]
                wins = self._some_into(leads, hands, fresh[seat])
                losses = self._all_into(leads, hands ^ wins, won[3 - seat], fresh[3 - seat])
                decided = wins | losses
                if decided:
                    found[seat][phase], found[3 - seat][phase] = wins, losses
                    self._note(phase, moves, decided, losses)
                    left[phase] = hands ^ decided
                if self.budget.is_limited:
                    solved += decided.bit_count()
                    self.budget.ask(solved)
            for seat, layer in found.items():
                fresh[seat] = {place: hands for place, hands in layer.items() if hands}
                for place, hands in fresh[seat].items():
                    won[seat][place] = won[seat].get(place, 0) | hands

    def _phase_moves(self, phase: Phase) -> PhaseMoves:
        targets = frozenset(to for _, to in self.moves(phase))
        return PhaseMoves(phase, self.landings(phase), self.steps(phase), targets)

    def _some_into(self, leads: PhaseMoves, hands: int, wanted: Layer) -> int:
        """Those of the hands with a move into what is wanted."""
        if leads.targets.isdisjoint(wanted):
            return 0
        into = found = 0
        for part, to in leads.landings:
            if to in wanted:
                into |= part & wanted[to]
        if into:
            found = self.before_pick(leads.phase, into)
        for step in leads.steps:
            if step.to in wanted:
                found |= self.unmade(step, wanted[step.to])
        return found & hands

    def _all_into(self, leads: PhaseMoves, hands: int, wanted: Layer, fresh: Layer) -> int:
        """Those of the hands with no move but into what is wanted; some of that must be fresh."""
        if leads.targets.isdisjoint(fresh):
            return 0
        for step in leads.steps:
            # The hands with which the move can be made and leads elsewhere.
            into = wanted.get(step.to, 0)
            hands &= ~(step.hands ^ self.unmade(step, into) if into else step.hands)
        if hands and not leads.phase.asking:
            # The parts of the landings make up all hands.
            elsewhere = self.grid.everything
            for part, to in leads.landings:
                if to in wanted:
                    elsewhere ^= part & wanted[to]
            hands ^= hands & self.before_pick(leads.phase, elsewhere)
        return hands

    def _note(self, phase: Phase, moves: int, decided: int, losses: int) -> None:
        """Write down that these hands are decided in this many moves, one plane for each bit.

        The lowest plane tells losses from wins, the others hold the moves.
        """
        planes = self.codes[phase]
        planes += [0] * (moves.bit_length() + 1 - len(planes))
        planes[0] |= losses
        for at in range(moves.bit_length()):
            if moves >> at & 1:
                planes[at + 1] |= decided

    def score(self, position: Position) -> int | None:
        """The score of an unfinished position for the player to act; None if it is not here."""
        phase, (one, two) = position.phase, position.masks
        if (one & self.base[0], two & self.base[1]) != self.base:
            return None
        mirrored = not self._holds(phase, one, two)
        if mirrored:
            phase = _mirrored(phase, self.turns.sees_began)
            if any(self.base) or not self._holds(phase, two, one):
                return None
        assert isinstance(phase, Phase)
        hands, masks = position.hands, position.masks
        if mirrored:
            hands, masks = (hands[1], hands[0]), (two, one)
        index = self.grid.index(hands, masks)
        planes = self._bytes.get(phase)
        if planes is None:
            planes = self._bytes[phase] = [*map(self.grid.as_bytes, reversed(self.codes[phase]))]
        code, byte, bit = 0, index >> 3, index & 7
        for plane in planes:
            code = code << 1 | plane[byte] >> bit & 1
        if not code:
            return 0
        return (code >> 1) - BEST if code & 1 else BEST - (code >> 1)

    def _holds(self, place: Place, one: int, two: int) -> bool:
        """Whether these hands in this place are among what was solved."""
        if self.sizes is None:
            return place in self.open
        return (one.bit_count(), two.bit_count()) in self.sizes.get(place, ())

    @cached_property
    def reachable(self) -> Layer:
        """Everything that can be reached from the start."""
        index = self.grid.index(((), ()), self.base)
        reached: Layer = {self.start: 1 << index}
        fresh = dict(reached)
        while fresh:
            self.budget.ask()
            after: Layer = {}
            for phase, hands in fresh.items():
                for there, to in self.follow(phase, hands) if isinstance(phase, Phase) else ():
                    after[to] = after.get(to, 0) | there
            fresh = {}
            for to, there in after.items():
                new = there & ~reached.get(to, 0)
                if new:
                    fresh[to] = new
                    reached[to] = reached.get(to, 0) | new
        return reached

    @cached_property
    def positions(self) -> int:
        """How many unfinished positions can be reached; hands with the same future are one."""
        reached = self.reachable.items()
        return sum(hands.bit_count() for place, hands in reached if isinstance(place, Phase))

    def level(self, place: Place) -> int:
        """The hands in which nobody can force anything, or the game is drawn."""
        won = self.won[1].get(place, 0) | self.won[2].get(place, 0)
        return self.grid.everything & ~won


def _mirrored(place: Place, sees_began: bool) -> Place:
    """The same place with the players exchanged."""
    last, complete = (seat and 3 - seat for seat in (place.last, place.complete))
    began = 3 - place.began if sees_began else place.began
    return place._replace(turn=3 - place.turn, last=last, complete=complete, began=began)
