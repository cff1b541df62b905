"""Plays the chunks of a tournament as tasks of a Ray cluster, or of Ray on this machine."""

import os
from functools import lru_cache
from time import perf_counter
from typing import Any

from ninefold.arena.addresses import LOCAL, check_address, unreachable
from ninefold.arena.crew import MOST_DEATHS, Error, News, play_chunk
from ninefold.arena.schedule import Chunk, Schedule
from ninefold.arena.tournament import Tournament
from ninefold.core.errors import NinefoldError
from ninefold.require import require_package

# Chunks in flight per core, so that none waits for the next; it also bounds the object store.
AHEAD = 2


def check_cluster(address: str) -> None:
    """Return if there is Ray, and somebody at this address; raises NinefoldError."""
    require_package("ray", "cluster")
    check_address(address)


class Cluster:
    """Plays on a cluster; a task whose worker dies is repeated. Raises NinefoldError."""

    def __init__(self, tournament: Tournament, folder: str, address: str, workers: int) -> None:
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        from importlib import import_module

        self._ray: Any = import_module("ray")
        ray: Any = self._ray
        quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        where: dict[str, Any] = {"address": address}
        if address == LOCAL:
            where = {"address": LOCAL, "num_cpus": workers, "include_dashboard": False}
        try:
            ray.init(**where, **quiet)
        except (ConnectionError, OSError, RuntimeError, ValueError) as error:
            why = str(error).partition("\n")[0].partition(". ")[0]
            raise unreachable(address, why.rstrip(".")) from None
        cores = max(1, int(ray.cluster_resources().get("CPU", 1)))
        self.size = AHEAD * cores
        given = ray.put((tournament, folder, cores))
        task: Any = ray.remote(max_retries=MOST_DEATHS, num_cpus=1)(_play)
        # In a list, so that it is fetched once per worker instead of once per task.
        key = tournament.key
        self._start: Any = lambda chunk: task.remote(chunk, key, [given])
        self._going: dict[Any, Chunk] = {}

    def start(self, chunk: Chunk) -> None:
        """Hand the chunk to the cluster."""
        self._going[self._start(chunk)] = chunk

    def wait(self) -> list[News]:
        """The rows of the tasks that have ended; each is forgotten by the cluster then."""
        ray = self._ray
        ended, _ = ray.wait([*self._going], num_returns=1)
        more, _ = ray.wait([*self._going], num_returns=len(self._going), timeout=0)
        news: list[News] = []
        for task in {*ended, *more}:
            chunk = self._going.pop(task)
            text, seconds, error = self._get(task)
            rows = [line.decode() for line in text.splitlines(keepends=True)]
            news.append(News(chunk, rows, seconds, error))
        return news

    def _get(self, task: Any) -> Any:
        try:
            return self._ray.get(task)
        except self._ray.exceptions.RayError as error:
            reason = f"The cluster could not play these games: {str(error).splitlines()[0]}"
            raise NinefoldError("cluster", reason) from None

    def close(self) -> None:
        """Leave the cluster, which ends what is still going on."""
        self._ray.shutdown()


def _play(chunk: Chunk, key: str, given: list[Any]) -> "tuple[bytes, float, Error]":
    """Be a task: the rows of a chunk, how long they took, and what went wrong if anything did."""
    rows, error, began = list[str](), None, perf_counter()
    for news in play_chunk(_schedule(key, tuple(given)), chunk):
        rows, error = rows + news.rows, news.error
    return "".join(rows).encode(), perf_counter() - began, error


@lru_cache(maxsize=1)
def _schedule(key: str, given: tuple[Any]) -> Schedule:  # noqa: ARG001 - the same key, the same one
    """The schedule of the tournament, made once per worker: its nodes are worth keeping."""
    import ray

    return Schedule(*ray.get(given[0]))
