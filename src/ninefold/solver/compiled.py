"""Compilation of the inner loops: with Numba if it is installed, else as plain Python.

A compiled function takes and returns integers and one-dimensional arrays of integers only, so that
the same source runs either way with the same results.
"""

from collections.abc import Callable, Iterable, MutableSequence
from functools import cache
from importlib.util import find_spec
from types import FunctionType
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


def _count_bits(mask: int) -> int:
    mask -= mask >> 1 & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    return (mask * 0x0101010101010101) >> 56


# How many bits of a mask, which is not negative, are set.
count_bits: Callable[[int], int] = compiled(_count_bits) if COMPILED else int.bit_count
# So many bits of a mask fit in a positive integer of 64 bits.
MOST_COMPILED = 62


@cache
def uncompiled(function: F) -> F:
    """The same function, and all that it calls, as plain Python: for integers of any length."""
    plain = getattr(function, "py_func", None)
    if plain is None:
        return function
    if function is count_bits:
        return cast(F, int.bit_count)
    scope = dict(plain.__globals__)
    for name in plain.__code__.co_names:
        if hasattr(scope.get(name), "py_func"):
            scope[name] = uncompiled(scope[name])
    return cast(F, FunctionType(plain.__code__, scope))


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
