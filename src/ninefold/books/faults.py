"""Faults of a rule book, collected so that all of them are reported at once."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple, TypeVar

from ninefold.core.errors import NinefoldError

T = TypeVar("T")


class Fault(NamedTuple):
    """One thing wrong with a rule book: where, what was expected, and a hint if there is one."""

    path: str
    expected: str
    hint: str = ""

    def __str__(self) -> str:
        return f"{self.path}: {self.expected}" + (f" ({self.hint})" if self.hint else "")


class BookError(NinefoldError):
    """A rule book that cannot be used; ``faults`` lists everything that is wrong with it."""

    def __init__(self, source: str, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        lines = "\n".join(f"  {fault}" for fault in self.faults)
        super().__init__("bad-book", f"{source} is not a valid rule book:\n{lines}")


class Table:
    """A table of the file under inspection: reads fields and notes faults, all of them."""

    def __init__(self, data: object, path: str, faults: list[Fault]) -> None:
        self.path, self.faults = path, faults
        self.data: Mapping[str, Any] = data if isinstance(data, dict) else {}
        if not isinstance(data, dict):
            self.fault("", "a table is expected here")

    def fault(self, key: str, expected: str, hint: str = "") -> None:
        """Note a fault of the field ``key`` of this table."""
        path = ".".join(part for part in (self.path, key) if part)
        self.faults.append(Fault(path or "the file", expected, hint))

    def allow(self, *keys: str) -> None:
        """Note every field that is not one of these, with the nearest valid spelling."""
        for key in self.data.keys() - set(keys):
            self.fault(key, "no such field", nearest(key, keys))

    def get(self, key: str, kind: type[T], default: T | None = None) -> T:
        """The field's value if it has this type; otherwise a fault, and the default."""
        value = self.data.get(key, default)
        if type(value) is kind:
            return value
        names = {str: "text", int: "a whole number", bool: "true or false", list: "a list"}
        what = names.get(kind, "a table")
        self.fault(key, f"{what} is expected" if key in self.data else f"{what} is missing")
        return kind()

    def line(self, key: str) -> str:
        """A line of text that is safe to show; otherwise a fault."""
        text = self.get(key, str)
        if not text.isprintable():
            self.fault(key, "a line break or control character is not allowed here")
        return text

    def prose(self, key: str) -> str:
        """Text of any number of lines that is safe to show; nothing if it is missing."""
        text = self.get(key, str, "").strip()
        if not text.replace("\n", "").isprintable():
            self.fault(key, "control characters are not allowed here")
        return text

    def choice(self, key: str, choices: Iterable[T], default: T | None = None) -> T:
        """The field's value if it is one of these; otherwise a fault, and the first choice."""
        options = list(choices)
        value = self.data.get(key, default)
        for option in options:
            if value == option and type(value) is type(option):
                return option
        listed = ", ".join(map(str, options))
        self.fault(key, f"one of {listed} is expected", nearest(str(value), map(str, options)))
        return options[0]

    def table(self, key: str) -> "Table":
        """The table below this one; an absent one reads as empty."""
        return Table(self.data.get(key, {}), f"{self.path}.{key}".strip("."), self.faults)

    def tables(self, key: str) -> "list[Table]":
        """The list of tables in this field; an absent one reads as empty."""
        items = self.get(key, list, [])
        return [
            Table(item, f"{self.path}.{key}[{at}]".strip("."), self.faults)
            for at, item in enumerate(items)
        ]


def nearest(word: str, choices: Iterable[str]) -> str:
    """The question "did you mean …?" with the closest of the choices, or nothing."""
    from difflib import get_close_matches

    close = get_close_matches(word, list(choices), 1)
    return f"did you mean {close[0]}?" if close else ""
