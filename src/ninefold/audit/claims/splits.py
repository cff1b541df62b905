"""Hands and splits without a winning set: found, or shown not to exist by trying them all."""

from itertools import count, pairwise

from ninefold.core.game import Game

MAX_STEPS = 300_000


class TooManySteps(Exception):
    """It would take too long to try them all."""


def split_without_set(game: Game, sizes: tuple[int, int] | None = None) -> tuple[int, int] | None:
    """Two hands that hold no set and share no number; None if there are none.

    They have these sizes, or are the whole pool. Raises TooManySteps.
    """
    steps = count()
    through = _through(game)
    most = sizes or (len(game.pool), len(game.pool))

    def share(at: int, one: int, two: int) -> tuple[int, int] | None:
        if next(steps) > MAX_STEPS:
            raise TooManySteps
        left = len(game.pool) - at
        need = most[0] - one.bit_count() + most[1] - two.bit_count() if sizes else left
        if need > left:
            return None
        if not need:
            return one, two
        bit = 1 << at
        found = None
        if one.bit_count() < most[0] and not _closes(through[at], one | bit):
            found = share(at + 1, one | bit, two)
        if found is None and two.bit_count() < most[1] and not _closes(through[at], two | bit):
            found = share(at + 1, one, two | bit)
        if found is None and need < left:
            found = share(at + 1, one, two)
        return found

    return share(0, 0, 0)


def hand_without_set(game: Game, size: int) -> int | None:
    """The first hand of so many numbers that holds no set; None if all do. Raises TooManySteps."""
    found = split_without_set(game, (size, 0)) if size <= len(game.pool) else None
    return found[0] if found else None


def open_splits(game: Game) -> int:
    """In how many ways the whole pool, of at most 16 numbers, can be shared out without a set."""
    table = game.table
    assert table is not None
    return sum(not table[one] and not table[game.full ^ one] for one in range(game.full + 1))


def theorem(game: Game) -> str | None:
    """The theorem that says why every split of this pool has a set, if it is a known one."""
    pool = game.pool
    steps = {high - low for low, high in pairwise(pool)}
    for pattern in game.rules.wins:
        length = dict(pattern.parameters).get("length")
        if pattern.family == "arithmetic" and len(steps) == 1:
            for terms, numbers in ((3, 9), (4, 35)):
                if length == terms and len(pool) >= numbers:
                    return f"van der Waerden's theorem, W({terms};2) = {numbers}"
        if pattern.family == "sum-triple" and set(range(1, 10)) <= set(pool):
            return "Schur's theorem for different numbers, with the weak Schur number WS(2) = 8"
    return None


def _through(game: Game) -> list[list[int]]:
    """The sets that are complete, at the earliest, with each place."""
    found: list[list[int]] = [[] for _ in game.pool]
    for line in game.lines.values():
        found[line.bit_length() - 1].append(line)
    return found


def _closes(lines: list[int], hand: int) -> bool:
    return any(hand & line == line for line in lines)
