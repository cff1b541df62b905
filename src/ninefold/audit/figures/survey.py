"""The figures of a game, by the quickest way that gives them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from ninefold.audit.figures import Figures, Tell
from ninefold.audit.figures.position_layers import PositionLayers, can_be_counted
from ninefold.core.game import TABLE_POOL, Game
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.scores import Budget


@contextmanager
def _without_garbage_collection() -> Iterator[None]:
    """Everything made here is kept: looking for garbage would take a third of the time."""
    enabled = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if enabled:
            gc.enable()


def reachable_of(game: Game, tell: Tell, budget: Budget) -> PositionLayers | None:
    """The reachable positions of a game, if they can be counted and are not too many."""
    try:
        with _without_garbage_collection():
            return PositionLayers.of(game, tell, budget)
    except TooLarge:
        return None


def survey(
    game: Game, tell: Tell, seed: int, budget: Budget, reachable: PositionLayers | None
) -> Figures:
    """The figures of a game: exact where every position can be looked at, else estimated."""
    try:
        if reachable is not None:
            from ninefold.audit.figures.table_figures import table_figures

            return table_figures(reachable, seed)
        if len(game.pool) <= TABLE_POOL and not can_be_counted(game):
            from ninefold.audit.figures.graph_figures import graph_figures

            with _without_garbage_collection():
                return graph_figures(game, tell, budget)
    except TooLarge:
        pass
    tell("too many positions to look at them all")
    from ninefold.audit.figures.sample import sample_figures

    return sample_figures(game, tell, seed)
