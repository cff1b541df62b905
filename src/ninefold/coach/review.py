"""A review: every move of a game with its verdict, and where the game was decided."""

from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeAlias

from ninefold.coach.hint import best_line
from ninefold.coach.known import check_known
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.solver import Solver, Value, solver_for

Verdict: TypeAlias = Literal[
    "only",  # found the only move that kept the win or the balance
    "kept",  # kept a win
    "even",  # kept the balance
    "threw",  # threw a win away
    "slipped",  # lost the balance
    "lost",  # lost whatever was played
    "gained",  # a turn lost on the clock, and better off for it
]
_RANKS = {"loss": 0, "draw": 1, "win": 2}


class Judgement(NamedTuple):
    """One move: who made it, what it was worth before and after, and what was better.

    ``better`` and ``line`` are given where the move gave something away: the moves that kept it,
    and best play after the first of them.
    """

    ply: int
    seat: int
    move: Move
    before: Value
    after: Value
    verdict: Verdict
    better: tuple[Move, ...] = ()
    line: tuple[Move, ...] = ()


class Review(NamedTuple):
    """A game judged move by move.

    ``decided`` is the ply after which the result never changed: 0 if it was settled from the first
    position, None if the game is open, or ended by resignation, forfeit or the clock. ``standing``
    is who wins from the last position under best play: 1, 2, or None for nobody.
    """

    judgements: tuple[Judgement, ...]
    decided: int | None
    standing: int | None
    outcome: Outcome | None

    def count(self, seat: int, *verdicts: Verdict) -> int:
        """How many of a player's moves have one of these verdicts."""
        return sum(item.seat == seat and item.verdict in verdicts for item in self.judgements)


def review_game(
    game: Game, moves: Sequence[Move], first: int = 1, outcome: Outcome | None = None
) -> Review:
    """Judge the moves of a game; raises NinefoldError if the game is too large to be known.

    ``outcome`` is how it ended, if that was by resignation or the clock.
    """
    check_known(game)
    solver, position = solver_for(game), game.start(first)
    judgements: list[Judgement] = []
    standing = [_standing(position, solver)]
    for ply, move in enumerate(moves, 1):
        judgements.append(judge(position, move, ply, solver))
        position = position.play(move)
        standing.append(_standing(position, solver))
    decided = _decided(standing, position)
    return Review(tuple(judgements), decided, standing[-1], position.outcome or outcome)


def judge(position: Position, move: Move, ply: int, solver: Solver) -> Judgement:
    """What a move was worth, and what would have been better."""
    before = solver.value(position)
    after = solver.move_value(position, move)
    keeping = [value.move for value in solver.moves(position) if value.result == before.result]
    verdict = _verdict(before.result, after.result, keeping == [move] != position.legal)
    judgement = Judgement(
        ply, position.turn, move, before, Value(after.result, after.plies), verdict
    )
    if verdict not in ("threw", "slipped"):
        return judgement
    line = best_line(position, solver.best(position)[0], solver)
    return judgement._replace(better=tuple(keeping), line=line)


def _verdict(before: str, after: str, only: bool) -> Verdict:
    if _RANKS[after] > _RANKS[before]:
        return "gained"
    if before == "loss":
        return "lost"
    if _RANKS[after] < _RANKS[before]:
        return "threw" if before == "win" else "slipped"
    if only:
        return "only"
    return "kept" if before == "win" else "even"


def _standing(position: Position, solver: Solver) -> int | None:
    """Who wins from here under best play: 1, 2, or None for nobody."""
    if position.outcome is not None:
        return position.outcome.winner
    result = solver.value(position).result
    if result == "draw":
        return None
    return position.turn if result == "win" else 3 - position.turn


def _decided(standing: list[int | None], position: Position) -> int | None:
    if position.outcome is None:
        return None
    last = standing[-1]
    return max((ply for ply, who in enumerate(standing, 1) if who != last), default=0)
