"""``ninefold solve`` and ``verify``: the value of a position, and certificates that prove it."""

import argparse
import gzip
import time
from collections.abc import Callable, Iterator

from ninefold import books
from ninefold.books import Book
from ninefold.cli import common
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import format_move
from ninefold.core.position import Position
from ninefold.core.text import plural
from ninefold.line.wrap import note, patience
from ninefold.solver import MoveValue, Solver, Value
from ninefold.solver.certificate import Certificate, format_certificate, parse_certificate
from ninefold.solver.verify import Refuted, verify

# A position takes about 150 bytes; past this many, the answer is an honest "unknown".
MAX_POSITIONS = 20_000_000
MAX_BYTES = 4_000_000_000
MAX_LINE = 100_000


def run_solve(options: argparse.Namespace) -> int:
    """Solve the position after ``--moves``, and print it as a table or as JSON."""
    book, position = common.load_position(options)
    if options.certificate:
        from ninefold.solver.certify import check_provable

        check_provable(book.game)
        common.check_writable(options.certificate, options.game)
    code = 0
    legal = [] if options.value_only else position.legal
    preparing = "Preparing the search; the first time this takes half a minute ..."
    with patience(preparing) as say:
        search = Search(book.game, options.time_budget, say)
        solver = search.solver
        try:
            if options.certificate and not _certify(options, book, position, solver):
                code = 1
            value = solver.value(position)
        except KeyboardInterrupt:
            note("Interrupted; the result is not known yet.")
            raise
        found = {move: MoveValue(move, "unknown", None) for move in legal}
        try:
            # All results come before any length, which may be harder to find.
            for length in (False, True):
                for at, move in enumerate(legal):
                    search.task = f", {'length of ' if length else ''}move {at + 1} of {len(legal)}"
                    found[move] = solver.move_value(position, move, length)
        except KeyboardInterrupt:
            code = 130  # what is known already was worth waiting for
    moves = [*found.values()]
    endless = book.game.turns.is_endless
    head = f"{book.label}, player {position.turn} to act: {describe(value, endless)}."
    work = f"\n{plural(solver.positions, 'position')} in {search.seconds:.2f} seconds."
    data = {
        "value": value.result,
        "plies": value.plies,
        "moves": [*map(_move_data, moves)],
        "positions": solver.positions,
        "seconds": round(search.seconds, 6),
    }
    common.print_answer(options, data, "\n".join([head, *_table(moves), work]), indent=None)
    return code


class Search:
    """A solver that says how far it is, and stops when it runs out of time or memory."""

    def __init__(self, game: Game, budget: float | None, say: Callable[[str], None]) -> None:
        self.solver = Solver(game, self._stop)
        self.task = ""
        self._budget = budget
        self._say = say
        self._start = time.monotonic()
        say("")  # it is prepared

    @property
    def seconds(self) -> float:
        """How long the search has taken, without preparing it."""
        return time.monotonic() - self._start

    def _stop(self, positions: int) -> bool:
        """Whether to give up after so many positions."""
        seconds = self.seconds
        rate = f"{positions / max(seconds, 0.001):,.0f} per second"
        self._say(f"{positions:,} positions, {rate}{self.solver.progress}{self.task}")
        too_many = positions > MAX_POSITIONS and self.solver.keeps_all
        return too_many or (self._budget is not None and seconds > self._budget)


def _certify(options: argparse.Namespace, book: Book, position: Position, solver: Solver) -> bool:
    """Write the certificate of the result; False if the time ran out. Raises NinefoldError."""
    from ninefold.solver.scores import OutOfBudget
    from ninefold.solver.symmetry import symmetries

    try:
        result, strategies = solver.certify(position)
    except OutOfBudget:
        note("Time ran out before the certificate was complete. Allow more with --time-budget.")
        return False
    certificate = Certificate(
        book.file or book.id,
        book.reading,
        book.changes,
        book.game.fingerprint,
        options.first,
        " ".join(options.moves.split()),
        result,
        tuple(symmetries(book.game)[1:]),
        strategies,
    )
    path = options.certificate
    with common.whole_file(path) as raw:
        # Without a date inside, the same certificate is the same file.
        packed = gzip.GzipFile("", "wb", 9, raw, mtime=0) if path.endswith(".gz") else raw
        for line in format_certificate(certificate):
            packed.write(f"{line}\n".encode("ascii"))
        if packed is not raw:
            packed.close()
    note(f"{path}: {_count_answers(certificate):,} answers")
    return True


def _count_answers(certificate: Certificate) -> int:
    return sum(len(strategy.answers) for strategy in certificate.strategies)


def _table(moves: list[MoveValue]) -> list[str]:
    """The value of every move, in columns."""
    rows = [("", "", ""), ("move", "value", "plies")] if moves else []
    rows += [
        (format_move(move), result, "" if plies is None else str(plies))
        for move, result, plies in moves
    ]
    wide = max((len(row[0]) for row in rows), default=0)
    return [f"{move:{wide}}  {result:7}  {plies}".rstrip() for move, result, plies in rows]


def describe(value: Value, endless: bool = False) -> str:
    """A value in words."""
    if value.plies is None:
        # Where turns can be lost without end, a draw without a length never ends. Otherwise the
        # length was too hard to find.
        never = endless and value.result == "draw"
        return f"{value.result}, the game never ends" if never else value.result
    length = "in 1 ply" if value.plies == 1 else f"in {value.plies} plies"
    return f"{value.result} {length}"


def _move_data(item: MoveValue) -> dict[str, object]:
    number = item.move if isinstance(item.move, int) else None
    name = format_move(item.move)
    return {"move": name, "number": number, "value": item.result, "plies": item.plies}


def run_verify(options: argparse.Namespace) -> int:
    """Verify one certificate: exit code 0 if it proves its claim, 1 if not."""
    certificate = parse_certificate(_certificate_lines(options.file))
    game = options.game or certificate.game
    book = books.load_book(game, certificate.reading, certificate.changes)
    refuted: Refuted | None = None
    positions = 0
    with patience() as say:
        start = time.monotonic()
        try:
            positions = verify(
                book.game, certificate, lambda done: say(f"{done:,} positions verified")
            )
        except Refuted as error:
            refuted = error
        seconds = time.monotonic() - start
    answers = _count_answers(certificate)
    work = f"{answers:,} answers, {positions:,} positions, {seconds:.2f} seconds."
    text = f"Verified: {_claim(certificate)}.\n{work}"
    if refuted:
        text = f"NOT proved: {_claim(certificate)}.\n{refuted.message}"
    data = {
        "verified": refuted is None,
        **common.pick(certificate, "game", "reading", "changes", "moves", "first", "value"),
        "positions": positions,
        "seconds": round(seconds, 6),
        "error": {"code": refuted.code, "message": refuted.message} if refuted else None,
    }
    common.print_answer(options, data, text, indent=None)
    return 1 if refuted else 0


def _claim(certificate: Certificate) -> str:
    """The claim of a certificate, in words."""
    rules = "; ".join((certificate.reading, *certificate.changes))
    where = f"after {certificate.moves}" if certificate.moves else "from the first move"
    return f"{certificate.game} ({rules}), {where}: a {certificate.value} for the player to act"


def _certificate_lines(path: str) -> Iterator[str]:
    """The lines of a certificate; raises NinefoldError."""
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
