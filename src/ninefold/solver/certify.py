"""Making certificates: a compiled walk through every reply, and the answers it writes down."""

from typing import NamedTuple, TypeAlias

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.solver.bits import count_bits
from ninefold.solver.certificate import Answers, Goal, Strategy
from ninefold.solver.compiled import Ints, compiled, zeros
from ninefold.solver.proof import CHUNK, MAX_WIDTH, Progress, ProofSearch, is_provable
from ninefold.solver.proof.board import (
    ATTACKER,
    DEFENDER,
    FREE,
    HOLD,
    NODES,
    PAIRS,
    POTENTIAL,
    THREATS,
    WIN,
    Board,
    key_now,
    put,
)
from ninefold.solver.proof.pairing import pair_at, paired
from ninefold.solver.proof.search import TranspositionTable, settled_child
from ninefold.solver.scores import Result
from ninefold.solver.symmetry import byte_tables, rename, symmetries

# A renaming of the pool's places, and its tables for ``rename``.
Image: TypeAlias = tuple[tuple[int, ...], list[list[int]]]

# The first table of positions a walk has seen.
FIRST_SEEN = 1 << 12
# Why a walk stops: it is over, it is time for a pause, it needs an answer to this position, or it
# has one to write down.
DONE, PAUSED, UNSETTLED, ANSWERED = range(4)
# Instead of a place: there is nothing to look at after it, and nothing is known.
CLOSED, UNKNOWN = -1, -2
# Places in ``StrategyWalk.state``. GIVEN is the answer to a position that was UNSETTLED. What is to
# be written down: WRITING, whether anything is; the place to CLAIM or -1; whether it is PAIRED off.
DEPTH, ENTERING, REMEMBERED, LIMIT, GIVEN, WRITING, CLAIM, PAIRED, PLACES = range(9)


class StrategyWalk(NamedTuple):
    """A walk in progress."""

    path: Ints  # 2 * depth: the holder's answer, and the reply to it that is looked at
    seen: Ints  # keys of positions, each in its own slot or the next free one
    state: Ints


def certify(
    position: Position, result: Result, searches: dict[int, ProofSearch] | None = None
) -> tuple[Strategy, ...]:
    """The strategies that show this result, from what the searches know; raises OutOfBudget."""
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
    """Every position the holder can get into, with the answers needed; raises OutOfBudget."""
    answers, pool = Answers(), position.game.pool
    images = [(renaming, byte_tables(renaming)) for renaming in symmetries(position.game)]
    side = ATTACKER if search.attacker == holder else DEFENDER
    todo = StrategyWalk(
        *(zeros(size, search.fits) for size in (2 * len(pool) + 4, FIRST_SEEN, PLACES))
    )
    state, status = todo.state, PAUSED
    state[GIVEN] = -1
    state[ENTERING] = int(position.turn == holder)
    todo.path[0] = todo.path[1] = -1  # else it begins with the replies
    search.load(position.masks, position.turn)
    state[LIMIT] = search.positions + CHUNK
    while status != DONE:
        status = search.run(walk)(search.board, search.table, todo, side)
        if status == ANSWERED:
            _write(answers, search, state, holder, images)
        elif status == UNSETTLED:
            # The table has forgotten the position in which the walk is.
            masks = search.masks
            state[GIVEN] = search.answer(masks, holder, side == ATTACKER)
            search.load(masks, holder)
        elif status == PAUSED:
            search.watch(Progress(0, 0, len(answers)))
            state[LIMIT] = search.positions + CHUNK
            if 2 * state[REMEMBERED] >= len(todo.seen):
                larger = zeros(2 * len(todo.seen), search.fits)
                search.run(move_seen)(todo.seen, larger)
                todo = todo._replace(seen=larger)
    return Strategy(holder, goal, answers)


def _write(
    answers: Answers, search: ProofSearch, state: Ints, holder: int, images: list[Image]
) -> None:
    """Write down the answer the walk has found, as it is in the smallest image of the position."""
    own, other = search.masks if holder == 1 else search.masks[::-1]
    board, place, words = search.board, int(state[CLAIM]), list[str]()
    if place >= 0:
        own &= ~(1 << place)  # it is claimed already
    hands = [(rename(own, tables), rename(other, tables)) for _, tables in images]
    smallest = min(hands)
    number = [search.game.pool[at] for at in images[hands.index(smallest)][0]]
    if place >= 0:
        words.append(str(number[place]))
    if state[PAIRED]:
        found = [int(search.run(pair_at)(board, k)) for k in range(board.state[PAIRS])]
        pairs = sorted(
            sorted(one for at, one in enumerate(number) if pair >> at & 1) for pair in found
        )
        words.append("pairs:" + ",".join(f"{one}:{two}" for one, two in pairs))
    answers.add(*smallest, " ".join(words))


@compiled
def walk(board: Board, table: TranspositionTable, todo: StrategyWalk, side: int) -> int:
    """Go on with the strategy of this side until there is a reason to stop: see DONE."""
    state, path = todo.state, todo.path
    while True:
        depth = state[DEPTH]
        at = 2 * depth
        if state[ENTERING]:
            if 2 * state[REMEMBERED] >= len(todo.seen) or board.state[NODES] >= state[LIMIT]:
                return PAUSED
            board.state[NODES] += 1
            place = answer(board, table, todo, side)
            if place == UNKNOWN:
                return UNSETTLED
            state[ENTERING] = 0
            path[at], path[at + 1] = place, board.size if place == CLOSED else -1
            if state[WRITING]:
                state[WRITING] = 0
                return ANSWERED
        reply = next_reply(board, side, path[at + 1] + 1)
        if reply >= 0:
            path[at + 1] = reply
            put(board, reply, 3 - side)
            state[DEPTH], state[ENTERING] = depth + 1, 1
            continue
        if path[at] >= 0:
            put(board, path[at], side)
        if depth == 0:
            return DONE
        state[DEPTH] = depth - 1
        put(board, path[at - 1], 3 - side)


@compiled
def answer(board: Board, table: TranspositionTable, todo: StrategyWalk, side: int) -> int:
    """Claim the holder's answer, to be written down; CLOSED if no reply has to be looked at."""
    other, state, holding = 3 - side, board.state, side == DEFENDER and board.draw == 1
    # What the verifier sees for itself is not written: a set to complete, one to stop, the weight.
    if state[THREATS + side]:
        return CLOSED
    forced = count_bits(state[THREATS + other] - 1) if state[THREATS + other] else -1
    if forced < 0 and holding and state[POTENTIAL] < board.unit:
        return CLOSED
    key = key_now(board, side)
    if todo.seen[slot_of(todo.seen, key)] == key:
        return CLOSED  # this position was looked at before, or an image of it
    if forced < 0 and holding and paired(board, ATTACKER):
        remember(todo, key)
        todo.state[WRITING], todo.state[CLAIM], todo.state[PAIRED] = 1, -1, 1
        return CLOSED
    place = forced if forced >= 0 else todo.state[GIVEN]
    if place < 0:
        place = settled_child(board, table, side, WIN if side == ATTACKER else HOLD)
    if place < 0:
        return UNKNOWN
    todo.state[GIVEN] = -1
    remember(todo, key)
    put(board, place, side)
    light = holding and 2 * state[POTENTIAL] < board.unit
    pairs = holding and not light and paired(board, ATTACKER)
    if pairs or forced < 0:
        todo.state[WRITING], todo.state[PAIRED] = 1, 1 if pairs else 0
        todo.state[CLAIM] = place if forced < 0 else -1
    if light or pairs:
        put(board, place, side)
        return CLOSED
    return place


@compiled
def next_reply(board: Board, side: int, start: int) -> int:
    """The next place from this one on whose claim by the opponent can matter, or -1."""
    own, other, free = board.state[side], board.state[3 - side], board.state[FREE]
    if not free & (free - 1):
        return -1  # the holder has no choice after it
    if side == DEFENDER and board.draw:
        live = 0
        for line in board.lines:
            if not line & own or not line & other:
                live |= line
        free &= live  # a number in no open set changes nothing
    for place in range(start, board.size):
        if free & board.bits[place]:
            return place
    return -1


@compiled
def slot_of(seen: Ints, key: int) -> int:
    """Where this key is kept, or would be."""
    mask = len(seen) - 1
    slot = key & mask
    while seen[slot] != 0 and seen[slot] != key:
        slot = (slot + 1) & mask
    return slot


@compiled
def remember(todo: StrategyWalk, key: int) -> None:
    """Do not look at this position again."""
    todo.seen[slot_of(todo.seen, key)] = key
    todo.state[REMEMBERED] += 1


@compiled
def move_seen(old: Ints, new: Ints) -> None:
    """Copy all keys into a larger table."""
    for slot in range(len(old)):
        if old[slot] != 0:
            new[slot_of(new, old[slot])] = old[slot]
