"""What each move is worth: proved if the solver settles it in time, otherwise estimated.

An estimate looks ahead as far as its positions last and guesses from there. It counts positions,
not seconds, so it is the same on every machine. A win or loss that it sees is proved all the same.
"""

from collections.abc import Callable, Mapping, Sequence
from itertools import count, starmap
from time import monotonic

from ninefold.core.errors import NinefoldError
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple
from ninefold.solver import FEW_FREE, MoveValue, Solver, is_small, solver_for
from ninefold.solver.scores import (
    BEST,
    UNKNOWN,
    OutOfBudget,
    Value,
    plies_of,
    result_of,
    score_of_child,
    sign_of,
)

# Scores beyond this, on either side, are proved wins and losses; guesses stay below.
PROVED, MOST_GUESS = BEST - 1_000, BEST - 2_000
# What a look ahead may cost, about a second, and what a position of it costs: more to guess, more
# for each set there is, more if numbers can be barred.
WORK, COST, COST_OF_GUESS, COST_OF_LIMITS = 1_200_000, 50, 50, 200
# How many moves ahead an estimate looks for wins and losses before it guesses.
SIGHT = 6
# How many positions the solver may search where no clock may matter, a second or two of work.
POSITIONS = 5_000


class Advice(NamedTuple):
    """What each legal move of a position is worth to its maker, as far as that is proved."""

    value: Value  # what the best moves prove about the position
    moves: tuple[MoveValue, ...]  # all of them; the result of one not proved is ``unknown``
    scores: Mapping[Move, int]  # how they rank, proved or not: higher is better
    solver: Solver | None = None  # which has everything that follows, if it is not None

    @property
    def proved(self) -> bool:
        """Whether the value of every move is proved."""
        return all(item.result != "unknown" for item in self.moves)

    @property
    def best(self) -> list[Move]:
        """The moves that win soonest or lose latest; if that is not proved, that look best."""
        wanted = self.with_result(self.value.result) or [*self.scores]
        top = max(self.scores[move] for move in wanted)
        return [move for move in wanted if self.scores[move] == top]

    def with_result(self, result: str) -> list[Move]:
        """The moves that are proved to have this result; none for ``unknown``."""
        return [item.move for item in self.moves if item.result == result != "unknown"]


def advise(position: Position, seconds: float | None) -> Advice:
    """The advice for a position; the solver of a large game has so many seconds.

    Without ``seconds``, it depends on the position alone: the solver makes tables, or begins anew
    and counts positions. Raises NinefoldError if the game is over.
    """
    if position.outcome is not None:
        raise NinefoldError("game-over", "The game is over.")
    game = position.game
    if is_small(game) or (seconds is None and solver_for(game).tabulate(position)):
        return _exact(position, solver_for(game))
    seen, settled = look_ahead(position, SIGHT)
    plain = settled or abs(max(seen.values())) > PROVED
    value, found = UNKNOWN, list[MoveValue]()
    if not plain or len(position.available) <= FEW_FREE:
        solver = Solver(game) if seconds is None else solver_for(game)
        with solver.lock:
            start = monotonic()  # only now: another thread may have searched until here

            def stop_after(share: float) -> Callable[[int], bool]:
                if seconds is None:
                    return lambda positions: positions > share * POSITIONS
                return lambda _: monotonic() - start > share * seconds

            with solver.limited(stop_after(1)):
                value = solver.value(position)
            if solver.knows(position):
                return _exact(position, solver)
            if value.result != "unknown":
                with solver.limited(stop_after(1.5)):
                    found = [solver.move_value(position, move) for move in position.legal]
    return _estimated(position, found, value, seen)


def _exact(position: Position, solver: Solver) -> Advice:
    moves = tuple(solver.moves(position))
    return Advice(value_from(moves), moves, solver.move_scores(position), solver)


def _estimated(
    position: Position, found: list[MoveValue], value: Value, seen: dict[Move, int] | None = None
) -> Advice:
    """The advice from what the solver found, and from a look ahead where it found nothing."""
    scores, settled = look_ahead(position, seen=seen)
    pairs = [pair for pair in scores.items() if settled or abs(pair[1]) > PROVED]
    solved = [item for item in found if item.result != "unknown"]
    scores |= {item.move: score_of_value(item) for item in solved}
    known = {item.move: item for item in (*starmap(_value, pairs), *solved)}
    moves = tuple(known.get(move, MoveValue(move, "unknown", None)) for move in scores)
    return Advice(value_from(moves, value), moves, scores)


def value_from(moves: Sequence[MoveValue], value: Value = UNKNOWN) -> Value:
    """What these moves prove about their position; ``value`` is what is known without them."""
    results = {item.result for item in moves}
    if "win" in results or "unknown" not in results:
        best = max(moves, key=score_of_value)
        return Value(best.result, best.plies)
    # Otherwise perhaps no move is known to reach it.
    return value if value.result in results else UNKNOWN


def sweep(position: Position, sight: int) -> list[MoveValue]:
    """The moves that are proved to win or lose within so many moves."""
    scores, _ = look_ahead(position, sight)
    return [_value(move, score) for move, score in scores.items() if abs(score) > PROVED]


def _value(move: Move, score: int) -> MoveValue:
    return MoveValue(move, result_of(score), plies_of(score) if score else None)


def score_of_value(item: MoveValue) -> int:
    """The score of a proved move; a win of unknown length counts as a long one."""
    sign = {"win": 1, "loss": -1}.get(item.result, 0)
    return sign * (BEST - (item.plies or BEST - PROVED - 1))


def look_ahead(
    position: Position, sight: int | None = None, seen: dict[Move, int] | None = None
) -> tuple[dict[Move, int], bool]:
    """The score of each legal move, and whether all of them are exact.

    It looks further and further ahead until its positions are spent, at least one move and at most
    ``sight`` moves. Whatever lies beyond that is worth 0, or a guess if there is no ``sight``; then
    ``seen`` is what a look ahead with SIGHT has found, if somebody has looked already.
    """
    scores = {} if sight is not None else seen or look_ahead(position, SIGHT)[0]
    search, settled = _LookAhead(position, guesses=sight is None), False
    try:
        for depth in count(1) if sight is None else range(1, sight + 1):
            settled = search.look(position, depth, scores)
            if settled or max(scores.values()) > PROVED:
                break
    except OutOfBudget:
        pass  # what was seen before is there
    return scores, settled


class _LookAhead:
    """Looks so many moves ahead; the move that was best before comes first."""

    def __init__(self, position: Position, guesses: bool) -> None:
        game, rules = position.game, position.game.rules
        self._guesses = guesses
        wins = [(line, -1 if rules.misere else 1) for line in game.lines.values()]
        losses = [(line, -1) for line in game.losses.lines.values()]
        self._lines = [(line, line.bit_count(), sign) for line, sign in (*wins, *losses)]
        cost = COST + len(self._lines) // 4 + COST_OF_LIMITS * game.picks.can_stick
        cost += (COST_OF_GUESS + len(self._lines)) * guesses
        self._left = WORK // cost
        whole = game.whole or game.losses.whole
        ends = game.picks.can_stick or rules.has_turns or rules.declare or rules.hand_limit
        self._only_sets_end = not (whole or ends)
        # Bounds by position and moves to look ahead; the best move of each position.
        self._bounds: dict[object, tuple[int, int]] = {}
        self._first: dict[object, Move] = {}
        self._guessed = False

    def look(self, position: Position, depth: int, scores: dict[Move, int]) -> bool:
        """Find the scores not proved yet, and whether all are exact; raises OutOfBudget."""
        self._bounds.clear()
        self._guessed = False
        legal, found = position.legal, dict[Move, int]()
        if depth == 1:
            self._left += len(legal)
        try:
            for move in legal:
                if abs(scores.get(move, 0)) <= PROVED:
                    found[move] = self._after(position, move, depth - 1, -BEST, BEST)
        except OutOfBudget:
            scores.update((move, score) for move, score in found.items() if abs(score) > PROVED)
            raise
        scores.update(found)
        return not self._guessed

    def _after(self, position: Position, move: Move, depth: int, low: int, high: int) -> int:
        """The score of a move for its maker, exact between the bounds."""
        self._left -= 1
        if self._left < 0:
            raise OutOfBudget
        child = position.play(move)
        if child.outcome is not None:
            return score_of_child(position, child, lambda _: 0)
        # The bounds are one wider, because a win is one move nearer to the child.
        if child.turn == position.turn:
            score = self._score(child, depth, low - 1, high + 1)
        else:
            score = -self._score(child, depth, -high - 1, 1 - low)
        return score - sign_of(score) if abs(score) > PROVED else score

    def _score(self, position: Position, depth: int, low: int, high: int) -> int:
        """The score for the player to act, exact between the bounds."""
        if not depth or (not self._guesses and self._is_quiet(position, depth)):
            self._guessed = True
            return self._guess(position) if self._guesses else 0
        key = position.key
        floor, ceiling = self._bounds.get((key, depth), (-BEST, BEST))
        if floor >= high or floor == ceiling:
            return floor
        if ceiling <= low:
            return ceiling
        best = -BEST
        first = self._first.get(key)
        for move in sorted(position.legal, key=lambda move: move != first):
            score = self._after(position, move, depth - 1, max(low, best), high)
            if score > best:
                best, self._first[key] = score, move
            if best >= high:
                break
        self._bounds[key, depth] = best if best > low else floor, best if best < high else ceiling
        return best

    def _is_quiet(self, position: Position, depth: int) -> bool:
        """Whether it is plain that the game cannot end within so many moves."""
        if not self._only_sets_end or len(position.available) <= depth:
            return False
        own, other = position.masks if position.turn == 1 else position.masks[::-1]
        mine, theirs = (depth + 1) // 2, depth // 2
        return not any(
            size - (line & own).bit_count() <= mine
            if not line & other
            else not line & own and size - (line & other).bit_count() <= theirs
            for line, size, _ in self._lines
        )

    def _guess(self, position: Position) -> int:
        """How promising a position looks to the player to act: sets, mobility, the ending."""
        own, other = position.masks if position.turn == 1 else position.masks[::-1]
        score = self._promise(own, other) - self._promise(other, own)
        score += self._mobility(position) + self._standing(position)
        return max(-MOST_GUESS, min(MOST_GUESS, score))

    def _promise(self, own: int, other: int) -> int:
        """The sets a player can still complete, four times as much for each number less to go."""
        return sum(
            sign * (256 >> 2 * (size - held))
            for line, size, sign in self._lines
            if not line & other and (held := (line & own).bit_count())
        )

    def _mobility(self, position: Position) -> int:
        """How many more numbers one may take than the opponent, where one can get stuck."""
        picks, turn = position.game.picks, position.turn
        if not picks.can_stick:
            return 0
        mine, theirs = (picks.allowed(position.seen_by(seat)) for seat in (turn, 3 - turn))
        return 8 * (mine.bit_count() - theirs.bit_count())

    def _standing(self, position: Position) -> int:
        """Who would win if the game ended now, by the first measure that differs, up to 40."""
        turn = position.turn
        for link in position.game.rules.ending:
            mine, theirs = (position.measure(link, seat) for seat in (turn, 3 - turn))
            if link.measure == "last-pick" or mine is None or theirs is None or mine == theirs:
                continue
            lead = mine - theirs if link.prefer == "higher" else theirs - mine
            return 40 * lead // (1 + abs(lead))
        return 0
