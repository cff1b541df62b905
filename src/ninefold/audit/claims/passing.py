"""Would a player ever rather give the turn away?"""

from functools import reduce
from operator import or_
from typing import TYPE_CHECKING

from ninefold.audit.figures import Moves
from ninefold.audit.figures.boards import Boards, Layer
from ninefold.audit.figures.phases import Phase
from ninefold.audit.figures.ways import Ways
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS
from ninefold.core.position import Position
from ninefold.solver import Solver
from ninefold.solver.scores import sign_of

if TYPE_CHECKING:
    from ninefold.audit.subject import Subject


def passing_helps(subject: "Subject") -> tuple[Moves | None, int]:
    """The shortest way to a position where a lost turn beats every move, and how many were tried.

    Where the book has no such move, the turn is lost for once.
    """
    game, boards = subject.game, subject.boards
    if boards is None:
        return walk_to_a_turn_given_away(game, subject.solver)
    looked = sum(boards.reached[phase].bit_count() for phase in boards.open)
    may_pass = game.rules.passing or game.rules.invalid == "lose-turn"
    return _found_on(boards if may_pass else LostOnce(game, subject.tell)), looked


class LostOnce(Boards):
    """The boards of a game in which a turn may be lost once: that is worth what comes of it."""

    def _extent(self) -> Layer:
        found = super()._extent()
        fresh: Layer = {}
        for phase, hands in found.items():
            if isinstance(phase, Phase) and not phase.asking:
                for step in self.phases.lost(phase):
                    fresh[step.to] = fresh.get(step.to, 0) | hands & step.hands
        while any(fresh.values()):
            after: Layer = {}
            for place, hands in fresh.items():
                found[place] = found.get(place, 0) | hands
            for phase, hands in fresh.items():
                for to, there in self.all_moves(phase, hands) if isinstance(phase, Phase) else ():
                    after[to] = after.get(to, 0) | there & ~found.get(to, 0)
            fresh = after
        return found


def walk_to_a_turn_given_away(game: Game, solver: Solver) -> tuple[Moves | None, int]:
    """The same by asking the solver about one position after the other."""
    start = game.start()
    queue: list[tuple[Position, Moves]] = [(start, ())]
    seen = {(start.turn, *start.key)}
    for position, moves in queue:
        if not position.asking and _is_best(position, solver):
            return moves, len(queue)
        for move in position.legal:
            after = position.play(move)
            key = (after.turn, *after.key)
            if after.outcome is None and key not in seen:
                seen.add(key)
                queue.append((after, (*moves, move)))
    return None, len(queue)


def _is_best(position: Position, solver: Solver) -> bool:
    legal = position.legal
    away = [move for move in legal if move in (LOST, PASS)] or [LOST]
    best = max(solver.move_score(position, move) for move in legal if move not in away)
    return max(sign_of(solver.move_score(position, move)) for move in away) > sign_of(best)


def _found_on(boards: Boards) -> Moves | None:
    """The shortest way to such a position, by looking at all of them at once."""
    better = {phase: _better(boards, phase) for phase in boards.open if not phase.asking}
    for ply, layer in enumerate(boards.layers):
        for phase, hands in layer.items():
            found = hands & better.get(phase, 0) if isinstance(phase, Phase) else 0
            if found:
                return Ways(boards).to(ply, phase, found)
    return None


def _better(boards: Boards, phase: Phase) -> int:
    """The hands with which giving the turn away is better than every other move."""
    seat, found = phase.turn, 0
    wins = {place: boards.won[seat].get(place, 0) for place in boards.reached}
    holds = {place: wins[place] | boards.level(place) for place in wins}
    for wanted in (wins, holds):
        steps = boards.phases.steps(phase)
        if not any(step.move in (LOST, PASS) for step in steps):
            steps = [*steps, *boards.phases.lost(phase)]
        into = [(step.move, boards.unmade(step, wanted.get(step.to, 0))) for step in steps]
        away = reduce(or_, (hands for move, hands in into if move in (LOST, PASS)), 0)
        others = reduce(or_, (hands for move, hands in into if move not in (LOST, PASS)), 0)
        for part, to in boards.phases.landings(phase):
            others |= boards.before_pick(phase, part & wanted.get(to, 0))
        found |= away & ~others
    return found & boards.reached[phase]
