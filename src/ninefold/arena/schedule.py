"""Chunks of a pairing: which games they are, with the same ids, seeds and openings in every run."""

from collections.abc import Iterator
from hashlib import blake2b
from typing import NamedTuple

from ninefold.arena.formats import Pairing
from ninefold.arena.game import Limits, Start
from ninefold.arena.play import play_games
from ninefold.arena.results import dumps, heading
from ninefold.arena.tournament import Tournament

# Pairs of games that are played in step. It never depends on the speed of a machine: what a batched
# agent computes can depend on how many observations it is given.
BLOCK = 128


class Chunk(NamedTuple):
    """Some pairs of a pairing; ``done`` are the ids of their games that were played before."""

    pairing: Pairing
    done: frozenset[str] = frozenset()


class Schedule:
    """The games of a tournament; every process of it has one."""

    def __init__(self, tournament: Tournament, folder: str = "", processes: int = 1) -> None:
        self.tournament, self._key = tournament, tournament.key
        limits = tournament.time_limit, tournament.retries, tournament.most_moves
        self._limits = Limits(*limits, folder, processes)
        # A game that cost money is passed on at once: nobody pays for it twice.
        self.is_costly = bool(folder)
        self._about = [
            f'"book":{dumps(played.book)},"reading":{dumps(played.reading)},'
            f'"changes":{dumps(played.changes)},'
            f'"rules":"{played.game.fingerprint}"'
            for played in tournament.games
        ]

    def pair(self, pairing: Pairing, number: int) -> str:
        """The id of a pair of games."""
        what = f"{self._key}:{pairing.round}:{pairing.game}:{pairing.one}:{pairing.two}:{number}"
        return blake2b(what.encode(), digest_size=8).hexdigest()

    def pairs(self, pairing: Pairing) -> Iterator[str]:
        """The ids of all its pairs."""
        for number in range(pairing.first, pairing.first + pairing.pairs):
            yield self.pair(pairing, number)

    def play(self, chunk: Chunk) -> Iterator[list[str]]:
        """The rows of the games that were not played before; raises NinefoldError."""
        pairing = chunk.pairing
        one, two = (self.tournament.players[at].who for at in (pairing.one, pairing.two))
        game = self.tournament.games[pairing.game].game
        starts = [*self._starts(pairing)]
        for at in range(0, len(starts), 2 * BLOCK):
            block = starts[at : at + 2 * BLOCK]
            if not chunk.done.issuperset(start.heading.id for start in block):
                yield from play_games(game, (one, two), block, self._limits, chunk.done)

    def _starts(self, pairing: Pairing) -> Iterator[Start]:
        """Both games of every pair, with seats exchanged, and chance of its own in each."""
        openings = self.tournament.games[pairing.game].openings
        one, two = (dumps(self.tournament.players[at].name) for at in (pairing.one, pairing.two))
        about = f'"round":{pairing.round},{self._about[pairing.game]},"players":'
        seats = ((1, f"{about}[{one},{two}]", (0, 1)), (2, f"{about}[{two},{one}]", (1, 0)))
        texts = [*map(dumps, openings)]
        for number, pair in enumerate(self.pairs(pairing), pairing.first):
            at, first_seed = number % len(openings), int(pair[:12], 16)
            for seat, start, order in seats:
                # With the same chance, two alike would play the same game twice.
                seed = first_seed + seat - 1
                more = f'"first":1,"seed":{seed},"opening":{texts[at]}'
                yield Start(heading(pair, seat, f"{start},{more}"), order, openings[at], seed)
