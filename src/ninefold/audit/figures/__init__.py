"""The figures of a game: what can happen, what best play leads to, what chance makes of it."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position, as_seat
from ninefold.core.text import NamedTuple
from ninefold.core.turns import ENDING, LOSING_SET, End

Moves: TypeAlias = tuple[Move, ...]
Tell: TypeAlias = Callable[[str], None]


class Decider(NamedTuple):
    """What decides a game: a pattern or a link of the ending by its place, or another outcome."""

    kind: str
    at: int = 0
    name: str = ""


PATTERN, LOSS, LINK, OTHER = "pattern", "loss", "link", "other"
# Being stuck decides nothing: it is counted beside what does.
DRAW, STUCK = Decider(OTHER, 0, "draw"), Decider("end", 0, "stuck")


class Deciding(NamedTuple):
    """How many final positions something decides, and shortest games that show it."""

    finals: int = 0
    alone: int = 0  # those that nothing else decides, too
    flawless: int = 0  # those that can be reached without a mistake
    game: Moves | None = None
    flawless_game: Moves | None = None


class Chances(NamedTuple):
    """How games end for two kinds of players, as probabilities, and how long they take."""

    first: float
    second: float
    draw: float
    plies: float | None  # None if some games never end
    trials: int = 0  # the games from which this is estimated; 0: it is exact

    def share(self, seat: int) -> float:
        """The share of the points of one player: a draw is half a point to each."""
        return (self.first, self.second)[as_seat(seat) - 1] + self.draw / 2


class Figures(NamedTuple):
    """Everything counted about a game; ``exact`` tells whether every position was looked at."""

    exact: bool
    positions: int
    results: tuple[int, int, int]  # final positions: see ``results_of``
    deciding: Mapping[Decider, Deciding]
    shortest: int
    longest: int | None  # None where a game need never end
    longest_game: Moves
    most_numbers: int
    random: Chances
    perfect: tuple[Chances, Chances] | None
    blunders: float | None  # the share of random moves that throw something away, if they can
    openings: Mapping[Move, Chances]
    late: bool = False  # whether it was time that was missing, if they are not exact

    @property
    def why_not_exact(self) -> str:
        """What kept the audit from looking at every position."""
        return "the time ran out" if self.late else "there are too many positions"

    @property
    def finals(self) -> int:
        """How many final positions there are."""
        return sum(self.results)


def results_of(finals: Iterable[Position]) -> tuple[int, int, int]:
    """How many final positions are won by the first player, by the second, and drawn."""
    winners = [position.outcome.winner for position in finals if position.outcome]
    return winners.count(1), winners.count(2), winners.count(None)


def deciding_of(
    game: Game,
    finals: Sequence[Position],
    shown: Callable[[int], Moves],
    clean: Sequence[int | None] = (),
    clean_shown: Callable[[int], Moves] = lambda _: (),
) -> dict[Decider, Deciding]:
    """What decides final positions, those with the shortest games first, and every pattern.

    ``shown`` is a game to the position at a place. ``clean`` counts the moves of one without a
    mistake, which is ``clean_shown``.
    """
    found: dict[Decider, list[int]] = {decider: [] for decider in patterns_of(game)}
    alone, can_stick = Counter[Decider](), game.picks.can_stick
    for at, position in enumerate(finals):
        names = deciders(position)
        stuck = [STUCK] if can_stick and is_stuck(position) else []
        for decider in (*names, *stuck):
            found.setdefault(decider, []).append(at)
            alone[decider] += len(names) == 1
    deciding = {}
    for decider, places in found.items():
        flawless = [(clean[at], at) for at in places if clean and clean[at] is not None]
        deciding[decider] = Deciding(
            len(places),
            alone[decider],
            len(flawless),
            shown(places[0]) if places else None,
            clean_shown(min(flawless)[1]) if flawless else None,
        )
    return deciding


def patterns_of(game: Game) -> list[Decider]:
    """Every pattern that wins, and every one that loses."""
    kinds = ((PATTERN, game.rules.wins), (LOSS, game.rules.losses))
    return [Decider(kind, at) for kind, patterns in kinds for at in range(len(patterns))]


def is_stuck(position: Position) -> bool:
    """Whether this game ended because nobody, or not the player to act, may take a number left."""
    game, end = position.game, position.phase
    if not (game.picks.can_stick and isinstance(end, End) and end.by == ENDING):
        return False
    limit = game.rules.hand_limit or len(game.pool)
    room = {seat: len(position.hands[seat - 1]) < limit for seat in (1, 2)}
    able = [seat for seat in room if room[seat] and game.picks.allowed(position.seen_by(seat))]
    over = end.turn not in able and (game.rules.stuck == "end" or not able)
    return bool(position.available) and any(room.values()) and over


def deciders(position: Position) -> list[Decider]:
    """What decided this finished game: every pattern of the sets, or a link of the ending."""
    endings, end, outcome = position.game.endings, position.phase, position.outcome
    assert outcome is not None
    assert isinstance(end, End)
    if end.by != ENDING:
        return _patterns(position, outcome, LOSS if end.by == LOSING_SET else PATTERN)
    _, link = endings.winner(position.hands, position.masks, end)
    return [Decider(OTHER, 0, outcome.reason) if link is None else Decider(LINK, link)]


def _patterns(position: Position, outcome: Outcome, kind: str) -> list[Decider]:
    """The patterns the deciding sets match, in the order picked where that counts."""
    game, holder = position.game, position.set_holder
    assert holder is not None
    of = game.losses if kind == LOSS else game.wins
    hand, other = position.hands[holder - 1], position.hands[2 - holder]
    held = [numbers for numbers in outcome.sets if len(numbers) <= len(hand)]
    matched = [pattern for numbers in held for pattern in of.patterns.get(numbers, ())]
    if game.rules.in_order:
        matched = [pattern for pattern in matched if pattern.in_order(hand)]
    for pattern in of.whole:
        numbers = (*hand, *other) if pattern.is_shared else hand
        if tuple(sorted(numbers)) in outcome.sets and of.matches(pattern, numbers):
            matched.append(pattern)
    found = [at for at, pattern in enumerate(of.wanted) if pattern in matched]
    named = [at for at, pattern in enumerate(of.wanted) if pattern.family == outcome.reason]
    return [Decider(kind, at) for at in found or named[:1]]
