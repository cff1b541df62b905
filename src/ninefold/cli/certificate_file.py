"""Certificates as files: text, or compressed if the name ends with .gz."""

import gzip
import os
from collections.abc import Iterator

from ninefold.core.errors import NinefoldError
from ninefold.solver.certificate import Certificate, format_certificate

MAX_BYTES = 4_000_000_000
MAX_LINE = 100_000


def check_writable(path: str) -> None:
    """Find out before a long search that its result has nowhere to go; raises NinefoldError."""
    real = os.path.realpath(path)
    special = os.path.exists(real) and not os.path.isfile(real)
    if special or path == "-" or not os.access(os.path.dirname(real), os.W_OK):
        raise NinefoldError("unwritable", f"Cannot write {path}.", "Name an ordinary file.")


def write_certificate(path: str, certificate: Certificate) -> None:
    """Write the whole file or none; raises NinefoldError."""
    real = os.path.realpath(path)
    partial = f"{real}.part"
    try:
        with open(partial, "wb") as raw:
            # Without a date inside, the same certificate is the same file.
            packed = gzip.GzipFile("", "wb", 9, raw, mtime=0) if path.endswith(".gz") else raw
            for line in format_certificate(certificate):
                packed.write(f"{line}\n".encode("ascii"))
            if packed is not raw:
                packed.close()
        os.replace(partial, real)
    except OSError as error:
        raise NinefoldError("unwritable", f"Cannot write {path}: {error.strerror}.") from None


def read_lines(path: str) -> Iterator[str]:
    """The lines of a certificate; raises NinefoldError."""
    total = 0
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="ascii") as file:
            while line := file.readline(MAX_LINE):
                total += len(line)
                if total > MAX_BYTES:
                    raise NinefoldError("too-long", f"{path} is too long to be read.")
                yield line
    except (OSError, EOFError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged, or no certificate"
        raise NinefoldError("unreadable", f"Cannot read {path}: {reason}.") from None
