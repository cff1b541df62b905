"""A stream of random numbers per game (splitmix64), the same in NumPy and in compiled code."""

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy

Streams: TypeAlias = numpy.ndarray[Any, numpy.dtype[numpy.uint64]]

STRIDE = numpy.uint64(0x9E3779B97F4A7C15)
MIX_ONE = numpy.uint64(0xBF58476D1CE4E5B9)
MIX_TWO = numpy.uint64(0x94D049BB133111EB)
SHIFT_ONE, SHIFT_TWO, SHIFT_THREE, HALF = map(numpy.uint64, (30, 27, 31, 32))


def seeded_streams(seed: int | Sequence[int], count: int) -> Streams:
    """This many streams from one seed, or one from each of the seeds."""
    if isinstance(seed, int | numpy.integer):
        words = numpy.random.SeedSequence(int(seed)).generate_state(count, numpy.uint64)
        return numpy.asarray(words, numpy.uint64)
    if len(seed) != count:
        raise ValueError(f"expected {count} seeds, not {len(seed)}")
    drawn = [numpy.random.SeedSequence(one).generate_state(1, numpy.uint64)[0] for one in seed]
    return numpy.array(drawn, numpy.uint64)


def index_below(count: Any, word: Any) -> Any:
    """A random index below the count, from a stream that has been advanced; arrays or numbers."""
    word = (word ^ (word >> SHIFT_ONE)) * MIX_ONE
    word = (word ^ (word >> SHIFT_TWO)) * MIX_TWO
    word = word ^ (word >> SHIFT_THREE)
    return numpy.int64(((word >> HALF) * numpy.uint64(count)) >> HALF)


def draw(streams: Streams, counts: Any) -> Any:
    """Advance these streams in place; for each, a random index below its count."""
    streams += STRIDE
    return index_below(counts, streams)


def draw_marked(streams: Streams, masks: Any) -> Any:
    """Advance these streams in place; for each, the place of a random 1 in its mask, or 0."""
    counted = masks.cumsum(axis=1, dtype=numpy.int8)
    return (counted > draw(streams, counted[:, -1])[:, None]).argmax(axis=1)


def draw_weighted(streams: Streams, chances: Any) -> Any:
    """Advance these streams in place; for each, an index as often as its probability says."""
    drawn = draw(streams, numpy.full(len(streams), 1 << 31)) / (1 << 31)
    reached = chances.cumsum(axis=1) > drawn[:, None]
    last = chances.shape[1] - 1 - (chances[:, ::-1] > 0).argmax(axis=1)  # sums may fall short of 1
    return numpy.where(reached.any(axis=1), reached.argmax(axis=1), last)
