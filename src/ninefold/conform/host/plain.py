"""Converts the values of an environment to plain data, without importing their libraries."""

from __future__ import annotations

import math
import zlib
from typing import Any

MAX_TEXT = 200
# Larger numbers are neither actions nor rewards.
MAX_ACTION = 1 << 20
MAX_WHOLE = 1 << 1000


class Unusable(Exception):
    """The environment returned something that cannot be used."""


def last_line(error: BaseException) -> str:
    """The exception as in the last line of its traceback."""
    words = " ".join(str(error).split())
    name = type(error).__name__
    if isinstance(error, Unusable):
        return words[:MAX_TEXT]
    return (f"{name}: {words}" if words else name)[:MAX_TEXT]


def show(value: Any) -> str:
    """The repr of the value, on one line."""
    try:
        return " ".join(repr(value).split())[:MAX_TEXT]
    except Exception as error:
        return f"<{type(value).__name__} without a repr: {last_line(error)}>"


def number(value: Any) -> Any:
    """A finite number as it is; anything else as text, even what is too large for a float."""
    if getattr(value, "shape", None) == () and hasattr(value, "item"):
        value = value.item()
    if isinstance(value, int):
        whole = int(value)
        return whole if -MAX_WHOLE < whole < MAX_WHOLE else show(whole)
    if isinstance(value, float) and math.isfinite(value):
        return value
    return show(value)


def reward(value: Any) -> Any:
    """A number, a list of two numbers for two players, or else text."""
    if isinstance(value, dict) and len(value) == 2:
        value = list(value.values())
    if getattr(value, "shape", None) == (2,) and hasattr(value, "tolist"):
        value = value.tolist()
    if isinstance(value, (list, tuple)) and len(value) == 2:
        pair = [number(item) for item in value]
        return pair if not any(isinstance(item, str) for item in pair) else show(value)
    return number(value)


def label(value: Any) -> int | str | None:
    """Who is to move, as a number or a word; None for anything else."""
    value = getattr(value, "name", value)
    plain = number(value)
    if isinstance(plain, int):
        return plain
    if isinstance(plain, float):
        return int(plain) if plain.is_integer() else None
    return value[:MAX_TEXT] if isinstance(value, str) else None


def actions(value: Any, count: int | None, start: int, mask: bool) -> list[int] | str:
    """The legal actions from a list or a mask; text for anything else."""
    try:
        items = value.tolist() if hasattr(value, "tolist") else list(value)
        kinds = set(map(type, items))
        flags = (mask or kinds == {bool} or 2 < len(items) == count) and set(items) <= {0, 1}
    except Exception:
        return show(value)
    if flags:
        return [start + at for at, flag in enumerate(items) if flag]
    plain = items if kinds == {int} else [number(item) for item in items]
    if mask or any(not isinstance(item, int) or abs(item) > MAX_ACTION for item in plain):
        return show(value)
    return sorted(set(plain))


def digest(value: Any) -> int | None:
    """A checksum, equal for equal observations; None if there is none."""
    try:
        return zlib.crc32(_bytes(value))
    except Exception:
        return None


def _bytes(value: Any) -> bytes:
    if hasattr(value, "tobytes"):
        return bytes(value.tobytes())
    if isinstance(value, dict):
        return b"".join(repr(key).encode() + _bytes(value[key]) for key in value)
    if isinstance(value, (list, tuple)):
        return b"".join(_bytes(item) + b"," for item in value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return repr(value).encode()
    raise TypeError(type(value).__name__)
