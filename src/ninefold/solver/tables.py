"""Every position of a game solved at once, from the end to the beginning."""

from array import array
from collections.abc import Iterator
from functools import cached_property
from typing import TypeAlias

from ninefold.core.endings import Rank
from ninefold.core.game import Game
from ninefold.core.moves import LOST, SWAP
from ninefold.core.position import Position
from ninefold.core.sets import TABLE_POOL
from ninefold.core.turns import ENDING, LOSING_SET, SET, End, Fact, Lookup, Phase, Place
from ninefold.solver.all_moves import AllMoves, Layer
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.grid import MAX_CELLS
from ninefold.solver.scores import BEST, Budget

Sizes: TypeAlias = tuple[int, int]  # how many numbers each player holds
_STUCK = Fact.OWN_STUCK | Fact.OTHER_STUCK
Winners: TypeAlias = dict[int | None, int]  # by who wins, None for a draw: with which hands


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
        if free > TABLE_POOL or game.endings.sees_order or swaps or _sees_too_much(game):
            raise TooLarge
        super().__init__(game, start.masks)
        assert isinstance(start.phase, Phase)
        self.start, self.budget = start.phase, budget or Budget()
        self.open: dict[Phase, int] = {}
        self.ends: dict[End, Winners] = {}
        self._find_places(wide)
        # How many numbers each player can hold in each place, if the ending looks at the hands.
        compares = game.rules.ending or game.rules.otherwise != "draw"
        self.sizes = self._find_sizes(wide) if compares else None
        self._find_ends()
        # What each player can force, and in how many moves: one plane for each bit of a code.
        self.won: dict[int, Layer] = {1: {}, 2: {}}
        self.codes: dict[Phase, list[int]] = {phase: [] for phase in self.open}
        self._bytes: dict[Phase, list[bytes]] = {}
        self._solve()

    # All places there are, and who wins at the ends.

    def _find_places(self, wide: bool) -> None:
        """Every phase with its unfinished hands, and every end; raises TooLarge."""
        todo = [self.start]
        self.open[self.start] = 0
        for phase in todo:
            self.budget.ask(len(todo))
            self.open[phase] = self.unfinished(phase)
            if len(self.open) * self.grid.cells > MAX_CELLS:
                raise TooLarge
            lost = self.special(phase, LOST) if wide and not phase.asking else []
            for to in (*self.targets(phase), *(step.to for step in lost)):
                if isinstance(to, End):
                    self.ends[to] = {}
                elif to not in self.open:
                    self.open[to] = 0
                    todo.append(to)

    def _find_sizes(self, wide: bool) -> dict[Place, set[Sizes]]:
        """The sizes that hands can have in each phase, and in each end that the ending decides."""
        one, two = self.base
        todo: list[tuple[Place, Sizes]] = [(self.start, (one.bit_count(), two.bit_count()))]
        found: dict[Place, set[Sizes]] = {}
        while todo:
            place, sizes = todo.pop()
            if isinstance(place, End):
                if place.by == ENDING:
                    found.setdefault(place.for_ending, set()).add(sizes)
            elif sizes not in found.setdefault(place, set()):
                found[place].add(sizes)
                todo += self._next_sizes(place, sizes, wide)
        return found

    def _next_sizes(self, phase: Phase, sizes: Sizes, wide: bool) -> Iterator[tuple[Place, Sizes]]:
        """Where the moves lead from hands of these sizes; other facts may be true or not."""
        own, other = sizes if phase.turn == 1 else sizes[::-1]
        moves = {step.move for step in self.steps(phase)}
        if not phase.asking:
            moves |= {LOST} if wide else set()
            facts, picked = self.turns.facts_of(phase, own + 1, other, 1), self.turns.picked[phase]
            after = (own + 1, other) if phase.turn == 1 else (other, own + 1)
            for unknown in self._unknown_facts(_STUCK | Fact.BUST | Fact.COMPLETE):
                yield picked[facts | unknown], after
        for move in moves:
            held = (other, own) if move is SWAP else (own, other)
            facts = self.turns.facts_of(phase, *held, 0)
            for unknown in self._unknown_facts(_STUCK):
                to = self.turns.after_special(phase, move, facts | unknown)
                yield to, (sizes[1], sizes[0]) if move is SWAP else sizes

    def _unknown_facts(self, among: int) -> list[int]:
        """Every combination of those of these facts that the rules look at."""
        asked = among & self.turns.facts
        return [facts for facts in range(asked + 1) if facts & ~asked == 0]

    def _find_ends(self) -> None:
        """Who wins at each end, with which hands."""
        compared = Lookup(self._compared)
        for end in self.ends:
            if end.by == ENDING:
                self.ends[end] = compared[end.for_ending]
            else:
                winner = end.turn
                if end.by == LOSING_SET or (end.by == SET and self.game.rules.misere):
                    winner = 3 - end.turn
                self.ends[end] = {winner: self.grid.everything}

    def _compared(self, end: End) -> Winners:
        """Who wins with each pair of hands when no number can be claimed any more."""
        if self.sizes is None:
            return {None: self.grid.everything}
        rank, higher, lower, equal = self.game.endings.rank, array("Q"), array("Q"), array("Q")
        mine = Lookup[int, Rank](lambda mask: rank(mask, None, end.last == 1, end.complete == 1))
        theirs = Lookup[int, Rank](lambda mask: rank(mask, None, end.last == 2, end.complete == 2))
        for pair in self.sizes.get(end, ()):
            self.budget.ask()
            for index, first, second in self.grid.pairs(*pair):
                one, two = mine[first], theirs[second]
                (higher if one > two else lower if one < two else equal).append(index)
        found: Winners = {1: self.grid.of(higher), 2: self.grid.of(lower)}
        winner, _ = self.game.endings.compare(end, (), ())
        found[winner] = found.get(winner, 0) | self.grid.of(equal)
        return found

    # What every position is worth.

    def _solve(self) -> None:
        """From the end to the beginning, one move at a time; what nobody can force is a draw."""
        won, fresh = self.won, dict[int, Layer]()
        for seat in (1, 2):
            fresh[seat] = {end: hands[seat] for end, hands in self.ends.items() if hands.get(seat)}
            won[seat].update(fresh[seat])
        targets = {phase: {*self.targets(phase)} for phase in self.open}
        left = dict(self.open)
        moves = solved = 0
        while fresh[1] or fresh[2]:
            moves += 1
            found: dict[int, Layer] = {1: {}, 2: {}}
            for phase, hands in left.items():
                seat, wins, losses = phase.turn, 0, 0
                if not targets[phase].isdisjoint(fresh[seat]):
                    wins = self._some_into(phase, hands, fresh[seat])
                if not targets[phase].isdisjoint(fresh[3 - seat]):
                    losses = self._all_into(phase, hands ^ wins, won[3 - seat])
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

    def _some_into(self, phase: Phase, hands: int, wanted: Layer) -> int:
        """Those of the hands with a move into what is wanted."""
        into = found = 0
        for part, to in self.landings(phase):
            if to in wanted:
                into |= part & wanted[to]
        if into:
            found = self.before_pick(phase, into)
        for step in self.steps(phase):
            if step.to in wanted:
                found |= self.unmade(step, wanted[step.to])
        return found & hands

    def _all_into(self, phase: Phase, hands: int, wanted: Layer) -> int:
        """Those of the hands with no move but into what is wanted."""
        for step in self.steps(phase):
            # The hands with which the move can be made and leads elsewhere.
            into = wanted.get(step.to, 0)
            hands &= ~(step.hands ^ self.unmade(step, into) if into else step.hands)
        if hands and not phase.asking:
            # The parts of the landings make up all hands.
            elsewhere = self.grid.everything
            for part, to in self.landings(phase):
                if to in wanted:
                    elsewhere ^= part & wanted[to]
            hands ^= hands & self.before_pick(phase, elsewhere)
        return hands

    def _note(self, phase: Phase, moves: int, decided: int, losses: int) -> None:
        """Write down in binary that these hands are decided in so many moves, and the losses."""
        planes = self.codes[phase]
        planes += [0] * (moves.bit_length() + 1 - len(planes))
        planes[0] |= losses
        for at in range(moves.bit_length()):
            if moves >> at & 1:
                planes[at + 1] |= decided

    def score(self, position: Position) -> int | None:
        """The score of an unfinished position for the player to act; None if it is not here."""
        phase, hands, masks = position.phase, position.hands, position.masks
        if (masks[0] & self.base[0], masks[1] & self.base[1]) != self.base:
            return None
        if not self._holds(phase, masks):
            phase, hands, masks = self._mirrored(phase), hands[::-1], masks[::-1]
            if any(self.base) or not self._holds(phase, masks):
                return None
        assert isinstance(phase, Phase)
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

    def _holds(self, place: Place, masks: tuple[int, int]) -> bool:
        """Whether these hands in this place are among what was solved."""
        if self.sizes is None:
            return place in self.open
        return (masks[0].bit_count(), masks[1].bit_count()) in self.sizes.get(place, ())

    def _mirrored(self, place: Place) -> Place:
        """The same place with the players exchanged."""
        last, complete = (seat and 3 - seat for seat in (place.last, place.complete))
        began = 3 - place.began if self.turns.sees_began else place.began
        return place._replace(turn=3 - place.turn, last=last, complete=complete, began=began)

    @cached_property
    def positions(self) -> int:
        """How many unfinished positions can be reached; hands with the same future are one."""
        layer: Layer = {self.start: 1}
        reached = Layer()
        while layer:
            reached |= {to: reached.get(to, 0) | hands for to, hands in layer.items()}
            after: Layer = {}
            for phase, hands in layer.items():
                self.budget.ask()
                for there, to in self.follow(phase, hands) if isinstance(phase, Phase) else ():
                    after[to] = after.get(to, 0) | there & ~reached.get(to, 0)
            layer = {to: hands for to, hands in after.items() if hands}
        return sum(hands.bit_count() for to, hands in reached.items() if isinstance(to, Phase))


def _sees_too_much(game: Game) -> bool:
    """Whether the rules look at what a pair of hands does not tell, such as the number before."""
    picks, rules = game.picks, game.rules
    limits = picks.can_stick or rules.row_ends
    return bool(picks.sees) or (limits and (rules.pie or rules.in_order))
