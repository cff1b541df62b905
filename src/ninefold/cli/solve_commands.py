"""``ninefold solve`` and ``verify``: the value of a position, and certificates that prove it."""

import argparse
import gzip
import time
from collections.abc import Callable, Iterable, Iterator

from ninefold import books
from ninefold.books import Book
from ninefold.cli import common
from ninefold.coach.words import format_choice
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move
from ninefold.core.position import Position
from ninefold.core.text import listed, plural, spans
from ninefold.line.wrap import note, patience
from ninefold.solver import MoveValue, Solver, Value, is_small
from ninefold.solver.advice import sweep
from ninefold.solver.certificate import (
    Certificate,
    CertificateError,
    format_certificate,
    parse_certificate,
)
from ninefold.solver.verify import Refuted, verify

# A position takes about 150 bytes; past this many, the answer is an honest "unknown".
MAX_POSITIONS = 20_000_000
# How many moves ahead a large game is looked at before it is searched.
SWEEP = 3
MAX_BYTES = 4_000_000_000
MAX_LINE = 100_000


def run_solve(options: argparse.Namespace) -> int:
    """Solve the position after ``--moves``, and print it as a table or as JSON."""
    book, position = common.load_position(options)
    replaced = ""
    if options.certificate:
        from ninefold.solver.certify import check_provable

        check_provable(book.game)
        replaced = common.check_writable(options.certificate, book)
    code = 0
    preparing = "Preparing the search; the first time this takes half a minute ..."
    with patience(preparing) as say:
        search = Search(position, options.time_budget, say)
        try:
            if options.certificate and not _certify(
                options, book, position, search.solver, replaced
            ):
                code = 1
            value = search.value()
        except KeyboardInterrupt:
            note("Interrupted; the result is not known yet.")
            raise
        if not options.value_only and not search.find_moves():
            code = 130
    moves = [] if options.value_only else [*search.moves.values()]
    data = {
        "value": value.result,
        "plies": value.plies,
        "moves": [*map(_move_data, moves)],
        "positions": search.positions,
        "seconds": round(search.seconds, 6),
    }
    who = f"{book.label}: Player {position.turn} moves next"
    head = f"{who}{_deed(value, book.game.turns.is_endless)}."
    done = "solved" if search.solver.knows(position) else "searched"
    work = f"\n{plural(search.positions, 'position')} {done} in {search.seconds:.2f} seconds."
    common.print_answer(options, data, "\n".join([head, *_table(moves), work]), indent=None)
    if advice := search.advice:
        note(advice)
    return code


class Search:
    """A solver that says how far it is, and stops when it runs out of time or memory."""

    def __init__(
        self, position: Position, budget: float | None, say: Callable[[str], None]
    ) -> None:
        self.solver = Solver(position.game, self._stop)
        self.moves = {move: MoveValue(move, "unknown", None) for move in position.legal}
        self.advice = ""  # what to do about results that are not known
        self._position = position
        self._most = 0
        self._task = ""
        self._budget = budget
        self._say = say
        self._start = time.monotonic()
        say("")  # it is prepared

    @property
    def seconds(self) -> float:
        """How long the search has taken, without preparing it."""
        return time.monotonic() - self._start

    @property
    def positions(self) -> int:
        """How many positions tables have, or how many were searched: all that were reported."""
        known = self.solver.positions
        return known if self.solver.knows(self._position) else max(self._most, known)

    def value(self) -> Value:
        """The value of the position; a few moves ahead of a large game are looked at first."""
        if not is_small(self._position.game):
            self.moves |= {item.move: item for item in sweep(self._position, SWEEP)}
            wins = [item.plies or 0 for item in self.moves.values() if item.result == "win"]
            if wins:
                return Value("win", min(wins))
        return self.solver.value(self._position)

    def find_moves(self) -> bool:
        """Find the value of every move, unless one wins at once; False if interrupted."""
        wanted = [move for move, item in self.moves.items() if item.result == "unknown"]
        if _wins_at_once(self.moves.values()):
            wanted = []
        try:
            # All results come before any length, which may be harder to find.
            for length in (False, True):
                for at, move in enumerate(wanted):
                    what = "length of move" if length else "move"
                    self._task = f", {what} {at + 1} of {len(wanted)}"
                    self.moves[move] = self.solver.move_value(self._position, move, length)
        except KeyboardInterrupt:
            return False  # what is known already was worth waiting for
        return True

    def _stop(self, positions: int) -> bool:
        """Whether to give up after so many positions."""
        seconds, self._most = self.seconds, max(self._most, positions)
        rate = f"{positions / max(seconds, 0.001):,.0f} per second"
        self._say(f"{positions:,} positions searched, {rate}{self.solver.progress}{self._task}")
        less = "Add --value-only or some first --moves, or try a smaller pool with --set."
        if self._budget is not None and seconds > self._budget:
            self.advice = f"Time ran out. Allow more with --time-budget. {less}"
        elif positions > MAX_POSITIONS and self.solver.keeps_all:
            self.advice = f"The search stopped after {MAX_POSITIONS:,} positions. {less}"
        return bool(self.advice)


def _certify(
    options: argparse.Namespace, book: Book, position: Position, solver: Solver, replaced: str
) -> bool:
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
    note(f"{path}: {_count_answers(certificate):,} answers{replaced}")
    return True


def _count_answers(certificate: Certificate) -> int:
    return sum(len(strategy.answers) for strategy in certificate.strategies)


def _table(moves: list[MoveValue]) -> list[str]:
    """The value of every move that is known, in two columns; the others in a line."""
    known = [item for item in moves if item.result != "unknown"]
    others = [item.move for item in moves if item.result == "unknown"]
    rows = [("move", "result")] if known else []
    rows += [(format_choice(move), f"{result}{_length(plies)}") for move, result, plies in known]
    wide = max((len(row[0]) for row in rows), default=0)
    lines = [f"{move:{wide}}  {result}" for move, result in rows]
    if others:
        numbers = spans(move for move in others if isinstance(move, int))
        special = [format_choice(move) for move in others if not isinstance(move, int)]
        why = "Not searched" if _wins_at_once(known) else "Not known"
        rest = f"{why}: {listed([*numbers, *special])}."
        lines.append(rest if known else "No move is known to win, draw or lose.")
    return ["", *lines] if lines else []


def _wins_at_once(moves: Iterable[MoveValue]) -> bool:
    return any(item.result == "win" and item.plies == 1 for item in moves)


def _length(plies: int | None) -> str:
    return "" if plies is None else f" in {plural(plies, 'move')}"


def _deed(value: Value, endless: bool) -> str:
    """What best play brings the player who moves next, as the end of a sentence."""
    if value.result == "draw":
        # Where turns can be lost without end, a draw without a length never ends. Otherwise the
        # length was too hard to find.
        length = f" after {plural(value.plies, 'move')}" if value.plies is not None else ""
        never = " that never ends" if endless and value.plies is None else ""
        return f", and the game is a draw{length or never}"
    if value.result == "unknown":
        return "; the result is not known"
    return f" and {'wins' if value.result == 'win' else 'loses'}{_length(value.plies)}"


def _move_data(item: MoveValue) -> dict[str, object]:
    number = item.move if isinstance(item.move, int) else None
    name = format_move(item.move)
    return {"move": name, "number": number, "value": item.result, "plies": item.plies}


def run_verify(options: argparse.Namespace) -> int:
    """Verify one certificate: exit code 0 if it proves its claim, 1 if not."""
    try:
        certificate = parse_certificate(_certificate_lines(options.file))
    except CertificateError as error:
        raise NinefoldError(error.code, f"{options.file}: {error.message}") from None
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
