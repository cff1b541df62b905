"""Every position of a game of alternating picks, a byte each, in compiled loops.

If each turn is one pick, the hands tell whose turn it is. The positions after as many picks are a
*layer*. The hands are a number to base 3, as in ``grid``. It has two halves: a position is found by
where the higher half begins in its layer, and the rank of the lower half among those that fit.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeAlias

from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.core.sets import TABLE_POOL, Sets
from ninefold.solver import layer_kernels as kernels
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.compiled import COMPILED
from ninefold.solver.layer_kernels import LEVEL, Shape
from ninefold.solver.scores import BEST, Budget

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ninefold.core.patterns import Pattern

Array: TypeAlias = Any  # of numpy, which comes with the extra fast


def fits_in_layers(game: Game) -> bool:
    """Whether each turn is one pick, and the hands tell everything."""
    rules, picks = game.rules, game.picks
    turns = rules.declare or rules.has_turns or rules.invalid == "lose-turn"
    order = rules.in_order or picks.sees or game.endings.sees_order
    skips = picks.can_stick and rules.stuck == "skip"
    return 2 <= len(game.pool) <= TABLE_POOL and not (turns or order or skips)


class Layers:
    """The exact score of every position that alternating picks can lead to.

    ``worth`` and ``marks`` have a byte for each position. Raises OutOfBudget, and TooLarge where
    the hands do not tell everything, or nothing can be compiled.
    """

    def __init__(self, game: Game, budget: Budget | None = None) -> None:
        if not COMPILED or not fits_in_layers(game):
            raise TooLarge
        import numpy

        size = len(game.pool)
        self.game, self.budget, self.shape = game, budget or Budget(), _shape(game)
        self.worth: Array = numpy.zeros(self.shape.first[-1], numpy.uint8)
        self.marks: Array = numpy.zeros(self.shape.first[-1], numpy.uint8)
        self.after: Array = numpy.zeros(size, numpy.int32)  # room for the positions after a move
        for layer in reversed([*self.layers()]):
            self.budget.ask()
            kernels.solve(self.shape, layer, self.worth, self.marks, self.after)

    def layers(self) -> Iterator[int]:
        """The layers that play can reach; raises OutOfBudget."""
        for layer in range(self.shape.most + 1):
            self.budget.ask()
            yield layer

    def mark(self, bit: int, moves: int) -> int:
        """Mark what these moves lead to from the start, and nothing else; how many positions."""
        self.marks &= 255 ^ bit
        self.marks[0] |= bit
        positions, after = (self.worth, self.marks), self.after
        return sum(
            kernels.mark(self.shape, layer, *positions, bit, moves, after)
            for layer in self.layers()
        )

    @property
    def positions(self) -> int:
        """How many positions were solved."""
        return len(self.worth)

    def find(self, masks: tuple[int, int]) -> int | None:
        """The place of these hands of the first and the second player; None if it is not here."""
        (one, two), shape = masks, self.shape
        layer = (one | two).bit_count()
        if one.bit_count() - two.bit_count() != layer % 2 or layer > shape.most:
            return None
        low = high = 0
        for bit in self.game.bits.values():
            digit = (one & bit > 0) + 2 * (two & bit > 0)
            low += digit * int(shape.low_steps[bit % 37])
            high += digit * int(shape.high_steps[bit % 37])
        return int(shape.base[layer * shape.higher + high] + shape.rank[low])

    def score(self, position: Position) -> int | None:
        """The score of an unfinished position for the player to act; None if it is not here."""
        first_acts = sum(position.masks).bit_count() % 2 == 0
        began = position.turn if first_acts else 3 - position.turn
        # Who wins if nothing else decides is known for the first player only.
        known = began == 1 or position.game.rules.otherwise == "draw"
        at = self.find(position.masks if began == 1 else position.masks[::-1])
        if at is None or not known:
            return None
        worth = (int(self.worth[at]) - LEVEL) * (1 if first_acts else -1)
        moves = 127 - abs(worth)
        return 0 if not worth else BEST - moves if worth > 0 else moves - BEST


def _shape(game: Game) -> Shape:
    """The positions of a game, and its rules, as arrays."""
    import numpy

    size, rules = len(game.pool), game.rules
    low = size // 2
    most = min(size, 2 * (rules.hand_limit or size))
    (one_low, two_low, low_kinds), (one_high, two_high, kinds) = _half(0, low), _half(low, size)
    order = numpy.argsort(low_kinds, kind="stable").astype(numpy.uint16)
    starts = numpy.searchsorted(low_kinds[order], numpy.arange(64 * 64))
    rank = numpy.empty(len(order), numpy.int32)
    rank[order] = numpy.arange(len(order)) - starts[low_kinds[order]]
    sizes = numpy.diff(starts, append=len(order))
    # By layer and higher half: the kind of the lower half that is needed, and how many there are.
    fitting = numpy.array([_kind(at % 2, at) - kinds + _kind(0, 0) for at in range(most + 1)])
    counts = sizes[fitting]
    first = [0, *numpy.cumsum(counts.sum(axis=1)).tolist()]
    lows, highs = numpy.empty((2, first[-1]), numpy.uint16)
    for layer, count in enumerate(counts):  # one after the other, to save memory
        here = slice(first[layer], first[layer + 1])
        before = numpy.cumsum(count) - count
        highs[here] = numpy.repeat(numpy.arange(len(kinds), dtype=numpy.uint16), count)
        skipped = numpy.repeat((starts[fitting[layer]] - before).astype(numpy.int32), count)
        skipped += numpy.arange(len(skipped), dtype=numpy.int32)
        lows[here] = order[skipped]
    steps = numpy.zeros((2, 37), numpy.int32)
    for at, bit in enumerate(game.bits.values()):
        steps[int(at >= low), bit % 37] = 3 ** (at if at < low else at - low)
    return Shape(
        size=size,
        most=most,
        higher=len(kinds),
        low_steps=steps[0],
        high_steps=steps[1],
        one_low=one_low,
        two_low=two_low,
        one_high=one_high,
        two_high=two_high,
        rank=rank,
        base=(numpy.cumsum(counts) - counts.ravel()).astype(numpy.int32),
        first=numpy.array(first),
        lows=lows,
        highs=highs,
        **_allowed(game),
        ends=_table(game.wins) + 2 * _table(game.losses),
        shared=shared_hands(game, game.wins) + 2 * shared_hands(game, game.losses),
        ranks=_ranks(game, most),
        links=len(rules.ending),
        misere=int(rules.misere),
        otherwise={"draw": 0, "first": 1, "second": 2}[rules.otherwise],
    )


def _kind(more: Any, taken: Any) -> Any:
    """How many numbers more the first player has, and how many are taken, as one number."""
    return (more + 32) * 64 + taken


def _half(start: int, end: int) -> tuple[Array, Array, Array]:
    """Both hands of every half with the numbers at these places, and its kind."""
    import numpy

    index = numpy.arange(3 ** (end - start), dtype=numpy.int32)
    digits = [(at, index // 3 ** (at - start) % 3) for at in range(start, end)]
    one, two = (sum((digit == seat) << at for at, digit in digits) for seat in (1, 2))
    counts = [sum(digit == seat for _, digit in digits) for seat in (1, 2)]
    return one, two, _kind(counts[0] - counts[1], counts[0] + counts[1])


def _allowed(game: Game) -> dict[str, Array]:
    """The numbers allowed beside one's own numbers, the opponent's, and all that are taken."""
    import numpy

    picks, rules, full = game.picks, game.rules, game.full
    masks = range(full + 1)
    found = {name: numpy.full(full + 1, full, numpy.int32) for name in ("own", "opponent", "taken")}
    for each in picks.restrictions:
        found[each.rule.compared_with] &= [each.allowed(mask) & full for mask in masks]
    for cap in rules.caps:
        found[cap.of] &= [picks.below(cap, mask, full) for mask in masks]
    if rules.row_ends:
        free = (full ^ mask for mask in masks)
        found["taken"] &= [some & -some | 1 << some.bit_length() >> 1 for some in free]
    found["taken"][0] &= picks.opening or full
    return found


def _table(of: Sets) -> Array:
    """Whether each hand holds one of these sets."""
    import numpy

    return numpy.frombuffer(of.table or b"", numpy.uint8)


def shared_hands(game: Game, of: Sets, wanted: "Sequence[Pattern] | None" = None) -> Array:
    """Whether the numbers taken by both players have a shared total of these patterns."""
    import numpy

    found = numpy.zeros(game.full + 1, numpy.uint8)
    patterns = [each for each in of.shared if wanted is None or each in wanted]
    for mask in range(1, game.full + 1) if patterns else ():
        found[mask] = any(of.matches(each, game.numbers(mask)) for each in patterns)
    return found


def _ranks(game: Game, most: int) -> Array:
    """What the ending compares, by link, whether the player picked last, and hand."""
    import numpy

    sizes = range(most // 2 * (not game.picks.can_stick), (most + 1) // 2 + 1)
    masks = [mask for mask in range(game.full + 1) if mask.bit_count() in sizes]
    ranks = [
        [game.endings.rank(mask, None, bool(last), complete=False) for mask in masks]
        for last in (0, 1)
    ]
    found = numpy.zeros((len(game.rules.ending), 2, game.full + 1), numpy.int32)
    for link in range(len(game.rules.ending)):
        values = sorted({rank[link] for both in ranks for rank in both})
        codes = {value: code for code, value in enumerate(values)}
        for last, side in enumerate(ranks):
            found[link, last, masks] = [codes[rank[link]] for rank in side]
    return found
