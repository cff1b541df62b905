"""Rule books in files: read within bounds, parsed, and merged with the books they extend."""

import os
import re
import stat
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from ninefold.books.faults import BookError, Fault, Keys, Place, nearest
from ninefold.books.safety import is_readable, shown
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import MAX_DIGITS

FOLDER = os.path.join(os.path.dirname(__file__), "data")
SUFFIX = ".toml"
# The rest is what a book says about itself: it may not be true of one that extends it.
INHERITED = ("rules", "words", "play", "readings", "default-reading")
VIEW = ("rules", "words", "play")

# Limits for a stranger's file.
MAX_BYTES = 1 << 18
MAX_DEPTH = 12
MAX_PARENTS = 8

# The time to parse a key grows with the square of its dotted parts.
_LONG_KEY = re.compile(
    r"""(?<![A-Za-z0-9_-])(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}"""
)
_FIELD = re.compile(r"\s*([A-Za-z0-9_.-]{1,60})\s*=\s*(\S.*?)\s*\Z")
_CURLY = str.maketrans("\u201c\u201d\u201e\u2018\u2019", '"""\'\'')
_SYNTAX_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)\Z")


class BookFileError(NinefoldError):
    """A file that cannot be read as a rule book at all."""


class Source(NamedTuple):
    """A file as it was read: the name to show, its real path, and whether it is built in.

    A text that is not from a file has no path, and cannot extend a book in a file.
    """

    name: str
    path: str
    text: str
    data: dict[str, Any]
    own: bool = False


def is_path(name: str) -> bool:
    """Whether this names a file rather than a built-in book."""
    return bool(os.path.dirname(name)) or name.endswith(SUFFIX)


@cache
def names() -> tuple[str, ...]:
    """The ids of the built-in books, in alphabetical order."""
    files = os.listdir(FOLDER)
    return tuple(sorted(name[: -len(SUFFIX)] for name in files if name.endswith(SUFFIX)))


def read_text(path: str, most: int = MAX_BYTES) -> str:
    """The text of a regular file of at most ``most`` bytes; raises BookFileError."""
    try:
        with open(path, "rb", opener=_open_at_once) as file:
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode):
                what = "it is a folder" if stat.S_ISDIR(mode) else "it is not a regular file"
                raise _refusal(path, what)
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise _refusal(path, getattr(error, "strerror", None) or str(error)) from None
    return decode(data, path, most)


def _open_at_once(path: str, flags: int) -> int:
    """Open a file without waiting: a pipe without a writer must not hang the program."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def decode(data: bytes, path: str, most: int = MAX_BYTES) -> str:
    """The bytes of a file as text; raises BookFileError."""
    if len(data) > most:
        raise _refusal(path, f"it has more than {most:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _refusal(path, f"line {line} is not UTF-8 text") from None
    return text.replace("\r\n", "\n")


def parse(text: str, name: str) -> dict[str, Any]:
    """The data of a TOML text; raises BookError."""
    import tomllib

    if found := _LONG_KEY.search(text):
        place = Place("", text.count("\n", 0, found.start()) + 1)
        raise BookError(name, [Fault((), "a key has too many dotted parts", place=place)])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BookError(name, [_syntax_fault(str(error), text)]) from None
    except RecursionError:
        raise BookError(name, [Fault((), "is nested too deeply")]) from None
    except ValueError:
        raise BookError(name, [Fault((), "a number has too many digits")]) from None


def parse_json(text: str, name: str) -> dict[str, Any]:
    """The data of a JSON text; raises BookError."""
    import json

    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BookError(name, [Fault(("it",), "must be JSON")]) from None
    if not isinstance(data, dict):
        raise BookError(name, [Fault(("it",), "must be a table")])
    return data


def _syntax_fault(message: str, text: str) -> Fault:
    found = _SYNTAX_PLACE.search(message)
    if found:
        place = Place("", int(found[1]), int(found[2]))
        message = message[: found.start()]
    else:
        place = Place("", text.rstrip().count("\n") + 1)
    line = text.split("\n")[place.line - 1] if place.line <= text.count("\n") + 1 else ""
    hint = _syntax_hint(message, line)
    return Fault((), f"not valid TOML: {shown(message, 200)}", hint, place=place)


def _syntax_hint(message: str, line: str) -> str:
    """A hint for a line that the parser rejects: a duplicate, or text without its quotes."""
    found = _FIELD.match(line)
    if not found:
        return ""
    name, value = found[1], found[2]
    if message == "Cannot overwrite a value":
        return f"{shown(name, 60)} is set twice"
    straight = value.translate(_CURLY)
    if straight != value and is_readable(value) and len(value) <= 60:
        return f"use straight quotation marks: {shown(name, 60)} = {straight}"
    if is_readable(value) and not set(value) & set("\"'[]{}#=\\") and len(value) <= 60:
        return f'text needs quotation marks: {shown(name, 60)} = "{value}"'
    return ""


def check_bounds(data: Mapping[str, Any], faults: list[Fault]) -> None:
    """Note deep nesting and huge numbers that no rule book needs."""
    pending: list[tuple[Keys, Any]] = [((), data)]
    while pending:
        keys, value = pending.pop()
        if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
            faults.append(Fault(keys, f"must have at most {MAX_DIGITS} digits"))
        elif isinstance(value, (dict, list)) and len(keys) > MAX_DEPTH:
            faults.append(Fault(keys[:3], "is nested too deeply"))
        elif isinstance(value, (dict, list)):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            pending += [((*keys, key), item) for key, item in items]


def read_source(name: str) -> Source:
    """The file of this name, or the book of this id; raises BookFileError, BookError."""
    own = not is_path(name)
    path, called = (os.path.join(FOLDER, name + SUFFIX), name + SUFFIX) if own else (name, name)
    text = read_text(path)
    return Source(called, os.path.realpath(path), text, parse(text, shown(called, 200)), own)


def read_chain(first: Source) -> list[Source]:
    """The book and the books it extends, in order; raises BookError with the place."""
    chain = [first]
    while "extends" in chain[-1].data:
        chain.append(_read_parent(chain))
    return chain


def _read_parent(chain: list[Source]) -> Source:
    """The book that the last one extends; raises BookError with the place."""
    from ninefold.books.locations import index

    child, hint = chain[-1], ""
    wanted = child.data["extends"]
    if not isinstance(wanted, str) or not wanted or not is_readable(wanted):
        problem = "must be the id of a game or the path of a file"
    elif not child.path and is_path(wanted):
        problem = "must be the id of a game"
        hint = f"the games are {', '.join(names())}"
    elif os.path.isabs(wanted):
        problem = "must be a path relative to this file"
    elif not is_path(wanted) and wanted not in names():
        problem = f'there is no game "{shown(wanted, 60)}"'
        games = f"the games are {', '.join(names())}"
        hint = (
            nearest(wanted, names()) or f"{games}; for a file, write ./{shown(wanted, 60)}{SUFFIX}"
        )
    elif len(chain) > MAX_PARENTS:
        problem = f"at most {MAX_PARENTS} books may extend each other in a row"
    else:
        name = _beside(child, wanted) if is_path(wanted) else wanted
        try:
            parent = read_source(name)
        except BookFileError as error:
            problem = error.reason
        except BookError as error:
            file = shown(name if is_path(name) else name + SUFFIX, 100)
            faults = [
                fault._replace(place=(fault.place or Place(""))._replace(file=file))
                for fault in error.faults
            ]
            raise BookError(shown(chain[0].name, 200), faults) from None
        else:
            if parent.path not in [source.path for source in chain]:
                return parent
            problem = f'"{shown(wanted, 60)}" leads back to this file, in a circle'
    place = index(child.text).get(("extends",), Place(""))
    file = "" if len(chain) == 1 else shown(child.name, 100)
    fault = Fault(("extends",), problem, hint, place=place._replace(file=file))
    raise BookError(shown(chain[0].name, 200), [fault])


def _beside(child: Source, path: str) -> str:
    """The name of a file whose path is relative to a book."""
    folder = os.path.dirname(child.path if child.own else child.name)
    name = os.path.normpath(os.path.join(folder or os.curdir, path))
    return name if is_path(name) else os.path.join(os.curdir, name)


def merge_chain(chain: Sequence[Source]) -> dict[str, Any]:
    """The data of the first book, with everything it inherits."""
    merged: dict[str, Any] = {}
    for source in reversed(chain):
        inherited = {key: merged[key] for key in INHERITED if key in merged}
        merged = merge(inherited, source.data)
    return merged


def merge(base: Any, overlay: Any) -> Any:
    """The base with its values replaced by those of the overlay, table by table."""
    if not (isinstance(base, dict) and isinstance(overlay, dict)):
        return overlay
    return {**base, **{key: merge(base.get(key), value) for key, value in overlay.items()}}


def _refusal(path: str, why: str) -> BookFileError:
    message = f"Cannot read the rule book {shown(path, 200)}: {shown(why, 200)}."
    return BookFileError("no-such-file", message)
