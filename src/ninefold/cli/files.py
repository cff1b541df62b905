"""Files that are written completely or not at all."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO

from ninefold.books import names
from ninefold.books.sources import is_path, read_chain, read_source
from ninefold.core.errors import NinefoldError


def check_writable(path: str, game: str) -> None:
    """Refuse a file that cannot be written, before long work begins; raises NinefoldError.

    Neither the rule book of the game nor one that it extends must be replaced.
    """
    real = os.path.realpath(path)
    folder = os.path.dirname(real)
    special = os.path.exists(real) and not os.path.isfile(real)
    if not os.path.isdir(folder):
        reason = f"Cannot write {path}: its folder does not exist."
        raise NinefoldError("unwritable", reason, "Create the folder, or name another file.")
    if special or path == "-" or not os.access(folder, os.W_OK):
        raise NinefoldError("unwritable", f"Cannot write {path}.", "Name a regular file.")
    book = read_source(game if is_path(game) else game.casefold())
    kept = [source.path for source in read_chain(book, names())]
    if os.path.exists(real) and any(os.path.samefile(real, file) for file in kept):
        reason = f"{path} is the rule book itself, or one it extends; it would be lost."
        raise NinefoldError("unwritable", reason, "Name another file.")


@contextmanager
def whole_file(path: str, replace: bool = True) -> Iterator[BinaryIO]:
    """A file to write to, which becomes ``path`` once it is complete; raises NinefoldError.

    Unless an existing file may be replaced, one that has appeared meanwhile is an error.
    """
    real = os.path.realpath(path)
    draft = f"{real}.part"
    try:
        with open(draft, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if not replace:
            os.link(draft, real)
            os.unlink(draft)
        else:
            os.replace(draft, real)
    except BaseException as error:  # on Ctrl-C too, nothing is left behind
        with suppress(OSError):
            os.remove(draft)
        if isinstance(error, OSError):
            reason = f"Cannot write {path}: {error.strerror}."
            raise NinefoldError("unwritable", reason) from None
        raise
