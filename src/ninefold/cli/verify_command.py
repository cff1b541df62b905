"""``ninefold verify``: follow a certificate against every reply."""

import argparse
import json
import time
from collections.abc import Callable

from ninefold import books
from ninefold.cli.certificate_file import read_lines
from ninefold.cli.patience import PATIENCE
from ninefold.line.note import note
from ninefold.line.wrap import wrap
from ninefold.solver.certificate import Certificate, parse_certificate
from ninefold.solver.verify import Refuted, verify


def run(options: argparse.Namespace) -> int:
    """Verify one file: exit code 0 if it shows what it says, 1 if not."""
    certificate = parse_certificate(read_lines(options.file))
    game = options.game or certificate.game
    book = books.load(game, certificate.reading, certificate.changes)
    start = time.monotonic()
    refuted: Refuted | None = None
    positions = 0
    try:
        positions = verify(book.game, certificate, _progress(start))
    except Refuted as error:
        refuted = error
    seconds = time.monotonic() - start
    if options.json:
        _print_json(certificate, positions, seconds, refuted)
    else:
        _print_text(certificate, positions, seconds, refuted)
    return 1 if refuted else 0


def _progress(start: float) -> Callable[[int], None]:
    """Tell now and then how far it is."""
    reported = start

    def tell(positions: int) -> None:
        nonlocal reported
        if not positions % 1_000 and time.monotonic() - reported > PATIENCE:
            reported = time.monotonic()
            note(f"{positions:,} positions verified")

    return tell


def claim(certificate: Certificate) -> str:
    """What a certificate says, in words."""
    rules = "; ".join((certificate.reading, *certificate.changes))
    where = f"after {certificate.moves}" if certificate.moves else "from the first move"
    value = {"win": "a win", "loss": "a loss", "draw": "a draw"}[certificate.value]
    return f"{certificate.game} ({rules}), {where}: {value} for the player to act"


def _print_text(
    certificate: Certificate, positions: int, seconds: float, refuted: Refuted | None
) -> None:
    if refuted:
        print(wrap(f"NOT shown: {claim(certificate)}.\n{refuted.message}"))
        return
    answers = sum(len(strategy.answers) for strategy in certificate.strategies)
    print(wrap(f"Verified: {claim(certificate)}."))
    print(wrap(f"{answers:,} answers, {positions:,} positions, {seconds:.2f} seconds."))


def _print_json(
    certificate: Certificate, positions: int, seconds: float, refuted: Refuted | None
) -> None:
    answer = {
        "verified": refuted is None,
        "game": certificate.game,
        "reading": certificate.reading,
        "changes": list(certificate.changes),
        "moves": certificate.moves,
        "first": certificate.first,
        "value": certificate.value,
        "positions": positions,
        "seconds": round(seconds, 6),
        "error": {"code": refuted.code, "message": refuted.message} if refuted else None,
    }
    print(json.dumps(answer))
