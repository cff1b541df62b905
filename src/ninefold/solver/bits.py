"""Bits of masks, counted by compiled code or by plain Python."""

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import cast

from ninefold.solver.compiled import COMPILED, F, compiled


def _count_bits(mask: int) -> int:
    mask -= mask >> 1 & 0x5555555555555555
    mask = (mask & 0x3333333333333333) + (mask >> 2 & 0x3333333333333333)
    mask = mask + (mask >> 4) & 0x0F0F0F0F0F0F0F0F
    return (mask * 0x0101010101010101) >> 56


# How many bits of a mask, which is not negative, are set.
count_bits: Callable[[int], int] = compiled(_count_bits) if COMPILED else int.bit_count


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
