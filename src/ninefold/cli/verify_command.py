"""``ninefold verify``: check a certificate against every reply."""

import argparse

from ninefold import books
from ninefold.cli.common import Progress, print_json
from ninefold.cli.files import certificate_lines
from ninefold.line.wrap import wrap
from ninefold.solver.certificate import Certificate, parse_certificate
from ninefold.solver.verify import Refuted, verify


def run(options: argparse.Namespace) -> int:
    """Verify one file: exit code 0 if it proves its claim, 1 if not."""
    certificate = parse_certificate(certificate_lines(options.file))
    game = options.game or certificate.game
    book = books.load_book(game, certificate.reading, certificate.changes)
    progress = Progress()
    refuted: Refuted | None = None
    positions = 0

    def tell(done: int) -> None:
        if not done % 1_000:  # asking the time takes longer than a position
            progress.tell(f"{done:,} positions verified")

    try:
        positions = verify(book.game, certificate, tell)
    except Refuted as error:
        refuted = error
    if options.json:
        _print_json(certificate, positions, progress.seconds, refuted)
    else:
        _print_text(certificate, positions, progress.seconds, refuted)
    return 1 if refuted else 0


def claim(certificate: Certificate) -> str:
    """The claim of a certificate, in words."""
    rules = "; ".join((certificate.reading, *certificate.changes))
    where = f"after {certificate.moves}" if certificate.moves else "from the first move"
    value = {"win": "a win", "loss": "a loss", "draw": "a draw"}[certificate.value]
    return f"{certificate.game} ({rules}), {where}: {value} for the player to act"


def _print_text(
    certificate: Certificate, positions: int, seconds: float, refuted: Refuted | None
) -> None:
    if refuted:
        print(wrap(f"NOT proved: {claim(certificate)}.\n{refuted.message}"))
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
    print_json(answer)
