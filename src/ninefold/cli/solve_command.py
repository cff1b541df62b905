"""``ninefold solve``: what a position is worth, and every move in it."""

import argparse
import sys
import time
from collections.abc import Callable

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move
from ninefold.core.position import Position
from ninefold.solver import MoveValue, Solver, Value

# A position takes about 150 bytes; past this many, the answer is an honest "unknown".
MAX_POSITIONS = 20_000_000
PATIENCE = 2.0


def run(options: argparse.Namespace) -> int:
    """Solve the position after the moves given, and print it as a table or as data."""
    book = books.load(options.game, options.reading, tuple(options.set))
    position = book.game.play(options.moves, options.first)
    if position.outcome is not None:
        raise NinefoldError("game-over", "The game is over after these moves.")
    start = time.monotonic()
    solver = Solver(book.game, _watch(start, options.time_budget))
    value = solver.value(position)
    moves = solver.moves(position)
    seconds = time.monotonic() - start
    if options.json:
        _print_json(value, moves, solver.positions, seconds)
    else:
        title = f"{book.id} ({'; '.join((book.reading, *book.changes))})"
        _print_table(title, position, value, moves)
        print(f"\n{solver.positions:,} positions in {seconds:.2f} seconds.")
    return 0


def _watch(start: float, budget: float | None) -> Callable[[int], bool]:
    """A check that reports progress once in a while and tells when the time is up."""
    reported = start

    def stop(positions: int) -> bool:
        nonlocal reported
        now = time.monotonic()
        if now - reported > PATIENCE:
            reported = now
            rate = positions / (now - start)
            print(f"{positions:,} positions, {rate:,.0f} a second", file=sys.stderr, flush=True)
        return positions > MAX_POSITIONS or (budget is not None and now - start > budget)

    return stop


def _print_table(title: str, position: Position, value: Value, moves: list[MoveValue]) -> None:
    print(f"{title}, player {position.turn} to act: {describe(value)}.\n")
    rows = [("move", "value", "plies")]
    rows += [
        (format_move(move), result, "" if plies is None else str(plies))
        for move, result, plies in moves
    ]
    wide = max(len(row[0]) for row in rows)
    for move, result, plies in rows:
        print(f"{move:{wide}}  {result:7}  {plies}".rstrip())


def describe(value: Value) -> str:
    """A value in words."""
    if value.result == "unknown":
        return "unknown"
    if value.plies is None:
        return f"{value.result} without an end"
    length = "in 1 ply" if value.plies == 1 else f"in {value.plies} plies"
    return f"{value.result} {length}"


def _print_json(value: Value, moves: list[MoveValue], positions: int, seconds: float) -> None:
    import json

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
    print(json.dumps(answer))
