"""Symmetries: the ways to rename the numbers of a pool that keep the winning sets."""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations, islice

from ninefold.core.game import Game

MAX_SYMMETRIES = 16
MAX_STEPS = 20_000


def symmetries(game: Game) -> list[tuple[int, ...]]:
    """Permutations of the pool's places that keep the sets, the identity first; perhaps not all."""
    size = len(game.pool)
    identity = tuple(range(size))
    # Only a draw at the end keeps every renaming fair; the other rules are about the numbers.
    if game.rules.ending or game.picks.limited or game.rules.losses or game.whole:
        return [identity]
    place = {number: at for at, number in enumerate(game.pool)}
    lines = {frozenset(place[number] for number in numbers) for numbers in game.sets}
    others = (
        images
        for images in _candidates(size, lines)
        if images != identity and {frozenset(images[at] for at in line) for line in lines} == lines
    )
    return [identity, *islice(others, MAX_SYMMETRIES - 1)]


def _candidates(size: int, lines: set[frozenset[int]]) -> Iterator[tuple[int, ...]]:
    """The permutations that keep, for every two places, how many sets hold both."""
    shared = Counter(pair for line in lines for pair in combinations(sorted(line), 2)) + Counter(
        (at, at) for line in lines for at in line
    )
    count = [[shared[min(a, b), max(a, b)] for b in range(size)] for a in range(size)]
    steps = 0

    def extend(images: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        nonlocal steps
        steps += 1
        if len(images) == size:
            yield images
            return
        row = count[len(images)]
        for image in range(size):
            if steps > MAX_STEPS:
                return
            longer = (*images, image)
            same = (row[at] == count[image][to] for at, to in enumerate(longer))
            if image not in images and all(same):
                yield from extend(longer)

    return extend(())


def byte_tables(images: tuple[int, ...]) -> list[list[int]]:
    """A renaming of places as one table for every byte of a mask."""
    return [
        [
            sum(1 << image for at, image in enumerate(images[low : low + 8]) if byte >> at & 1)
            for byte in range(256)
        ]
        for low in range(0, len(images), 8)
    ]


def rename(mask: int, tables: list[list[int]]) -> int:
    """The image of a mask."""
    image = 0
    for table in tables:
        image |= table[mask & 255]
        mask >>= 8
    return image
