"""Files that are written whole or not at all."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

from ninefold.core.errors import NinefoldError


def check_writable(path: str, kept: Iterable[str] = ()) -> None:
    """Find out before long work that its result has nowhere to go; raises NinefoldError.

    The files ``kept`` are those the work reads, which it must not replace.
    """
    real = os.path.realpath(path)
    special = os.path.exists(real) and not os.path.isfile(real)
    if special or path == "-" or not os.access(os.path.dirname(real), os.W_OK):
        raise NinefoldError("unwritable", f"Cannot write {path}.", "Name an ordinary file.")
    if os.path.exists(real) and any(os.path.samefile(real, file) for file in kept):
        told = f"{path} is the rule book itself, or one it extends; it would be lost."
        raise NinefoldError("unwritable", told, "Name another file.")


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
    except OSError as error:
        raise NinefoldError("unwritable", f"Cannot write {path}: {error.strerror}.") from None
