"""Faults of a rule book, collected so that all of them are reported at once."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ninefold.books.safety import UNREADABLE, is_readable, shown
from ninefold.core.errors import NinefoldError

T = TypeVar("T")
Keys: TypeAlias = tuple[str | int, ...]

# Past this many faults of one kind, the rest is counted: a file of nonsense must not flood anybody.
MAX_FAULTS = 50
MAX_FOUND = 60
MAX_LINE = 300
_ITEM = re.compile(r"(.+)\[([0-9]{1,9})\]\Z")
_BARE = re.compile(r"[A-Za-z0-9_-]{1,60}\Z")


class Place(NamedTuple):
    """Where something stands: line and column count from 1, and are 0 where they are not known.

    ``file`` is empty for the file in question, and names any other.
    """

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else ""
        return ", ".join(filter(None, (self.file, line)))


class Fault(NamedTuple):
    """One thing wrong with a rule book: where, what was expected, and a hint if there is one.

    ``found`` is what stands there instead, and ``keys`` leads to the field. ``place`` and
    ``reading`` are known once the whole file has been looked at.
    """

    path: str
    expected: str
    hint: str = ""
    found: str = ""
    keys: Keys = ()
    place: Place | None = None
    reading: str = ""

    def __str__(self) -> str:
        found = f"; found {self.found}" if self.found and self.place else ""
        text = f"{self.path}: {self.expected}{found}" + (f" ({self.hint})" if self.hint else "")
        if self.reading:
            text = f"reading {self.reading}: {text}"
        return f"{self.place}: {text}" if self.place and str(self.place) else text


class BookError(NinefoldError):
    """A rule book that cannot be used; ``faults`` lists everything that is wrong with it."""

    def __init__(self, source: str, faults: Iterable[Fault]) -> None:
        self.source = source
        self.faults = tuple(faults)
        lines = [f"  {fault}" for fault in self.faults[:MAX_FAULTS]]
        if len(self.faults) > MAX_FAULTS:
            lines.append(f"  and {len(self.faults) - MAX_FAULTS} more")
        told = "\n".join([f"{source} is not a valid rule book:", *lines])
        super().__init__("bad-book", told)


def format_path(keys: Keys) -> str:
    """The path of a field as it is shown: ``rules.ending[0].measure``."""
    path = ""
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        else:
            path += "." * bool(path) + (key if _BARE.match(key) else f'"{shown(key, 40)}"')
    return path or "the file"


def format_found(value: object) -> str:
    """A value of the file in a few words."""
    if isinstance(value, str):
        return f'"{shown(value, MAX_FOUND)}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else "a number of many digits"
    if isinstance(value, list) and len(value) < 10 and all(type(item) is int for item in value):
        return shown(str(value), MAX_FOUND)
    kinds = {list: "a list", dict: "a table", float: "a number with a point"}
    return kinds.get(type(value), "a date or a time")


class Table:
    """A table of the file under inspection: reads fields and notes faults, all of them."""

    def __init__(self, data: object, path: str | Keys, faults: list[Fault]) -> None:
        self.keys: Keys = tuple(path.split(".")) if isinstance(path, str) and path else tuple(path)
        self.faults = faults
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.faults.append(
                Fault(
                    self.path or "the file", "a table is expected here", "", format_found(data)
                )._replace(keys=self.keys)
            )

    @property
    def path(self) -> str:
        """The path of this table, as it is shown; nothing for the whole file."""
        return format_path(self.keys) if self.keys else ""

    def fault(self, key: str, expected: str, hint: str = "", at: int | None = None) -> None:
        """Note a fault of the field ``key`` of this table, or of item ``at`` of its list.

        ``sets[3]`` names an item, too.
        """
        if key not in self.data and (found_item := _ITEM.match(key)):
            key, at = found_item[1], int(found_item[2])
        keys = (*self.keys, *([key] if key else []))
        value = self.data.get(key)
        if at is not None and isinstance(value, list) and at < len(value):
            keys, value = (*keys, at), value[at]
        found = format_found(value) if key in self.data else ""
        self.faults.append(Fault(format_path(keys), expected, hint, found, keys))

    def allow(self, *keys: str) -> None:
        """Note every field that is not one of these, with the nearest valid spelling."""
        strange = [key for key in self.data if key not in keys]
        for key in strange[:MAX_FAULTS]:
            path = (*self.keys, key)
            hint = nearest(key, keys) or (f"there are: {', '.join(keys)}" if len(keys) < 20 else "")
            self.faults.append(Fault(format_path(path), "no such field", hint, keys=path))
        if len(strange) > MAX_FAULTS:
            self.fault("", f"{len(strange) - MAX_FAULTS} more fields that do not exist")

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The field's value if it has this type; otherwise a fault, and the default."""
        value = self.data.get(key, default)
        if type(value) is kind:
            return value
        names = {str: "text", int: "a whole number", bool: "true or false", list: "a list"}
        what = names.get(kind, "a table")
        self.fault(key, f"{what} is expected" if key in self.data else f"{what} is missing")
        return kind()

    def line(self, key: str, default: str | None = None) -> str:
        """A line of text that is safe to show; otherwise a fault."""
        text = self.get(key, str, default)
        if not is_readable(text):
            self.fault(key, f"{UNREADABLE} is not allowed here")
        elif len(text) > MAX_LINE:
            self.fault(key, f"at most {MAX_LINE} characters are expected")
        return text

    def prose(self, key: str) -> str:
        """Text of any number of lines that is safe to show; nothing if it is missing."""
        text = self.get(key, str, "").strip()
        if not is_readable(text, lines=True):
            self.fault(key, f"{UNREADABLE} is not allowed here")
        return text

    def choice(self, key: str, choices: Iterable[T], default: T | None = None) -> T:
        """The field's value if it is one of these; otherwise a fault, and the first choice."""
        options = list(choices)
        value = self.data.get(key, default)
        for option in options:
            if value == option and type(value) is type(option):
                return option
        listed = ", ".join(map(str, options))
        hint = nearest(value, map(str, options)) if isinstance(value, str) else ""
        self.fault(key, f"one of {listed} is expected", hint)
        return options[0]

    def table(self, key: str) -> "Table":
        """The table below this one; an absent one reads as empty."""
        return Table(self.data.get(key, {}), (*self.keys, key), self.faults)

    def tables(self, key: str) -> "list[Table]":
        """The list of tables in this field; an absent one reads as empty."""
        items = self.get(key, list, [])
        return [Table(item, (*self.keys, key, at), self.faults) for at, item in enumerate(items)]


def nearest(word: str, choices: Iterable[str]) -> str:
    """The question "did you mean …?" with the closest of the choices, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word[:60], list(choices), 1)
    return f"did you mean {close[0]}?" if close else ""
