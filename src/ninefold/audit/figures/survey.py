"""The figures of a game, by the quickest way that gives them."""

from ninefold.audit.figures import Figures, Tell
from ninefold.audit.figures.position_layers import PositionLayers, can_be_counted
from ninefold.core.game import TABLE_POOL, Game
from ninefold.solver.breadth_first import TooLarge
from ninefold.solver.scores import Budget


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

            return graph_figures(game, tell, budget)
    except TooLarge:
        pass
    tell("too many positions to look at them all")
    from ninefold.audit.figures.sample import sample_figures

    return sample_figures(game, tell, seed)
