"""The environments beside their peers, in one run: steps and games a second, as ratios.

Three of 1-9 with a total of 15 is tic-tac-toe under another name, so tic-tac-toe in OpenSpiel,
PettingZoo and pgx is the same work. Everybody plays random legal moves, and every game is begun
anew at its end. A peer that is not installed is left out, and told so.

python3 dev bench-envs [SECONDS]   how long each of them is measured (4)
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import Any, NamedTuple

import numpy

BATCHES = (1_000, 10_000, 100_000, 1_000_000)
ROUNDS = 20
C_LOOP = Path(__file__).with_name("fifteen.c")


class Rate(NamedTuple):
    """What somebody did in a second by the clock, and in a second of one core's work."""

    by_clock: float
    by_work: float


def measure(work: Callable[[], tuple[int, int]], seconds: float, games: bool = False) -> Rate:
    """Repeat some work, which tells its steps and games, for so long: steps, or games, a second."""
    done = 0
    begun, worked = perf_counter(), process_time()
    while (passed := perf_counter() - begun) < seconds:
        done += work()[games]
    return Rate(done / passed, done / (process_time() - worked))


def states() -> Callable[[], tuple[int, int]]:
    """Our states, one game at a time."""
    import ninefold

    game, chance = ninefold.load("magic-fifteen"), Random(1)

    def play() -> tuple[int, int]:
        plies = 0
        for _ in range(100):
            state = game.state()
            while not state.over:
                free = state.legal
                state = state.play(free[int(chance.random() * len(free))])
                plies += 1
        return plies, 100

    return play


def steps_at_a_time(count: int) -> int:
    """How many steps of so many games are measured at a time: not so many that it takes seconds."""
    return max(1, min(10, 1_000_000 // count))


def engine() -> Callable[[], tuple[int, int]]:
    """Our own positions, one game at a time: each of them judged anew."""
    import ninefold

    game, chance = ninefold.load("magic-fifteen"), Random(1)

    def play() -> tuple[int, int]:
        plies = 0
        for _ in range(100):
            position = game.start()
            while position.outcome is None:
                free = position.available
                position = position.play(free[int(chance.random() * len(free))])
                plies += 1
        return plies, 100

    return play


def open_spiel() -> Callable[[], tuple[int, int]]:
    """OpenSpiel's compiled states, driven from Python."""
    return _states("tic_tac_toe")


def python_spiel() -> Callable[[], tuple[int, int]]:
    """OpenSpiel's tic-tac-toe that is written in Python."""
    import open_spiel.python.games.tic_tac_toe  # noqa: F401 - which registers it

    return _states("python_tic_tac_toe")


def our_spiel() -> Callable[[], tuple[int, int]]:
    """Our game for OpenSpiel."""
    import ninefold.envs.openspiel  # noqa: F401 - which registers it

    return _states("ninefold(book=magic_fifteen)")


def _states(name: str) -> Callable[[], tuple[int, int]]:
    import pyspiel

    game, chance = pyspiel.load_game(name), Random(1)

    def play() -> tuple[int, int]:
        plies = 0
        for _ in range(100):
            state = game.new_initial_state()
            while not state.is_terminal():
                free = state.legal_actions()
                state.apply_action(free[int(chance.random() * len(free))])
                plies += 1
        return plies, 100

    return play


def single() -> Callable[[], tuple[int, int]]:
    """Our Gymnasium environment in self-play, with observations and masks."""
    from ninefold.envs.gym.single import NinefoldEnv

    env, chance = NinefoldEnv("magic-fifteen", opponent="self"), Random(1)

    def play() -> tuple[int, int]:
        plies = 0
        for _ in range(20):
            _, info = env.reset()
            over = False
            while not over:
                free = info["action_mask"].nonzero()[0]
                _, _, over, _, info = env.step(free[int(chance.random() * len(free))])
                plies += 1
        return plies, 20

    return play


def our_zoo() -> Callable[[], tuple[int, int]]:
    """Our raw PettingZoo environment, with observations and masks."""
    from ninefold.envs.pettingzoo_env import raw_env

    return _turns(raw_env("magic-fifteen"))


def petting_zoo() -> Callable[[], tuple[int, int]]:
    """PettingZoo's raw environment, with observations and masks."""
    from pettingzoo.classic.tictactoe.tictactoe import raw_env

    return _turns(raw_env())


def _turns(env: Any) -> Callable[[], tuple[int, int]]:
    chance = Random(1)

    def play() -> tuple[int, int]:
        plies = 0
        for _ in range(20):
            env.reset()
            while True:
                observation, _, over, _, _ = env.last()
                if over:
                    break
                free = observation["action_mask"].nonzero()[0]
                env.step(free[int(chance.random() * len(free))])
                plies += 1
        return plies, 20

    return play


def vector(count: int, compiled: bool) -> Callable[[], tuple[int, int]]:
    """Our vector environment: random play with observations, masks and resets."""
    from gymnasium.vector import AutoresetMode

    from ninefold.envs.gym.vector import NinefoldVectorEnv

    mode = AutoresetMode.SAME_STEP
    settings: dict[str, Any] = {"opponent": "self", "copy": False, "compiled": compiled}
    env = NinefoldVectorEnv(count, "magic-fifteen", autoreset_mode=mode, **settings)
    env.reset(seed=1)
    steps = steps_at_a_time(count)

    def play() -> tuple[int, int]:
        games = 0
        for _ in range(steps):
            _, _, terminated, _, _ = env.step(env.sample_actions())
            games += int(terminated.sum())
        return steps * count, games

    return play


def pgx_batch(count: int) -> Callable[[], tuple[int, int]]:
    """The batched tic-tac-toe of pgx, with auto-reset; each step is compiled as a whole by JAX."""
    import jax
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("tic_tac_toe")
    begin = jax.jit(jax.vmap(env.init))
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(state: Any, key: Any) -> tuple[Any, Any, Any]:
        key, chosen, again = jax.random.split(key, 3)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        actions = jax.random.categorical(chosen, logits, axis=1)
        state = step(state, actions, jax.random.split(again, count))
        return state, key, state.terminated.sum()

    one_step = jax.jit(one)
    steps = steps_at_a_time(count)
    held = [begin(jax.random.split(jax.random.PRNGKey(1), count)), jax.random.PRNGKey(2)]

    def play() -> tuple[int, int]:
        games = 0
        for _ in range(steps):
            held[0], held[1], over = one_step(*held)
            held[0].observation.block_until_ready()
            games += int(over)
        return steps * count, games

    return play


def bare(count: int) -> Callable[[], tuple[int, int]]:
    """Our random games on one core, moves and outcomes only."""
    import ninefold
    from ninefold.envs.batch.playout import Playout

    playout = Playout(ninefold.load("magic-fifteen"), count, seed=1)

    def play() -> tuple[int, int]:
        playout.run()
        return 0, count

    return play


def c_loop(count: int) -> Callable[[], tuple[int, int]]:
    """The same, written by hand in C and compiled here."""
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        raise ImportError("there is no C compiler")
    built = Path(tempfile.mkdtemp()) / "fifteen.so"
    subprocess.run(
        [compiler, "-O3", "-march=native", "-shared", "-fPIC", str(C_LOOP), "-o", str(built)],
        check=True,
    )
    library = ctypes.CDLL(str(built))
    results = numpy.zeros(count, numpy.int8)
    held = [1]

    def play() -> tuple[int, int]:
        held[0] += 1
        place = results.ctypes.data_as(ctypes.c_void_p)
        library.play(ctypes.c_long(count), ctypes.c_ulonglong(held[0]), place)
        return 0, count

    return play


def main(seconds: float) -> None:
    """Print everything."""
    print("One game at a time, steps a second")
    pair("states / OpenSpiel states", states, open_spiel, seconds)
    pair("positions / OpenSpiel states", engine, open_spiel, seconds)
    pair("Gymnasium environment / OpenSpiel states", single, open_spiel, seconds)
    pair("raw PettingZoo environment / its own", our_zoo, petting_zoo, seconds)
    pair("OpenSpiel game / its own in Python", our_spiel, python_spiel, seconds)
    pair("OpenSpiel game / its own, compiled", our_spiel, open_spiel, seconds)
    for count in BATCHES:
        print(f"\n{count:,} games in step, with observations, masks and resets")
        for name, compiled in (("compiled", True), ("NumPy", False)):
            ours, theirs = partial(vector, count, compiled), partial(pgx_batch, count)
            pair(f"{name} / pgx", ours, theirs, seconds)
    print("\nBare random games on one core, games a second")
    pair("compiled / C loop", partial(bare, 200_000), partial(c_loop, 200_000), seconds, games=True)


def pair(
    title: str,
    ours: Callable[[], Callable[[], tuple[int, int]]],
    theirs: Callable[[], Callable[[], tuple[int, int]]],
    seconds: float,
    games: bool = False,
) -> None:
    """Measure two in turns, and print the best of each with their ratio.

    Whatever else the machine does falls on both, and least on the best; the work, counted over all
    cores, tells apart what a busy machine does to those who use several.
    """
    try:
        both = [make() for make in (ours, theirs)]
    except ImportError as missing:
        print(f"  {title}: left out, {missing}")
        return
    for work in both:
        measure(work, seconds / 4)  # what is compiled or looked up later is made now
    rates = [[measure(work, seconds / ROUNDS, games) for work in both] for _ in range(ROUNDS)]
    ours_best, theirs_best = (
        Rate(*map(max, zip(*column, strict=True))) for column in zip(*rates, strict=True)
    )
    one, two = ours_best.by_clock / theirs_best.by_clock, ours_best.by_work / theirs_best.by_work
    print(f"  {title:40} {ours_best.by_clock:12,.0f} {theirs_best.by_clock:12,.0f}", end="")
    print(f"   x {one:.2f} by the clock, x {two:.2f} by the work", flush=True)


if __name__ == "__main__":
    if find_spec("ninefold") is None:
        sys.exit("Install Ninefold first: python3 dev bench-envs does it.")
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 4.0)
