"""Rule books in files: read within bounds, parsed, and laid over the books they extend.

A book that says ``extends = "sequence-capture"`` (an id, or the path of a file relative to its own)
inherits how that book is played and shown: ``rules``, ``words``, ``play``, ``readings`` and
``default-reading``, its own laid over them table by table, as a reading is laid over a book. What
the other book says about itself is not inherited, because it need not hold any more: ``id``,
``title``, ``order``, ``summary``, ``text``, ``notes``, ``examples`` and ``claims``.
"""

import os
import re
import stat
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from ninefold.books.faults import BookError, Fault, Keys, Place, format_path, nearest
from ninefold.books.safety import is_readable, shown
from ninefold.core.errors import NinefoldError

FOLDER = os.path.join(os.path.dirname(__file__), "data")
SUFFIX = ".toml"
INHERITED = ("rules", "words", "play", "readings", "default-reading")
VIEW = ("rules", "words", "play")

# What a stranger's file may cost.
MAX_BYTES = 1 << 18
MAX_DEPTH = 12
MAX_DIGITS = 18
MAX_PARENTS = 8

# A key of very many dotted parts takes the parser time that grows with the square of them.
_LONG_KEY = re.compile(
    r"""(?<![A-Za-z0-9_-])(?:(?:[A-Za-z0-9_-]++|"[^"\n]*+"|'[^'\n]*+')[ \t]*+\.[ \t]*+){32}"""
)
_FIELD = re.compile(r"\s*([A-Za-z0-9_.-]{1,60})\s*=\s*(\S.*?)\s*\Z")
_SYNTAX_PLACE = re.compile(r" \(at line (\d+), column (\d+)\)\Z")


class BookFileError(NinefoldError):
    """A file that cannot be read as a rule book at all."""


class Source(NamedTuple):
    """A file as it was read: the name it is shown under, its real path, its text, its data.

    ``own`` tells that it is one of the program's own books.
    """

    name: str
    path: str
    text: str
    data: dict[str, Any]
    own: bool = False


def is_path(name: str) -> bool:
    """Whether this names a file rather than a book that comes with the program."""
    return os.sep in name or name.endswith(SUFFIX)


def read_text(path: str, most: int = MAX_BYTES) -> str:
    """The text of an ordinary file of at most so many bytes; raises BookFileError."""
    try:
        # Without blocking: a pipe nobody writes to must not hang us.
        descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise _refusal(path, "it is a folder" if stat.S_ISDIR(mode) else "it is no file")
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise _refusal(path, getattr(error, "strerror", None) or str(error)) from None
    return decode(data, path, most)


def decode(data: bytes, path: str, most: int = MAX_BYTES) -> str:
    """The bytes of a file as text; raises BookFileError."""
    if len(data) > most:
        raise _refusal(path, f"a rule book has at most {most:,} bytes")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _refusal(path, f"line {line} is not text in UTF-8") from None
    return text.replace("\r\n", "\n")


def parse(text: str, name: str) -> dict[str, Any]:
    """The data of a TOML text; raises BookError."""
    import tomllib

    if found := _LONG_KEY.search(text):
        place = Place("", text.count("\n", 0, found.start()) + 1)
        raise BookError(name, [Fault("the file", "a key has too many parts", place=place)])
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise BookError(name, [_syntax_fault(str(error), text)]) from None
    except RecursionError:
        raise BookError(name, [Fault("the file", "it is nested too deeply")]) from None
    except ValueError:
        raise BookError(name, [Fault("the file", "a number has too many digits")]) from None


def _syntax_fault(message: str, text: str) -> Fault:
    found = _SYNTAX_PLACE.search(message)
    if found:
        place = Place("", int(found[1]), int(found[2]))
        message = message[: found.start()]
    else:
        place = Place("", text.rstrip().count("\n") + 1)
    line = text.split("\n")[place.line - 1] if place.line <= text.count("\n") + 1 else ""
    hint = _syntax_hint(message, line)
    return Fault("the file", f"no valid TOML: {shown(message, 200)}", hint, place=place)


def _syntax_hint(message: str, line: str) -> str:
    """What may be meant by a line the parser does not understand: text needs quotation marks."""
    found = _FIELD.match(line)
    if not found:
        return ""
    name, value = found[1], found[2]
    if message == "Cannot overwrite a value":
        return f"{shown(name, 60)} is there twice"
    if is_readable(value) and not set(value) & set("\"'[]{}#=\\") and len(value) <= 60:
        return f'text stands in quotation marks: {shown(name, 60)} = "{value}"'
    return ""


def check_bounds(data: Mapping[str, Any], faults: list[Fault]) -> None:
    """Note nesting, numbers and names that no rule book needs and no program should have to bear.

    Text is looked at here only where nothing else looks at it, in examples and claims.
    """
    pending: list[tuple[Keys, Any]] = [((), data)]
    while pending:
        keys, value = pending.pop()
        if isinstance(value, int) and abs(value) >= 10**MAX_DIGITS:
            told = f"a whole number of at most {MAX_DIGITS} digits is expected"
            faults.append(Fault(format_path(keys), told, keys=keys))
        elif isinstance(value, str) and keys[0] in ("examples", "claims"):
            if not is_readable(value, lines=True):
                told = "control characters and invisible ones are not allowed here"
                faults.append(Fault(format_path(keys), told, keys=keys))
        elif isinstance(value, (dict, list)) and len(keys) > MAX_DEPTH:
            faults.append(Fault(format_path(keys[:3]), "it is nested too deeply", keys=keys[:3]))
        elif isinstance(value, (dict, list)):
            items = value.items() if isinstance(value, dict) else enumerate(value)
            pending += [((*keys, key), item) for key, item in items]


def read_source(name: str) -> Source:
    """The file of this name, or the book of this id; raises BookFileError, BookError."""
    own = not is_path(name)
    path, called = (os.path.join(FOLDER, name + SUFFIX), name + SUFFIX) if own else (name, name)
    text = read_text(path)
    return Source(called, os.path.realpath(path), text, parse(text, shown(called, 200)), own)


def read_chain(first: Source, ids: Sequence[str]) -> list[Source]:
    """The book and those it extends, one behind the other; raises BookError with the place."""
    chain = [first]
    while "extends" in chain[-1].data:
        child = chain[-1]
        told, hint = "", ""
        wanted = child.data["extends"]
        if not isinstance(wanted, str) or not wanted or not is_readable(wanted):
            told = "the id of a game, or the path of a file, is expected"
        elif os.path.isabs(wanted):
            told = "a path relative to this file is expected"
        elif not is_path(wanted) and wanted not in ids:
            told = f'there is no game "{shown(wanted, 60)}"'
            hint = nearest(wanted, ids) or f"a file is named ./{shown(wanted, 60)}{SUFFIX}"
        elif len(chain) > MAX_PARENTS:
            told = f"at most {MAX_PARENTS} books may stand behind each other"
        if told:
            raise _bad_parent(chain, told, hint)
        parent = _read_parent(chain, wanted)
        if parent.path in [source.path for source in chain]:
            raise _bad_parent(chain, f'"{shown(wanted, 60)}" leads back here, in a circle')
        chain.append(parent)
    return chain


def _read_parent(chain: list[Source], wanted: str) -> Source:
    name = wanted
    if is_path(wanted):
        child = chain[-1]
        folder = os.path.dirname(child.path if child.own else child.name)
        name = os.path.normpath(os.path.join(folder or os.curdir, wanted))
        name = name if is_path(name) else os.path.join(os.curdir, name)
    try:
        return read_source(name)
    except BookFileError as error:
        raise _bad_parent(chain, error.reason) from None
    except BookError as error:
        file = shown(name if is_path(name) else name + SUFFIX, 100)
        faults = [_in_file(fault, file) for fault in error.faults]
        raise BookError(shown(chain[0].name, 200), faults) from None


def _in_file(fault: Fault, file: str) -> Fault:
    """The fault with the name of the file it is in, which is not the one in question."""
    return fault._replace(place=(fault.place or Place(""))._replace(file=file))


def _bad_parent(chain: list[Source], told: str, hint: str = "") -> BookError:
    from ninefold.books.locate import locate

    fault = Fault("extends", told, hint, keys=("extends",))
    place = locate(fault.keys, chain[-1:], "")[0]
    file = "" if len(chain) == 1 else shown(chain[-1].name, 100)
    return BookError(shown(chain[0].name, 200), [fault._replace(place=place._replace(file=file))])


def merge_chain(chain: Sequence[Source]) -> dict[str, Any]:
    """The data of the first book, with everything it inherits."""
    merged: dict[str, Any] = {}
    for source in reversed(chain):
        inherited = {key: merged[key] for key in INHERITED if key in merged}
        merged = {**source.data, **inherited}
        for key in INHERITED:
            if key in source.data:
                merged[key] = merge(inherited.get(key), source.data[key])
    return merged


def merge(base: Any, overlay: Any) -> Any:
    """The base with the overlay's values in place of its own, table by table."""
    if not (isinstance(base, dict) and isinstance(overlay, dict)):
        return overlay
    return {**base, **{key: merge(base.get(key), value) for key, value in overlay.items()}}


def _refusal(path: str, why: str) -> BookFileError:
    told = f"Cannot read the rule book {shown(path, 200)}: {shown(why, 200)}."
    return BookFileError("no-such-file", told)
