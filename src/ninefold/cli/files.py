"""Files that are written completely or not at all, and certificates as files."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, BinaryIO

from ninefold.core.errors import NinefoldError

if TYPE_CHECKING:
    from ninefold.solver.certificate import Certificate

MAX_BYTES = 4_000_000_000
MAX_LINE = 100_000


def check_writable(path: str, kept: Iterable[str] = ()) -> None:
    """Refuse a file that cannot be written, before long work begins; raises NinefoldError.

    ``kept`` are the files that the work reads, which it must not replace.
    """
    real = os.path.realpath(path)
    special = os.path.exists(real) and not os.path.isfile(real)
    folder = os.path.dirname(real)
    if not os.path.isdir(folder):
        reason = f"Cannot write {path}: its folder does not exist."
        raise NinefoldError("unwritable", reason, "Create the folder, or name another file.")
    if special or path == "-" or not os.access(folder, os.W_OK):
        raise NinefoldError("unwritable", f"Cannot write {path}.", "Name a regular file.")
    if os.path.exists(real) and any(os.path.samefile(real, file) for file in kept):
        reason = f"{path} is the rule book itself, or one it extends; it would be lost."
        raise NinefoldError("unwritable", reason, "Name another file.")


def files_of(game: str) -> list[str]:
    """The file of a book, and those of the books it extends; raises NinefoldError."""
    from ninefold.books.sources import is_path, read_chain, read_source

    first = read_source(game if is_path(game) else game.casefold())
    return [source.path for source in read_chain(first)]


@contextmanager
def whole_file(path: str, replace: bool = True) -> Iterator[BinaryIO]:
    """A file to write to, which becomes ``path`` once it is complete; raises NinefoldError."""
    real = os.path.realpath(path)
    partial = f"{real}.part"
    try:
        with open(partial, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        if replace:
            os.replace(partial, real)
        else:
            os.link(partial, real)  # fails if the file has appeared meanwhile
            os.remove(partial)
    except BaseException as error:  # on Ctrl-C too, nothing is left behind
        with suppress(OSError):
            os.remove(partial)
        if isinstance(error, OSError):
            reason = f"Cannot write {path}: {error.strerror}."
            raise NinefoldError("unwritable", reason) from None
        raise


def write_certificate(path: str, certificate: "Certificate") -> None:
    """Write the complete file or nothing, compressed if it ends with .gz; raises NinefoldError."""
    from gzip import GzipFile

    from ninefold.solver.certificate import format_certificate

    with whole_file(path) as raw:
        # Without a date inside, the same certificate is the same file.
        packed = GzipFile("", "wb", 9, raw, mtime=0) if path.endswith(".gz") else raw
        for line in format_certificate(certificate):
            packed.write(f"{line}\n".encode("ascii"))
        if packed is not raw:
            packed.close()


def certificate_lines(path: str) -> Iterator[str]:
    """The lines of a certificate; raises NinefoldError."""
    import gzip

    total = 0
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="ascii") as file:
            while line := file.readline(MAX_LINE):
                total += len(line)
                if total > MAX_BYTES:
                    reason = f"{path} is longer than {MAX_BYTES:,} bytes, so it cannot be read."
                    raise NinefoldError("too-long", reason)
                yield line
    except (OSError, EOFError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged, or not a certificate"
        raise NinefoldError("unreadable", f"Cannot read {path}: {reason}.") from None
