"""A perfect player against a random one in an ordinary game, position by position."""

from random import Random

from ninefold.audit.figures import Chances
from ninefold.audit.layers import Layers
from ninefold.solver.scores import BEST, for_mover, sign_of

# Past so many positions the chances are estimated from so many games instead.
MAX_POSITIONS, TRIALS = 250_000, 4_000


def perfect_against_random(layers: Layers, seed: int) -> tuple[Chances, Chances]:
    """The chances with the perfect player first, and with it second."""
    return Match(layers, 1).chances(seed), Match(layers, 2).chances(seed)


class Match:
    """The perfect player in one seat, who plays as ``ninefold play --p1 perfect`` does.

    It wins as soon as it can; else it keeps what it has, with as many traps as there can be.
    """

    def __init__(self, layers: Layers, seat: int) -> None:
        self.layers, self.seat = layers, seat
        self._indices = layers.grid.indices
        self._bits = list(layers.game.bits.values())
        self._over: dict[tuple[int, int], int] = {}
        self._traps: dict[tuple[int, int], int] = {}
        self._last = _Last(layers)

    def chances(self, seed: int) -> Chances:
        """The chances: exact unless there are too many positions."""
        self.layers.tell("perfect play against chance")
        return self._exact() or self._estimate(Random(seed))

    def _exact(self) -> Chances | None:
        """The probability of every position, ply by ply; None if there are too many."""
        now: dict[tuple[int, int], float] = {(0, 0): 1.0}
        won, plies, seen = [0.0, 0.0, 0.0], 0.0, 0
        for ply in range(self.layers.last):
            after: dict[tuple[int, int], float] = {}
            mover = self.layers.mover(ply)
            for (one, two), probability in now.items():
                plies += probability
                moves = self._choices(one, two, ply)
                share = probability / len(moves)
                for bit in moves:
                    child = (one | bit, two) if mover == 1 else (one, two | bit)
                    winner = self._winner(child, ply + 1)
                    if winner is None:
                        after[child] = after.get(child, 0.0) + share
                    else:
                        won[winner] += share
            now = after
            seen += len(now)
            if seen > MAX_POSITIONS:
                return None
        return Chances(won[0], won[1], won[2], plies)

    def _estimate(self, random: Random) -> Chances:
        """The chances as they come out in so many games."""
        won, plies = [0, 0, 0], 0
        for _ in range(TRIALS):
            hands, ply = (0, 0), 0
            winner = None
            while winner is None:
                bit = random.choice(self._choices(*hands, ply))
                hands = (hands[0] | bit, hands[1]) if ply % 2 == 0 else (hands[0], hands[1] | bit)
                ply += 1
                winner = self._winner(hands, ply)
            won[winner] += 1
            plies += ply
        one, two, draw = (count / TRIALS for count in won)
        return Chances(one, two, draw, plies / TRIALS, TRIALS)

    def _choices(self, one: int, two: int, ply: int) -> list[int]:
        """The bits the player to move may choose, each as likely as any other."""
        free = [bit for bit in self._bits if not bit & (one | two)]
        if self.layers.mover(ply) != self.seat:
            return free
        scores = {bit: self._score(one, two, bit, ply) for bit in free}
        best = max(scores.values())
        if best > 0:
            return [bit for bit in free if scores[bit] == best]
        kept = [bit for bit in free if (scores[bit] < 0) == (best < 0)]
        ranks = {bit: (self._traps_after(one, two, bit, ply), scores[bit]) for bit in kept}
        top = max(ranks.values())
        return [bit for bit in kept if ranks[bit] == top]

    def _score(self, one: int, two: int, bit: int, ply: int) -> int:
        """The score of a pick for its maker."""
        mover = self.layers.mover(ply)
        child = (one | bit, two) if mover == 1 else (one, two | bit)
        winner = self._winner(child, ply + 1)
        if winner is None:
            return for_mover(self.layers.score(self._index(child)))
        return 0 if winner == 2 else BEST - 1 if winner == mover - 1 else 1 - BEST

    def _traps_after(self, one: int, two: int, bit: int, ply: int) -> int:
        """How many replies to this pick throw away what the best ones keep."""
        child = (one | bit, two) if self.layers.mover(ply) == 1 else (one, two | bit)
        if child not in self._traps:
            replies = [0]
            if self._winner(child, ply + 1) is None:
                free = [other for other in self._bits if not other & (child[0] | child[1])]
                replies = [sign_of(self._score(*child, other, ply + 1)) for other in free]
            self._traps[child] = sum(reply < max(replies) for reply in replies)
        return self._traps[child]

    def _index(self, hands: tuple[int, int]) -> int:
        return self._indices[hands[0]] + 2 * self._indices[hands[1]]

    def _winner(self, hands: tuple[int, int], ply: int) -> int | None:
        """0 or 1 for a player, 2 for a draw, None while the game goes on after so many plies."""
        table = self.layers.game.table
        assert table is not None
        seat = 2 - ply % 2
        if table[hands[seat - 1]]:
            return 2 - seat if self.layers.game.rules.misere else seat - 1
        return self._last.winner(self._index(hands)) if ply == self.layers.last else None


class _Last:
    """Who wins on each full board."""

    def __init__(self, layers: Layers) -> None:
        grid, last = layers.grid, layers.last
        self._winners = [grid.as_bytes(plies[last]) for plies in layers.winners]

    def winner(self, index: int) -> int:
        """0, 1, or 2 for a draw."""
        byte, bit = index >> 3, index & 7
        return next(at for at, held in enumerate(self._winners) if held[byte] >> bit & 1)
