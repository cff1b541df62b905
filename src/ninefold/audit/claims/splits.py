"""Hands and splits without a winning set: found, or shown not to exist by trying them all."""

from itertools import count, pairwise

from ninefold.core.game import Game
from ninefold.solver.breadth_first import TooLarge

MAX_STEPS = 300_000


def split_without_set(game: Game, sizes: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """Two hands without a set, of these sizes or of the whole pool, if any; raises TooLarge."""
    if game.whole:
        raise TooLarge  # more numbers may spoil a hand that wins as a whole
    steps = count()
    most = sizes or (len(game.pool), len(game.pool))
    ending_at: list[list[int]] = [[] for _ in game.pool]
    for line in game.lines.values():
        ending_at[line.bit_length() - 1].append(line)

    def share(at: int, one: int, two: int) -> tuple[int, int] | None:
        if next(steps) > MAX_STEPS:
            raise TooLarge
        left = len(game.pool) - at
        need = most[0] - one.bit_count() + most[1] - two.bit_count() if sizes else left
        if need > left:
            return None
        if not need:
            return one, two
        bit = 1 << at
        for first, second in ((one | bit, two), (one, two | bit)):
            fits = first.bit_count() <= most[0] and second.bit_count() <= most[1]
            closed = any(line in (line & first, line & second) for line in ending_at[at])
            if fits and not closed and (found := share(at + 1, first, second)):
                return found
        return share(at + 1, one, two) if need < left else None

    return share(0, 0, 0)


def theorem_words(game: Game) -> str:
    """The theorem that says that every split of this pool has a set; empty if none is known."""
    pool = game.pool
    steps = {high - low for low, high in pairwise(pool)}
    for pattern in game.rules.wins:
        length = dict(pattern.parameters).get("length")
        if pattern.family == "arithmetic" and len(steps) == 1:
            for terms, numbers in ((3, 9), (4, 35)):
                if length == terms and len(pool) >= numbers:
                    return f" This confirms van der Waerden's theorem, W({terms};2) = {numbers}."
        if pattern.family == "sum-triple" and set(range(1, 10)) <= set(pool):
            schur = "Schur's theorem for different numbers, with the weak Schur number WS(2) = 8"
            return f" This confirms {schur}."
    return ""
