"""Games on one environment: replayed from the start, or copied where that is quicker and holds."""

from __future__ import annotations

import json
from collections.abc import Callable
from time import perf_counter
from typing import Any

from .copies import copier
from .plain import last_line
from .seats import Seat

# Where copies are used, the first nodes of each depth are checked try by try against games played
# anew, and later one in so many.
CHECKED, CHECKED_EACH = 10, 64
# The pause before the first copy is long; a few more tell what copies take.
REPEATED = 5


class Broken(Exception):
    """A game that was possible before cannot be played again."""


class Table:
    """Brings the environment to any game asked for, and tells what it says there."""

    def __init__(self, make: Callable[[], Seat], copies: bool, seed: int) -> None:
        self._make = make
        self._seed = seed
        self._seat = make()
        self._live: Seat | None = None
        self._live_path: list[int] = []
        self._copied_nodes: dict[int, int] = {}
        self.copies = copies
        self._replayed, self._units = 0.0, 0
        self._preparing, self._copying = 0.0, 0.0
        self._begin(self._seat)
        self._seat.find_sources()
        if copies:
            self._measure()

    def describe(self) -> dict[str, Any]:
        """What there is to know before the first move."""
        seat = self._seat
        return {
            "style": seat.style,
            "actions": seat.count,
            "start": seat.start,
            "sources": [name for _, name, _ in seat.sources],
            "turn": seat.turn[1] if seat.turn else None,
            "opponent": seat.opponent(),
            "at": seat.state(),
        }

    def examine(self, path: list[int], tries: list[list[Any]], fresh: bool) -> dict[str, Any]:
        """The state after ``path``, and what becomes of each try there."""
        if fresh:
            self._renew()
        try:
            seat = self._replay(path)
        except Broken as broken:
            return {"broken": str(broken)}
        at = seat.state()
        if fresh or not self._worth_copying(len(path), len(tries)):
            return {"at": at, "tries": self._each(seat, path, tries)}
        return {"at": at, "tries": self._copied(seat, path, tries)}

    def _renew(self) -> None:
        """An environment that has not played yet, asked in the same places as the first one."""
        old, self._live = self._seat, None
        self._seat = self._make()
        self._seat.sources, self._seat.turn = old.sources, old.turn

    def _each(self, seat: Seat | None, path: list[int], tries: list[list[Any]]) -> list[Any]:
        """Each try from a game played anew."""
        results = []
        for action, follow in tries:
            try:
                seat = seat or self._replay(path)
            except Broken as broken:
                results.append({"broken": str(broken)})
                continue
            results.append(attempt(seat, action, follow))
            self._live, self._live_path = seat, [*path, action]
            if follow is not None or results[-1].get("raised"):
                self._live = None
            seat = None
        return results

    def _copied(self, seat: Seat, path: list[int], tries: list[list[Any]]) -> list[Any]:
        """Each try from a copy, for as long as copies say the same as a game played anew."""
        try:
            restore = copier(seat)
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

    def _replay(self, path: list[int]) -> Seat:
        live, self._live = self._live, None
        if live is not None and self._live_path == path and not live.over:
            return live
        seat = self._seat
        begun = perf_counter()
        try:
            self._begin(seat)
        except BaseException as error:
            raise Broken(f"reset() raises {last_line(error)}") from None
        for at, action in enumerate(path):
            try:
                seat.step(action)
            except BaseException as error:
                raise Broken(f"action {action} after {path[:at]}: {last_line(error)}") from None
            if seat.over:
                raise Broken(f"the game is over after {path[: at + 1]}")
        self._replayed += perf_counter() - begun
        self._units += 1 + len(path)
        return seat

    def _begin(self, seat: Seat) -> None:
        # Another seed each time: whatever depends on chance shows itself as a difference.
        self._seed += 1
        seat.reset(self._seed)

    def _measure(self) -> None:
        """How long a copy takes, and what it takes to get ready for making copies."""
        try:
            begun = perf_counter()
            restore = copier(self._seat)
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


def attempt(seat: Seat, action: int, follow: int | None) -> dict[str, Any]:
    """What becomes of an action, and of the one that follows if the game goes on."""
    try:
        result = seat.step(action)
    except BaseException as error:
        result = {"raised": last_line(error)}
        if isinstance(error, MemoryError):
            result["raised"] = "MemoryError: it needs more memory than --memory allows"
    result.update(seat.state())
    if follow is not None and not seat.over:
        result["then"] = attempt(seat, follow, None)
    return result
