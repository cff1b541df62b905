"""The inner loops over many games on a large pool, where a hand is a set of bits.

They claim numbers and look for completed lines. What follows from a pick is looked up in
``Board.after_pick``; the judge decides the rest. Import this only if Numba is installed.
"""

from typing import Any, NamedTuple

import numpy

from ninefold.envs.batch.base import GOES_ON, TERMINATED, TRUNCATED
from ninefold.envs.batch.random_streams import STRIDE
from ninefold.envs.batch.table_kernels import draw
from ninefold.solver.compiled import compiled

# What ``winner`` holds besides 0 for a draw and the seat of a winner.
UNDECIDED, ASK_JUDGE = -1, 3
# What can follow from a pick, besides the seat of the player to act next: the game ends and the
# judge decides, or it is won, to which the seat of the winner is added.
ENDING, WON = 3, 4
_ONE = numpy.uint64(1)


class Games(NamedTuple):
    """The arrays of a batch that say where its games stand."""

    hands: Any
    actor: Any
    agent: Any
    plies: Any
    streams: Any
    moves: Any
    winner: Any


class Board(NamedTuple):
    """The numbers and lines of a game, as bits.

    ``lines`` lists the lines through each number, which begin at ``starts``.
    ``after_pick[seat, completed, exhausted]`` is what follows from a pick of this player that
    completed a line or not, and took the last number or not.
    """

    full: Any
    starts: Any
    lines: Any
    after_pick: Any


@compiled
def _pick(free: Any, skip: Any) -> Any:
    """The place of the first bit after skipping a number of them."""
    for _ in range(skip):
        free &= free - _ONE
    place = 0
    while not free & _ONE:
        free >>= _ONE
        place += 1
    return place


@compiled
def _draw_free(i: Any, streams: Any, hands: Any, full: Any) -> Any:
    """The place of a random free number."""
    free = full ^ (hands[i, 0] | hands[i, 1])
    count = 0
    bits = free
    while bits:
        bits &= bits - _ONE
        count += 1
    return _pick(free, draw(streams[i], count))


@compiled
def _completes(hand: Any, place: Any, board: Board) -> Any:
    """Whether this hand holds a line through the number at this place."""
    for at in range(board.starts[place], board.starts[place + 1]):
        if hand & board.lines[at] == board.lines[at]:
            return True
    return False


@compiled
def _claim(i: Any, place: Any, games: Games, board: Board) -> None:
    """Claim a number for the player to act, and do what follows."""
    mover, hands = games.actor[i], games.hands
    if games.plies[i] < games.moves.shape[1]:
        games.moves[i, games.plies[i]] = place
    games.plies[i] += 1
    hand = hands[i, mover - 1] | (_ONE << numpy.uint64(place))
    hands[i, mover - 1] = hand
    completed = numpy.int64(_completes(hand, place, board))
    exhausted = numpy.int64(hands[i, 0] | hands[i, 1] == board.full)
    follows = board.after_pick[mover, completed, exhausted]
    if follows < ENDING:
        games.actor[i] = follows
    elif follows == ENDING:
        games.winner[i] = ASK_JUDGE
    else:
        games.winner[i] = follows - WON


@compiled
def _reply(i: Any, limit: Any, games: Games, board: Board) -> None:
    """Let a random opponent move until it is the agent's turn, the end, or the limit."""
    while (
        games.winner[i] == UNDECIDED
        and games.actor[i] != games.agent[i]
        and (limit == 0 or games.plies[i] < limit)
    ):
        games.streams[i] += STRIDE
        _claim(i, _draw_free(i, games.streams, games.hands, board.full), games, board)


@compiled
def start(
    first: int, last: int, which: Any, games: Games, board: Board, plays_itself: bool
) -> None:
    """Set up these games and let the opponent move first, where it does."""
    for i in range(first, last):
        if which[i]:
            games.hands[i, 0] = games.hands[i, 1] = 0
            games.winner[i] = UNDECIDED
            if not plays_itself:
                _reply(i, 0, games, board)


@compiled
def play(
    first: int,
    last: int,
    actions: Any,
    going: Any,
    ends: Any,
    faults: Any,
    games: Games,
    board: Board,
    plays_itself: bool,
    limit: int,
) -> None:
    """Play one action of the agent and the replies to it, in the games that are ``going``."""
    size = board.starts.shape[0] - 1
    for i in range(first, last):
        if not going[i]:
            continue
        ends[i] = GOES_ON
        if games.winner[i] == UNDECIDED:
            action = actions[i]
            free = board.full ^ (games.hands[i, 0] | games.hands[i, 1])
            if not (0 <= action < size and (free >> numpy.uint64(action)) & _ONE):
                faults[i] = True
                ends[i] = TERMINATED
                continue
            _claim(i, action, games, board)
            if not plays_itself:
                _reply(i, limit, games, board)
        if games.winner[i] != UNDECIDED:
            ends[i] = TERMINATED
        elif limit != 0 and games.plies[i] >= limit:
            ends[i] = TRUNCATED


@compiled
def show(
    first: int, last: int, which: Any, hands: Any, viewers: Any, full: Any, views: Any
) -> None:
    """Write the planes own, opponent and available of these games."""
    size = views.shape[2]
    for i in range(first, last):
        if which[i]:
            own, other = hands[i, viewers[i] - 1], hands[i, 2 - viewers[i]]
            free = full ^ (own | other)
            for place in range(size):
                bit = numpy.uint64(place)
                views[i, 0, place] = (own >> bit) & _ONE
                views[i, 1, place] = (other >> bit) & _ONE
                views[i, 2, place] = (free >> bit) & _ONE


@compiled
def sample(
    first: int, last: int, streams: Any, hands: Any, winner: Any, full: Any, actions: Any
) -> None:
    """Draw a free number for each game; 0 if the game is over."""
    for i in range(first, last):
        streams[i] += STRIDE
        actions[i] = 0
        if winner[i] == UNDECIDED:
            actions[i] = _draw_free(i, streams, hands, full)
