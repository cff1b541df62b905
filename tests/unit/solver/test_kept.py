"""What is kept of a position is what is worked out again from the scores, also after forgetting."""

from collections.abc import Iterator

import pytest

from ninefold import load
from ninefold.core.game import Game
from ninefold.core.moves import Move, specials_last
from ninefold.core.position import Position
from ninefold.solver import Solver, kept
from ninefold.solver.breadth_first import BreadthFirst, legal_steps, position_key
from ninefold.solver.scores import score_of_child

# One with draws, one in which both lose their turns rather than complete a set, so that it never
# ends, one with declarations.
GAMES = [
    load("magic-fifteen", changes="pool=1-7"),
    load("sequence-duel-sum", "lose-turn", ("pool=1-5", "misere=true")),
    load("pattern-builder", "declare", "pool=1-5"),
]


def line_of(position: Position, solver: Solver) -> Iterator[Move]:
    """Best play, one move after the other, until the end or a position that was there before."""
    met = set()
    while position.outcome is None and position_key(position) not in met:
        met.add(position_key(position))
        scores = {move: solver.move_score(position, move) for move in position.legal}
        best = [move for move in scores if scores[move] == max(scores.values())]
        yield specials_last(best)[0]
        position = position.play(specials_last(best)[0])


def draw_of(position: Position, solver: Solver) -> int | None:
    """How long a draw takes, found without remembering anything; None if it need not end."""
    for plies in range(40):
        if position.outcome is not None:
            return plies
        children = (child for _, child in position.children())
        position = next(
            child for child in children if not score_of_child(position, child, solver.score)
        )
    return None


@pytest.mark.parametrize("most", [kept.MOST_KEPT, 7])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.name)
def test_scores_lines_and_draws_are_the_same_whatever_was_asked_before(
    game: Game, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every position, the last first: with room for all of them, and with room for seven."""
    monkeypatch.setattr(kept, "MOST_KEPT", most)
    walk = BreadthFirst(game.start(), legal_steps, position_key)
    open_ones = [walk.nodes[at] for at in walk if walk.nodes[at].outcome is None]
    solver = Solver(game)
    for position in reversed(open_ones):
        scores = {move: solver.move_score(position, move) for move in position.legal}
        assert solver.move_scores(position) == scores
        assert solver.best_line(position) == tuple(line_of(position, solver))
        value = solver.value(position)
        if value.result == "draw":
            assert value.plies == draw_of(position, solver)
    assert len(open_ones) > 90
