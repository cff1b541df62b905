"""The figures of a game, by the quickest way that gives them."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ninefold.audit.figures import Figures, Tell, TooLarge
from ninefold.core.game import TABLE_POOL, Game

if TYPE_CHECKING:
    from ninefold.audit.figures.boards import Boards


@contextmanager
def _undisturbed() -> Iterator[None]:
    """What is made is kept: looking for garbage meanwhile would take a third of the time."""
    enabled = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if enabled:
            gc.enable()


def boards_of(game: Game, tell: Tell) -> "Boards | None":
    """The boards of a game, if it has any and they are not too large."""
    from ninefold.audit.figures.boards import Boards, has_boards

    try:
        with _undisturbed():
            return Boards(game, tell) if has_boards(game) else None
    except TooLarge:
        return None


def survey(game: Game, tell: Tell, seed: int, boards: "Boards | None") -> Figures:
    """The figures of a game: exact where every position can be looked at, else estimated."""
    from ninefold.audit.figures.boards import has_boards

    try:
        if boards is not None:
            from ninefold.audit.figures.counted import counted_figures

            return counted_figures(boards, seed)
        if len(game.pool) <= TABLE_POOL and not has_boards(game):
            from ninefold.audit.figures.walk import walk_figures

            with _undisturbed():
                return walk_figures(game, tell)
    except TooLarge:
        pass
    tell("there are too many positions to look at them all")
    from ninefold.audit.figures.sample import sample_figures

    return sample_figures(game, tell, seed)
