"""``ninefold train``: a small agent learns games by self-play, and is proved and saved."""

import argparse
import json
import os
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any

from ninefold import books
from ninefold.cli import common
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import format_move
from ninefold.require import require_package

if TYPE_CHECKING:
    from ninefold.training.self_play import Run, TrainingSettings

BASELINE = "greedy"
TITLES = ["book", "seed", "better seat", "safe after", "its worst end", "positions kept", "after"]
_VALUES = {1: "won", 0: "drawn", -1: "lost"}


def run_train(options: argparse.Namespace) -> int:
    """Train; the exit code is 1 if an agent does not keep the value of the better seat."""
    require_package("gymnasium", "train")
    # One thread per process: the layers are too small to share, and sums are always the same.
    for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    from ninefold.training.self_play import best

    names = options.game or [*books.names()]
    _check(options, names)
    runs = _train(options, names)
    data = [_as_data(one) for one in runs]
    if options.curve:
        from ninefold.training.picture import draw

        _write(options.curve, draw(data, _baselines(runs)).encode())
    if options.save:
        from ninefold.players.saved import save_agent

        chosen = best(runs)
        with common.whole_file(options.save) as file:
            save_agent(file, chosen.game, chosen.weights)
    if options.json:
        print(json.dumps(data))
    else:
        rows = [TITLES, ["---"] * len(TITLES), *map(_row, runs)]
        print("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return int(not all(one.proof.holds for one in runs))


def _check(options: argparse.Namespace, names: list[str]) -> None:
    """Refuse early what would be lost after the training; raises NinefoldError."""
    if options.save and len(names) > 1:
        raise NinefoldError("usage", "--save needs one game: an agent plays only one.")
    for name in names:
        book = books.load_book(name, options.reading, tuple(options.set))
        for path in filter(None, (options.save, options.curve)):
            common.check_writable(path, book)


def _train(options: argparse.Namespace, names: list[str]) -> "list[Run]":
    """All trainings, in the order of the books and seeds, a few at a time."""
    from ninefold.training.self_play import TrainingSettings, run

    settings = TrainingSettings(
        options.reading, tuple(options.set), options.steps, options.games, options.width
    )
    seeds = range(options.seed, options.seed + options.seeds)
    tasks = [(name, seed) for name in names for seed in seeds]
    if min(len(tasks), options.jobs) == 1:
        return [run(name, seed, settings) for name, seed in tasks]
    with ProcessPoolExecutor(options.jobs, get_context("spawn")) as pool:
        return [*pool.map(_train_one, tasks, [settings] * len(tasks))]


def _train_one(task: tuple[str, int], settings: "TrainingSettings") -> "Run":
    from ninefold.training.self_play import run

    return run(*task, settings)


def _baselines(runs: "list[Run]") -> dict[str, float]:
    """The share of positions that a simple player keeps, by book."""
    from ninefold.agent_proof import Examiner

    games = {one.book: one.game for one in runs}
    marks = {book: Examiner(game).mark(BASELINE) for book, game in games.items()}
    return {book: mark.kept / mark.worth for book, mark in marks.items()}


def _write(path: str, content: bytes) -> None:
    with common.whole_file(path) as file:
        file.write(content)


def _row(one: "Run") -> list[str]:
    """The row of a training in the table."""
    last, first, proof = one.curve[-1], one.first, one.proof
    return [
        f"`{one.book}`",
        str(one.seed),
        f"{one.seat}, {_VALUES[proof.value]}",
        f"{first.games:,} games, {first.seconds:.0f} s" if first else "never",
        f"{_VALUES[int(proof.worst)]} ({proof.decisions:,} decisions, {proof.ends:,} ends)",
        f"{last.mark.kept:,} of {last.mark.worth:,}",
        f"{last.games:,} games, {last.seconds:.0f} s",
    ]


def _as_data(one: "Run") -> dict[str, Any]:
    """A training for programs."""
    slip = " ".join(map(format_move, one.proof.slip))
    return {
        "book": one.book,
        "seed": one.seed,
        "seat": one.seat,
        "safe_after": one.first.games if one.first else None,
        "proof": {**one.proof._asdict(), "slip": slip, "holds": one.proof.holds},
        "curve": [{**point._asdict(), "mark": point.mark._asdict()} for point in one.curve],
    }
