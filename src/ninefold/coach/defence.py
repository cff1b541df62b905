"""The best defence: what to play in a position that is lost against best play."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import TypeAlias

from ninefold.core.moves import LOST, PASS, Move, specials_last
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple
from ninefold.solver import OutOfBudget, solver_for
from ninefold.solver.advice import SIGHT, Advice
from ninefold.solver.scores import BEST, plies_of

Moves: TypeAlias = tuple[Move, ...]


class Defence(NamedTuple):
    """The best moves of a lost position, and what the opponent has to find after the first."""

    moves: Moves  # equally good; passing and swapping last
    turn: Moves  # the first of them with the rest of its turn, such as a second number
    replies: Moves | None  # what still wins for the opponent after that turn; None: not proved
    mistakes: Moves  # other replies, but a lost turn: they let the losing player back in
    plies: int | None  # how many moves the game lasts with this turn; None: not proved


class _Prospect(NamedTuple):
    """What awaits the opponent after a turn; a higher ``rank`` is harder for them."""

    # Minus the replies that win at once; whether others are mistakes, and then minus all that win.
    rank: tuple[int, bool, int]
    turn: Moves
    replies: Moves | None = ()
    mistakes: Moves = ()
    plies: int | None = None  # of the game, from the first move of the turn on

    @property
    def order(self) -> tuple[tuple[int, bool, int], int]:
        """A better turn has a higher one."""
        return self.rank, self.plies or 0


def best_defence(position: Position, advice: Advice, seconds: float) -> Defence:
    """The best moves of a position that is lost, in so many seconds if it is not solved.

    Best are those that stop as much as they can of what wins for the opponent at once; of these,
    those that leave the fewest winning replies; of these, those that last longest. The ``perfect``
    player (``Solver.perfect``) does the same with two differences. It counts mistakes instead of
    winning replies, which differs only where moves leave unequally many replies. And it does not
    stop sets first, because it is measured against random play, where a set that is about to be
    completed is missed as easily as anything else; people miss other things.
    """
    end = monotonic() + seconds
    # What a look ahead sees is lost soon; the solver may have to be compiled first to say more.
    soon = advice.value.plies is not None and advice.value.plies <= SIGHT
    solver = advice.solver or (None if soon else solver_for(position.game))

    def results(position: Position) -> Mapping[Move, int]:
        found = {}
        for reply in position.legal:
            result = solver.move_value(position, reply, False).result if solver else "unknown"
            if result == "unknown":
                raise OutOfBudget
            found[reply] = int(result == "win")
        return found

    if advice.solver is not None:
        return _Search(advice.solver.move_scores).best(position, advice)
    if solver is None:
        return _Search(results).best(position, advice)
    with solver.limited(lambda _: monotonic() > end):
        return _Search(results).best(position, advice)


def choices(position: Position) -> list[Move]:
    """The moves a player would choose from: a lost turn only if there is nothing else."""
    legal = position.legal
    return [move for move in legal if move is not LOST] or legal


def wins_at_once(position: Position, move: Move) -> bool:
    """Whether the player to act wins with this move, or can in the same turn after it."""
    after = position.play(move)
    if after.outcome is not None:
        return after.outcome.winner == position.turn
    if after.turn != position.turn or not (after.asking or after.picked):
        return False
    return any(wins_at_once(after, then) for then in choices(after))


class _Search:
    """Compares the turns of a losing player; ``scores`` of moves are above 0 for those that win.

    They say how soon only if the game is solved, and raise OutOfBudget if that is not known.
    """

    def __init__(self, scores: Callable[[Position], Mapping[Move, int]]) -> None:
        self._scores = scores
        self._later: dict[object, _Prospect] = {}  # where the same player acts again

    def best(self, position: Position, advice: Advice) -> Defence:
        """The best moves; where lengths are not known, those that the advice prefers."""
        found = {move: self._after(position, move) for move in choices(position)}
        order = {
            move: item.order if advice.solver else (item.rank, advice.scores[move])
            for move, item in found.items()
        }
        top = max(order.values())
        moves = specials_last([move for move in order if order[move] == top])
        first = found[moves[0]]
        return Defence(moves, first.turn, first.replies, first.mistakes, first.plies)

    def _after(self, position: Position, move: Move) -> _Prospect:
        """What a turn that begins with this move, and ends as it should, leaves to the opponent."""
        after = position.play(move)
        turn: Moves = (move, PASS) if after.asking else (move,)
        after = after.answered()
        if after.outcome is not None:
            return _Prospect((-BEST, False, 0), turn, plies=len(turn))
        if after.turn != position.turn:
            return self._replies(after, turn)
        later = self._later.get(after.key)
        if later is None:
            options = (self._after(after, then) for then in choices(after))
            later = self._later[after.key] = max(options, key=lambda option: option.order)
        plies = None if later.plies is None else len(turn) + later.plies
        return later._replace(turn=(*turn, *later.turn), plies=plies)

    def _replies(self, position: Position, turn: Moves) -> _Prospect:
        """What the opponent, who is to act after this turn, has to find."""
        legal = position.legal
        try:
            scores = self._scores(position)
        except OutOfBudget:
            # Turns of several numbers are too many to look at.
            quick = legal if position.game.rules.picks_per_turn == 1 else []
            at_once = sum(wins_at_once(position, reply) for reply in quick)
            return _Prospect((-at_once, False, 0), turn, None)
        replies = tuple(reply for reply in legal if scores[reply] > 0)
        mistakes = tuple(reply for reply in choices(position) if scores[reply] <= 0)
        at_once = sum(
            scores[reply] == BEST - 1 or wins_at_once(position, reply) for reply in replies
        )
        rank = -at_once, bool(mistakes), -len(replies) if mistakes else 0
        soonest = max(scores.values())
        plies = len(turn) + plies_of(soonest) if soonest > 1 else None
        return _Prospect(rank, turn, replies, mistakes, plies)
