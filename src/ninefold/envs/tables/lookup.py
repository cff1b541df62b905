"""Rows of small numbers found again in a table of them, many at a time and exactly."""

from typing import Any

import numpy

from ninefold.envs.encoding import Array

_WORD = 8


class Lookup:
    """Which of these rows each row of a batch is; the rows must differ."""

    def __init__(self, rows: Array, names: Any) -> None:
        self.width = rows.shape[1]
        words = _words(numpy.ascontiguousarray(rows))
        # Any odd factors will do; others are tried if two rows share a code, which is rare.
        for seed in range(100):
            drawn = numpy.random.SeedSequence(seed).generate_state(words.shape[1], numpy.uint64)
            self._factors = drawn | numpy.uint64(1)
            codes = self._codes(words)
            order = numpy.argsort(codes, kind="stable")
            self._sorted = codes[order]
            if (self._sorted[1:] != self._sorted[:-1]).all():
                break
        else:
            raise ValueError("the rows are not all different")
        self._rows, self._names = words[order], names[order]

    def _codes(self, words: Any) -> Any:
        codes = words[:, 0] * self._factors[0]
        for at in range(1, words.shape[1]):
            # Only the low bits of a product see all bits of a word, so the high ones are let down.
            codes ^= codes >> numpy.uint64(29)
            codes += words[:, at] * self._factors[at]
        return codes

    def find(self, rows: Any) -> Any:
        """The name of each row; -1 where it is none of the table."""
        with numpy.errstate(invalid="ignore"):  # what does not fit is found not to be equal below
            small = rows.astype(numpy.int8, copy=False)
        words = _words(small)
        at = numpy.searchsorted(self._sorted, self._codes(words))
        at = numpy.minimum(at, len(self._sorted) - 1)
        found = (self._rows[at] == words).all(axis=1)
        if small.dtype != rows.dtype:
            found &= (small == rows).all(axis=1)
        return numpy.where(found, self._names[at], -1)


def _words(rows: Any) -> Any:
    """Each row as a few words of 64 bits, the rest of the last one 0."""
    count, width = rows.shape
    padded = numpy.zeros((count, -(-width // _WORD) * _WORD), numpy.int8)
    padded[:, :width] = rows
    return padded.view(numpy.uint64)
