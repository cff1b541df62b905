"""Sequential testing of two versions: play pairs of games until it is known which is better.

It is a generalised sequential probability ratio test over the five results of a pair of games.
Two hypotheses about the share of points of the first version are compared by the likelihood that
each gives to the results, under whatever distribution suits it best.
"""

from collections import Counter
from collections.abc import Sequence
from math import log
from typing import TYPE_CHECKING, Literal, NamedTuple

from ninefold.arena.formats.pairing import Pairing, Results

if TYPE_CHECKING:
    from ninefold.arena.tournament import Tournament
    from ninefold.books.faults import Table

# A result that has not occurred counts as this much: after wins alone, a loss is still possible.
NEVER = 1e-3
_SHARES = (0.0, 0.25, 0.5, 0.75, 1.0)
_STEPS = 100
MOST_ELO = 2_000.0


def score_of(elo: float) -> float:
    """The share of points that a difference of ratings stands for."""
    return float(1 / (1 + 10 ** (-elo / 400)))


class Hypotheses(NamedTuple):
    """The share of points of the first version under either one, and how often the test may err."""

    score0: float = 0.5
    score1: float = score_of(10.0)
    alpha: float = 0.05
    beta: float = 0.05
    batch: int = 32  # pairs of games between two looks at the results

    @staticmethod
    def read(table: "Table") -> "Hypotheses":
        """The hypotheses of a tournament; notes what is wrong with them."""
        usual = Hypotheses()
        score0 = _score(table, "elo0", "score0", usual.score0)
        score1 = _score(table, "elo1", "score1", usual.score1)
        alpha, beta = (_number(table, name, 1e-6, 0.5, 0.05) for name in ("alpha", "beta"))
        batch = int(_number(table, "batch", 1, 100_000, usual.batch, whole=True))
        if score0 >= score1:
            key = "elo1" if "elo1" in table.data else "score1"
            table.fault(key, f"must be more than {key[:-1]}0")
        return Hypotheses(score0, score1, alpha, beta, batch)

    def fields(self) -> dict[str, float]:
        """The same as fields of a file."""
        return self._asdict()

    @property
    def bounds(self) -> tuple[float, float]:
        """The log-likelihood ratios at which the first or the second hypothesis is accepted."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)


def _number(
    table: "Table", key: str, least: float, most: float, default: float, whole: bool = False
) -> float:
    value = table.data.get(key, default)
    kinds = (int,) if whole else (int, float)
    if type(value) in kinds and least <= value <= most:
        return float(value)
    table.wrong(key, f"a {'whole ' if whole else ''}number from {least:g} to {most:g}")
    return default


def _score(table: "Table", elo: str, score: str, default: float) -> float:
    if elo in table.data and score in table.data:
        table.fault(elo, f"must not be there together with {score}")
    if elo in table.data:
        return score_of(_number(table, elo, -MOST_ELO, MOST_ELO, 0.0))
    return _number(table, score, 1e-3, 1 - 1e-3, default)


class Verdict(NamedTuple):
    """Where a test stands: the log-likelihood ratio, its bounds, and what is accepted if any."""

    decision: Literal["better", "not better", "open"]
    ratio: float
    lower: float
    upper: float
    pairs: int
    score: float  # the share of points of the first version


def judge(counts: Counter[int], test: Hypotheses) -> Verdict:
    """What these results of pairs say, from 0 (both games lost) to 4 (both won)."""
    pairs, (lower, upper) = counts.total(), test.bounds
    if not pairs:
        return Verdict("open", 0.0, lower, upper, 0, 0.5)
    ratio = likelihood_ratio([counts[result] for result in range(5)], test.score0, test.score1)
    score = sum(result * count for result, count in counts.items()) / (4 * pairs)
    decision: Literal["better", "not better", "open"] = "open"
    if not lower < ratio < upper:
        decision = "better" if ratio >= upper else "not better"
    return Verdict(decision, ratio, lower, upper, pairs, score)


def likelihood_ratio(counts: Sequence[float], score0: float, score1: float) -> float:
    """How much more likely the second share of points makes these results, as a logarithm."""
    seen = [max(count, NEVER) for count in counts]
    total = sum(seen)
    shares = [count / total for count in seen]
    tilts = [(_tilt(shares, score), score) for score in (score0, score1)]
    ratio = 0.0
    for share, value in zip(shares, _SHARES, strict=True):
        first, second = (1 + tilt * (value - score) for tilt, score in tilts)
        ratio += share * log(first / second)
    return total * ratio


def _tilt(shares: Sequence[float], score: float) -> float:
    """How the most likely distribution with this mean differs from what was seen.

    It gives each value ``share / (1 + tilt * (value - score))``. The tilt is found by bisection:
    the mean of that distribution less the score falls as the tilt grows.
    """
    low, high = -1 / (1 - score), 1 / score
    for _ in range(_STEPS):
        tilt = (low + high) / 2
        off = sum(
            share * (value - score) / (1 + tilt * (value - score))
            for share, value in zip(shares, _SHARES, strict=True)
        )
        low, high = (tilt, high) if off > 0 else (low, tilt)
    return (low + high) / 2


def explain(verdict: Verdict, test: Hypotheses, names: tuple[str, str]) -> str:
    """The verdict in plain words."""
    one, two = names
    scored = f"After {verdict.pairs:,} pairs of games it has {verdict.score:.1%} of the points"
    if verdict.decision == "open":
        what = f"It is not known yet whether {one} is better than {two}."
    elif test.score1 > 0.5:
        no = f"{one} is not better than {two}, or not by as much as was asked."
        what = f"{one} is better than {two}." if verdict.decision == "better" else no
    else:  # only a loss of strength was looked for
        no = f"{one} is not worse than {two}, or not by as much as was asked."
        what = no if verdict.decision == "better" else f"{one} is worse than {two}."
    ratio = f"log-likelihood ratio {verdict.ratio:.2f}"
    bounds = f"decided at {verdict.lower:.2f} and {verdict.upper:.2f}"
    asked = f"{test.score0:.1%} against {test.score1:.1%}"
    return f"{what} {scored} ({asked}: {ratio}, {bounds})."


class Sequential:
    """Rounds of a fixed number of pairs, until the test knows, or the last pair was played."""

    needs_results = True
    players = 2, "exactly two players"

    def most_pairings(self, tournament: "Tournament") -> int:  # noqa: ARG002 - the same for all
        """There is only one."""
        return 1

    def next_round(self, tournament: "Tournament", results: Results) -> Sequence[Pairing]:
        """The next pairs of games, unless the results decide the test."""
        if self.verdict(tournament, results).decision != "open":
            return ()
        batch, first = tournament.test.batch, results.rounds * tournament.test.batch
        return [
            Pairing(results.rounds + 1, game, 0, 1, first, min(batch, left))
            for game in range(len(tournament.games))
            if (left := tournament.pairs(game) - first) > 0
        ]

    def verdict(self, tournament: "Tournament", results: Results) -> Verdict:
        """Where the test stands after these results."""
        return judge(sum(results.complete.values(), Counter[int]()), tournament.test)


SEQUENTIAL = Sequential()
