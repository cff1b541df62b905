"""Where the fields of a rule-book file are: their lines and columns, looked up only for errors.

The standard TOML parser keeps no positions, and the libraries that do are compiled packages. So
this module walks over a text that the standard parser has accepted: it only has to find its way,
not to validate. The tests compare it with the standard parser and with tree-sitter.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ninefold.books.faults import Fault, Keys, Place
from ninefold.books.safety import shown
from ninefold.books.sources import INHERITED, VIEW, Source

_SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# One string, long quotes first; the standard parser has made sure that it ends.
_TEXT = re.compile(
    r'"""(?:[^\\"]|\\.|"{1,2}(?!"))*"{3,5}|'
    r"'''(?:[^']|'{1,2}(?!'))*'{3,5}|"
    r'"(?:[^\\"\n]|\\.)*"|'
    r"'[^'\n]*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}#\n]*")


@lru_cache(maxsize=16)
def index(text: str) -> dict[Keys, Place]:
    """The place of every field, table and list item of a valid TOML text, by its path."""
    walk = _Walk(text)
    try:
        walk.document()
    except RecursionError:
        return {}
    return walk.places


class _Walk:
    """One pass over the text; ``at`` is the current offset."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.places: dict[Keys, Place] = {}
        self._lists: dict[Keys, int] = {}
        self._line, self._line_start = 1, 0

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
        repeated = self.text.startswith("[[", self.at)
        self.at += 2 if repeated else 1
        self._skip(_BLANK)
        keys = self._key()
        self.at += 2 if repeated else 1
        path: Keys = ()
        for depth, (key, _) in enumerate(keys, 1):
            path = (*path, key)
            self._note(path, start)
            if repeated and depth == len(keys):
                self._lists[path] = self._lists.get(path, -1) + 1
            if path in self._lists:
                path = (*path, self._lists[path])
                self._note(path, start)
        # A header may come after the tables below it, but its own place is the better one.
        self.places[path] = self._place(start)
        return path

    def _field(self, table: Keys) -> None:
        path = table
        for key, start in self._key():
            path = (*path, key)
            self._note(path, start)
        self.at += 1  # the equals sign
        self._skip(_BLANK)
        self._value(path)

    def _key(self) -> list[tuple[str, int]]:
        """The parts of a dotted key with their offsets; skips the space that follows."""
        parts = []
        while True:
            start = self.at
            if self.text[start] in "\"'":
                self._skip(_TEXT)
                parts.append((_unquoted(self.text[start : self.at]), start))
            else:
                self._skip(_BARE_KEY)
                parts.append((self.text[start : self.at], start))
            self._skip(_BLANK)
            if not self.text.startswith(".", self.at):
                return parts
            self.at += 1
            self._skip(_BLANK)

    def _value(self, path: Keys) -> None:
        opening = self.text[self.at]
        if opening in "\"'":
            self._skip(_TEXT)
        elif opening == "[":
            self._items(path, "]")
        elif opening == "{":
            self._items(path, "}")
        else:
            self._skip(_PLAIN)

    def _items(self, path: Keys, closing: str) -> None:
        """The items of a list, or the fields of an inline table."""
        self.at += 1
        number = 0
        self._skip(_SPACE)
        while self.text[self.at] != closing:
            if closing == "}":
                self._field(path)
            else:
                self._note((*path, number), self.at)
                self._value((*path, number))
                number += 1
            self._skip(_SPACE)
            if self.text[self.at] == ",":
                self.at += 1
                self._skip(_SPACE)
        self.at += 1

    def _note(self, path: Keys, start: int) -> None:
        if path not in self.places:
            self.places[path] = self._place(start)

    def _place(self, start: int) -> Place:
        """The place of this offset; quick if it is on the last line asked for, or after it."""
        if start < self._line_start:
            self._line, self._line_start = 1, 0
        passed = self.text.count("\n", self._line_start, start)
        if passed:
            self._line += passed
            self._line_start = self.text.rindex("\n", 0, start) + 1
        return Place("", self._line, start - self._line_start + 1)

    def _skip(self, pattern: re.Pattern[str]) -> None:
        found = pattern.match(self.text, self.at)
        assert found is not None, "the standard parser has accepted this text"
        self.at = found.end()


def _unquoted(quoted: str) -> str:
    import tomllib

    key: str = tomllib.loads(f"value = {quoted}")["value"]
    return key


def locate(keys: Keys, chain: Sequence[Source], reading: str) -> tuple[Place, Keys]:
    """Where the field is, or the nearest table around it, and the path it has there."""
    for length in range(len(keys), 0, -1):
        for place, found in _candidates(keys[:length], chain, reading):
            return place, (*found, *keys[length:])
    return Place(""), keys


def _candidates(keys: Keys, chain: Sequence[Source], reading: str) -> Iterator[tuple[Place, Keys]]:
    """The places of exactly this field, the one in force first."""
    paths = [keys]
    if reading and keys[0] in VIEW:
        paths.insert(0, ("readings", reading, *keys))
    # A list is inherited as a whole; what a book says about itself is not inherited.
    sources = chain if keys[0] in INHERITED else chain[:1]
    parts = [at for at, key in enumerate(keys) if isinstance(key, int)]
    for path in paths:
        whole = path[: len(path) - len(keys) + parts[0]] if parts else ()
        for source in sources:
            places = index(source.text)
            if place := places.get(path):
                file = "" if source is chain[0] else shown(source.name, 100)
                yield place._replace(file=file), path
            elif whole and whole in places:
                return


def with_places(faults: Iterable[Fault], chain: Sequence[Source], reading: str) -> list[Fault]:
    """The faults in the order of the file, each with its place and the path it has there."""
    placed = []
    for fault in faults:
        place, keys = locate(fault.keys, chain, reading)
        placed.append(fault._replace(place=place, keys=keys) if fault.keys else fault)
    return sorted(placed, key=lambda fault: fault.place or Place(""))
