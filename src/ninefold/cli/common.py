"""What several commands do alike: load the game, print the answer, write files."""

import argparse
import json
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from typing import Any, BinaryIO

from ninefold import books, cleanup
from ninefold.books import Book
from ninefold.books.sources import read_chain, read_source
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import parse_moves
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.line.wrap import wrap


def load_book(options: argparse.Namespace) -> Book:
    """The game that the options name, with their variant and changes; raises NinefoldError."""
    return books.load_book(options.game, options.reading, tuple(options.set))


def load_position(options: argparse.Namespace) -> tuple[Book, Position]:
    """The game and the position after ``--moves``, in which somebody must move.

    Raises NinefoldError, also if the game is over: it names the move that ended it.
    """
    book = load_book(options)
    moves, position = parse_moves(options.moves), book.game.start(options.first)
    for at, move in enumerate(moves, 1):
        position = position.follow(move)
        position = position.settled() if at == len(moves) else position
        if position.outcome is not None:
            reason = f"The game is over after move {at} of {len(moves)}."
            raise NinefoldError("game-over", reason, "Shorten --moves.")
    return book, position


def seed_of(options: argparse.Namespace) -> int:
    """The seed given, or a random one."""
    seed: int | None = options.seed
    return int.from_bytes(os.urandom(4), "big") if seed is None else seed


def print_json(data: object, indent: int | None = 2) -> None:
    """Print the data as JSON."""
    print(json.dumps(data, indent=indent))


def print_answer(
    options: argparse.Namespace, data: object, text: str, indent: int | None = 2
) -> None:
    """Print the data with ``--json``, otherwise the text, its long lines broken."""
    if options.json:
        print_json(data, indent)
    else:
        print(wrap(text))


def pick(source: object, *names: str) -> dict[str, Any]:
    """Some attributes of an object, by name."""
    return {name: getattr(source, name) for name in names}


def input_lines(longest: int) -> Iterator[list[bytes]]:
    """The lines of standard input, as many at a time as have arrived; longer ones are cut."""
    pending = b""
    while chunk := os.read(0, 1 << 16):
        *lines, pending = (pending + chunk).split(b"\n")
        pending = pending[: longest + 1]  # without an end, a line must not eat the memory
        yield lines
    if pending:
        yield [pending]


def format_of(options: argparse.Namespace, endings: Mapping[str, str], advice: str) -> str:
    """The format asked for, or that of the ending of the output file; raises NinefoldError."""
    ending = os.path.splitext(options.output or "")[1].casefold()
    found: str | None = options.format or endings.get(ending)
    if found is None:
        raise NinefoldError("format", f"The format of {options.output} is unknown.", advice)
    return found


def outcome_data(outcome: Outcome | None) -> dict[str, Any]:
    """How a game ended; an unfinished one has no winner, no reason and no sets."""
    unknown: dict[str, Any] = {"winner": None, "reason": None, "sets": []}
    return outcome._asdict() if outcome else unknown


def check_writable(path: str, book: Book) -> str:
    """Refuse what cannot be written, or is the rule book; how to say that a file is replaced."""
    real = os.path.realpath(path)
    folder = os.path.dirname(real)
    special = os.path.exists(real) and not os.path.isfile(real)
    if not os.path.isdir(folder):
        reason = f"Cannot write {path}: its folder does not exist."
        raise NinefoldError("unwritable", reason, "Create the folder, or name another file.")
    if special or path == "-" or not os.access(folder, os.W_OK):
        raise NinefoldError("unwritable", f"Cannot write {path}.", "Name a regular file.")
    kept = [source.path for source in read_chain(read_source(book.file or book.id))]
    if os.path.exists(real) and any(os.path.samefile(real, file) for file in kept):
        reason = f"{path} is the rule book itself, or one it extends; it would be lost."
        raise NinefoldError("unwritable", reason, "Name another file.")
    return " (replaced an earlier file)" if os.path.exists(real) else ""


@contextmanager
def whole_file(path: str, replace: bool = True) -> Iterator[BinaryIO]:
    """A file to write to, which becomes ``path`` once it is complete; raises NinefoldError."""
    real = os.path.realpath(path)
    draft = f"{real}.{os.urandom(4).hex()}.part"  # two processes may write the same file
    cleanup.promise(draft)
    try:
        with open(draft, "xb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not replace:
            open(real, "xb").close()  # fails if a file has appeared meanwhile
        os.replace(draft, real)
    except OSError as error:
        reason = f"Cannot write {path}: {error.strerror}."
        raise NinefoldError("unwritable", reason) from None
    finally:
        with suppress(OSError):
            os.remove(draft)
        cleanup.forget(draft)
