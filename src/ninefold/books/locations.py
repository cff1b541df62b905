"""Where the fields of a rule-book file are: their lines and columns, looked up only for errors.

The standard TOML parser keeps no positions, and the libraries that do are compiled packages. So
this module finds its way through a text that the standard parser has accepted.
"""

import re
from bisect import bisect
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import product, takewhile

from ninefold.books.faults import Fault, Keys, Place
from ninefold.books.safety import shown
from ninefold.books.sources import INHERITED, VIEW, Source

_SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_COMMA = re.compile(rf"{_SPACE.pattern},?{_SPACE.pattern}")
_HEADER = re.compile(r"\[\[?[ \t]*")
_DOT = re.compile(r"[ \t]*\.?[ \t]*")
_EQUALS = re.compile(r"=[ \t]*")
# One string, long quotes first; the standard parser has made sure that it ends.
_TEXT = (
    r'"""(?:[^\\"]|\\.|"{1,2}(?!"))*"{3,5}|'
    r"'''(?:[^']|'{1,2}(?!'))*'{3,5}|"
    r'"(?:[^\\"\n]|\\.)*"|'
    r"'[^'\n]*'"
)
_KEY = re.compile(rf"{_TEXT}|[A-Za-z0-9_-]+", re.DOTALL)
_SCALAR = re.compile(rf"{_TEXT}|[^,\]}}#\n]*", re.DOTALL)


@lru_cache(maxsize=16)
def index(text: str) -> dict[Keys, Place]:
    """The place of every field, table and list item of a valid TOML text, by its path."""
    reader = _Reader(text)
    try:
        reader.document()
    except RecursionError:
        return {}
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    lines = {keys: bisect(starts, offset) for keys, offset in reader.offsets.items()}
    return {
        keys: Place("", lines[keys], offset - starts[lines[keys] - 1] + 1)
        for keys, offset in reader.offsets.items()
    }


class _Reader:
    """One pass over the text; ``at`` is the current offset."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.offsets: dict[Keys, int] = {}
        self._lists: dict[Keys, int] = {}

    def document(self) -> None:
        """Headers and fields to the end of the text."""
        table: Keys = ()
        self._skip(_SPACE)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._field(table)
            self._skip(_SPACE)

    def _header(self) -> Keys:
        start = self.at
        repeated = self._skip(_HEADER).startswith("[[")
        keys = self._key()
        self.at += 2 if repeated else 1
        path: Keys = ()
        for depth, (key, _) in enumerate(keys, 1):
            path = (*path, key)
            self.offsets.setdefault(path, start)
            if repeated and depth == len(keys):
                self._lists[path] = self._lists.get(path, -1) + 1
            if path in self._lists:
                path = (*path, self._lists[path])
                self.offsets.setdefault(path, start)
        # A header may come after the tables below it, but its own place is the better one.
        self.offsets[path] = start
        return path

    def _field(self, path: Keys) -> None:
        for key, start in self._key():
            path = (*path, key)
            self.offsets.setdefault(path, start)
        self._skip(_EQUALS)
        self._value(path)

    def _key(self) -> list[tuple[str, int]]:
        """The parts of a dotted key with their offsets; skips the space that follows."""
        import tomllib

        parts = []
        while True:
            start, part = self.at, self._skip(_KEY)
            if part[0] in "\"'":
                part = tomllib.loads(f"value = {part}")["value"]
            parts.append((part, start))
            if "." not in self._skip(_DOT):
                return parts

    def _value(self, path: Keys) -> None:
        opening = self.text[self.at]
        if opening not in "[{":
            self._skip(_SCALAR)
            return
        self.at += 1
        self._skip(_SPACE)
        number = 0
        while self.text[self.at] not in "]}":
            if opening == "{":
                self._field(path)
            else:
                self.offsets[*path, number] = self.at
                self._value((*path, number))
                number += 1
            self._skip(_COMMA)
        self.at += 1

    def _skip(self, pattern: re.Pattern[str]) -> str:
        found = pattern.match(self.text, self.at)
        assert found is not None, "the standard parser has accepted this text"
        self.at = found.end()
        return found[0]


def with_places(faults: Iterable[Fault], chain: Sequence[Source], reading: str) -> list[Fault]:
    """The faults in the order of the file, each with its place and the path it has there."""
    placed = [_placed(fault, chain, reading) if fault.keys else fault for fault in faults]
    return sorted(placed, key=lambda fault: fault.place or Place(""))


def _placed(fault: Fault, chain: Sequence[Source], reading: str) -> Fault:
    """The fault at the field in force, or at the nearest table around it."""
    keys = fault.keys
    prefixes: list[Keys] = [("readings", reading), ()] if reading and keys[0] in VIEW else [()]
    # What a book says about itself is not inherited.
    sources = chain if keys[0] in INHERITED else chain[:1]
    for length in range(len(keys), 0, -1):
        whole = [*takewhile(lambda key: isinstance(key, str), keys[:length])]
        for prefix, source in product(prefixes, sources):
            places, path = index(source.text), (*prefix, *keys[:length])
            if path in places:
                file = "" if source is chain[0] else shown(source.name, 100)
                place = places[path]._replace(file=file)
                return fault._replace(place=place, keys=(*path, *keys[length:]))
            if (*prefix, *whole) in places:
                break  # a list is inherited as a whole
    return fault._replace(place=Place(""))
