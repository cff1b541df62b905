"""Swiss: players with about the same score meet, and nobody meets the same player twice."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ninefold.arena.formats.pairing import Pairing, Results

if TYPE_CHECKING:
    from ninefold.arena.tournament import Tournament

# So many attempts to avoid all repetitions, before the nearest players meet again.
MOST_TRIES = 20_000


class Swiss:
    """Rounds whose pairings follow from the scores so far; with an odd number, one sits out."""

    needs_results = True
    players = 2, "at least two players"

    def most_pairings(self, tournament: "Tournament") -> int:
        """As many rounds as there are, of half the players each."""
        return tournament.swiss_rounds * (len(tournament.players) // 2)

    def next_round(self, tournament: "Tournament", results: Results) -> Sequence[Pairing]:
        """Pair neighbours in the ranking who have not met; empty after the last round."""
        number = results.rounds + 1
        if number > tournament.swiss_rounds:
            return ()
        met = {(one, two) for _, one, two in results.complete}
        rested = self._rested(tournament, results)
        return [
            Pairing(number, game, *pair, 0, tournament.pairs(game))
            for pair in pair_up(self.ranking(tournament, results), met, rested)
            for game in range(len(tournament.games))
        ]

    def ranking(self, tournament: "Tournament", results: Results) -> list[int]:
        """The entrants, the best score first; sitting out counts like winning every game."""
        scores = [0.0] * len(tournament.players)
        for (_, one, two), pairs in results.complete.items():
            share = sum(points * count for points, count in pairs.items()) / (4 * pairs.total())
            scores[one] += share
            scores[two] += 1 - share
        for player in self._rested(tournament, results):
            scores[player] += 1
        return sorted(range(len(scores)), key=lambda at: (-scores[at], at))

    def _rested(self, tournament: "Tournament", results: Results) -> list[int]:
        """Who sat out in each complete round."""
        everybody = range(len(tournament.players))
        rested = []
        for number in range(1, results.rounds + 1):
            playing = {at for key in results.complete if key[0] == number for at in key[1:]}
            rested += [at for at in everybody if at not in playing]
        return rested


def pair_up(
    ranking: Sequence[int], met: set[tuple[int, int]], rested: Sequence[int]
) -> list[tuple[int, int]]:
    """Pairs of neighbours who have not met, as far as possible; the lower place comes first.

    With an odd number, the lowest player sits out who has done so least often.
    """
    playing = [*ranking]
    if len(playing) % 2:
        playing.remove(min(reversed(playing), key=rested.count))
    tries = [MOST_TRIES]
    found = _pair(playing, met, tries) or _pair(playing, set(), [MOST_TRIES]) or []
    return [(min(pair), max(pair)) for pair in found]


def _pair(
    playing: Sequence[int], met: set[tuple[int, int]], tries: list[int]
) -> list[tuple[int, int]] | None:
    """A pairing of all of these without a repetition; None if there is none, or it takes long."""
    if not playing:
        return []
    tries[0] -= 1
    one, *others = playing
    for two in others:
        if tries[0] < 0:
            return None
        if (min(one, two), max(one, two)) in met:
            continue
        rest = _pair([each for each in others if each != two], met, tries)
        if rest is not None:
            return [(one, two), *rest]
    return None


SWISS = Swiss()
