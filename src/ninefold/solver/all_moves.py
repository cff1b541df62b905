"""The moves of a game for all hands at once: where each leads, forwards and back.

The rules are those of ``core.turns``, evaluated for sets of hands: a fact such as "the pool is
exhausted" is a set of hands here, and a move leads the hands that share all facts to one place.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from ninefold.core.game import Game
from ninefold.core.moves import SWAP, Move
from ninefold.core.turns import DECLARED, Fact, Phase, Place
from ninefold.solver.grid import Grid
from ninefold.solver.ordered_grid import OrderedGrid

Layer: TypeAlias = dict[Place, int]
Landing: TypeAlias = tuple[int, Place]  # these hands, and where they are then


class Step(NamedTuple):
    """A move that claims no number: the hands with which it can be made, and where it leads."""

    move: Move
    hands: int
    to: Place


class AllMoves:
    """Where the moves of a game lead, for all hands that hold at least ``base``.

    Raises TooLarge where the order of hands matters and there are too many.
    """

    def __init__(self, game: Game, base: tuple[int, int] = (0, 0)) -> None:
        self.game, self.turns, self.base = game, game.turns, base
        self.grid = OrderedGrid(game) if game.rules.in_order else Grid(game, base)
        self._facts: dict[tuple[int, int, int], int] = {}
        self._landings: dict[Phase, list[Landing]] = {}
        self._steps: dict[Phase, list[Step]] = {}

    def landings(self, phase: Phase) -> list[Landing]:
        """Where the hands after a pick are, in parts that share none."""
        if phase.asking:
            return []
        if phase not in self._landings:
            picked = self.turns.picked[phase]
            parts = self._parts(phase, self.grid.everything, self.turns.facts, 1)
            self._landings[phase] = _merged((hands, picked[facts]) for hands, facts in parts)
        return self._landings[phase]

    def steps(self, phase: Phase) -> list[Step]:
        """Every move that claims no number; a swap turns the hands round as well."""
        found = self._steps.get(phase)
        if found is None:
            moves = self.turns.special_moves(phase)
            found = [step for move in moves for step in self.special(phase, move)]
            if self.game.rules.declare:
                held = self.fact(Fact.COMPLETE, phase.turn) & self.unfinished(phase)
                found.append(Step(DECLARED, held, self.turns.after_special(phase, DECLARED, 0)))
            self._steps[phase] = found = [step for step in found if step.hands]
        return found

    def special(self, phase: Phase, move: Move) -> list[Step]:
        """Where a move without a number leads, also one that these rules do not offer."""
        asked = 0 if move is SWAP else self.turns.facts & ~(Fact.BUST | Fact.COMPLETE | Fact.FEW)
        after = self.turns.after_special
        parts = self._parts(phase, self.unfinished(phase), asked, 0)
        landings = _merged((hands, after(phase, move, facts)) for hands, facts in parts)
        return [Step(move, hands, to) for hands, to in landings]

    def _parts(self, phase: Phase, all_: int, asked: int, picks: int) -> list[tuple[int, int]]:
        """All hands after a move, in parts that share the same facts."""
        picked = self.game.rules.picks_per_turn - phase.left + picks
        parts = [(all_, 0)]
        while asked:
            fact = asked & -asked
            asked ^= fact
            true = self.fact(fact, phase.turn, picked if fact == Fact.FIRST_TURN else 0)
            split = []
            for hands, facts in parts:
                both = hands & true
                split += [(both, facts | fact), (hands ^ both, facts)]
            parts = [part for part in split if part[0]]
        return parts

    def fact(self, fact: int, seat: int, picked: int = 0) -> int:
        """The hands after a move of this player of which a fact is true.

        Only FIRST_TURN depends on how many numbers were ``picked`` in this turn.
        """
        known = self._facts.get((fact, seat, picked))
        if known is None:
            known = self._facts[fact, seat, picked] = self._find_fact(fact, seat, picked)
        return known

    def _find_fact(self, fact: int, seat: int, picked: int) -> int:
        grid, limit = self.grid, self.game.rules.hand_limit or 0
        if fact == Fact.COMPLETE:
            return grid.complete(seat, self.game.wins)
        if fact == Fact.BUST:
            return grid.complete(seat, self.game.losses)
        if fact == Fact.FEW:
            return grid.smaller(seat, self.game.smallest_set)
        if fact == Fact.OWN_FULL:
            return grid.everything ^ grid.smaller(seat, limit)
        if fact == Fact.OTHER_FULL:
            return self.fact(Fact.OWN_FULL, 3 - seat)
        if fact == Fact.EXHAUSTED:
            return grid.exhausted
        if fact == Fact.OWN_STUCK:
            return grid.everything & ~(grid.may_pick(seat) | grid.exhausted)
        if fact == Fact.OTHER_STUCK:
            return self.fact(Fact.OWN_STUCK, 3 - seat)
        if any(self.base) or not picked:
            return 0
        exactly = grid.smaller(seat, picked + 1) & ~grid.smaller(seat, picked)
        return exactly & grid.smaller(3 - seat, 1)

    def targets(self, phase: Phase) -> list[Place]:
        """Where the moves lead."""
        return [to for _, to in self.landings(phase)] + [step.to for step in self.steps(phase)]

    def unfinished(self, phase: Phase) -> int:
        """The hands with which a game can be in this phase; some may be out of reach."""
        hands = self.grid.everything
        if not phase.asking:
            hands ^= self.grid.exhausted
            if self.game.rules.hand_limit is not None:
                hands &= ~self.fact(Fact.OWN_FULL, phase.turn)
            if self.game.picks.can_stick:
                hands &= ~self.fact(Fact.OWN_STUCK, phase.turn)
        if not self.game.rules.declare:
            hands &= ~(self.fact(Fact.COMPLETE, 1) | self.fact(Fact.COMPLETE, 2))
        if self.game.rules.losses:
            hands &= ~(self.fact(Fact.BUST, 1) | self.fact(Fact.BUST, 2))
        return hands

    # Following moves forwards and back.

    def after_pick(self, phase: Phase, hands: int) -> int:
        """The hands to which a pick of the player to act leads."""
        return 0 if phase.asking else self.grid.after(phase.turn, hands)

    def before_pick(self, phase: Phase, hands: int) -> int:
        """The hands from which a pick of the player to act leads to one of these."""
        return 0 if phase.asking or not hands else self.grid.before(phase.turn, hands)

    def unmade(self, step: Step, hands: int) -> int:
        """The hands before a move without a pick that leads to these."""
        before = self.grid.swapped(hands) if hands and step.move is SWAP else hands
        return before & step.hands

    def follow(self, phase: Phase, hands: int) -> Iterator[Landing]:
        """The hands after every move from these, and where they are then."""
        after = self.after_pick(phase, hands)
        for part, to in self.landings(phase) if after else ():
            yield after & part, to
        for step in self.steps(phase):
            there = hands & step.hands
            yield self.grid.swapped(there) if there and step.move is SWAP else there, step.to


def _merged(landings: Iterable[Landing]) -> list[Landing]:
    """The same with one part for each place."""
    found: Layer = {}
    for hands, to in landings:
        found[to] = found.get(to, 0) | hands
    return [(hands, to) for to, hands in found.items()]
