"""Certificates as files: text, or compressed if the name ends with .gz."""

import gzip
from collections.abc import Iterator

from ninefold.cli.whole_file import whole_file
from ninefold.core.errors import NinefoldError
from ninefold.solver.certificate import Certificate, format_certificate

MAX_BYTES = 4_000_000_000
MAX_LINE = 100_000


def write_certificate(path: str, certificate: Certificate) -> None:
    """Write the whole file or none; raises NinefoldError."""
    with whole_file(path) as raw:
        # Without a date inside, the same certificate is the same file.
        packed = gzip.GzipFile("", "wb", 9, raw, mtime=0) if path.endswith(".gz") else raw
        for line in format_certificate(certificate):
            packed.write(f"{line}\n".encode("ascii"))
        if packed is not raw:
            packed.close()


def read_lines(path: str) -> Iterator[str]:
    """The lines of a certificate; raises NinefoldError."""
    total = 0
    try:
        with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="ascii") as file:
            while line := file.readline(MAX_LINE):
                total += len(line)
                if total > MAX_BYTES:
                    told = f"{path} is too long to be read."
                    raise NinefoldError("too-long", told, f"At most {MAX_BYTES:,} bytes are.")
                yield line
    except (OSError, EOFError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is damaged, or no certificate"
        raise NinefoldError("unreadable", f"Cannot read {path}: {reason}.") from None
