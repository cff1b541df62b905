"""Reviews of finished games: each is made once for all who ask, and the last ones are kept."""

import asyncio
from collections import OrderedDict
from typing import Any

from ninefold.core.errors import NinefoldError
from ninefold.web.server.hosted import Hosted
from ninefold.web.server.view import Json
from ninefold.web.server.work.pool import Workers

MAX_KEPT = 200
# How long to wait for one before saying how far it is, in seconds.
WAIT = 2.0


class _Job:
    """A review in the making, or made."""

    def __init__(self, workers: Workers, game: Hosted, reader: int, client: str) -> None:
        self.progress: Json | None = None
        given = {"game": {"record": game.record(), "copy": game.copy}, "reader": reader}
        self.task = asyncio.create_task(workers.run("review", given, client, self._note))
        self.task.add_done_callback(lambda task: task.cancelled() or task.exception())

    def _note(self, progress: Any) -> None:
        self.progress = progress


class Reviews:
    """The reviews of games, by game and reader."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._jobs: OrderedDict[tuple[str, int], _Job] = OrderedDict()

    async def find(self, game: Hosted, reader: int, client: str) -> Json:
        """The review for the player in this seat, 0 for anybody else; or how far it is.

        Raises NinefoldError.
        """
        if game.referee.outcome is None:
            raise NinefoldError("not-over", "The game is not over.", "Come back when it is.")
        key = game.row.id, reader
        job = self._jobs.get(key)
        if job is None:
            job = self._jobs[key] = _Job(self._workers, game, reader, client)
            self._forget()
        self._jobs.move_to_end(key)
        await asyncio.wait([job.task], timeout=WAIT)
        if not job.task.done():
            return {"review": None, "progress": job.progress}
        try:
            return {"review": job.task.result(), "progress": None}
        except NinefoldError:
            self._jobs.pop(key, None)  # another attempt may succeed
            raise

    def _forget(self) -> None:
        done = [key for key, job in self._jobs.items() if job.task.done()]
        for key in done[: max(0, len(self._jobs) - MAX_KEPT)]:
            del self._jobs[key]
