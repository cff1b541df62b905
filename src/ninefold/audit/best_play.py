"""How best play ends: by which rules a forced win comes about, and which ends can be forced."""

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING

from ninefold.audit.clock import OutOfTime
from ninefold.audit.figures import LINK, OTHER, PATTERN, Decider, deciders
from ninefold.audit.finding import BestPlay, ForcedEnd
from ninefold.audit.words import decider_name
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver import OutOfBudget
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, position_key
from ninefold.solver.scores import BEST, score_of_child

if TYPE_CHECKING:
    from ninefold.audit.subject import Subject

# Above this many positions, how a win comes about is unknown.
MAX_POSITIONS = 60_000


class Walk(BreadthFirst[Position, Move]):
    """All positions that can be reached when both players make only best moves.

    With a ``winner``, that player may make any move that keeps the win, and the other player any
    move at all. Raises TooLarge, OutOfTime.
    """

    def __init__(self, subject: "Subject", winner: int | None = None) -> None:
        self._subject, self._winner = subject, winner
        # Two declarations can end the game in the same position, but by different sets.
        super().__init__(
            subject.game.start(),
            self._kept,
            lambda position: (position_key(position), position.outcome),
            MAX_POSITIONS,
        )
        for _ in self:
            subject.clock.check()
        self.finals = [at for at, node in enumerate(self.nodes) if node.outcome is not None]

    def _kept(self, position: Position) -> Iterator[tuple[Move, Position]]:
        after = [(move, position.play(move)) for move in position.legal]
        score = self._subject.solver.score
        scores = [score_of_child(position, child, score) for _, child in after]
        least = max(scores, default=0)
        if self._winner is not None:
            least = 1 if position.turn == self._winner else -BEST
        return (step for step, score in zip(after, scores, strict=True) if score >= least)

    def forced_in(self, seat: int, wanted: Iterable[int]) -> int | None:
        """In how many moves this player can force one of these ends; None if that is impossible.

        Without a player (0), all ways must lead there.
        """
        parents: list[list[int]] = [[] for _ in self.nodes]
        for at, children in enumerate(self.children):
            for child in children:
                parents[child].append(at)
        waiting = [
            1 if position.turn == seat else len(children)
            for position, children in zip(self.nodes, self.children, strict=True)
        ]
        frontier, moves = [*wanted], 0
        while frontier:
            if 0 in frontier:
                return moves
            before = []
            for parent in (parent for at in frontier for parent in parents[at]):
                waiting[parent] -= 1
                if not waiting[parent]:
                    before.append(parent)
            frontier, moves = before, moves + 1
        return None


def best_play(subject: "Subject") -> BestPlay | None:
    """How the game ends under best play; None if the game is too large to tell."""
    try:
        with subject.clock.limit():
            if not subject.is_settled or subject.value.result == "unknown":
                return None
            winner = {"win": 1, "loss": 2}.get(subject.value.result)
            if winner is None:
                return _drawn(subject)
            try:
                return _won(subject, winner)
            except TooLarge:
                return _by_set_or_not(subject, winner)
    except (TooLarge, OutOfTime, OutOfBudget):
        return None


def _won(subject: "Subject", winner: int) -> BestPlay:
    """The winner wins as soon as possible and the loser delays it; then what can be forced.

    A strategy that forces some end never gives the win away. So it is enough to look at the moves
    that keep the win, and at every answer of the loser.
    """
    subject.tell("working out how the win comes about")
    quickest = Walk(subject)
    ends = {item for at in quickest.finals for item in deciders(quickest.nodes[at])}
    keeping = Walk(subject, winner)
    decided = {at: deciders(keeping.nodes[at]) for at in keeping.finals}

    def forced(wanted: Callable[[Decider], bool]) -> int | None:
        found = [at for at, by in decided.items() if any(map(wanted, by))]
        return keeping.forced_in(winner, found)

    rules = subject.game.rules
    every = [Decider(PATTERN, at) for at in range(len(rules.wins))]
    every += [Decider(LINK, at) for at in range(len(rules.ending))]
    every += [Decider(OTHER, 0, rules.otherwise)] if rules.otherwise != "draw" else []
    return BestPlay(
        winner=winner,
        endless=False,
        rules=tuple(
            ForcedEnd(
                item.kind,
                decider_name(subject.game, item),
                item in ends,
                forced(lambda by, item=item: by == item),  # type: ignore[misc]
            )
            for item in every
        ),
        set_in=forced(lambda by: by.kind == PATTERN),
        ending_in=forced(lambda by: by.kind != PATTERN),
        shown=subject.show(quickest.path(quickest.finals[0])),
    )


def _by_set_or_not(subject: "Subject", winner: int) -> BestPlay | None:
    """Whether a set can be forced, from the game in which the winner has lost without one."""
    only_sets = subject.variant(ending=(), otherwise={1: "second", 2: "first"}[winner])
    if only_sets is None or subject.game.rules.pie:  # a swap would take "first" along
        return None
    result, plies = only_sets.value
    forced = result == {1: "win", 2: "loss"}[winner]
    return BestPlay(winner, False, (), plies if forced else None, None, None)


def _drawn(subject: "Subject") -> BestPlay:
    """Nobody can force a win: the game is drawn, or it never ends, or either."""
    if subject.game.rules.invalid != "lose-turn":
        position, moves = subject.game.start(), list[Move]()
        while position.outcome is None:
            moves.append(subject.solver.best(position)[0])
            position = position.play(moves[-1])
        return BestPlay(None, False, (), None, None, subject.show(tuple(moves)))
    # Only a turn that is lost on purpose can bring a position back.
    walk = Walk(subject)
    if not walk.finals:
        return BestPlay(None, True, (), None, None, None)
    ends = walk.forced_in(0, walk.finals) is not None
    shown = subject.show(walk.path(walk.finals[0]))
    return BestPlay(None, False if ends else None, (), None, None, shown)


def is_endless(subject: "Subject") -> bool | None:
    """Whether a game that nobody can win by force never ends; None if it may end in a draw."""
    if subject.game.rules.invalid != "lose-turn":
        return False
    found = best_play(subject)
    return None if found is None else found.endless
