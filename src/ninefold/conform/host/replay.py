"""Brings an environment to any position: replayed from the start, or copied if that is faster."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from time import perf_counter
from typing import Any

from .adapters import Adapter
from .plain import last_line

# If copies are used, the first positions of each depth are checked against replayed games, and
# later one in so many.
CHECKED, CHECKED_EACH = 10, 64
# The first copy is slow; a few more show how long copies take.
REPEATED = 5


class Broken(Exception):
    """A game that was possible before cannot be replayed."""


class Replayer:
    """Brings the environment to any position, and reports what it says there."""

    def __init__(self, make: Callable[[], Adapter], copies: bool, seed: int) -> None:
        self._make = make
        self._seed = seed
        self._adapter = make()
        self._live: Adapter | None = None
        self._live_path: list[int] = []
        self._copied_nodes: dict[int, int] = {}
        self.copies = copies
        self._replayed, self._units = 0.0, 0
        self._preparing, self._copying = 0.0, 0.0
        self._begin(self._adapter)
        self._adapter.find_sources()
        if copies:
            self._measure()

    def describe(self) -> dict[str, Any]:
        """The introduction of the environment, before the first move."""
        adapter = self._adapter
        return {
            "style": adapter.style,
            "actions": adapter.count,
            "start": adapter.start,
            "sources": [name for _, name, _ in adapter.sources],
            "turn": adapter.turn[1] if adapter.turn else None,
            "opponent": adapter.opponent(),
            "at": adapter.state(),
        }

    def examine(self, path: list[int], tries: list[list[Any]], fresh: bool) -> dict[str, Any]:
        """The state after ``path``, and the result of each try there."""
        if fresh:
            self._renew()
        try:
            adapter = self._replay(path)
        except Broken as broken:
            return {"broken": str(broken)}
        at = adapter.state()
        if fresh or not self._worth_copying(len(path), len(tries)):
            return {"at": at, "tries": self._each(adapter, path, tries)}
        return {"at": at, "tries": self._copied(adapter, path, tries)}

    def _renew(self) -> None:
        """Make a new environment, with the same sources as the first one."""
        old, self._live = self._adapter, None
        self._adapter = self._make()
        self._adapter.sources, self._adapter.turn = old.sources, old.turn

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
        try:
            restore = copier(adapter)
            results = [attempt(restore(), action, follow) for action, follow in tries]
        except Exception:
            self.copies = False
            return self._each(None, path, tries)
        count = self._copied_nodes[len(path)] = self._copied_nodes.get(len(path), 0) + 1
        if count > CHECKED and count % CHECKED_EACH:
            return results
        replayed = self._each(None, path, tries)
        if json.dumps(replayed) != json.dumps(results):
            self.copies = False
        return replayed

    def _replay(self, path: list[int]) -> Adapter:
        live, self._live = self._live, None
        if live is not None and self._live_path == path and not live.over:
            return live
        adapter = self._adapter
        begun = perf_counter()
        try:
            self._begin(adapter)
        except BaseException as error:
            raise Broken(f"reset() raises {last_line(error)}") from None
        for at, action in enumerate(path):
            try:
                adapter.step(action)
            except BaseException as error:
                raise Broken(f"action {action} after {path[:at]}: {last_line(error)}") from None
            if adapter.over:
                raise Broken(f"the game is over after {path[: at + 1]}")
        self._replayed += perf_counter() - begun
        self._units += 1 + len(path)
        return adapter

    def _begin(self, adapter: Adapter) -> None:
        # Another seed each time: anything random shows up as a difference.
        self._seed += 1
        adapter.reset(self._seed)

    def _measure(self) -> None:
        """Measure how long a copy takes, and the preparation for copies."""
        try:
            begun = perf_counter()
            restore = copier(self._adapter)
            ready = perf_counter()
            for _ in range(REPEATED):
                restore().state()
        except BaseException:
            self.copies = False
            return
        self._preparing = ready - begun
        self._copying = (perf_counter() - ready) / REPEATED

    def _worth_copying(self, depth: int, tries: int) -> bool:
        if not self.copies or not self._units:
            return False
        replays = tries * (1 + depth) * self._replayed / self._units
        return self._preparing + tries * self._copying < replays


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


class _Pickler(pickle.Pickler):
    """Pickles an adapter; objects that copies may share are only named."""

    def __init__(self, file: Any, shared: dict[int, int]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._shared = shared

    def persistent_id(self, obj: Any) -> Any:
        """The name of a shared object; None for one that is copied."""
        return self._shared.get(id(obj))


class _Unpickler(pickle.Unpickler):
    """Makes a copy; named objects are shared with the original."""

    def __init__(self, file: Any, things: list[Any]) -> None:
        super().__init__(file)
        self._things = things

    def persistent_load(self, pid: Any) -> Any:
        """The shared object of this name."""
        return self._things[pid]


def copier(adapter: Adapter) -> Callable[[], Adapter]:
    """A function that makes copies of this moment: by pickling, which is fast, or by deepcopy.

    Raises whatever deepcopy raises.
    """
    shared = _shared(adapter)
    names = {id(thing): at for at, thing in enumerate(shared)}
    try:
        file = io.BytesIO()
        _Pickler(file, names).dump(adapter)
        data = file.getvalue()
        _Unpickler(io.BytesIO(data), shared).load()
    except Exception:
        memo = {id(thing): thing for thing in shared}
        moment = copy.deepcopy(adapter, dict(memo))
        return lambda: copy.deepcopy(moment, dict(memo))

    def restore() -> Adapter:
        made: Adapter = _Unpickler(io.BytesIO(data), shared).load()
        return made

    return restore


def _shared(adapter: Adapter) -> list[Any]:
    """Spaces, which do not change, and random generators, whose use shows in replays."""
    things: list[Any] = [adapter.hints, adapter.sources, adapter.turn]
    for env in (adapter.env, getattr(adapter.env, "unwrapped", adapter.env)):
        things += [
            value
            for value in getattr(env, "__dict__", {}).values()
            if (hasattr(value, "sample") and hasattr(value, "contains"))
            or hasattr(value, "bit_generator")
        ]
    return things
