"""All positions of a game, ply by ply, as sets of hands in each phase; and what they are worth."""

from collections.abc import Callable, Iterator
from functools import cached_property
from typing import TypeAlias

from ninefold.audit.figures import Tell, TooLarge
from ninefold.audit.figures.phases import Final, Phase, Phases, Place, Step
from ninefold.audit.figures.verdicts import Verdicts
from ninefold.core.game import TABLE_POOL, Game
from ninefold.core.moves import SWAP
from ninefold.core.position import Position
from ninefold.solver.scores import BEST

Layer: TypeAlias = dict[Place, int]

# So many positions may be thought of, counting every pair of hands in every phase.
MAX_CELLS = 100_000_000
# What a declaration shows is looked up set by set: so many numbers, and it is quick.
MAX_DECLARED = 12


def has_boards(game: Game) -> bool:
    """Whether hands are sets that only grow, and one that holds a winning set keeps it."""
    rules, size = game.rules, len(game.pool)
    if size > TABLE_POOL or game.table is None or rules.in_order:
        return False
    if rules.declare and size > MAX_DECLARED:
        return False
    return not game.whole


class Boards:
    """The positions of a game by ply and phase; raises TooLarge."""

    def __init__(self, game: Game, tell: Tell) -> None:
        self.game, self.tell = game, tell
        self.phases = Phases(game)
        self.grid = self.phases.grid
        self._quiet: dict[tuple[int, int], int] = {(0, 0): 1}
        self.endless = game.rules.invalid == "lose-turn"
        tell("walking through every position")
        self.layers = self._follow(self.all_moves)
        self.reached = self._extent()
        tell("judging the final positions")
        verdicts = Verdicts(game, self.grid, self.reached)
        self.ends = {
            final: verdicts.of(final, hands)
            for final, hands in self.reached.items()
            if isinstance(final, Final)
        }
        tell("solving every position")
        self.open = [phase for phase in self.reached if isinstance(phase, Phase)]
        self.won: dict[int, Layer] = {1: {}, 2: {}}
        self.codes: dict[Phase, list[int]] = {phase: [] for phase in self.open}
        self._bytes: dict[Phase, list[bytes]] = {}
        self._solve()

    def _extent(self) -> Layer:
        """All positions to be judged and solved: those that can be reached."""
        return self.together(self.layers)

    @staticmethod
    def together(layers: list[Layer]) -> Layer:
        """All plies in one."""
        found: Layer = {}
        for layer in layers:
            for place, hands in layer.items():
                found[place] = found.get(place, 0) | hands
        return found

    # Following games from the start.

    def _follow(self, moves: Callable[[Phase, int], Iterator[tuple[Place, int]]]) -> list[Layer]:
        """The positions after each number of plies; where games need not end, only the new ones.

        Raises TooLarge.
        """
        layers: list[Layer] = [{self.phases.start: 1}]
        seen: Layer = {self.phases.start: 1}
        while layers[-1]:
            layer: Layer = {}
            for phase, hands in layers[-1].items():
                for to, there in moves(phase, hands) if isinstance(phase, Phase) else ():
                    layer[to] = layer.get(to, 0) | there
            for to, there in layer.items():
                if self.endless:
                    layer[to] &= ~seen.get(to, 0)
                seen[to] = seen.get(to, 0) | there
            layers.append({to: there for to, there in layer.items() if there})
            phases = sum(isinstance(place, Phase) for place in seen)
            if phases * self.grid.everything.bit_length() > MAX_CELLS:
                raise TooLarge
        return layers[:-1]

    def after_pick(self, phase: Phase, hands: int) -> int:
        """The hands to which a pick of the player to act leads."""
        if phase.asking:
            return 0
        if not hands & 1 or not self.game.opening:
            return self.grid.after(phase.turn, hands)
        opened = self.grid.of(phase.turn * index for index in self._openings)
        return self.grid.after(phase.turn, hands & ~1) | opened

    @cached_property
    def _openings(self) -> list[int]:
        """What the first number adds to an index."""
        bits = self.game.bits.values()
        return [self.grid.indices[bit] for bit in bits if bit & (self.game.opening or ~0)]

    def before_pick(self, phase: Phase, hands: int) -> int:
        """The hands from which a pick of the player to act leads to one of these."""
        if phase.asking or not hands:
            return 0
        found = self.grid.before(phase.turn, hands)
        if found & 1 and not any(hands >> phase.turn * index & 1 for index in self._openings):
            found ^= 1
        return found

    def count_picks(self, phase: Phase, hands: int, wanted: int) -> int:
        """How many picks lead from these hands to those wanted."""
        count = 0
        for at, bit in enumerate(self.game.bits.values()):
            some = hands & self.grid.free(at)
            if self.game.opening and not bit & self.game.opening:
                some &= ~1  # the empty board
            count += (some << phase.turn * self.grid.indices[bit] & wanted).bit_count()
        return count

    def all_moves(self, phase: Phase, hands: int) -> Iterator[tuple[Place, int]]:
        """Where all moves lead from these hands."""
        after = self.after_pick(phase, hands)
        for part, to in self.phases.landings(phase) if after else ():
            yield to, after & part
        for step in self.phases.steps(phase):
            yield step.to, self.made(step, hands)

    def made(self, step: Step, hands: int) -> int:
        """The hands after a move without a pick."""
        there = hands & step.hands
        return self.phases.swapped(there) if there and step.move is SWAP else there

    def unmade(self, step: Step, hands: int) -> int:
        """The hands before a move without a pick that leads to these."""
        before = self.phases.swapped(hands) if hands and step.move is SWAP else hands
        return before & step.hands

    def quiet(self, sizes: tuple[int, int]) -> int:
        """The pairs of hands of these sizes in which nobody holds a set."""
        if sizes not in self._quiet:
            one, two = sizes
            seat, fewer = (1, (one - 1, two)) if one > two else (2, (one, two - 1))
            after = self.grid.after(seat, self.quiet(fewer))
            self._quiet[sizes] = after & ~self.phases.held[seat]
        return self._quiet[sizes]

    # What every position is worth.

    def _solve(self) -> None:
        """From the end to the beginning; what nobody can force is a draw."""
        won = self.won
        fresh: dict[int, Layer] = {1: {}, 2: {}}
        for final, end in self.ends.items():
            for seat in (1, 2):
                won[seat][final] = fresh[seat][final] = end.winners.get(seat, 0)
        left = {phase: self.reached[phase] for phase in self.open}
        plies = 0
        while any(any(layer.values()) for layer in fresh.values()):
            plies += 1
            found: dict[int, Layer] = {1: {}, 2: {}}
            for phase, hands in left.items():
                if not hands:
                    continue
                seat = phase.turn
                wins = self._some_into(phase, hands, fresh[seat])
                losses = self._all_into(phase, hands & ~wins, won[3 - seat], fresh[3 - seat])
                found[seat][phase], found[3 - seat][phase] = wins, losses
                left[phase] = hands & ~(wins | losses)
                self._note(phase, 2 * plies, wins)
                self._note(phase, 2 * plies + 1, losses)
            for seat, layer in found.items():
                for place, hands in layer.items():
                    won[seat][place] = won[seat].get(place, 0) | hands
            fresh = found

    def _some_into(self, phase: Phase, hands: int, wanted: Layer) -> int:
        """Those of the hands with a move into what is wanted."""
        into = 0
        for part, to in self.phases.landings(phase):
            into |= part & wanted.get(to, 0)
        found = self.before_pick(phase, into)
        for step in self.phases.steps(phase):
            found |= self.unmade(step, wanted.get(step.to, 0))
        return found & hands

    def _all_into(self, phase: Phase, hands: int, wanted: Layer, fresh: Layer) -> int:
        """Those of the hands with no move but into what is wanted; some of that must be fresh."""
        landings, steps = self.phases.landings(phase), self.phases.steps(phase)
        if not hands or not any(
            fresh.get(to) for to in (*(to for _, to in landings), *(step.to for step in steps))
        ):
            return 0
        for step in steps:
            # The hands with which the move can be made and leads elsewhere.
            elsewhere = self.grid.everything & ~wanted.get(step.to, 0)
            hands &= ~self.unmade(step, elsewhere)
        if hands and not phase.asking:
            elsewhere = 0
            for part, to in landings:
                elsewhere |= part & ~wanted.get(to, 0)
            hands &= ~self.before_pick(phase, elsewhere)
        return hands

    def _note(self, phase: Phase, code: int, hands: int) -> None:
        """Write a code down for these hands, one plane a bit, the lowest bit first."""
        planes = self.codes[phase]
        if hands:
            planes += [0] * (code.bit_length() - len(planes))
            for at in range(code.bit_length()):
                if code >> at & 1:
                    planes[at] |= hands

    def score(self, position: Position) -> int | None:
        """The score of an unfinished position for the player to act; None where none leads to it.

        A turn can be lost on the clock in any book, which the boards know nothing of.
        """
        phase = self.phases.of(position)
        one, two = (self.grid.indices[mask] for mask in position.masks)
        index = one + 2 * two
        if phase not in self._bytes:
            planes = [self.reached.get(phase, 0), *self.codes.get(phase, ())]
            self._bytes[phase] = [self.grid.as_bytes(plane) for plane in planes]
        known, *planes = (plane[index >> 3] >> (index & 7) & 1 for plane in self._bytes[phase])
        code = sum(bit << at for at, bit in enumerate(planes))
        if not known or not code:
            return 0 if known else None
        return (code >> 1) - BEST if code & 1 else BEST - (code >> 1)

    def level(self, place: Place) -> int:
        """The hands in which nobody can force anything, or the game is drawn."""
        won = self.won[1].get(place, 0) | self.won[2].get(place, 0)
        return self.grid.everything & ~won

    # Games without a mistake.

    @cached_property
    def flawless(self) -> list[Layer]:
        """The positions of each ply, final ones too, that are reached without a mistake."""
        self.tell("following best play")
        return self._follow(self._kept_moves)

    def _kept_moves(self, phase: Phase, hands: int) -> Iterator[tuple[Place, int]]:
        """Where the moves lead that keep what the player to act has."""
        seat = phase.turn
        won, lost = hands & self.won[seat].get(phase, 0), hands & self.won[3 - seat].get(phase, 0)
        for part, keep in ((won, True), (hands & ~(won | lost), False), (lost, None)):
            for to, there in self.all_moves(phase, part) if part else ():
                yield to, there & self.kept(to, seat, keep)

    def kept(self, to: Place, seat: int, winning: bool | None) -> int:
        """The hands that keep a win (True), a draw (False) or a loss (None) of this player."""
        if winning is None:
            return self.grid.everything
        return self.won[seat].get(to, 0) if winning else self.level(to)
