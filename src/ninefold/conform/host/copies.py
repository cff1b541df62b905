"""Copies of an environment in the middle of a game."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from typing import Any

from .seats import Seat


class _Pickler(pickle.Pickler):
    """Pickles a seat; what its copies may share is only named."""

    def __init__(self, file: Any, shared: dict[int, int]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._shared = shared

    def persistent_id(self, obj: Any) -> Any:
        """The name of a shared object, None for one that is copied."""
        return self._shared.get(id(obj))


class _Unpickler(pickle.Unpickler):
    """Makes a copy; what is only named is shared with the original."""

    def __init__(self, file: Any, things: list[Any]) -> None:
        super().__init__(file)
        self._things = things

    def persistent_load(self, pid: Any) -> Any:
        """The shared object of this name."""
        return self._things[pid]


def copier(seat: Seat) -> Callable[[], Seat]:
    """What makes copies of this moment: by pickling, which is quick, or else by deepcopy.

    Raises whatever hinders the latter.
    """
    shared = _shared(seat)
    names = {id(thing): at for at, thing in enumerate(shared)}
    try:
        file = io.BytesIO()
        _Pickler(file, names).dump(seat)
        data = file.getvalue()
        _Unpickler(io.BytesIO(data), shared).load()
    except Exception:
        memo = {id(thing): thing for thing in shared}
        moment = copy.deepcopy(seat, dict(memo))
        return lambda: copy.deepcopy(moment, dict(memo))

    def restore() -> Seat:
        made: Seat = _Unpickler(io.BytesIO(data), shared).load()
        return made

    return restore


def _shared(seat: Seat) -> list[Any]:
    """Spaces, which do not change, and generators of chance, whose use shows in replays."""
    things: list[Any] = [seat.hints, seat.sources, seat.turn]
    for env in (seat.env, getattr(seat.env, "unwrapped", seat.env)):
        things += [
            value
            for value in getattr(env, "__dict__", {}).values()
            if (hasattr(value, "sample") and hasattr(value, "contains"))
            or hasattr(value, "bit_generator")
        ]
    return things
