"""The inner loops over many games on a large pool, where a hand is a set of bits.

They know that players take turns, claim one number each, and win by completing a line; all else is
left to the judge. Import it only where Numba is installed.
"""

from typing import Any

import numpy

from ninefold.envs.batch.chance import STRIDE
from ninefold.envs.batch.kernels import compiled, draw
from ninefold.envs.batch.outcomes import GOES_ON, TERMINATED, TRUNCATED

# What ``winner`` holds beside 0 for a draw and the seat of a winner.
STILL_OPEN, FOR_THE_JUDGE = -1, 3
_ONE = numpy.uint64(1)


@compiled
def _pick(free: Any, skip: Any) -> Any:
    """The place of a bit, after so many others."""
    for _ in range(skip):
        free &= free - _ONE
    place = 0
    while not free & _ONE:
        free >>= _ONE
        place += 1
    return place


@compiled
def _count(bits: Any) -> Any:
    """How many bits there are."""
    count = 0
    while bits:
        bits &= bits - _ONE
        count += 1
    return count


@compiled
def _claim(
    i: Any,
    mover: Any,
    place: Any,
    hands: Any,
    moves: Any,
    plies: Any,
    full: Any,
    starts: Any,
    lines: Any,
) -> Any:
    """Claim a number; who has won by it, if anybody."""
    if plies[i] < moves.shape[1]:
        moves[i, plies[i]] = place
    plies[i] += 1
    hand = hands[i, mover - 1] | (_ONE << numpy.uint64(place))
    hands[i, mover - 1] = hand
    for at in range(starts[place], starts[place + 1]):
        if hand & lines[at] == lines[at]:
            return mover
    return FOR_THE_JUDGE if hands[i, 0] | hands[i, 1] == full else STILL_OPEN


@compiled
def _answer(
    i: Any,
    limit: Any,
    hands: Any,
    actor: Any,
    agent: Any,
    plies: Any,
    words: Any,
    moves: Any,
    winner: Any,
    full: Any,
    starts: Any,
    lines: Any,
) -> None:
    """Let a random opponent move until it is the agent's turn, the end, or the limit."""
    while winner[i] == STILL_OPEN and actor[i] != agent[i] and (limit == 0 or plies[i] < limit):
        free = full ^ (hands[i, 0] | hands[i, 1])
        words[i] += STRIDE
        place = _pick(free, draw(words[i], _count(free)))
        winner[i] = _claim(i, actor[i], place, hands, moves, plies, full, starts, lines)
        if winner[i] == STILL_OPEN:
            actor[i] = 3 - actor[i]


@compiled
def begin(
    first: int,
    last: int,
    which: Any,
    hands: Any,
    actor: Any,
    agent: Any,
    plies: Any,
    words: Any,
    moves: Any,
    winner: Any,
    full: Any,
    starts: Any,
    lines: Any,
    plays_itself: bool,
    flips: bool,
) -> None:
    """Begin these games anew, up to the agent's turn; the others are left alone."""
    for i in range(first, last):
        if not which[i]:
            continue
        hands[i, 0] = hands[i, 1] = 0
        actor[i], plies[i], winner[i] = 1, 0, STILL_OPEN
        for at in range(moves.shape[1]):
            moves[i, at] = -1
        if flips:
            agent[i] = 3 - agent[i]
        if not plays_itself:
            _answer(i, 0, hands, actor, agent, plies, words, moves, winner, full, starts, lines)


@compiled
def advance(
    first: int,
    last: int,
    actions: Any,
    fresh: Any,
    hands: Any,
    actor: Any,
    agent: Any,
    plies: Any,
    words: Any,
    moves: Any,
    winner: Any,
    viewers: Any,
    ends: Any,
    faults: Any,
    full: Any,
    starts: Any,
    lines: Any,
    plays_itself: bool,
    limit: int,
) -> None:
    """Play one action of the agent in each game that is not fresh, and the answers."""
    size = starts.shape[0] - 1
    for i in range(first, last):
        ends[i] = GOES_ON
        faults[i] = False
        if fresh[i]:
            continue
        viewers[i] = actor[i] if plays_itself else agent[i]
        if winner[i] == STILL_OPEN:
            action = actions[i]
            free = full ^ (hands[i, 0] | hands[i, 1])
            if not (0 <= action < size and (free >> numpy.uint64(action)) & _ONE):
                faults[i] = True
                ends[i] = TERMINATED
                continue
            winner[i] = _claim(i, actor[i], action, hands, moves, plies, full, starts, lines)
            if winner[i] == STILL_OPEN:
                actor[i] = 3 - actor[i]
                if not plays_itself:
                    _answer(
                        i,
                        limit,
                        hands,
                        actor,
                        agent,
                        plies,
                        words,
                        moves,
                        winner,
                        full,
                        starts,
                        lines,
                    )
        if winner[i] != STILL_OPEN:
            ends[i] = TERMINATED
        elif limit != 0 and plies[i] >= limit:
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
    first: int, last: int, words: Any, hands: Any, winner: Any, full: Any, actions: Any
) -> None:
    """Draw a free number of each game; 0 where it is over."""
    for i in range(first, last):
        words[i] += STRIDE
        actions[i] = 0
        if winner[i] == STILL_OPEN:
            free = full ^ (hands[i, 0] | hands[i, 1])
            actions[i] = _pick(free, draw(words[i], _count(free)))
