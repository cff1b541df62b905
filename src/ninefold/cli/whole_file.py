"""Files that are written whole or not at all."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from ninefold.core.errors import NinefoldError


def check_writable(path: str, kept: Iterable[str] = ()) -> None:
    """Find out before long work that its result has nowhere to go; raises NinefoldError.

    The files ``kept`` are those the work reads, which it must not replace.
    """
    real = os.path.realpath(path)
    special = os.path.exists(real) and not os.path.isfile(real)
    folder = os.path.dirname(real)
    if not os.path.isdir(folder):
        told = f"Cannot write {path}: there is no such folder."
        raise NinefoldError("unwritable", told, "Make it first, or name another file.")
    if special or path == "-" or not os.access(folder, os.W_OK):
        raise NinefoldError("unwritable", f"Cannot write {path}.", "Name an ordinary file.")
    if os.path.exists(real) and any(os.path.samefile(real, file) for file in kept):
        told = f"{path} is the rule book itself, or one it extends; it would be lost."
        raise NinefoldError("unwritable", told, "Name another file.")


def files_of(game: str) -> list[str]:
    """The file of a book, and those of the books it extends; raises NinefoldError."""
    from ninefold.books import names
    from ninefold.books.sources import is_path, read_chain, read_source

    first = read_source(game if is_path(game) else game.casefold())
    return [source.path for source in read_chain(first, names())]


@contextmanager
def whole_file(path: str) -> Iterator[BinaryIO]:
    """A file to write into, which takes its place when all of it is there; raises NinefoldError."""
    real = os.path.realpath(path)
    partial = f"{real}.part"
    try:
        with open(partial, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(partial, real)
    except BaseException as error:
        with suppress(OSError):
            os.remove(partial)  # also if somebody has had enough of waiting
        if isinstance(error, OSError):
            told = f"Cannot write {path}: {error.strerror}."
            raise NinefoldError("unwritable", told) from None
        raise
