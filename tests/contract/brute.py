"""Brute force over the naive definition: sweep over all states until nothing changes.

It shares nothing with the solver.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, lru_cache

from contract import naive
from contract.language import Written
from contract.walks import Case, Pair, Place, Playable, explore, explored, observed, playable

Known = tuple[str, int]
Child = tuple[object, bool, Known | None]


def judged(result: naive.Result | None, turn: int) -> Known | None:
    """Win, loss or draw for this player, if the game is over."""
    if result is None:
        return None
    return ("draw" if result.winner is None else "win" if result.winner == turn else "loss", 0)


class BruteForce:
    """The value of every state for the player to act, by sweeping until nothing changes."""

    def __init__(self, case: Playable, places: Sequence[Place] = ()) -> None:
        self.rules = case.rules
        self.places = places or list(explore(case))
        self.known: dict[object, Known] = {}
        turns = {place.what: place.state.turn for place in self.places}
        results = {
            # Where there is a move, the game goes on.
            place.what: None if place.leads_to else naive.result(self.rules, place.state)
            for place in self.places
        }

        def child(turn: int, there: object) -> Child:
            return there, turns[there] == turn, judged(results[there], turn)

        self._children = {
            place.what: {
                move: child(place.state.turn, there)
                for move, there in place.leads_to.items()
                if move != naive.LOST or self.rules.forfeits
            }
            for place in sorted(self.places, key=lambda place: -sum(map(len, place.state.hands)))
            if place.leads_to
        }
        children = [(key, list(moves.values())) for key, moves in self._children.items()]
        while self.sweep(children):
            pass

    @property
    def pairs(self) -> list[Pair]:
        """Every position, as the naive definition and the engine see it."""
        return [(place.state, place.position) for place in self.places]

    def value(self, state: naive.State) -> Known:
        """What an unfinished state is worth to the player to act; a draw if nothing is known."""
        return self.known.get(observed(self.rules, state), ("draw", 0))

    def values(self, state: naive.State) -> dict[naive.Move, Known]:
        """What each move is worth to its maker; a draw if nothing is known."""
        children = self._children[observed(self.rules, state)]
        return {move: self.seen(child) or ("draw", 0) for move, child in children.items()}

    def moves(self, state: naive.State) -> list[naive.Move]:
        """What the player to act may choose."""
        return playable(self.rules, state, lost=False)

    def child(self, state: naive.State, move: naive.Move) -> Child:
        """Where a move leads, whether the same player acts there, and the result if it is over."""
        after = naive.play(self.rules, state, move)
        return (
            observed(self.rules, after),
            after.turn == state.turn,
            judged(naive.result(self.rules, after), state.turn),
        )

    def seen(self, child: Child) -> Known | None:
        """What is known of a move for its maker, the move itself counted."""
        key, same, over = child
        if over is not None:
            return over[0], 1
        known = self.known.get(key)
        if known is None:
            return None
        mine = {"win": "loss", "loss": "win"}.get(known[0], "draw") if not same else known[0]
        return mine, known[1] + 1

    def sweep(self, children: Sequence[tuple[object, list[Child]]]) -> bool:
        """Look at every state once more; whether anything was learnt."""
        learnt = False
        for key, moves in children:
            values = [self.seen(child) for child in moves]
            wins = [value[1] for value in values if value and value[0] == "win"]
            losses = [value[1] for value in values if value and value[0] == "loss"]
            known = None
            if wins:
                known = ("win", min(wins))
            elif len(losses) == len(values):
                known = ("loss", max(losses))
            if known and self.known.get(key) != known:
                self.known[key] = known
                learnt = True
        return learnt

    _children: dict[object, dict[naive.Move, Child]]

    def play(self, state: naive.State, moves: Iterable[naive.Move]) -> naive.State:
        """A state with the same future as the one these moves lead to; each must be legal."""
        what: object = observed(self.rules, state)
        for move in moves:
            what = self._children[what][move][0]
        return self._states[what]

    def result(self, state: naive.State) -> naive.Result | None:
        """How the game ended, or None while it goes on."""
        return self._results[observed(self.rules, state)]

    @cached_property
    def _states(self) -> dict[object, naive.State]:
        return {observed(self.rules, state): state for state, _ in self.pairs}

    @cached_property
    def _results(self) -> dict[object, naive.Result | None]:
        return {what: naive.result(self.rules, state) for what, state in self._states.items()}


@lru_cache(maxsize=3)
def brute_force(case: Case | Written) -> BruteForce:
    """The brute force of a case, made once for the tests of it that follow each other."""
    return BruteForce(case, explored(case))
