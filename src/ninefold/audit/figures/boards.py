"""All positions of a game, ply by ply, as sets of hands in each phase; and what they are worth."""

from collections.abc import Callable, Iterator
from functools import cached_property, reduce
from operator import or_
from re import finditer
from typing import NamedTuple, TypeAlias

from ninefold.audit.figures import DRAW, LINK, OTHER, Decider, Moves, Tell, TooLarge
from ninefold.audit.figures.phases import DECLARED, Final, Phase, Phases, Place, Step
from ninefold.core.endings import rank
from ninefold.core.game import TABLE_POOL, Game
from ninefold.core.moves import SWAP, Declare, Move
from ninefold.core.position import Position
from ninefold.solver.scores import BEST

Layer: TypeAlias = dict[Place, int]
Rank: TypeAlias = tuple[float, ...]
Verdict: TypeAlias = tuple[int | None, Decider]

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


class Ends(NamedTuple):
    """How the hands of one final phase end the game: who won them, and what decided."""

    winners: dict[int | None, int]
    deciders: dict[Decider, int]


class Ranks(dict[int, Rank]):
    """What the ending compares of each hand, found when it is asked for."""

    def __init__(self, game: Game, last: int, complete: int) -> None:
        self.game, self.last, self.complete = game, last, complete

    def __missing__(self, mask: int) -> Rank:
        hands = self.game.numbers(mask), ()
        position = Position(self.game, hands, (mask, 0), 1, False, self.last, self.complete)
        self[mask] = rank(position, 1)
        return self[mask]


class Boards:
    """The positions of a game by ply and phase; raises TooLarge."""

    def __init__(self, game: Game, tell: Tell) -> None:
        self.game, self.tell = game, tell
        self.phases = Phases(game)
        self.grid = self.phases.grid
        self._quiet: dict[tuple[int, int], int] = {(0, 0): 1}
        self._verdicts: dict[Final, dict[Verdict, int]] = {}
        self.endless = game.rules.invalid == "lose-turn"
        tell("walking through every position")
        self.layers = self._follow(self.all_moves)
        self.reached = self._extent()
        tell("judging the final positions")
        self.ends = {
            final: self._judge(final, hands)
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

    # Who wins when it is over.

    def _judge(self, final: Final, hands: int) -> Ends:
        if final.by != "ending":
            misere = self.game.rules.misere and final.by == "set"
            return Ends({3 - final.turn if misere else final.turn: hands}, {})
        winners: dict[int | None, int] = {}
        deciders: dict[Decider, int] = {}
        for (winner, decider), decided in self._decided(final._replace(turn=0)).items():
            there = decided & hands
            if there:
                winners[winner] = winners.get(winner, 0) | there
                deciders[decider] = deciders.get(decider, 0) | there
        return Ends(winners, deciders)

    def _decided(self, final: Final) -> dict[Verdict, int]:
        """All hands with which the game can end like that, whoever would be next, by verdict."""
        found = self._verdicts.get(final)
        if found is None:
            indices: dict[Verdict, list[int]] = {}
            ranks = [self._ranks(final.last == seat, final.complete == seat) for seat in (1, 2)]
            known: dict[tuple[Rank, Rank], list[int]] = {}
            for index in indices_of(self.grid.as_bytes(self._ending_like(final))):
                one, two = self.masks(index)
                pair = ranks[0][one], ranks[1][two]
                if pair not in known:
                    known[pair] = indices.setdefault(self._verdict(final, *pair), [])
                known[pair].append(index)
            found = {verdict: self.grid.of(some) for verdict, some in indices.items()}
            self._verdicts[final] = found
        return found

    def _ending_like(self, final: Final) -> int:
        alike = (final._replace(turn=seat) for seat in (1, 2))
        return reduce(or_, (self.reached.get(place, 0) for place in alike))

    def _ranks(self, picked_last: bool, completed: bool) -> "Ranks":
        """What the ending compares, for every hand."""
        return Ranks(self.game, 1 if picked_last else 2, 1 if completed else 2)

    def _verdict(self, final: Final, mine: Rank, theirs: Rank) -> Verdict:
        """Who wins when the ending compares these two ranks, and by what."""
        if mine != theirs:
            at = next(at for at, value in enumerate(mine) if value != theirs[at])
            return (1 if mine > theirs else 2), Decider(LINK, at)
        otherwise = self.game.rules.otherwise
        if otherwise == "draw":
            return None, DRAW
        favourite = final.began if otherwise == "first" else 3 - final.began
        return favourite, Decider(OTHER, 0, otherwise)

    def masks(self, index: int) -> tuple[int, int]:
        """The hands with this index, half by half from tables."""
        high, low = divmod(index, self._halves[0])
        (one, two), (three, four) = self._halves[1][low], self._halves[2][high]
        return one | three, two | four

    @cached_property
    def _halves(self) -> tuple[int, list[tuple[int, int]], list[tuple[int, int]]]:
        size = len(self.game.pool)
        low = size // 2
        first = [self.grid.masks(index) for index in range(3**low)]
        second = [self.grid.masks(index * 3**low) for index in range(3 ** (size - low))]
        return 3**low, first, second

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

    # Games without a mistake, and how to get anywhere.

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

    def trace(self, layers: list[Layer], ply: int, place: Place, hands: int) -> Moves:
        """A game of so many plies through these layers to one of these hands in this phase."""
        kept = layers is not self.layers
        index = self._fullest(hands, ply)
        moves: list[Move] = []
        for layer in reversed(layers[:ply]):
            move, place, index = self._step_back(layer, place, index, kept)
            moves.append(move)
        return tuple(reversed(moves))

    def _fullest(self, hands: int, ply: int) -> int:
        """The first of these hands; of those after the fewest turns given away, if there may be."""
        if self.endless or self.game.rules.passing:
            for count in range(min(ply, len(self.game.pool)), 0, -1):
                some = hands & self.grid.counted(1, 1, range(count, count + 1)).get(count, 0)
                if some:
                    hands = some
                    break
        return (hands & -hands).bit_length() - 1

    def _step_back(
        self, layer: Layer, place: Place, index: int, kept: bool
    ) -> tuple[Move, Place, int]:
        """A move that leads to a position, and the position before it."""
        for phase, hands in layer.items():
            if not isinstance(phase, Phase):
                continue
            for move, before in self._moves_back(phase, place, index):
                if hands >> before & 1 and (not kept or self._keeps(phase, before, place, index)):
                    return move, phase, before
        raise AssertionError("a position without a way to it")

    def _moves_back(self, phase: Phase, place: Place, index: int) -> Iterator[tuple[Move, int]]:
        if not phase.asking and any(
            to == place and part >> index & 1 for part, to in self.phases.landings(phase)
        ):
            hand = self.masks(index)[phase.turn - 1]
            for number, bit in reversed(self.game.bits.items()):
                before = index - phase.turn * self.grid.indices[bit]
                if hand & bit and (before or not self.game.opening or bit & self.game.opening):
                    yield number, before
        for step in self.phases.steps(phase):
            if step.to == place:
                before = self.unmade(step, 1 << index)
                if before:
                    yield self._named(step, phase, index), before.bit_length() - 1

    def _named(self, step: Step, phase: Phase, index: int) -> Move:
        """The move as it would be written: a declaration names the first of the sets."""
        if step.move is not DECLARED:
            return step.move
        mask = self.masks(index)[phase.turn - 1]
        return Declare(self.game.sets_in(mask, self.game.numbers(mask))[0])

    def _keeps(self, phase: Phase, before: int, place: Place, index: int) -> bool:
        """Whether a move from one position to the other keeps what its maker has."""
        seat = phase.turn
        if self.won[seat].get(phase, 0) >> before & 1:
            return bool(self.won[seat].get(place, 0) >> index & 1)
        if self.won[3 - seat].get(phase, 0) >> before & 1:
            return True
        return bool(self.level(place) >> index & 1)


def indices_of(positions: bytes) -> Iterator[int]:
    """The indices of the bits that are set."""
    for found in finditer(rb"[^\0]", positions):
        byte, base = positions[found.start()], 8 * found.start()
        for bit in range(8):
            if byte >> bit & 1:
                yield base + bit
