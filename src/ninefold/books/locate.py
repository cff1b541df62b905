"""From a fault to its place: in the file, in one of its readings, or in a book it extends."""

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from ninefold.books.faults import Fault, Keys, Place, format_path
from ninefold.books.positions import index
from ninefold.books.safety import shown
from ninefold.books.sources import INHERITED, VIEW, Source

_index = lru_cache(maxsize=16)(index)


def locate(keys: Keys, chain: Sequence[Source], reading: str) -> tuple[Place, Keys]:
    """Where the field stands, or the nearest table around it, and the path it has there."""
    for length in range(len(keys), 0, -1):
        for place, found in _candidates(keys[:length], chain, reading):
            return place, (*found, *keys[length:])
    return Place(""), keys


def _candidates(keys: Keys, chain: Sequence[Source], reading: str) -> Iterator[tuple[Place, Keys]]:
    """The places of this very field, the one that is in force first."""
    paths = [keys]
    if reading and keys[0] in VIEW:
        paths.insert(0, ("readings", reading, *keys))
    # What a book says about itself is not inherited; a list is, but whole.
    sources = chain if keys[0] in INHERITED else chain[:1]
    parts = [at for at, key in enumerate(keys) if isinstance(key, int)]
    for path in paths:
        whole = path[: len(path) - len(keys) + parts[0]] if parts else ()
        for source in sources:
            places = _index(source.text)
            if place := places.get(path):
                file = "" if source is chain[0] else shown(source.name, 100)
                yield place._replace(file=file), path
            elif whole and whole in places:
                return


def with_places(faults: Iterable[Fault], chain: Sequence[Source], reading: str) -> list[Fault]:
    """The faults, each with its place and the path it has there, in the order of the file."""
    placed = [_placed(fault, chain, reading) for fault in faults]
    return sorted(placed, key=lambda fault: fault.place or Place(""))


def _placed(fault: Fault, chain: Sequence[Source], reading: str) -> Fault:
    if fault.place is not None or not fault.keys:
        return fault
    place, keys = locate(fault.keys, chain, reading)
    return fault._replace(place=place, path=format_path(keys))
