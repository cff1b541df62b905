"""The arena: tournaments of players, measured against the exact value of every position.

>>> from ninefold.arena import run_tournament
>>> run_tournament(["random", "perfect"], ["magic-fifteen"], "results", rounds=10)  # doctest: +SKIP
Finished(folder='results', games=20, new=20, verdict=None)
"""

from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ninefold.arena.run import Finished, Progress
    from ninefold.players import Who

__all__ = ["run_tournament"]


def run_tournament(
    players: "Sequence[str] | Mapping[str, Who]",
    games: Sequence[str | Mapping[str, Any]],
    folder: str | PathLike[str],
    *,
    workers: int = 1,
    on: str = "",
    report: "Callable[[Progress], None] | None" = None,
    **settings: Any,
) -> "Finished":
    """Play a tournament into a folder, or what is left of it there; raises NinefoldError.

    ``players`` are names as in ``--p1``, or objects by the name they have in tables; ``games`` are
    names, or tables with ``game``, ``reading`` and ``changes``. ``settings`` are the fields of a
    tournament file with ``_`` instead of ``-``, such as ``rounds=50`` or ``openings="balanced"``.
    """
    from ninefold.arena.run import run
    from ninefold.arena.tournament import OBJECT, make_tournament

    named = players if isinstance(players, Mapping) else {name: name for name in players}
    entrants = [
        {"name": name, "player": who if isinstance(who, str) else OBJECT}
        for name, who in named.items()
    ]
    data = {
        **{key.replace("_", "-"): value for key, value in settings.items()},
        "players": entrants,
        "games": [{"game": game} if isinstance(game, str) else dict(game) for game in games],
    }
    objects = {name: who for name, who in named.items() if not isinstance(who, str)}
    tournament = make_tournament(data, objects=objects)
    return run(Path(folder), tournament, workers, on, report or (lambda _: None))
