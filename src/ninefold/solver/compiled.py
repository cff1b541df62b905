"""Compilation of the inner loops: with Numba if it is installed, else as plain Python.

A compiled function takes and returns integers and one-dimensional arrays of integers only, so that
the same source runs either way with the same results.
"""

from collections.abc import Callable, Iterable, MutableSequence
from importlib.util import find_spec
from typing import Any, TypeAlias, TypeVar, cast

Ints: TypeAlias = MutableSequence[int]
F = TypeVar("F", bound=Callable[..., Any])

COMPILED = find_spec("numba") is not None


def compiled(function: F) -> F:
    """The function, compiled on its first call if possible; other threads run while it does."""
    if not COMPILED:
        return function
    from numba import njit

    # Nothing is allocated, so that references need not be counted: that takes most of the time.
    options: dict[str, Any] = {"nogil": True, "_nrt": False}
    try:
        made = njit(cache=True, **options)(function)
    except RuntimeError:
        # Without a folder for the cache, it is compiled in every process.
        return cast(F, njit(**options)(function))
    _drop_broken_cache(made)
    return cast(F, made)


def _drop_broken_cache(function: Any) -> None:
    """Empty the cache of a compiled function if its index is damaged; it is compiled again then."""
    cache = getattr(function, "_cache", None)
    index = getattr(cache, "_cache_file", None)
    if cache is None or index is None:
        return
    try:
        index._load_index()
    except Exception:  # noqa: BLE001 - whatever a damaged file makes of unpickling
        cache.flush()


# So many bits of a mask fit in a positive integer of 64 bits.
MOST_COMPILED = 62


def ints(values: Iterable[int], array: bool = True) -> Ints:
    """An array of 64-bit integers; a list where nothing is compiled, or no array is wanted."""
    if not COMPILED or not array:
        return list(values)
    import numpy

    return cast(Ints, numpy.array(list(values), dtype=numpy.int64))


def zeros(count: int, array: bool = True) -> Ints:
    """An array of zeros, or a list like ``ints``."""
    if not COMPILED or not array:
        return [0] * count
    import numpy

    return cast(Ints, numpy.zeros(count, dtype=numpy.int64))
