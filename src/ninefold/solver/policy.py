"""The perfect player's choice, said once for every kind of board that has exact scores.

It wins as soon as it can. Else, of the moves that keep what it has, it takes those after which most
replies throw something away, and of these the ones that lose latest.
"""

from collections.abc import Callable, Sequence

from ninefold.solver.scores import sign_of


def perfect_choices(scores: Sequence[int], traps_after: Callable[[int], int]) -> list[int]:
    """The places of the perfect moves, from the score of each move for its maker.

    ``traps_after`` counts the traps behind the move at a place. Scores need only be positive for
    wins and negative for losses, and higher where the move is better.
    """
    best = max(scores)
    if best > 0:
        return [place for place, score in enumerate(scores) if score == best]
    ranks = {
        place: (traps_after(place), score)
        for place, score in enumerate(scores)
        if (score < 0) == (best < 0)
    }
    top = max(ranks.values())
    return [place for place, rank in ranks.items() if rank == top]


def traps(scores: Sequence[int]) -> int:
    """How many of these moves throw away what the best ones keep."""
    signs = [sign_of(score) for score in scores]
    best = max(signs, default=0)
    return sum(sign < best for sign in signs)
