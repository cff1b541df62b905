"""Making certificates: walking through every reply and writing the answers down."""

from collections.abc import Iterator
from fractions import Fraction

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.certificate import Answer, Answers, Goal, Pairs, Strategy, format_answer
from ninefold.solver.proof import MAX_WIDTH, ProofSearch, is_provable
from ninefold.solver.scores import Result
from ninefold.solver.symmetry import byte_tables, rename, symmetries


def certify(
    position: Position, result: Result, searches: dict[int, ProofSearch] | None = None
) -> tuple[Strategy, ...]:
    """The strategies that show this result for the player to act; raises OutOfBudget.

    ``searches`` are those that found the result, by attacker: what they know is used again.
    """
    game, turn = position.game, position.turn
    check_provable(game)
    known = searches or {attacker: ProofSearch(game, attacker) for attacker in (1, 2)}
    if result != "draw":
        winner = turn if result == "win" else 3 - turn
        return (_walk(position, winner, "win", known[winner]),)
    return tuple(_hold(position, holder, known[3 - holder]) for holder in (1, 2))


def check_provable(game: Game) -> None:
    """Refuse rules that have no certificates; raises NinefoldError."""
    if not is_provable(game.rules):
        raise NinefoldError(
            "special-rules",
            "A certificate needs a game where completing a set wins at once and no turn is lost, "
            f"with sets of at most {MAX_WIDTH} numbers.",
        )


def _hold(position: Position, holder: int, search: ProofSearch) -> Strategy:
    empty = position.masks == (0, 0) and position.turn == holder
    if empty and not position.game.rules.ending:
        return Strategy(holder, "hold", Answers(), stealing=True)
    return _walk(position, holder, "hold", search)


def _walk(position: Position, holder: int, goal: Goal, search: ProofSearch) -> Strategy:
    """Every position the holder can get into, with its answer where that is not plain."""
    walker = _Walker(position.game, holder, goal, search)
    own, other = position.masks[:: 1 if holder == 1 else -1]
    waiting = [(own, other)]
    if position.turn != holder:
        waiting = list(walker.replies(own, other))
    seen = set()
    while waiting:
        at = walker.canonical(*waiting.pop())
        if at not in seen:
            seen.add(at)
            waiting += walker.after_answer(*at)
    return Strategy(holder, goal, walker.answers)


class _Walker:
    """The answers of one player, from a search that knows them."""

    def __init__(self, game: Game, holder: int, goal: Goal, search: ProofSearch) -> None:
        self.game = game
        self.answers = Answers()
        self._holder = holder
        self._goal = goal
        self._search = search
        self._lines = list(game.lines.values())
        self._draw = not game.rules.ending
        self._renamings = [byte_tables(images) for images in symmetries(game)[1:]]

    def canonical(self, own: int, other: int) -> tuple[int, int]:
        """The smallest of the images of a position."""
        return min(
            [(own, other)]
            + [(rename(own, tables), rename(other, tables)) for tables in self._renamings]
        )

    def after_answer(self, own: int, other: int) -> Iterator[tuple[int, int]]:
        """The positions that follow; the answer is written down if it is not plain."""
        if self._completing(own, other):
            return
        plain = self._completing(other, own)
        if not plain and self._is_closed(own, other, Fraction(1)):
            return
        pairs = None if plain else self._pairs(own, other)
        number = None
        if pairs is None and not plain:
            number = self._search.answer(self._masks(own, other), self._holder, self._goal == "win")
        bit = plain or (0 if number is None else self.game.bits[number])
        own, before = own | bit, own
        closed = pairs is not None or self._is_closed(own, other, Fraction(1, 2))
        if not closed:
            pairs = self._pairs(own, other)
        if pairs is not None or not plain:
            self.answers.add(before, other, format_answer(Answer(number, pairs)))
        if not closed and pairs is None and own | other != self.game.full:
            yield from self.replies(own, other)

    def replies(self, own: int, other: int) -> Iterator[tuple[int, int]]:
        """Every reply of the opponent that can matter and leaves the holder a choice."""
        rest = self.game.full & ~(own | other)
        if self._goal == "hold" and self._draw:
            open_ = 0
            for line in self._lines:
                if not line & own or not line & other:
                    open_ |= line
            rest &= open_
        while rest:
            bit = rest & -rest
            rest ^= bit
            if own | other | bit != self.game.full:
                yield own, other | bit

    def _masks(self, own: int, other: int) -> tuple[int, int]:
        return (own, other) if self._holder == 1 else (other, own)

    def _pairs(self, own: int, other: int) -> Pairs | None:
        """Pairs that hold this position whoever is to act, if some are found."""
        if self._goal != "hold":
            return None
        self._search.load(self._masks(own, other))
        pairs = self._search.pairs()
        return None if pairs is None else tuple(pairs)

    def _completing(self, own: int, other: int) -> int:
        """A number that completes a set, as a bit; 0 if there is none."""
        for line in self._lines:
            if not line & other:
                lacking = line & ~own
                if not lacking & (lacking - 1):
                    return lacking
        return 0

    def _is_closed(self, own: int, other: int, bound: Fraction) -> bool:
        """Whether the opponent's open sets weigh less than this."""
        if self._goal != "hold" or not self._draw:
            return False
        full = 1 << len(self.game.pool)
        weight = sum(full >> (line & ~other).bit_count() for line in self._lines if not line & own)
        return weight < bound * full
