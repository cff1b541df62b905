"""Two random players, by counting instead of playing.

After some random picks, all pairs of hands of the same sizes are equally likely, and the order of
the picks does not matter. So it is enough to follow how likely each phase is with hands of given
sizes, and to count how many pairs of hands hold no set. Only the very first number may be special:
it can be followed.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple, TypeAlias

from ninefold.audit.figures import Chances
from ninefold.audit.figures.chances import blunders_of, chances_of, visits
from ninefold.audit.figures.position_layers import PositionLayers
from ninefold.core.moves import SWAP, Move
from ninefold.core.turns import Fact, Phase
from ninefold.players import random_choices
from ninefold.solver.all_moves import Landing


class Situation(NamedTuple):
    """A phase with hands of these sizes, in which nobody holds a set, unless it is declared next.

    If the number picked first is followed, ``holder`` is the player who has it.
    """

    phase: Phase
    sizes: tuple[int, int] = (0, 0)
    first: int = 0
    holder: int = 0
    declares: bool = False


State: TypeAlias = Situation | int  # an integer when the game is over: who has won, 0 in a draw


class RandomPlay:
    """How likely each situation is, move by move."""

    def __init__(self, reachable: PositionLayers) -> None:
        self.reachable, self.tables, self.grid = reachable, reachable.tables, reachable.grid
        self._game, self._size = reachable.game, len(reachable.game.pool)
        self._start = Situation(reachable.tables.start)
        self._by_sizes: dict[tuple[int, int], int] = {(0, 0): 1}
        self._hands: dict[object, tuple[int, int]] = {}

    def chances(self, opening: Move | None = None) -> Chances:
        """How games end, perhaps after this first move."""
        if opening is None:
            return chances_of(self._visits([(self._start, 1.0)]), _winner)
        return chances_of(self._visits(self._after(self._start, opening)), _winner, moves=1)

    def blunders(self) -> float | None:
        """The share of moves that throw away a win or a draw."""
        return blunders_of(self._visits([(self._start, 1.0)]), self._stake)

    def _visits(self, start: list[tuple[State, float]]) -> Iterator[tuple[State, float]]:
        return visits(start, self._next, _winner, self.tables.budget)

    def _next(self, state: State) -> list[tuple[State, float]]:
        """Where the next move leads, and how likely."""
        assert not isinstance(state, int), "the game is not over"
        if state.declares:
            return [(state.phase.turn, 1.0)]
        moves = self._moves(state)
        total = sum(moves.values())
        return [
            (to, part * count / total)
            for move, count in moves.items()
            for to, part in self._after(state, move)
        ]

    def _moves(self, state: Situation) -> dict[Move | None, int]:
        """What a random player chooses from, and how often; None is any number."""
        phase, free = state.phase, self._size - sum(state.sizes)
        opening = self._game.start().picks
        picks: dict[Move | None, int] = {} if phase.asking else {None: free}
        if len(opening) < free == self._size:
            picks = dict.fromkeys(opening, 1)
        special = [*self.tables.turns.special_moves(phase)]
        return picks | dict.fromkeys(random_choices(special, phase.asking), 1)

    def _after(self, state: Situation, move: Move | None) -> list[tuple[State, float]]:
        """Where a move leads, and how likely."""
        if move is None or isinstance(move, int):
            return self._after_pick(state, move)
        after = state
        if move is SWAP:
            after = state._replace(
                sizes=state.sizes[::-1], holder=state.holder and 3 - state.holder
            )
        steps = [step for step in self.tables.steps(state.phase) if step.move is move]
        landings = [(self.tables.made(step, step.hands), step.to) for step in steps]
        count = self._quiet(state)[1]
        return [(to, hands / count) for to, hands in self._land(after, landings)]

    def _after_pick(self, state: Situation, number: int | None) -> list[tuple[State, float]]:
        """Where a pick leads, of any number or of the one that is followed from now on."""
        seat, (one, two) = state.phase.turn, state.sizes
        free = self._size - one - two
        after = state._replace(sizes=(one + 1, two) if seat == 1 else (one, two + 1))
        # How many of the numbers in a hand may be the one picked last: not the one picked first.
        last = after.sizes[seat - 1] - (state.holder == seat)
        if number is not None:
            after = after._replace(first=self._game.pool.index(number), holder=seat)
            free = last = 1
        ways = free * self._quiet(state)[1]
        landed = self._land(after, self.tables.landings(state.phase))
        found = [(to, last * hands / ways) for to, hands in landed]
        rest = ways - last * sum(hands for _, hands in landed)
        if rest:  # a set was completed
            won: State = self.tables.turns.winner_by_set(seat)
            if self._game.rules.declare:
                won = after._replace(declares=True)
            found.append((won, rest / ways))
        return found

    def _land(self, after: Situation, landings: Iterable[Landing]) -> list[tuple[State, int]]:
        """Where the pairs of hands without a set are then, and how many they are."""
        quiet = self._quiet(after)[0]
        found: list[tuple[State, int]] = []
        for part, to in landings:
            hands = quiet & part
            if isinstance(to, Phase):
                found.append((after._replace(phase=to), hands.bit_count()))
            elif hands:
                ends = self.tables.ends[to].items()
                found += [(seat or 0, (hands & there).bit_count()) for seat, there in ends]
        return [item for item in found if item[1]]

    def _quiet(self, state: Situation) -> tuple[int, int]:
        """The pairs of hands in a situation, and how many they are."""
        key = state.sizes, state.first, state.holder
        if key not in self._hands:
            hands = self._without_set(state.sizes)
            if state.holder:
                hands &= self.grid.held(state.holder, state.first)
            self._hands[key] = hands, hands.bit_count()
        return self._hands[key]

    def _without_set(self, sizes: tuple[int, int]) -> int:
        """The pairs of hands of these sizes in which nobody holds a set."""
        if sizes not in self._by_sizes:
            one, two = sizes
            seat, fewer = (1, (one - 1, two)) if one > two else (2, (one, two - 1))
            after = self.grid.after(seat, self._without_set(fewer))
            self._by_sizes[sizes] = after & ~self.tables.fact(Fact.COMPLETE, seat)
        return self._by_sizes[sizes]

    def _stake(self, state: State) -> tuple[float, float]:
        """How likely there is a win or a draw here, and how likely it is thrown away."""
        if isinstance(state, int):
            return 0, 0
        if state.declares:
            return 1, 0
        hands, count = self._quiet(state)
        moves = sum(self._moves(state).values())
        at_stake = kept = 0
        for winner in (state.phase.turn, None):
            part = hands & self.reachable.forced(state.phase, winner)
            at_stake += part.bit_count()
            kept += self._kept(state, part, winner) if part else 0
        return at_stake / count, (at_stake - kept / moves) / count

    def _kept(self, state: Situation, hands: int, winner: int | None) -> int:
        """How many random moves there are after which this player can still force a win."""
        phase, wanted, kept = state.phase, 0, 0
        for part, to in self.tables.landings(phase):
            wanted |= part & self.reachable.forced(to, winner)
        for at, bit in enumerate(self._game.bits.values() if wanted else ()):
            some = hands & self.grid.held(0, at)
            if self._game.opening and not bit & self._game.opening:
                some &= ~1  # the empty board
            kept += (some << self.grid.add(phase.turn, bit) & wanted).bit_count()
        for step in self.tables.steps(phase):
            if step.move in self._moves(state):
                there = self.reachable.forced(step.to, winner)
                kept += (self.tables.made(step, hands) & there).bit_count()
        return kept


def _winner(state: State) -> int | None:
    return state if isinstance(state, int) else None
