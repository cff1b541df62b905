"""A perfect player against a random one, position by position."""

from random import Random

from ninefold.audit.figures import Chances
from ninefold.audit.figures.boards import Boards
from ninefold.audit.figures.chain import Tally
from ninefold.audit.figures.codes import LEVEL, Codes
from ninefold.audit.figures.phases import Phase
from ninefold.core.moves import LOST, Declare, Move

# Past so many positions the chances are estimated from so many games instead.
MAX_POSITIONS, TRIALS = 250_000, 4_000
# Where turns may be given away, a game need not end: it is followed for so long.
MAX_PLIES, CLOSE = 400, 1e-13


def perfect_against_random(boards: Boards, seed: int) -> tuple[Chances, Chances]:
    """The chances with the perfect player first, and with it second; raises TooLarge."""
    codes = Codes(boards)
    return Match(codes, 1).chances(seed), Match(codes, 2).chances(seed)


class Match:
    """The perfect player in one seat, who plays as ``ninefold play --p1 perfect`` does.

    It wins as soon as it can; else it keeps what it has, with as many traps as there can be.
    """

    def __init__(self, codes: Codes, seat: int) -> None:
        self.codes, self.seat = codes, seat
        self._traps: dict[int, int] = {}
        places = codes.places
        self._over = [not isinstance(place, Phase) for place in places]
        self._asking = [isinstance(place, Phase) and place.asking for place in places]
        self._perfect = [place.turn == seat for place in places]

    def chances(self, seed: int) -> Chances:
        """The chances: exact unless there are too many positions."""
        self.codes.boards.tell("perfect play against chance")
        return self._exact() or self._estimate(Random(seed))

    def _exact(self) -> Chances | None:
        """The probability of every position, ply by ply; None if there are too many."""
        now, tally, seen = {self.codes.start: 1.0}, Tally(), 0
        for _ in range(MAX_PLIES):
            after: dict[int, float] = {}
            for at, share in now.items():
                moves = self._choices(at)
                each = share / len(moves)
                tally.plies += share
                for to in moves:
                    if self._over[to & 255]:
                        tally.add(self.codes.winner(to), each)
                    else:
                        after[to] = after.get(to, 0.0) + each
            now = after
            seen += len(now)
            if seen > MAX_POSITIONS:
                return None
            if sum(now.values()) < CLOSE:
                return tally.chances
        chances = tally.chances
        endless = 1 - chances.first - chances.second - chances.draw
        return chances._replace(draw=chances.draw + endless, plies=None)

    def _estimate(self, random: Random) -> Chances:
        """The chances as they come out in so many games."""
        tally, each = Tally(), 1 / TRIALS
        for _ in range(TRIALS):
            at = self.codes.start
            while not self._over[at & 255]:
                at = random.choice(self._choices(at))
                tally.plies += each
            tally.add(self.codes.winner(at), each)
        return tally.chances._replace(trials=TRIALS)

    def _choices(self, at: int) -> list[int]:
        """Where the moves lead that the player to act may choose, each as likely as any other."""
        if not self._perfect[at & 255]:
            return self._random(at)
        moves = self.codes.moves(at)
        best = max(code for _, code in moves)
        if best > LEVEL:
            return [to for to, code in moves if code == best]
        kept = [(to, code) for to, code in moves if (code < LEVEL) == (best < LEVEL)]
        ranks = [((self._traps_at(to), code), to) for to, code in kept]
        top = max(ranks)[0]
        return [to for rank, to in ranks if rank == top]

    def _random(self, at: int) -> list[int]:
        """What the random player chooses from: see ``players.RandomPlayer``."""
        others = self.codes.steps(at)
        if self._asking[at & 255]:
            declared = [to for move, to, _ in others if isinstance(move, Declare)]
            return declared or [to for _, to, _ in others]
        return self.codes.picks(at) + [to for move, to, _ in others if _is_chosen(move)]

    def _traps_at(self, at: int) -> int:
        """How many moves here throw away what the best ones keep."""
        traps = self._traps.get(at)
        if traps is None:
            traps = 0
            if not self._over[at & 255]:
                codes = [code for _, code in self.codes.moves(at)]
                least = min(max(codes), LEVEL + 1)  # that keeps a win, or a draw
                traps = sum(code < least for code in codes) if least >= LEVEL else 0
            self._traps[at] = traps
        return traps


def _is_chosen(move: Move) -> bool:
    return move is not LOST and not isinstance(move, Declare)
