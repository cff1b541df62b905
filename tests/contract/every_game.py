"""Every game of a small pool, one by one, by plain recursion over the naive definition.

It shares nothing with the auditor, whose figures are compared with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import cache
from typing import NamedTuple

from contract import naive
from contract.naive_limits import compared

Ends = tuple[Fraction, Fraction, Fraction, Fraction]
FIRST = naive.start(1)


class Final(NamedTuple):
    """A final position: the hands, who won and why, the families that decided, who is stuck.

    ``stuck`` is whether numbers are left, no set decides, and no hand is full.
    """

    hands: tuple[object, object]
    winner: int | None
    reason: str
    families: frozenset[str]
    stuck: bool = False


class EveryGame:
    """What every game of these rules comes to.

    ``references`` are single numbers that the rules can ask about: the last one, one's own first.
    """

    def __init__(self, rules: naive.Rules, references: Iterable[str] = ()) -> None:
        self.rules = rules
        self._references = [(seat, name) for seat in (1, 2) for name in references]
        self.value = cache(self._value)
        self.finals: set[Final] = set()
        self.lengths: Counter[int] = Counter()
        self.open: set[object] = set()
        self.flawless: set[Final] = set()
        self._play_all(FIRST, 0, True)

    def _play_all(self, state: naive.State, plies: int, clean: bool) -> None:
        """Play every game from here; ``clean`` while nobody has made a mistake."""
        result = naive.result(self.rules, state)
        if result is not None:
            final = self._final(state, result)
            self.finals.add(final)
            self.lengths[plies] += 1
            if clean:
                self.flawless.add(final)
            return
        seen = tuple(tuple(compared(state, *reference)) for reference in self._references)
        self.open.add((self._hands(state), state.turn, state.asking, state.completer, seen))
        for move in naive.legal(self.rules, state):
            kept = self.worth(state, move)[0] == self.value(state)[0]
            self._play_all(naive.play(self.rules, state, move), plies + 1, clean and kept)

    def _hands(self, state: naive.State) -> tuple[object, object]:
        one, two = state.hands
        return self._hand(one), self._hand(two)

    def _hand(self, hand: tuple[int, ...]) -> object:
        """What of a hand can still matter: its order, if that counts and it can still grow."""
        ordered = self.rules.in_order and len(hand) != self.rules.limit
        return hand if ordered or self.rules.sees_order else frozenset(hand)

    def _final(self, state: naive.State, result: naive.Result) -> Final:
        families = {result.reason}
        if result.sets and result.reason != "first-complete" and not self.rules.asks_from:
            families = set(naive.wins(self.rules, state.hand(state.picker)).values())
        room = [not naive.full(self.rules, hand) for hand in state.hands]
        stuck = not result.sets and any(room) and bool(naive.free(self.rules, state))
        hands = self._hands(state)
        return Final(hands, result.winner, result.reason, frozenset(families), stuck)

    def _value(self, state: naive.State) -> tuple[int, int]:
        """1, 0 or -1 for the player to act, and in how many plies: a win soon, a loss late."""
        return max(
            (self.worth(state, move) for move in naive.legal(self.rules, state)),
            key=lambda worth: (worth[0], -worth[1] * worth[0]),
        )

    def worth(self, state: naive.State, move: naive.Move) -> tuple[int, int]:
        """What a move is worth to its maker, and in how many plies."""
        after = naive.play(self.rules, state, move)
        result = naive.result(self.rules, after)
        if result is not None:
            winner = result.winner
            return (0 if winner is None else 1 if winner == state.turn else -1), 1
        sign, plies = self.value(after)
        return (sign if after.turn == state.turn else -sign), plies + 1

    def random(self, state: naive.State) -> list[naive.Move]:
        """What a random player chooses from: it declares if it can, and gives no turn away."""
        legal = naive.legal(self.rules, state)
        declared: list[naive.Move] = [move for move in legal if isinstance(move, tuple)]
        return declared[:1] or [move for move in legal if isinstance(move, int)] or legal

    def perfect(self, state: naive.State) -> list[naive.Move]:
        """What the perfect player chooses from: the quickest win, else as many traps as it can."""
        legal = naive.legal(self.rules, state)
        worths = {move: self.worth(state, move) for move in legal}
        best = max(sign for sign, _ in worths.values())
        kept = [move for move in legal if worths[move][0] == best]
        if best > 0:
            soonest = min(worths[move][1] for move in kept)
            return [move for move in kept if worths[move][1] == soonest]
        ranks = {move: (self._traps(state, move), -best * worths[move][1]) for move in kept}
        return [move for move in kept if ranks[move] == max(ranks.values())]

    def _traps(self, state: naive.State, move: naive.Move) -> int:
        after = naive.play(self.rules, state, move)
        signs = [self.worth(after, reply)[0] for reply in naive.legal(self.rules, after)]
        return sum(sign < max(signs) for sign in signs)

    def ends(
        self, chosen: tuple[Callable[[naive.State], list[naive.Move]], ...], state: naive.State
    ) -> Ends:
        """Won by the first player, by the second, drawn, and the plies left, on average."""
        result = naive.result(self.rules, state)
        if result is not None:
            one, two, draw = (Fraction(result.winner == seat) for seat in (1, 2, None))
            return one, two, draw, Fraction(0)
        moves = chosen[state.turn - 1](state)
        after = [self.ends(chosen, naive.play(self.rules, state, move)) for move in moves]
        one, two, draw, plies = (sum(column) / len(moves) for column in zip(*after, strict=True))
        return Fraction(one), Fraction(two), Fraction(draw), Fraction(plies) + 1

    def blunders(self) -> Fraction | None:
        """The share of random moves, where something is at stake, that throw it away."""
        stake, thrown = self._blunders(FIRST, Fraction(1))
        return thrown / stake if stake else None

    def _blunders(self, state: naive.State, weight: Fraction) -> tuple[Fraction, Fraction]:
        if naive.result(self.rules, state) is not None:
            return Fraction(0), Fraction(0)
        moves, sign = self.random(state), self.value(state)[0]
        stake = weight * (sign >= 0)
        lost = [move for move in moves if self.worth(state, move)[0] < sign]
        thrown = stake * len(lost) / len(moves)
        for move in moves:
            more = self._blunders(naive.play(self.rules, state, move), weight / len(moves))
            stake, thrown = stake + more[0], thrown + more[1]
        return stake, thrown
