"""Where each field of a TOML text stands: an index by path, made only when a place is to be named.

The standard parser keeps no positions, and the libraries that do are compiled packages or do not
tell; so this walks over a text which that parser has accepted, and only has to find its way, not to
judge. The tests hold it against the standard parser and against tree-sitter.
"""

import re

from ninefold.books.faults import Keys, Place

_SPACE = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BLANK = re.compile(r"[ \t]*")
_BARE_KEY = re.compile(r"[A-Za-z0-9_-]+")
# One text value, the long quotes first; the standard parser has found its end to be there.
_TEXT = re.compile(
    r'"""(?:[^\\"]|\\.|"{1,2}(?!"))*"{3,5}|'
    r"'''(?:[^']|'{1,2}(?!'))*'{3,5}|"
    r'"(?:[^\\"\n]|\\.)*"|'
    r"'[^'\n]*'",
    re.DOTALL,
)
_PLAIN = re.compile(r"[^,\]}#\n]*")


def index(text: str) -> dict[Keys, Place]:
    """The place of every field, table and list item of a valid TOML text, by its path."""
    walk = _Walk(text)
    try:
        walk.document()
    except RecursionError:
        return {}
    return walk.places


class _Walk:
    """One pass over the text; ``at`` is where it stands."""

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
        # A header may come behind the tables below it: its own place is the better one.
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
        """The parts of a dotted key with their beginnings; stands behind the space that follows."""
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
        """The items of a list, or the fields of a table in braces."""
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
        """The place of this offset, which is never before the last one asked for by much."""
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
