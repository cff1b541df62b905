"""What is wrong with a rule book, collected so that everything is reported at once."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple, TypeAlias, TypeVar

from ninefold.books.safety import shown
from ninefold.core.errors import NinefoldError

T = TypeVar("T")
# The name of a field of a table, or the position of an item of a list.
Key: TypeAlias = str | int
Keys: TypeAlias = tuple[Key, ...]
# The fields of a table, or some of them.
Values: TypeAlias = Mapping[str, Any]
Test: TypeAlias = Callable[[T], bool]

# Of more faults than this, the rest is only counted.
MAX_FAULTS = 50
MAX_FOUND = 60
_BARE = re.compile(r"[A-Za-z0-9_-]{1,60}\Z")


class Place(NamedTuple):
    """A place in a file, which is "" for the file being checked; lines and columns count from 1."""

    file: str
    line: int = 0
    column: int = 0

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else ""
        return ", ".join(filter(None, (self.file, line)))


class Fault(NamedTuple):
    """One thing wrong with a rule book; its place and reading are known once the file is read."""

    keys: Keys
    problem: str
    hint: str = ""
    found: str = ""
    place: Place | None = None
    reading: str = ""

    @property
    def path(self) -> str:
        """The field as it is shown, such as ``rules.ending[0].measure``."""
        return format_path(self.keys)

    def __str__(self) -> str:
        found = f"; found {self.found}" if self.found and self.place else ""
        text = f"{self.path}: {self.problem}{found}" + (f" ({self.hint})" if self.hint else "")
        if self.reading:
            text = f"reading {self.reading}: {text}"
        return f"{self.place}: {text}" if self.place and str(self.place) else text


class BookError(NinefoldError):
    """A rule book that cannot be used; ``faults`` lists everything that is wrong with it."""

    def __init__(
        self, source: str, faults: Iterable[Fault], verdict: str = "is not a valid rule book"
    ) -> None:
        self.faults = tuple(faults)
        lines = [f"  {fault}" for fault in self.faults[:MAX_FAULTS]]
        if len(self.faults) > MAX_FAULTS:
            lines.append(f"  and {len(self.faults) - MAX_FAULTS} more")
        super().__init__("bad-book", "\n".join([f"{source} {verdict}:", *lines]))


def format_path(keys: Keys) -> str:
    """The path of a field as it is shown, such as ``rules.ending[0].measure``."""
    path = ""
    for key in keys:
        if isinstance(key, int):
            path += f"[{key}]"
        else:
            path += "." * bool(path) + (key if _BARE.match(key) else f'"{shown(key, 40)}"')
    return path or "the file"


def format_found(value: object) -> str:
    """A value of the file, in a few characters."""
    if isinstance(value, str):
        return f'"{shown(value, MAX_FOUND)}"'
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value) if abs(value) < 10**20 else "a very long number"
    if isinstance(value, list) and len(value) < 10 and all(type(item) is int for item in value):
        return shown(str(value), MAX_FOUND)
    kinds = {list: "a list", dict: "a table", float: "a decimal number"}
    return kinds.get(type(value), "a date or time")


class Table:
    """A table of a file, or a list of items by position, that notes everything wrong with it."""

    def __init__(self, data: object, keys: Keys, faults: list[Fault]) -> None:
        self.keys = keys
        self.faults = faults
        self.data: Mapping[Any, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            faults.append(Fault(keys, "must be a table", found=format_found(data)))

    def fault(self, key: Key, problem: str, hint: str = "") -> None:
        """Note what is wrong with a field; "" is the table itself."""
        keys = self.keys if key == "" else (*self.keys, key)
        found = format_found(self.data[key]) if key in self.data else ""
        self.faults.append(Fault(keys, problem, hint, found))

    def wrong(self, key: Key, expected: str, hint: str = "") -> None:
        """Note that a field is missing, or is not what is expected."""
        start = "" if key in self.data else "missing; it "
        self.fault(key, f"{start}must be {expected}", hint)

    def too_many(self, key: Key, number: int, most: int, noun: str) -> bool:
        """Whether a field has more of something than it may; notes it."""
        if number > most:
            self.fault(key, f"must have at most {most:,} {noun}, not {number:,}")
        return number > most

    def allow(self, *keys: str) -> None:
        """Note every field that is not one of these, with the closest valid name."""
        unknown = [key for key in self.data if key not in keys]
        listed = f"valid fields: {', '.join(keys)}" if len(keys) < 20 else ""
        for key in unknown[:MAX_FAULTS]:
            hint = nearest(key, keys) or listed
            self.faults.append(Fault((*self.keys, key), "unknown field", hint))
        if len(unknown) > MAX_FAULTS:
            self.fault("", f"{len(unknown) - MAX_FAULTS} more unknown fields")

    def get(self, key: Key, kind: type[T], expected: str, valid: Test[T] | None = None) -> T | None:
        """The value of this field; None, with a fault, if it is missing, or is not as expected."""
        value = self.data.get(key)
        if type(value) is kind and (valid is None or valid(value)):
            return value
        self.wrong(key, expected)
        return None

    def unchecked(self) -> "Table":
        """The same table for another look, which notes no faults again."""
        return Table(self.data, self.keys, [])

    def table(self, key: Key) -> "Table":
        """The table in this field; a missing one is empty."""
        return Table(self.data.get(key, {}), (*self.keys, key), self.faults)

    def items(self, key: Key, expected: str, most: int | None = None, noun: str = "") -> "Table":
        """The list of at most so many items in this field; empty, with a fault, if it is wrong."""
        listed, keys = self.data.get(key), (*self.keys, key)
        if not isinstance(listed, list):
            hint = f"write [[{format_path(keys)}]], with two brackets"
            self.wrong(key, expected, hint if isinstance(listed, dict) else "")
            listed = ()
        elif most is not None and self.too_many(key, len(listed), most, noun):
            listed = ()
        return Table(dict(enumerate(listed)), keys, self.faults)

    def tables(self, key: Key, most: int | None = None) -> "list[Table]":
        """The list of at most so many tables in this field; a missing one is empty."""
        if key not in self.data:
            return []
        items = self.items(key, "a list of tables", most, str(key))
        return [items.table(at) for at in items.data]

    def chosen(self, most: int, noun: str) -> list[str]:
        """At most so many names of fields; one that is false removes what is inherited."""
        names = [name for name in self.data if self.data[name] is not False]
        self.too_many("", len(names), most, noun)
        return names[:most]


def nearest(word: str, choices: Iterable[str]) -> str:
    """The question "did you mean …?" with the closest choice, or an empty text."""
    from difflib import get_close_matches

    close = get_close_matches(word[:60], list(choices), 1)
    return f"did you mean {close[0]}?" if close else ""
