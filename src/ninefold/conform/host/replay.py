"""Brings an environment to any position: replayed from the start, or copied if it can be."""

from __future__ import annotations

import copy
import json
import pickle
from collections import Counter
from collections.abc import Callable
from typing import Any

from .adapters import Adapter
from .plain import last_line

# The first copied positions of each depth are checked against replayed games, and later one in so
# many.
CHECKED, CHECKED_EACH = 10, 64
# An environment of more bytes is faster to replay than to copy.
MAX_COPY = 1 << 16


class Broken(Exception):
    """A game that was possible before cannot be replayed."""


class Replayer:
    """Brings the environment to any position, and reports what it says there."""

    def __init__(self, make: Callable[[], Adapter], copies: bool, seed: int) -> None:
        self._make = make
        self._seed = seed
        self._copies = copies
        self._copied_nodes: Counter[int] = Counter()
        self._live: Adapter | None = None
        self._live_path: list[int] = []
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
            old, self._live = self._adapter, None
            self._adapter = self._make()
            self._adapter.sources, self._adapter.turn = old.sources, old.turn
        try:
            adapter = self._replay(path)
        except Broken as broken:
            return {"broken": str(broken)}
        at = adapter.state()
        if self._copies and not fresh and len(tries) > 1:
            return {"at": at, "tries": self._copied(adapter, path, tries)}
        return {"at": at, "tries": self._each(adapter, path, tries)}

    def _each(self, adapter: Adapter | None, path: list[int], tries: list[list[Any]]) -> list[Any]:
        """Each try after replaying the game."""
        results = []
        for action, follow in tries:
            try:
                adapter = adapter or self._replay(path)
            except Broken as broken:
                results.append({"broken": str(broken)})
                continue
            results.append(attempt(adapter, action, follow))
            self._live, self._live_path = adapter, [*path, action]
            if follow is not None or results[-1].get("raised"):
                self._live = None
            adapter = None
        return results

    def _copied(self, adapter: Adapter, path: list[int], tries: list[list[Any]]) -> list[Any]:
        """Each try from a copy, as long as copies agree with replayed games."""
        self._copied_nodes[len(path)] += 1
        count = self._copied_nodes[len(path)]
        checked = count <= CHECKED or count % CHECKED_EACH == 0
        try:
            if checked and len(pickle.dumps(adapter)) > MAX_COPY:
                raise ValueError("too large to copy")
            shared = _shared(adapter)
            results = [attempt(copy.deepcopy(adapter, {**shared}), *each) for each in tries]
        except Exception:
            self._copies = False
            return self._each(None, path, tries)
        if not checked:
            return results
        replayed = self._each(None, path, tries)
        self._copies = json.dumps(replayed) == json.dumps(results)
        return replayed

    def _replay(self, path: list[int]) -> Adapter:
        live, self._live = self._live, None
        if live is not None and self._live_path == path and not live.over:
            return live
        adapter = self._adapter
        try:
            self._begin()
        except BaseException as error:
            raise Broken(f"reset() raises {last_line(error)}") from None
        for at, action in enumerate(path):
            try:
                adapter.step(action)
            except BaseException as error:
                raise Broken(f"action {action} after {path[:at]}: {last_line(error)}") from None
            if adapter.over:
                raise Broken(f"the game is over after {path[: at + 1]}")
        return adapter

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


def _shared(adapter: Adapter) -> dict[int, Any]:
    """By their ids: spaces, which do not change, and random generators, whose use replays show."""
    things: list[Any] = [adapter.hints, adapter.sources, adapter.turn]
    for env in (adapter.env, getattr(adapter.env, "unwrapped", adapter.env)):
        things += [
            value
            for value in getattr(env, "__dict__", {}).values()
            if (hasattr(value, "sample") and hasattr(value, "contains"))
            or hasattr(value, "bit_generator")
        ]
    return {id(thing): thing for thing in things}
