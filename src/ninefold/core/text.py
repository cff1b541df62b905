"""Text from outside, made safe to show; lists and counts in words; values in a line or two."""

import typing
from collections.abc import Iterable
from types import new_class

# How many characters a value takes to show itself, and each field of one that has too many.
WIDTH, FIELD_WIDTH = 160, 40


def shorten(text: str, width: int) -> str:
    """The text without control characters, cut to this many characters."""
    safe = "".join(char if char.isprintable() else "?" for char in text[: width + 1])
    return safe if len(safe) <= width else safe[: width - 1] + "…"


def listed(words: Iterable[object], conjunction: str = "and") -> str:
    """A list in a sentence: 1, 2 and 3."""
    *most, last = [*map(str, words)] or [""]
    return f"{', '.join(most)} {conjunction} {last}" if most else last


def spans(numbers: Iterable[int]) -> list[str]:
    """Numbers in words, with three or more in a row as a span: 1, 3 to 9."""
    found: list[list[int]] = []
    for number in sorted(numbers):
        if found and number == found[-1][-1] + 1:
            found[-1].append(number)
        else:
            found.append([number])
    words = [[f"{row[0]} to {row[-1]}"] if len(row) > 2 else [*map(str, row)] for row in found]
    return [word for row in words for word in row]


def plural(count: int, noun: str) -> str:
    """A count with its noun: 1 move, 1,341 moves."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"


if typing.TYPE_CHECKING:
    from typing import NamedTuple as NamedTuple  # noqa: PLC0414 - type checkers look for the alias
else:

    class _Maker(type):
        """Makes a named tuple of each class that is derived from the one below."""

        def __new__(cls, name, bases, body):
            if not bases:
                return super().__new__(cls, name, bases, body)
            plain = new_class(name, (typing.NamedTuple,), {}, lambda space: space.update(body))
            return _with_short_views(plain)

    class NamedTuple(metaclass=_Maker):
        """As in ``typing``, but with a short ``repr``, and without ``count`` in tab completion."""


def _with_short_views(cls: typing.Any) -> typing.Any:
    """The same class of tuples with a short ``repr`` and ``dir``, its own or the usual ones."""
    full, names = cls.__repr__, cls.__dir__
    hidden = {name for name in ("count", "index") if getattr(cls, name) is getattr(tuple, name)}

    def short_repr(self: typing.Any) -> str:
        text = " ".join(full(self).split())
        if len(text) > WIDTH and text.endswith(")"):
            fields = map("{}={!r}".format, self._fields, self)
            text = f"{cls.__name__}({', '.join(shorten(field, FIELD_WIDTH) for field in fields)})"
        return text if len(text) <= WIDTH else shorten(text, WIDTH - 1) + text[-1]

    cls.__repr__ = short_repr
    cls.__dir__ = lambda self: sorted({*names(self)} - hidden)
    return cls
