"""How well an entrant played: every figure with its interval, from the arrays of a tournament.

A win is worth 1, a draw 1/2, a loss 0. Something is at stake where legal moves differ in result.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from ninefold.arena.faults import KNOWN
from ninefold.arena.scores.table import NO_DEPTH, UNKNOWN, Table
from ninefold.arena.statistics.estimates import Estimate, ratio, share

Array = Any
# Longer wins share a row.
MOST_DEPTH = 9


class Kept(NamedTuple):
    """Value kept out of value available: in all, by who began the game, and by who did not."""

    both: Estimate | None
    first: Estimate | None
    second: Estimate | None


class Results(NamedTuple):
    """How the games of an entrant ended; forfeits are also counted as losses."""

    score: Estimate | None
    wins: Estimate | None
    draws: Estimate | None
    losses: Estimate | None
    forfeits: Estimate | None


class Costs(NamedTuple):
    """What an entrant used up, in all; 0 for built-in players."""

    tokens: float
    seconds: float
    cost: float


class Figures(NamedTuple):
    """Everything about one entrant, in one game or in all of them."""

    games: int
    pairs: int
    decisions: int  # of which the value is known
    unknown: int  # decisions of which it is not known
    at_stake: int
    kept: Kept
    regret: Estimate | None  # per decision at stake
    blunders: Estimate | None  # of decisions in positions that are not lost
    only_wins: Estimate | None
    only_draws: Estimate | None
    only_wins_by_depth: Mapping[int, Estimate]
    regret_by_move: Mapping[int, Estimate]
    regret_by_depth: Mapping[int, Estimate]
    results: Results
    faults: Mapping[str, Estimate]  # per decision asked for
    costs: Costs


class Decisions:
    """The decisions of one entrant in some of the games, ready to be summed by pair."""

    def __init__(self, table: Table, player: int, cell: int | None) -> None:
        import numpy as np

        games, rows = table.games, table.decisions
        own = rows["player"] == player
        if cell is not None:
            own &= games["cell"][rows["game"]] == cell
        known = own & (rows["before"] != UNKNOWN) & (rows["after"] != UNKNOWN)
        known &= rows["worst"] != UNKNOWN
        self.asked = int(own.sum())
        self._at, self._pairs = games["pair"][rows["game"][known]], table.pairs
        self.ply, self.began = rows["ply"][known], rows["began"][known] == 1
        self.before, self.depth = rows["before"][known], rows["depth"][known]
        worst = np.minimum(rows["worst"][known], self.before)
        # A turn lost on the clock is not a choice, and could even gain something.
        self.after = np.clip(rows["after"][known], worst, self.before)
        self.stake = worst < self.before
        self.only = self.stake & (rows["good"][known] == 1)
        self.available = (self.before - worst) / 2
        self.kept = (self.after - worst) / 2
        self.lost = (self.before - self.after) / 2

    def __len__(self) -> int:
        return len(self._at)

    def sums(self, values: Array, where: Array | None = None) -> Array:
        """The sum of these values in each pair of games."""
        import numpy as np

        at, weights = (self._at, values) if where is None else (self._at[where], values[where])
        return np.bincount(at, weights=weights, minlength=self._pairs)

    def ratio(self, tops: Array, bottoms: Array, where: Array) -> Estimate | None:
        """One sum out of another with its bootstrap interval, where something is at stake."""
        found = ratio(self.sums(tops, where), self.sums(bottoms, where))
        # What it is a mean of are decisions, whatever they are worth.
        return None if found is None else found._replace(n=int(where.sum()))

    def share(self, events: Array, where: Array) -> Estimate | None:
        """How often something happened, with its Wilson interval."""
        return share(self.sums(events * 1.0, where), self.sums(where * 1.0, where))

    def regret(self, where: Array) -> Estimate | None:
        """Value lost per decision."""
        return self.ratio(self.lost, where * 1.0, where)


def figures_of(table: Table, player: int, cell: int | None = None) -> Figures:
    """The figures of an entrant, in one game or in all of them."""
    one = Decisions(table, player, cell)
    stake, winning = one.stake, one.before == 1
    kept = [one.ratio(one.kept, one.available, stake & seat) for seat in _seats(one)]
    found = one.after == one.before
    only_wins, only_draws = one.only & winning, one.only & (one.before == 0)
    by_depth = _by_depth(one)
    games, results = results_of(table, player, cell)
    return Figures(
        games=games,
        pairs=results.score.pairs if results.score else 0,
        decisions=len(one),
        unknown=one.asked - len(one),
        at_stake=int(stake.sum()),
        kept=Kept(*kept),
        regret=one.regret(stake),
        blunders=one.share(one.after < one.before, one.before >= 0),
        only_wins=one.share(found, only_wins),
        only_draws=one.share(found, only_draws),
        only_wins_by_depth=_each(by_depth, lambda at: one.share(found, only_wins & at)),
        regret_by_move=_each(_by_move(one), lambda at: one.regret(stake & at)),
        regret_by_depth=_each(by_depth, lambda at: one.regret(stake & winning & at)),
        results=results,
        faults=faults_of(table, player, cell),
        costs=costs_of(table, player, cell),
    )


def _seats(one: Decisions) -> tuple[Array, Array, Array]:
    return one.began | ~one.began, one.began, ~one.began


def _by_depth(one: Decisions) -> dict[int, Array]:
    """Decisions by how many moves the win takes; the longest are together."""
    depths = sorted({*one.depth[(one.depth != NO_DEPTH) & (one.before == 1)].tolist()})
    found = {depth: one.depth == depth for depth in depths if depth < MOST_DEPTH}
    if any(depth >= MOST_DEPTH for depth in depths):
        found[MOST_DEPTH] = one.depth >= MOST_DEPTH
    return found


def _by_move(one: Decisions) -> dict[int, Array]:
    """Decisions by the number of the move, while something is at stake; at most a hundred."""
    moves = sorted({*one.ply[one.stake].tolist()})[:100]
    return {ply: one.ply == ply for ply in moves}


def _each(groups: Mapping[int, Array], figure: Any) -> dict[int, Estimate]:
    found = {key: figure(where) for key, where in groups.items()}
    return {key: value for key, value in found.items() if value is not None}


def own_games(table: Table, player: int, cell: int | None) -> Array:
    """Which games an entrant played, as a mask."""
    games = table.games
    own = (games["one"] == player) | (games["two"] == player)
    return own if cell is None else own & (games["cell"] == cell)


def results_of(table: Table, player: int, cell: int | None) -> tuple[int, Results]:
    """How many games an entrant played, and how they ended."""
    import numpy as np

    games = table.games
    own = own_games(table, player, cell)
    count = int(own.sum())
    seat = np.where(games["one"][own] == player, 1, 2)
    winner, forfeit = games["winner"][own], games["forfeit"][own]
    _, at = np.unique(games["pair"][own], return_inverse=True)
    trials = np.bincount(at)
    won, drawn = winner == seat, winner == 0

    def summed(events: Array) -> Array:
        return np.bincount(at, weights=events * 1.0, minlength=len(trials))

    ends = (won, drawn, ~won & ~drawn, forfeit == seat)
    score = ratio(summed(won + drawn / 2), trials)
    return count, Results(score, *(share(summed(end), trials) for end in ends))


def faults_of(table: Table, player: int, cell: int | None) -> dict[str, Estimate]:
    """The faults of each kind per decision asked for: a move, or a forfeit instead of one."""
    import numpy as np

    games, faults, rows = table.games, table.faults, table.decisions
    own = own_games(table, player, cell)
    own &= ~np.isin(games["cell"], [*table.unjudged])  # nobody knows whose moves those are
    at, pairs = games["pair"], table.pairs
    made = rows["player"] == player
    asked = np.bincount(at[rows["game"][made & own[rows["game"]]]], minlength=pairs)
    seat = np.where(games["one"] == player, 1, 2)
    asked = asked + np.bincount(at[own & (games["forfeit"] == seat)], minlength=pairs)
    found = {}
    mine = (faults["player"] == player) & own[faults["game"]]
    for kind, name in enumerate(KNOWN):
        of_kind = faults["game"][mine & (faults["kind"] == kind)]
        counts = np.bincount(at[of_kind], minlength=pairs)
        estimate = share(np.minimum(counts, asked), asked)
        if estimate is not None:
            found[name] = estimate
    return found


def costs_of(table: Table, player: int, cell: int | None) -> Costs:
    """Tokens, seconds and money that an entrant used."""
    games = table.games
    own = own_games(table, player, cell)
    ones, twos = own & (games["one"] == player), own & (games["two"] == player)
    return Costs(
        *(
            float(games[f"{name}1"][ones].sum() + games[f"{name}2"][twos].sum())
            for name in ("tokens", "seconds", "cost")
        )
    )
