"""``ninefold solve``: the value of a position and of every move in it."""

import argparse
import time

from ninefold.books import Book
from ninefold.cli.common import Progress, load_position, patience, print_json
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move
from ninefold.core.position import Position
from ninefold.line.wrap import note, wrap
from ninefold.solver import MoveValue, Solver, Value

# A position takes about 150 bytes; past this many, the answer is an honest "unknown".
MAX_POSITIONS = 20_000_000


def run(options: argparse.Namespace) -> int:
    """Solve the position after ``--moves``, and print it as a table or as JSON."""
    book, position = load_position(options)
    if position.outcome is not None:
        raise NinefoldError("game-over", "The game is over after these moves.")
    if options.certificate:
        from ninefold.cli.files import check_writable, files_of
        from ninefold.solver.certify import check_provable

        check_provable(book.game)
        check_writable(options.certificate, files_of(options.game))
    watch = Watch(options.time_budget)
    with patience("Preparing the search; the first time this takes half a minute"):
        solver = Solver(book.game, watch.stop)
    watch.begin(solver)
    code = 0
    moves: list[MoveValue] = []
    try:
        if options.certificate and not _certify(options, book, position, solver):
            code = 1
        value = solver.value(position)
    except KeyboardInterrupt:
        note("Interrupted; the result is not known yet.")
        raise
    legal = [] if options.value_only else position.legal
    try:
        for move in legal:
            watch.task = f", move {len(moves) + 1} of {len(legal)}"
            moves.append(solver.move_value(position, move))
    except KeyboardInterrupt:
        # What is known already was worth waiting for.
        code = 130
        moves += [MoveValue(move, "unknown", None) for move in legal[len(moves) :]]
    if options.json:
        _print_json(value, moves, solver.positions, watch.seconds)
    else:
        title = f"{book.id} ({'; '.join((book.reading, *book.changes))})"
        _print_table(title, position, value, moves)
        print(wrap(f"\n{solver.positions:,} positions in {watch.seconds:.2f} seconds."))
    return code


class Watch(Progress):
    """Reports progress, and stops the search when it runs out of time or memory."""

    def __init__(self, budget: float | None) -> None:
        super().__init__()
        self.task = ""
        self._solver: Solver | None = None
        self._budget = budget

    def begin(self, solver: Solver) -> None:
        """Start the clock: the solver is ready."""
        self._solver = solver
        self.start = self._last = time.monotonic()

    def stop(self, positions: int) -> bool:
        """Whether to give up after so many positions."""
        seconds = self.seconds
        if self.is_due:
            detail = self._solver.progress if self._solver is not None else ""
            rate = f"{positions / seconds:,.0f} per second"
            self.tell(f"{positions:,} positions, {rate}{detail}{self.task}")
        too_many = positions > MAX_POSITIONS and (self._solver is None or self._solver.keeps_all)
        return too_many or (self._budget is not None and seconds > self._budget)


def _certify(options: argparse.Namespace, book: Book, position: Position, solver: Solver) -> bool:
    """Write the certificate of the result; False if the time ran out. Raises NinefoldError."""
    from ninefold.cli.files import write_certificate
    from ninefold.solver.certificate import Certificate
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
    write_certificate(options.certificate, certificate)
    answers = sum(len(strategy.answers) for strategy in strategies)
    note(f"{options.certificate}: {answers:,} answers")
    return True


def _print_table(title: str, position: Position, value: Value, moves: list[MoveValue]) -> None:
    print(wrap(f"{title}, player {position.turn} to act: {describe(value)}."))
    rows = [("", "", ""), ("move", "value", "plies")] if moves else []
    rows += [
        (format_move(move), result, "" if plies is None else str(plies))
        for move, result, plies in moves
    ]
    wide = max((len(row[0]) for row in rows), default=0)
    for move, result, plies in rows:
        print(f"{move:{wide}}  {result:7}  {plies}".rstrip())


def describe(value: Value) -> str:
    """A value in words."""
    if value.result == "unknown":
        return "unknown"
    if value.plies is None:
        # A draw without a length never ends; the length of a win may be too hard to find.
        return f"{value.result}, the game never ends" if value.result == "draw" else value.result
    length = "in 1 ply" if value.plies == 1 else f"in {value.plies} plies"
    return f"{value.result} {length}"


def _print_json(value: Value, moves: list[MoveValue], positions: int, seconds: float) -> None:
    answer = {
        "value": value.result,
        "plies": value.plies,
        "moves": [
            {
                "move": format_move(move),
                "number": move if isinstance(move, int) else None,
                "value": result,
                "plies": plies,
            }
            for move, result, plies in moves
        ],
        "positions": positions,
        "seconds": round(seconds, 6),
    }
    print_json(answer)
