"""Tournaments by the protocol of a published benchmark, and its score.

gg-bench (Verma and others, 2025, arXiv 2505.07215): a model plays 30 games of each game against a
fixed opponent and begins every second one; it is shown the rules, the position and the legal moves,
and has five attempts per move, each with the same prompt. See docs/evaluating-models.md for what
is the same here and what differs.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, Final

from ninefold import books
from ninefold.arena.faults import KNOWN
from ninefold.core.text import NamedTuple
from ninefold.players import LLM

GG_BENCH: Final = "gg-bench"
PRESETS: Final = (GG_BENCH,)
GAMES_EACH, ATTEMPTS, MOST_MOVES = 30, 5, 200
OPPONENT = "level:3"
# How the model is asked, unless the player says otherwise.
_ASKED = {"legal": "yes", "think": "no", "retries": str(ATTEMPTS - 1), "follow-up": "no"}
# Of a normal distribution, as in gg-bench's own report.
_DEVIATES = 1.96


def gg_bench(
    players: Sequence[Mapping[str, str]],
    games: Sequence[Mapping[str, Any]] = (),
    opponent: str = OPPONENT,
    seed: int = 0,
) -> dict[str, Any]:
    """The fields of a tournament by gg-bench's protocol; without games, all built-in ones."""
    entrants = [{**each, "player": _asked(each["player"])} for each in players]
    return {
        "format": "gauntlet",
        "seed": seed,
        "rounds": GAMES_EACH // 2,  # pairs of games: whoever began the first is second in the other
        "most-moves": MOST_MOVES,
        "players": [{"player": opponent}, *entrants],
        "games": [*games] or [{"game": name} for name in books.names()],
    }


def _asked(player: str) -> str:
    """A model with the options of the protocol; those that are given already stay."""
    if not player.startswith(LLM):
        return player
    model, _, given = player.partition("?")
    options = dict(pair.partition("=")[::2] for pair in given.split("&") if pair)
    return f"{model}?{'&'.join(f'{name}={value}' for name, value in (_ASKED | options).items())}"


class GameScore(NamedTuple):
    """The games of one player at one game; ``faulted`` ended with a fault of the player."""

    game: str
    wins: int
    losses: int
    draws: int
    faulted: int

    @property
    def win_rate(self) -> float | None:
        """As gg-bench's report computes it: games that ended with a fault are left out."""
        finished = self.wins + self.losses + self.draws
        return self.wins / finished if finished else None


class GgBenchScore(NamedTuple):
    """The score of one player: the mean over games of the win rate, with its 95% interval.

    ``win_rate_of_all`` counts games that ended with a fault as lost.
    """

    player: str
    win_rate: float | None
    interval: tuple[float, float] | None
    win_rate_of_all: float
    games: tuple[GameScore, ...]

    def as_data(self) -> dict[str, Any]:
        """The score for programs."""
        games = [{**one._asdict(), "win_rate": one.win_rate} for one in self.games]
        return {**self._asdict(), "games": games}


def gg_bench_scores(rows: Iterable[Mapping[str, Any]], opponent: str) -> list[GgBenchScore]:
    """The score of everybody who met the opponent, in the order of the games."""
    counts: dict[str, dict[str, dict[str, int]]] = {}
    for row in rows:
        if opponent not in row["players"]:
            continue
        seat = 2 if row["players"][0] == opponent else 1
        player, game = row["players"][seat - 1], _label(row)
        none = {"wins": 0, "losses": 0, "draws": 0, "faulted": 0}
        found = counts.setdefault(player, {}).setdefault(game, none)
        found[_result(row, seat)] += 1
    return [
        _score(player, [GameScore(game, **found) for game, found in games.items()])
        for player, games in counts.items()
    ]


def _label(row: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (row["book"], row["reading"], *row["changes"])))


def _result(row: Mapping[str, Any], seat: int) -> str:
    if row["winner"] is None:
        return "draws"
    if row["winner"] == seat:
        return "wins"
    return "faulted" if row["reason"] in KNOWN else "losses"


def _score(player: str, games: Sequence[GameScore]) -> GgBenchScore:
    rates = [one.win_rate for one in games if one.win_rate is not None]
    mean = sum(rates) / len(rates) if rates else None
    played = [sum(one[1:]) for one in games]
    of_all = sum(one.wins / many for one, many in zip(games, played, strict=True)) / len(games)
    interval = None
    if mean is not None and len(rates) > 1:
        variance = sum((rate - mean) ** 2 for rate in rates) / (len(rates) - 1)
        wide = _DEVIATES * sqrt(variance / len(rates))
        interval = max(0.0, mean - wide), min(1.0, mean + wide)
    return GgBenchScore(player, mean, interval, of_all, tuple(games))
