"""Making certificates: walking through every reply and writing the answers down."""

from collections.abc import Iterator, Sequence

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.core.rules import MAX_POOL
from ninefold.solver.certificate import Answer, Answers, Goal, Strategy, format_answer
from ninefold.solver.compiled import zeros
from ninefold.solver.proof import CHUNK, MAX_WIDTH, ProofSearch, is_provable
from ninefold.solver.proof.board import ATTACKER, DEFENDER
from ninefold.solver.proof.strategy_walk import (
    ANSWERS,
    DONE,
    ENTERING,
    GIVEN,
    LIMIT,
    PAUSED,
    PLACES,
    REMEMBERED,
    ROWS,
    UNSETTLED,
    StrategyWalk,
    move_seen,
    walk,
)
from ninefold.solver.scores import Result
from ninefold.solver.symmetry import byte_tables, rename, symmetries

# The first table of positions a walk has seen, and the room for what it writes between pauses.
FIRST_SEEN, ROOM = 1 << 12, 1 << 16


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
    answers = Answers()
    images = [(renaming, byte_tables(renaming)) for renaming in symmetries(position.game)]
    for own, other, place, pairs in _Walker(position, holder, search).rows():
        hands = [(rename(own, tables), rename(other, tables)) for _, tables in images]
        # An answer is given once for all images, to the smallest of them, and is an image as well.
        smallest = min(hands)
        renaming = images[hands.index(smallest)][0]
        text = format_answer(_renamed(position.game.pool, renaming, place, pairs))
        answers.add(*smallest, text)
    return Strategy(holder, goal, answers)


def _renamed(
    pool: Sequence[int],
    renaming: tuple[int, ...],
    place: int | None,
    pairs: list[tuple[int, int]] | None,
) -> Answer:
    """An answer by place, as numbers of the image of its position."""
    number = None if place is None else pool[renaming[place]]
    if pairs is None:
        return Answer(number)
    return Answer(number, tuple((pool[renaming[one]], pool[renaming[two]]) for one, two in pairs))


class _Walker:
    """Leads the compiled walk: gives it room, drains what it wrote, and answers what it cannot."""

    def __init__(self, position: Position, holder: int, search: ProofSearch) -> None:
        size = len(position.game.pool)
        self._search = search
        self._holder = holder
        self._side = ATTACKER if search.attacker == holder else DEFENDER
        self._todo = StrategyWalk(
            zeros(2 * size + 4), zeros(FIRST_SEEN), zeros(ROOM), zeros(PLACES)
        )
        self._todo.state[GIVEN] = -1
        search.load(position.masks)
        self._todo.state[ENTERING] = int(position.turn == holder)
        self._todo.path[0] = self._todo.path[1] = -1  # else it begins with the replies

    def rows(self) -> Iterator[tuple[int, int, int | None, list[tuple[int, int]] | None]]:
        """The hands of holder and opponent, the place of the answer, and the places of the pairs.

        Raises OutOfBudget.
        """
        search, todo, status = self._search, self._todo, PAUSED
        while status != DONE:
            todo.state[LIMIT] = search.positions + CHUNK
            status = walk(search.board, search.table, todo, self._side)
            yield from self._drain()
            if status == UNSETTLED:
                self._settle()
            elif status == PAUSED:
                search.pause(int(todo.state[ANSWERS]))
                self._make_room()
            todo = self._todo

    def _drain(self) -> Iterator[tuple[int, int, int | None, list[tuple[int, int]] | None]]:
        rows, at = [int(value) for value in self._todo.rows[: self._todo.state[ROWS]]], 0
        everything = (1 << MAX_POOL) - 1  # the last place of 64 bits is a sign when compiled
        while at < len(rows):
            own, other, place, count = rows[at : at + 4]
            at += 4
            pairs = None
            if count >= 0:
                pairs = [divmod(pair, 64) for pair in rows[at : at + count]]
                at += count
            yield own & everything, other & everything, None if place < 0 else place, pairs
        self._todo.state[ROWS] = 0

    def _settle(self) -> None:
        """Search the position the walk stands in; its table has forgotten it."""
        search = self._search
        masks = search.masks
        win = self._side == ATTACKER
        self._todo.state[GIVEN] = search.answer(masks, self._holder, win)
        search.load(masks)

    def _make_room(self) -> None:
        todo = self._todo
        if 2 * todo.state[REMEMBERED] >= len(todo.seen):
            larger = zeros(2 * len(todo.seen))
            move_seen(todo.seen, larger)
            self._todo = todo._replace(seen=larger)
