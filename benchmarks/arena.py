"""The arena beside a plain match loop over PettingZoo's tic-tac-toe, its overhead, and Ray.

Everything compared is measured in turns within one run, so that a noisy machine disturbs both
sides alike; the median of the rounds is printed. Magic fifteen is tic-tac-toe: the same game with
the numbers of a magic square.
"""

import os
import random
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy

from ninefold.arena import run_tournament
from ninefold.arena.crew import Crew, Processes
from ninefold.arena.formats import Pairing
from ninefold.arena.results import Writer
from ninefold.arena.schedule import Chunk
from ninefold.arena.tournament import make_tournament

ROUNDS = 7
GAMES = 2_000
GAME = ["magic-fifteen"]
# Chunks of about a second, so many of them per worker.
CHUNKS = 6


def seconds_of(work: Callable[[], object]) -> float:
    """The processor time that this takes: other programs do not count."""
    start = time.process_time()
    work()
    return time.process_time() - start


def play_pettingzoo(seed: int) -> None:
    """Random legal moves through the usual loop, and a list of results; nothing is written."""
    from pettingzoo.classic import tictactoe_v3

    env, chance, results = tictactoe_v3.env(), random.Random(seed), []
    for number in range(GAMES):
        env.reset(seed=seed + number)
        reward = 0
        for _ in env.agent_iter():
            observation, reward, termination, truncation, _ = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = observation["action_mask"]
            env.step(chance.choice([at for at in range(9) if mask[at]]))
        results.append(reward)
    env.close()


def play_arena(seed: int) -> None:
    """Random moves in the arena, with every value in every row, on disk."""
    with tempfile.TemporaryDirectory() as folder:
        players = {"one": "random", "two": "random"}
        run_tournament(players, GAME, folder, rounds=GAMES // 2, seed=seed)


def compare_with_pettingzoo() -> None:
    """Games per second, both ways."""
    plays = (play_arena, play_pettingzoo)
    pairs = [[seconds_of(partial(play, n)) for play in plays] for n in range(ROUNDS)]
    arena, loop = (GAMES / statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(two / one for one, two in pairs)
    print("random players, games per second of processor time (target: 5x)")
    print(f"  arena, full records written   {arena:10,.0f}")
    print(f"  loop over PettingZoo          {loop:10,.0f}")
    print(f"  ratio                         {ratio:10.1f}x")


def measure_batched() -> None:
    """The time of the arena for each game of two batched agents, without that of the agents."""
    inside = [0.0]

    def agent(views: Any, masks: Any) -> Any:
        began = time.process_time()
        noise = (views.reshape(len(views), -1).astype(numpy.float32) @ WEIGHTS) % 1.0
        answer = numpy.where(masks, noise, -1.0).argmax(axis=1)
        inside[0] += time.process_time() - began
        return answer

    found = []
    for seed in range(ROUNDS):
        with tempfile.TemporaryDirectory() as folder:
            inside[0] = 0.0
            players: dict[str, Any] = {"agent": agent, "other": partial(_second, agent)}
            settings: dict[str, Any] = {"openings": "all", "opening_moves": 2, "seed": seed}
            settings["rounds"] = GAMES // 2
            spent = seconds_of(partial(run_tournament, players, GAME, folder, **settings))
            found.append((spent - inside[0]) / GAMES * 1e6)
    median = statistics.median(found)
    print("batched agents, overhead of the arena per game (target: below 100 us)")
    print(f"  {median:.0f} us")


def _second(agent: Callable[[Any, Any], Any], views: Any, masks: Any) -> Any:
    """The same agent as another player."""
    return agent(views, masks)


WEIGHTS = numpy.random.default_rng(1).random((27, 9), numpy.float32)


def play_chunks(crew: Crew, pairs: int, first: int, folder: Path) -> float:
    """Play chunks with their rows written; the seconds on the clock."""
    waiting = [Pairing(1, 0, 0, 1, first + at * pairs, pairs) for at in range(2 * CHUNKS)]
    going, began = 0, time.perf_counter()
    with Writer(folder) as writer:
        while waiting or going:
            while waiting and going < crew.size:
                crew.start(Chunk(waiting.pop()))
                going += 1
            for news in crew.wait():
                writer.write(news.rows)
                going -= news.seconds is not None
    return time.perf_counter() - began


def compare_with_ray() -> None:
    """Chunks of one second on two processes, and the same as tasks of a local Ray."""
    from ninefold.arena.cluster import Cluster

    # Ray gives its workers a lower priority, which counts on a machine that does other things.
    os.environ.setdefault("RAY_worker_niceness", "0")
    entrants = [{"player": "random", "name": name} for name in ("one", "two")]
    games = [{"game": name} for name in GAME]
    tournament = make_tournament({"players": entrants, "games": games, "rounds": 1_000_000})
    play_arena(0)  # the nodes are kept from now on, as in the processes below
    pairs = int(GAMES / seconds_of(partial(play_arena, 1)) / 2)
    crews: list[Crew] = [Processes(tournament, "", 2), Cluster(tournament, "", "local", 2)]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        try:
            for crew in crews:  # the first chunks fill the nodes of every process
                play_chunks(crew, pairs // 2, 0, folder)
            times = [
                [play_chunks(crew, pairs, n * pairs * 2 * CHUNKS, folder) for crew in crews]
                for n in range(ROUNDS)
            ]
        finally:
            for crew in crews:
                crew.close()
    pool, cluster = (statistics.median(column) for column in zip(*times, strict=True))
    ratio = statistics.median(two / one for one, two in times)
    print(f"{2 * CHUNKS} chunks of {pairs * 2:,} games on two processes (target: below 5% more)")
    print(f"  processes                     {pool:10.2f} s")
    print(f"  Ray                           {cluster:10.2f} s")
    print(f"  overhead of Ray               {ratio - 1:10.1%}")


def main() -> None:
    """Print everything; with an argument, only the parts of that name."""
    warnings.filterwarnings("ignore")
    parts = {
        "pettingzoo": compare_with_pettingzoo,
        "batched": measure_batched,
        "ray": compare_with_ray,
    }
    for name in sys.argv[1:] or parts:
        parts[name]()


if __name__ == "__main__":
    main()
