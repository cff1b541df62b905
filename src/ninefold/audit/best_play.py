"""How best play ends: by which rules a forced win comes about, and which ends can be forced."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ninefold.audit.clock import OutOfTime
from ninefold.audit.figures import LINK, LOSS, OTHER, PATTERN, Decider, deciders, patterns_of
from ninefold.audit.finding import BestPlay, ForcedEnd
from ninefold.audit.words import decider_name, pattern_name
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.solver import OutOfBudget
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, end_key
from ninefold.solver.graph import forced_from
from ninefold.solver.scores import score_of_child

if TYPE_CHECKING:
    from ninefold.audit.subject import Subject

# Above this many positions, how a win comes about is unknown.
MAX_POSITIONS = 60_000
MARK = 32  # of the positions that are counted first


class Walk(BreadthFirst[Position, Move]):
    """All positions that can be reached when both players make only best moves.

    With a ``winner``, that player may make any move that keeps the win, and the other player any
    move at all. Raises TooLarge, OutOfTime.
    """

    def __init__(self, subject: "Subject", winner: int | None = None) -> None:
        self._subject, self._winner = subject, winner
        super().__init__(subject.game.start(), self._kept, end_key, MAX_POSITIONS)
        for _ in self:
            subject.clock.check()
        self.finals = [at for at, node in enumerate(self.nodes) if node.outcome is not None]

    def _kept(self, position: Position) -> list[tuple[Move, Position]]:
        after, score = position.children(), self._subject.solver.score
        if self._winner == 3 - position.turn:
            return after
        scores = [score_of_child(position, child, score) for _, child in after]
        least = max(scores, default=0) if self._winner is None else 1
        return [step for step, score in zip(after, scores, strict=True) if score >= least]


def best_play(subject: "Subject") -> BestPlay | None:
    """How the game ends under best play; None if the game is too large to tell."""
    try:
        with subject.clock.limit():
            winner = {"win": 1, "loss": 2}.get(subject.value.result)
            settled = subject.is_settled and subject.value.result != "unknown"
            if winner is None:
                return _drawn(subject) if settled else None
            try:
                return _won(subject, winner) if settled else _by_set_or_not(subject, winner)
            except TooLarge:
                return _by_set_or_not(subject, winner)
    except (TooLarge, OutOfTime, OutOfBudget):
        return None


def _won(subject: "Subject", winner: int) -> BestPlay:
    """The winner wins as soon as possible and the loser delays it; then what can be forced."""
    subject.tell("working out how the win comes about")
    layers, rules = subject.layers, subject.game.rules
    if layers is not None:
        from ninefold.solver.layer_kernels import BEST_MOVES, FOR_FIRST

        ways = (BEST_MOVES, FOR_FIRST + winner - 1)
        if any(layers.mark(MARK, way) > MAX_POSITIONS for way in ways):
            raise TooLarge
    quickest = Walk(subject)
    ends = {item for at in quickest.finals for item in deciders(quickest.nodes[at])}
    # A strategy that forces some end never gives the win away, so all moves give the same answer.
    # But in a graph, two declarations that end the game in one position are one.
    keeping = Walk(subject, winner) if rules.declare or not subject.graph else subject.graph
    decided = {
        at: deciders(node)
        for at, node in enumerate(keeping.nodes)
        if node.outcome is not None and node.outcome.winner == winner
    }

    def forced(wanted: Callable[[Decider], bool]) -> int | None:
        ends = {at: winner for at, by in decided.items() if any(map(wanted, by))}
        return forced_from(keeping, ends).get(0, (winner, None))[1]

    every = patterns_of(subject.game)
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
        set_in=forced(lambda by: by.kind in (PATTERN, LOSS)),
        ending_in=forced(lambda by: by.kind not in (PATTERN, LOSS)),
        shown=subject.show(quickest.path(quickest.finals[0])),
    )


def _by_set_or_not(subject: "Subject", winner: int) -> BestPlay | None:
    """Whether a set can be forced: if the win comes before any ending, or nothing else wins."""
    rules, size, (known, soonest) = subject.game.rules, len(subject.game.pool), subject.value
    if rules.losses:
        return None  # they may decide the game before
    # Two turns passed in a row, two full hands or the last number come before the ending.
    picks = min(size, 2 * (rules.hand_limit or size))
    soon = 1 if subject.game.picks.can_stick else 2 if rules.passing else picks
    if soonest is not None and soonest < soon:
        names = [*map(pattern_name, rules.wins)]
        only = (ForcedEnd(PATTERN, names[0], True, soonest),) if len(names) == 1 else ()
        return BestPlay(winner, False, only, soonest, None, None)
    only_sets = subject.variant(ending=(), otherwise="draw")
    result, plies = ("unknown", None) if only_sets is None else only_sets.value
    if result == "unknown" or (result == known and plies is None):
        return None
    return BestPlay(winner, False, (), plies if result == known else None, None, None)


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
    ends = 0 in forced_from(walk, dict.fromkeys(walk.finals, 0))
    shown = subject.show(walk.path(walk.finals[0]))
    return BestPlay(None, False if ends else None, (), None, None, shown)


def is_endless(subject: "Subject") -> bool | None:
    """Whether nobody can win by force and the game never ends; None if it may end in a draw."""
    if subject.game.rules.invalid != "lose-turn" or subject.value.result != "draw":
        return False
    found = best_play(subject)
    return None if found is None else found.endless
