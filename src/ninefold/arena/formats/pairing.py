"""A pairing of two players, and the results of pairings that were played."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple


class Pairing(NamedTuple):
    """Two entrants, by their places, who play pairs of games at one game."""

    round: int
    game: int
    one: int
    two: int
    first: int = 0  # the number of the first pair
    pairs: int = 0  # how many pairs of games


class Results:
    """Half points of each pair of games, by round: how much the first entrant of a pairing got.

    A pair has five results, from 0 (both games lost) to 4 (both won), whatever their order.
    """

    def __init__(self, names: Mapping[str, int]) -> None:
        self._places = names
        self._open: dict[str, int] = {}  # half points of pairs of which one game is known
        # How often each result occurred, by round and entrants; those with the lower place first.
        self.pairs: dict[tuple[int, int, int], Counter[int]] = {}
        self.rounds = 0  # how many rounds are complete

    def add(self, row: Mapping[str, Any]) -> None:
        """Count the game of a row."""
        one, two = (self._places[name] for name in row["players"])
        winner = row["winner"]
        points = 1 if winner is None else 2 if winner == 1 else 0
        points = points if one < two else 2 - points
        pair = row["pair"]
        if pair not in self._open:
            self._open[pair] = points
            return
        key = row["round"], min(one, two), max(one, two)
        self.pairs.setdefault(key, Counter())[self._open.pop(pair) + points] += 1

    @property
    def complete(self) -> dict[tuple[int, int, int], Counter[int]]:
        """The results of the complete rounds, which alone decide what comes next."""
        return {key: pairs for key, pairs in self.pairs.items() if key[0] <= self.rounds}

    @property
    def incomplete(self) -> int:
        """How many pairs have only one game so far."""
        return len(self._open)
