"""Would a player ever rather give the turn away?"""

from collections.abc import Callable

from ninefold.audit.figures import Moves
from ninefold.audit.subject import Subject
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS
from ninefold.core.position import Position
from ninefold.core.turns import Phase, Place
from ninefold.solver import Solver
from ninefold.solver.breadth_first import BreadthFirst, legal_steps, position_key
from ninefold.solver.scores import sign_of
from ninefold.solver.tables import Tables

AWAY = (LOST, PASS)


def passing_helps(subject: Subject) -> tuple[Moves | None, int]:
    """The shortest way to a position where losing the turn beats every move.

    Also how many positions were looked at. Where the book has no such move, the turn is lost once.
    """
    reachable = subject.reachable
    if reachable is None:
        return search_for_a_turn_to_lose(subject.game, subject.solver, subject.clock.check)
    looked = sum(reachable.reached[phase].bit_count() for phase in reachable.open)
    # A lost turn leads to hands of other sizes, which only wide tables hold.
    tables = Tables(subject.game, reachable.tables.budget, wide=True)
    better: dict[Place, int] = {
        phase: _better(tables, phase) for phase in reachable.open if not phase.asking
    }
    for count, layer in enumerate(reachable.layers):
        for place, hands in layer.items():
            found = hands & better.get(place, 0)
            if found:
                return reachable.game_to(reachable.layers, count, place, found), looked
    return None, looked


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
    away = [move for move in legal if move in AWAY] or [LOST]
    best = max(solver.move_score(position, move) for move in legal if move not in away)
    return max(sign_of(solver.move_score(position, move)) for move in away) > sign_of(best)


def _better(tables: Tables, phase: Phase) -> int:
    """The hands with which giving the turn away is better than every other move."""
    steps = [*tables.steps(phase)]
    if not any(step.move in AWAY for step in steps):
        steps += tables.special(phase, LOST)
    wins, losses = tables.won[phase.turn], tables.won[3 - phase.turn]

    def good(place: Place, drawn: bool) -> int:
        return tables.grid.everything & ~losses.get(place, 0) if drawn else wins.get(place, 0)

    found = 0
    for drawn in (False, True):  # whether a draw is good enough
        away = others = 0
        for step in steps:
            hands = tables.unmade(step, good(step.to, drawn))
            if step.move in AWAY:
                away |= hands
            else:
                others |= hands
        for part, to in tables.landings(phase):
            others |= tables.before_pick(phase, part & good(to, drawn))
        found |= away & ~others
    return found
