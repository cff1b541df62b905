"""Throw damaged, random and hostile rule books at the loader and at ``check``.

What must hold: a book, or a refusal in words, never anything else, and never past the bounds below.
Run it with the number of files: ``python3 dev fuzz 20000``.
"""

import io
import os
import resource
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from contextlib import redirect_stdout
from pathlib import Path
from random import Random
from typing import NamedTuple

from ninefold import books
from ninefold.cli import parser
from ninefold.core.errors import NinefoldError
from tools.toml_writer import Writer

# The stated bounds: the seconds of computing that loading and checking a file may take together,
# and the memory of the process.
MAX_SECONDS = 20.0
MAX_MEGABYTES = 300

OWN = [path.read_bytes() for path in sorted((Path(books.__file__).parent / "data").iterdir())]
NASTY = [
    b"-1", b"0", b"64", b"65", b"9223372036854775808", b"1" * 400, b"0x" + b"f" * 4000, b"1e999",
    b"nan", b"true", b"[]", b"{}", b'""', b'"1-64"', b'"-9--1"', b'"1-999999999"', b"[1, 1]",
    b"[" * 50 + b"]" * 50, b"1979-05-27", b"[[1, 2], [3]]", b'"{player.__class__}"', b'"{{}}"',
    b'"\\u001b[2J"', b'"\\u202e"', b'"\\u200b"', b'"a\\u0301\\u0301\\u0301\\u0301"', b"[{}, 3]",
    b'"' + b"x" * 5000 + b'"', b'{ count = 32, equals = 1040 }', b"{ length = 64 }", b"false",
]  # fmt: skip
FIELDS = [
    b"id", b"title", b"order", b"summary", b"text", b"notes", b"extends", b"default-reading",
    b"rules", b"words", b"play", b"readings", b"examples", b"claims", b"rules.pool", b"rules.wins",
    b"rules.ending", b"rules.hand-limit", b"rules.in-order", b"rules.declare", b"rules.misere",
    b"rules.wins.sum", b"rules.wins.arithmetic", b"words.won", b"words.prompt", b"words.ended",
    b"words.markers", b"readings.a", b"readings.a.rules", b"readings.a.rules.pool",
]  # fmt: skip


class Tally(NamedTuple):
    """What a run has seen."""

    files: int
    accepted: int
    refused: int
    slowest: float
    megabytes: float
    kinds: Counter[str]


def damaged(random: Random) -> bytes:
    """One of our own books with a few bytes changed, moved, repeated or taken away."""
    data = bytearray(random.choice(OWN))
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(data) + 1)
        size = random.choice([1, 1, 2, 8, 40])
        what = random.randrange(5)
        if what == 0:
            data[at : at + size] = random.randbytes(size)
        elif what == 1:
            del data[at : at + size]
        elif what == 2:
            data[at:at] = data[at : at + size] * random.randint(1, 9)
        elif what == 3:
            data[at:at] = random.choice(NASTY)
        else:
            other = random.choice(OWN)
            start = random.randrange(len(other))
            data[at : at + size] = other[start : start + size]
    return bytes(data)


def revalued(random: Random) -> bytes:
    """One of our own books with a few values replaced: valid TOML, mostly."""
    lines = random.choice(OWN).split(b"\n")
    places = [at for at, line in enumerate(lines) if b" = " in line]
    for at in random.sample(places, random.randint(1, 4)):
        key, _, _ = lines[at].partition(b" = ")
        lines[at] = key + b" = " + random.choice(NASTY)
    return b"\n".join(lines)


def structured(random: Random) -> bytes:
    """The fields of a book, with any value behind each."""
    names = random.sample(FIELDS, random.randint(1, 8))
    fields = [name + b" = " + random.choice(NASTY) for name in names]
    if random.random() < 0.7 and not any(name.startswith(b"rules") for name in names):
        fields.append(b'rules.pool = "1-9"')
    return b"\n".join(fields)


def random_toml(random: Random) -> bytes:
    """Any TOML at all, in every style."""
    return Writer(random).document().encode()


def noise(random: Random) -> bytes:
    """Any bytes."""
    return random.randbytes(random.randrange(300))


def hostile(random: Random) -> bytes:
    """Files made to take long, or to eat the memory."""
    size = random.choice([100, 10_000, 40_000])
    pool = b"rules.pool = %s\n" % str([*range(2, 130, 2)]).encode()
    count = random.randint(4, 60)
    readings = b"".join(
        b"readings.r%d.rules.wins.sum = { count = %d, equals = %d }\n" % (at, count, 300 + at)
        for at in range(random.randint(1, 30))
    )
    return random.choice(
        [
            b"a." * size + b"a = 1",
            b"[" + b'"a".' * size + b"a]",
            b"a = " + b"[" * size,
            b"a = " + b"{a=" * size,
            b"a = " + b"[" * 90 + b"]" * 90,
            b"".join(b"a%d = 1\n" % at for at in range(size // 2)),
            b"[[examples]]\n" * (size // 10),
            b"".join(b"[rules.wins.a%d]\n" % at for at in range(size // 10)),
            b"words.won = [" + b'"{x}",' * (size // 5) + b"]",
            b"title = '''" + b"a" * size * 5 + b"'''\n" + pool,
            b'title = "' + "\u0301".encode() * size + b'"\n' + pool,
            pool + b"rules.wins.sum = { count = %d, equals = %d }" % (count, count * 60),
            pool + b"rules.wins.sum = { count = 6, equals = 301 }\n" + readings,
            b"#" * 300_000,
        ]
    )


KINDS: tuple[Callable[[Random], bytes], ...] = (
    damaged,
    damaged,
    revalued,
    revalued,
    structured,
    random_toml,
    noise,
)


def attempt(path: Path) -> bool:
    """Load the file and check it; whether it is a book. Raises whatever is no refusal in words."""
    try:
        books.load_book(str(path))
        accepted = True
    except NinefoldError:
        accepted = False
    with redirect_stdout(io.StringIO()) as shown:
        try:
            code = parser.parse(["check", str(path)])
        except NinefoldError:
            code = 2
    if accepted and code == 2:
        raise AssertionError("the book is loaded, but it cannot be checked")
    if not accepted and code == 0:
        raise AssertionError("the book is refused, but nothing is found wrong with it")
    text = shown.getvalue().replace("\n", "")
    if not text.isprintable():
        raise AssertionError(f"what is shown is not safe to show: {text!r}")
    return accepted


def run(files: int, seed: int) -> Tally:
    """Try this many files; raises AssertionError with the file that breaks a promise."""
    random = Random(seed)
    accepted, slowest, kinds = 0, 0.0, Counter[str]()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "book.toml"
        for number in range(files):
            kind = hostile if number % 100 == 99 else random.choice(KINDS)
            data = kind(random)
            path.write_bytes(data)
            start = time.process_time()
            try:
                good = attempt(path)
            except Exception as error:
                raise AssertionError(f"{kind.__name__}: {error!r} for {data[:2000]!r}") from error
            seconds = time.process_time() - start
            if seconds > MAX_SECONDS:
                raise AssertionError(f"{kind.__name__}: {seconds:.1f} s for {data[:300]!r}")
            slowest = max(slowest, seconds)
            accepted += good
            kinds[f"{kind.__name__}{' accepted' * good}"] += 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    megabytes = peak / (1 << 20 if sys.platform == "darwin" else 1 << 10)
    if megabytes > MAX_MEGABYTES:
        raise AssertionError(f"{megabytes:.0f} MB of memory")
    return Tally(files, accepted, files - accepted, slowest, megabytes, kinds)


if __name__ == "__main__":
    os.environ["COLUMNS"] = "80"
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    first = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns()
    began = time.monotonic()
    tally = run(wanted, first)
    print(
        f"{tally.files:,} files (seed {first}) in {time.monotonic() - began:.0f} seconds: "
        f"{tally.refused:,} refused, {tally.accepted:,} accepted; "
        f"the slowest took {tally.slowest:.2f} s, peak memory {tally.megabytes:.0f} MB."
    )
    for name, times in sorted(tally.kinds.items()):
        print(f"  {name}: {times:,}")
