"""``ninefold referee``, ``gtp``, ``gtp-check`` and ``conform``: for programs, and to check them."""

import argparse
import json
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from ninefold import books
from ninefold.cli import common
from ninefold.core.errors import NinefoldError, Unreadable
from ninefold.core.game import Game
from ninefold.core.moves import parse_move, split_moves
from ninefold.core.position import Position
from ninefold.core.text import shorten
from ninefold.line.wrap import patience, wrap

if TYPE_CHECKING:
    from ninefold.gtp.check import Result

# No game has this many moves.
MAX_LINE = 1 << 16
MAX_SHOWN = 400
_STATUS = {"ok": "ok", "failed": "FAILED", "skipped": "skipped"}


def run_referee(options: argparse.Namespace) -> None:
    """Judge every line of standard input, and answer as soon as it has arrived."""
    game = common.load_book(options).game
    for lines in common.input_lines(MAX_LINE):
        sys.stdout.write("".join(judge_line(game, line, options.first) for line in lines))
        sys.stdout.flush()


def judge_line(game: Game, line: bytes, first: int) -> str:
    """The verdict on one game, as a line of JSON."""
    if len(line) > MAX_LINE:
        error = Unreadable("too-long", f"A line has at most {MAX_LINE} bytes.")
        return _verdict([], game.start(first), 0, error)
    tokens = split_moves(line.decode("utf-8", "replace"))
    moves, position = [*map(_as_written, tokens)], game.start(first)
    for at, token in enumerate(tokens):
        try:
            position = position.follow(parse_move(token))
        except NinefoldError as error:
            return _verdict(moves, position, at, error)
    return _verdict(moves, position.settled(), len(moves))


def _as_written(token: str) -> int | str:
    """A number for a pick; any other token as it is."""
    try:
        move = parse_move(token)
    except Unreadable:
        return token
    return move if isinstance(move, int) else token


def _verdict(
    moves: list[int | str], position: Position, plies: int, error: NinefoldError | None = None
) -> str:
    """The verdict after so many legal moves; an error is one of the move after them."""
    outcome, status = position.outcome, "unfinished"
    problem: dict[str, object] = {}
    if error is not None:
        outcome, status = None, "illegal"
        problem["error"] = {"code": error.code, "at": plies, "message": error.message}
    elif outcome is not None:
        status = "won" if outcome.winner else "drawn"
    ended = common.outcome_data(outcome)
    answer = {"moves": moves, "status": status, **ended, "plies": plies, **problem}
    return json.dumps(answer) + "\n"


def run_gtp(options: argparse.Namespace) -> None:
    """Answer every command on standard input at once, until quit or the end of the input."""
    from ninefold.gtp.session import MAX_LINE, Session

    session = Session(common.load_book(options).game, options.player, common.seed_of(options))
    for lines in common.input_lines(MAX_LINE):
        for line in lines:
            sys.stdout.write(session.answer(line))
            sys.stdout.flush()
            if session.over:
                return


def run_gtp_check(options: argparse.Namespace) -> int:
    """Check one program; the exit code is 1 if it failed a check."""
    from ninefold.gtp.check import examine
    from ninefold.players import PROGRAM
    from ninefold.players.process import find_program
    from ninefold.players.program import split_command

    arguments = split_command(options.program.removeprefix(PROGRAM))
    find_program(arguments)
    found = examine(arguments, _books(options), options.time_limit, options.seed)
    results = [*(found if options.json else _printed(found))]
    counts = [sum(result.status == status for result in results) for status in _STATUS]
    total = f"{len(results)} checks: {counts[0]} ok, {counts[1]} failed, {counts[2]} skipped."
    common.print_answer(options, [result._asdict() for result in results], f"\n{total}")
    return int(counts[1] > 0)


def _books(options: argparse.Namespace) -> list[books.Book]:
    if options.game:
        return [common.load_book(options)]
    if options.reading or options.set:
        raise NinefoldError("usage", "--reading and --set need a game: add --game GAME.")
    return [books.load_book(book.id, name) for book in books.load_all() for name in book.readings]


def _printed(results: "Iterator[Result]") -> "Iterator[Result]":
    """Each result, printed as soon as it is known."""
    for result in results:
        why = f" ({result.advice})" if result.status == "skipped" else ""
        print(wrap(f"{_STATUS[result.status]:8} {result.check}{why}"), flush=True)
        if result.status == "failed":
            for name in ("sent", "received", "expected"):
                print(wrap(f"         {name + ':':10}{_one_line(getattr(result, name))}"))
            print(wrap(f"         {'to fix:':10}{result.advice}"), flush=True)
        yield result


def _one_line(text: str) -> str:
    return shorten(text.replace("\n", "\\n").replace("\t", "\\t").replace("\r", "\\r"), MAX_SHOWN)


def run_conform(options: argparse.Namespace) -> int:
    """Examine one environment; the exit code is 1 if it differs from the judge."""
    from ninefold.conform.check import Terms, examine
    from ninefold.conform.environment import EnvironmentSettings
    from ninefold.conform.rewards import parse_rewards

    book = common.load_book(options)
    module, _, name = options.env.partition(":")
    if not all(part.isidentifier() for part in (*module.split("."), *name.split("."))):
        reason = f"{options.env!r} is not an environment."
        raise NinefoldError("bad-env", reason, "Write --env module:Class.")
    settings = EnvironmentSettings(
        **common.pick(options, "env", "python", "legal", "turn", "seed"),
        kwargs=_parse_kwargs(options.kwargs),
        memory=options.memory << 20,
        seconds=options.time_limit,
        budget=options.time_budget,
    )
    if options.actions is not None and options.offset is not None:
        raise NinefoldError("usage", "Use --actions or --offset, not both.")
    terms = Terms(
        rewards=parse_rewards(options.rewards, options.reward_to),
        **common.pick(options, "actions", "offset", "illegal", "games", "tries"),
    )
    with patience(f"Playing {options.env} ..."):
        report = examine(book, settings, terms)
    common.print_answer(options, report.as_data(), "\n".join(report.lines()))
    return int(bool(report.differences))


def _parse_kwargs(text: str) -> dict[str, object]:
    try:
        kwargs = json.loads(text)
    except (ValueError, RecursionError):
        kwargs = None
    if not isinstance(kwargs, dict):
        advice = """Write for instance: '{"size": 9}'"""
        raise NinefoldError("bad-kwargs", "--kwargs is not a JSON object.", advice)
    return kwargs
