"""Would a player ever rather give the turn away?"""

from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from ninefold.audit.figures import Moves
from ninefold.audit.figures.position_layers import PositionLayers
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS
from ninefold.core.position import Position
from ninefold.core.turns import Phase, Place
from ninefold.solver import Solver
from ninefold.solver.breadth_first import BreadthFirst, legal_steps, position_key
from ninefold.solver.scores import sign_of
from ninefold.solver.tables import Tables

if TYPE_CHECKING:
    from ninefold.audit.subject import Subject


def passing_helps(subject: "Subject") -> tuple[Moves | None, int]:
    """The shortest way to a position where losing the turn beats every move.

    Also how many positions were looked at. Where the book has no such move, the turn is lost once.
    """
    reachable = subject.reachable
    if reachable is None:
        return search_for_a_turn_to_lose(subject.game, subject.solver, subject.clock.check)
    looked = sum(reachable.reached[phase].bit_count() for phase in reachable.open)
    # A lost turn leads to hands of other sizes, which only wide tables hold.
    tables = Tables(subject.game, reachable.tables.budget, wide=True)
    return _found_on(reachable, tables), looked


def search_for_a_turn_to_lose(
    game: Game, solver: Solver, check_time: Callable[[], None] = lambda: None
) -> tuple[Moves | None, int]:
    """The same by asking the solver about one position after the other."""
    walk = BreadthFirst(game.start(), legal_steps, position_key)
    looked = 0
    for at in walk:
        position = walk.nodes[at]
        if not at % 256:
            check_time()
        looked += position.outcome is None
        if position.outcome is None and not position.asking and _is_best(position, solver):
            return walk.path(at), looked
    return None, looked


def _is_best(position: Position, solver: Solver) -> bool:
    legal = position.legal
    away = [move for move in legal if move in (LOST, PASS)] or [LOST]
    best = max(solver.move_score(position, move) for move in legal if move not in away)
    return max(sign_of(solver.move_score(position, move)) for move in away) > sign_of(best)


def _found_on(reachable: PositionLayers, tables: Tables) -> Moves | None:
    """The shortest way to such a position, by looking at all of them at once."""
    better = {phase: _better(tables, phase) for phase in reachable.open if not phase.asking}
    for count, layer in enumerate(reachable.layers):
        for phase, hands in layer.items():
            found = hands & better.get(phase, 0) if isinstance(phase, Phase) else 0
            if found:
                return reachable.game_to(reachable.layers, count, phase, found)
    return None


def _better(tables: Tables, phase: Phase) -> int:
    """The hands with which giving the turn away is better than every other move."""
    seat, found = phase.turn, 0
    places: list[Place] = [*tables.open, *tables.ends]
    wins = {place: tables.won[seat].get(place, 0) for place in places}
    holds = {place: wins[place] | tables.level(place) for place in places}
    for wanted in (wins, holds):
        steps = tables.steps(phase)
        if not any(step.move in (LOST, PASS) for step in steps):
            steps = [*steps, *tables.special(phase, LOST)]
        into = [(step.move, tables.unmade(step, wanted.get(step.to, 0))) for step in steps]
        away = reduce(or_, (hands for move, hands in into if move in (LOST, PASS)), 0)
        others = reduce(or_, (hands for move, hands in into if move not in (LOST, PASS)), 0)
        for part, to in tables.landings(phase):
            others |= tables.before_pick(phase, part & wanted.get(to, 0))
        found |= away & ~others
    return found
