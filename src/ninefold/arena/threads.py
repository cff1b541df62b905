"""Plays several games at a time, each in a thread, for players that wait for somebody else."""

from collections.abc import Callable, Iterable, Iterator
from queue import SimpleQueue
from threading import Event, Lock, Thread
from typing import TypeAlias

from ninefold.arena.game import Start

IsOver: TypeAlias = Callable[[], bool]


def play_in_threads(
    play: Callable[[Start, IsOver], str], starts: Iterable[Start], count: int
) -> Iterator[list[str]]:
    """The rows of games as they end; raises what a game raises once all that were begun have ended.

    If nobody wants more rows, as after Ctrl-C, the threads end with their next move: the answer
    that one of them waits for may take minutes. They do not keep the program from ending.
    """
    crowd = _Crowd(play, starts)
    for _ in range(count):
        Thread(target=crowd.work, daemon=True).start()
    failure: BaseException | None = None
    try:
        while count:
            found = crowd.found.get()
            if isinstance(found, str):
                yield [found]
            else:
                count, failure = count - 1, failure or found
    finally:
        crowd.over.set()
    if failure is not None:
        raise failure


class _Crowd:
    """What the threads share: games to play, rows that were found, and when to stop."""

    def __init__(self, play: Callable[[Start, IsOver], str], starts: Iterable[Start]) -> None:
        self._play, self._starts, self._lock = play, iter(starts), Lock()
        self.over, self._enough = Event(), Event()
        # Rows; when a thread ends, None or why no other game must begin.
        self.found: SimpleQueue[str | BaseException | None] = SimpleQueue()

    def work(self) -> None:
        """Be a thread."""
        failure: BaseException | None = None
        try:
            while (start := self._next()) is not None:
                row = self._play(start, self.over.is_set)
                if row:
                    self.found.put(row)
        except BaseException as error:  # noqa: BLE001 - it is raised where the rows are wanted
            self._enough.set()
            failure = error
        self.found.put(failure)

    def _next(self) -> Start | None:
        """The next game, unless somebody has failed or nobody wants it."""
        with self._lock:
            if self.over.is_set() or self._enough.is_set():
                return None
            return next(self._starts, None)
