"""The figures of a game, by the quickest way that gives them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

from ninefold.audit.figures import Figures, Tell, TooLarge
from ninefold.core.game import TABLE_POOL, Game


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A walk keeps all it makes: looking for garbage meanwhile would take a third of the time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def survey(game: Game, tell: Tell, seed: int) -> Figures:
    """The figures of a game: exact where every position can be looked at, else estimated."""
    from ninefold.audit.layers import has_layers

    if has_layers(game):
        from ninefold.audit.quick import quick_figures

        return quick_figures(game, tell, seed)
    if len(game.pool) <= TABLE_POOL:
        from ninefold.audit.walk import walk_figures

        try:
            with _undisturbed():
                return walk_figures(game, tell)
        except TooLarge:
            tell("there are too many positions to look at them all")
    from ninefold.audit.sample import sample_figures

    return sample_figures(game, tell, seed)
