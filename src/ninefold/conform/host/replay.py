"""Brings an environment to any position, by replaying the game from the start."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .adapters import Adapter
from .plain import last_line


class Replayer:
    """Brings the environment to any position, and reports what it says there."""

    def __init__(self, make: Callable[[], Adapter], seed: int) -> None:
        self._make = make
        self._seed = seed
        self._path: list[int] | None = None  # the moves after which it stands untouched
        self._adapter = make()
        self._begin()
        self._adapter.find_sources()

    def describe(self) -> dict[str, Any]:
        """The introduction of the environment, before the first move."""
        adapter = self._adapter
        return {
            "actions": adapter.count,
            "start": adapter.start,
            "sources": [name for _, name in adapter.sources],
            "turn": adapter.turn[1] if adapter.turn else None,
            "opponent": adapter.opponent(),
            "at": adapter.state(),
        }

    def examine(self, path: list[int], tries: list[list[Any]], fresh: bool) -> dict[str, Any]:
        """The state after ``path``, and the result of each try there."""
        if fresh:  # a new environment, with the same sources as the first one
            old, self._path = self._adapter, None
            self._adapter = self._make()
            self._adapter.sources, self._adapter.turn = old.sources, old.turn
        if broken := self._replay(path):
            return {"broken": broken}
        at = self._adapter.state()
        if tries:  # the first one needs no other game
            self._path = path
        return {"at": at, "tries": [self._try(path, *each) for each in tries]}

    def _try(self, path: list[int], action: int, follow: int | None) -> dict[str, Any]:
        if broken := self._replay(path):
            return {"broken": broken}
        result = attempt(self._adapter, action, follow)
        if follow is None and "raised" not in result:
            self._path = [*path, action]
        return result

    def _replay(self, path: list[int]) -> str:
        """Bring the environment there; why that is no longer possible, if it is not."""
        reached, self._path = self._path, None
        if reached == path and not self._adapter.over:
            return ""
        try:
            self._begin()
        except BaseException as error:
            return f"reset() raises {last_line(error)}"
        for at, action in enumerate(path):
            try:
                self._adapter.step(action)
            except BaseException as error:
                return f"action {action} after {path[:at]}: {last_line(error)}"
            if self._adapter.over:
                return f"the game is over after {path[: at + 1]}"
        return ""

    def _begin(self) -> None:
        # Another seed each time: anything random shows up as a difference.
        self._seed += 1
        self._adapter.reset(self._seed)


def attempt(adapter: Adapter, action: int, follow: int | None) -> dict[str, Any]:
    """The result of an action, and of the next one if the game continues."""
    try:
        result = adapter.step(action)
    except BaseException as error:
        result = {"raised": last_line(error)}
        if isinstance(error, MemoryError):
            result["raised"] = "MemoryError: it needs more memory than --memory allows"
    result.update(adapter.state())
    if follow is not None and not adapter.over:
        result["then"] = attempt(adapter, follow, None)
    return result
