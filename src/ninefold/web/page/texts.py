"""Texts of a page: each once, for every reader, with places for what only the game can say.

Places are names in braces, which no rendered text has otherwise: ``{1}`` and ``{2}`` are the names
of the players, ``{last}`` of who holds the number taken last, ``{hand1}`` and ``{hand2}`` their
numbers in the order taken, ``{sum:3,5}`` these addends in the order taken, ``{picks}`` the numbers
that may be taken, ``{number}`` the number chosen, and the COUNTS are counts.
"""

from collections import Counter
from collections.abc import Callable, Hashable, Iterable
from functools import cache
from itertools import chain
from typing import TypeAlias

from ninefold.core.patterns import Pattern
from ninefold.core.position import Hand, Position
from ninefold.narration import View

# Who reads: two people at one screen, or the person in seat 1 or 2.
Reader: TypeAlias = int | None
READERS: tuple[Reader, ...] = (None, 1, 2)
NAMES = ("{1}", "{2}")
# A count is rendered as a number that occurs nowhere else, and then replaced by its place.
COUNTS = {"ply": 970_001, "moves": 970_002, "mistakes": 970_003, "only": 970_004, "number": 970_005}


class PlacesView(View):
    """The words of a book for the two players of a page, with places for the order of hands."""

    def _values(self, position: Position, seat: int | None = None) -> dict[str, object]:
        values = super()._values(position, seat)
        for at, hand in enumerate(position.hands, 1):
            if hand:
                values[f"hand{at}"] = f"{{hand{at}}}"
        values["hand"] = values[f"hand{seat or position.turn}"]
        values |= {"picks": "{picks}", "last": "{last}" if position.last_picker else ""}
        return values

    def _announced(self, found: Hand, hand: Hand, pattern: Pattern) -> dict[str, object]:
        values = super()._announced(found, hand, pattern)
        addends, equals, total = str(values["equation"]).partition(" = ")
        if equals:
            in_order = ",".join(sorted(addends.split(" + "), key=int))
            values["equation"] = f"{{sum:{in_order}}}{equals}{total}"
        return values


def with_places(text: str) -> str:
    """The text with a place for each of the COUNTS."""
    for name, count in COUNTS.items():
        for written in (f"{count:,}", str(count)):
            text = text.replace(written, f"{{{name}}}")
    return text


class Texts:
    """Numbered texts; 0 is the empty one."""

    def __init__(self) -> None:
        self._ids: dict[tuple[str, ...], int] = {("", "", ""): 0}
        self._known: dict[Hashable, int] = {}

    def __len__(self) -> int:
        return len(self._ids)

    def add(self, text: str) -> int:
        """The number of a text that is the same for every reader."""
        return self._id((text,) * len(READERS))

    def add_for_readers(self, render: Callable[[Reader], str]) -> int:
        """The number of a text that each reader reads as it is rendered for them."""
        return self._id(tuple(map(render, READERS)))

    def add_once(self, key: Hashable, render: Callable[[Reader], str]) -> int:
        """The same, rendered only once for all texts with this key."""
        if key not in self._known:
            self._known[key] = self.add_for_readers(render)
        return self._known[key]

    def _id(self, forms: tuple[str, ...]) -> int:
        return self._ids.setdefault(forms, len(self._ids))

    def encode(self) -> tuple[list[str | tuple[str, ...]], bytes]:
        """The words, and every text as the numbers of its words; see ``numbers_as_bytes``.

        A word is a string, or a tuple if it is another one for each of the READERS.
        """
        sentences = [_words(forms) for forms in self._ids]
        common = [word for word, _ in Counter(chain.from_iterable(sentences)).most_common()]
        numbers = {word: at for at, word in enumerate(common)}
        texts = numbers_as_bytes(
            chain.from_iterable((len(row), *map(numbers.__getitem__, row)) for row in sentences)
        )
        return [word[0] if len({*word}) == 1 else word for word in common], texts


def _words(forms: tuple[str, ...]) -> list[tuple[str, ...]]:
    """The words of a text side by side; if readers see unequally many, the text is one word."""
    if not any(forms):
        return []
    split = [form.split(" ") for form in forms]
    if len({*map(len, split)}) > 1:
        return [forms]
    return [*zip(*split, strict=True)]


def numbers_as_bytes(numbers: Iterable[int]) -> bytes:
    """Numbers from 0 on, each in groups of seven bits, the lowest first; the last is below 128."""
    return b"".join(map(_as_bytes, numbers))


@cache
def _as_bytes(number: int) -> bytes:
    rest = _as_bytes(number >> 7) if number > 127 else b""
    return bytes([number & 127 | 128 if rest else number]) + rest
