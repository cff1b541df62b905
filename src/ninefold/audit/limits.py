"""Two games side by side: the shortest game that goes another way."""

from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from ninefold.audit.figures import Moves
from ninefold.audit.figures.phases import Final
from ninefold.audit.figures.ways import Ways
from ninefold.core.game import Game
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position

if TYPE_CHECKING:
    from ninefold.audit.figures.boards import Boards
    from ninefold.audit.subject import Subject

MAX_PAIRS = 60_000


class Difference(NamedTuple):
    """The shortest moves after which two games differ, and in what: ``choices`` or ``outcome``.

    ``what`` is ``nothing`` if they never do, and ``unknown`` if that would take too long to tell.
    """

    moves: Moves
    what: str


# Without these, there are the same numbers to choose from as long as neither game is over.
_SAME_CHOICES = ("misere", "otherwise", "picks_per_turn")


def limit_shown(subject: "Subject", without: "Subject", field: str) -> Difference:
    """Where the game without a limit goes another way for the first time."""
    if field in _SAME_CHOICES and not subject.game.rules.declare:
        for moves in _shortest_games(subject.boards, without.boards):
            if _outcome(subject.game, moves) != _outcome(without.game, moves):
                return Difference(moves, "outcome")
    return difference(subject.game, without.game)


def _shortest_games(*both: "Boards | None") -> list[Moves]:
    """Games that take no more moves than any other one of two games, if all positions are known."""
    found: list[Moves] = []
    for boards in both:
        if boards is None:
            return []
        for ply, layer in enumerate(boards.layers):
            ends = [(place, hands) for place, hands in layer.items() if isinstance(place, Final)]
            found += [Ways(boards).to(ply, place, hands) for place, hands in ends]
            if ends:
                break
    least = min(map(len, found))
    return [moves for moves in found if len(moves) == least]


def _outcome(game: Game, moves: Moves) -> Outcome | None:
    position = game.start()
    for move in moves:
        position = position.play(move)
    return position.outcome


def difference(one: Game, two: Game) -> Difference:
    """Where two games go different ways for the first time."""
    start = one.start(), two.start()
    queue: deque[tuple[Position, Position, Moves]] = deque([(*start, ())])
    seen = {_key(*start)}
    while queue:
        here, there, moves = queue.popleft()
        if here.legal != there.legal:
            return Difference(moves, "choices")
        for move in here.legal:
            left, right = here.play(move), there.play(move)
            after = (*moves, move)
            if left.outcome != right.outcome:
                return Difference(after, "outcome")
            key = _key(left, right)
            if left.outcome is None and key not in seen:
                if len(seen) >= MAX_PAIRS:
                    return Difference((), "unknown")
                seen.add(key)
                queue.append((left, right, after))
    return Difference((), "nothing")


def _key(one: Position, two: Position) -> tuple[object, ...]:
    return (one.turn, *one.key, two.turn, *two.key)
