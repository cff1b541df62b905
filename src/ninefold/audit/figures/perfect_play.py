"""A perfect player against a random one, position by position."""

from random import Random

from ninefold.audit.figures import Chances
from ninefold.audit.figures.packed_positions import LEVEL, PackedPositions
from ninefold.audit.figures.position_layers import PositionLayers
from ninefold.audit.figures.random_play import Tally
from ninefold.core.moves import LOST, Declare, Move
from ninefold.core.turns import Phase
from ninefold.solver.policy import perfect_choices, traps

# Past this many positions the chances are estimated from this many games instead.
MAX_POSITIONS, TRIALS = 250_000, 4_000
# Where turns may be lost on purpose, a game need not end: it is followed for this many moves.
MAX_PLIES, CLOSE = 400, 1e-13


def perfect_against_random(reachable: PositionLayers, seed: int) -> tuple[Chances, Chances]:
    """The chances with the perfect player first, and with it second; raises TooLarge."""
    packed = PackedPositions(reachable)
    return Match(packed, 1).chances(seed), Match(packed, 2).chances(seed)


class Match:
    """The perfect player in one seat, who plays as ``ninefold play --p1 perfect`` does."""

    def __init__(self, packed: PackedPositions, seat: int) -> None:
        self.packed, self.seat = packed, seat
        self._traps: dict[int, int] = {}
        places = packed.places
        self._over = [not isinstance(place, Phase) for place in places]
        self._asking = [isinstance(place, Phase) and place.asking for place in places]
        self._perfect = [place.turn == seat for place in places]

    def chances(self, seed: int) -> Chances:
        """The chances: exact unless there are too many positions."""
        self.packed.reachable.tell("perfect play against random play")
        return self._exact() or self._estimate(Random(seed))

    def _exact(self) -> Chances | None:
        """The probability of every position, move by move; None if there are too many."""
        now, tally, seen = {self.packed.start: 1.0}, Tally(), 0
        for _ in range(MAX_PLIES):
            after: dict[int, float] = {}
            for at, share in now.items():
                moves = self._choices(at)
                each = share / len(moves)
                tally.plies += share
                for to in moves:
                    if self._over[to & 255]:
                        tally.add(self.packed.winner(to), each)
                    else:
                        after[to] = after.get(to, 0.0) + each
            now = after
            seen += len(now)
            self.packed.tables.budget.ask(seen)
            if seen > MAX_POSITIONS:
                return None
            if sum(now.values()) < CLOSE:
                return tally.chances
        chances = tally.chances
        endless = 1 - chances.first - chances.second - chances.draw
        return chances._replace(draw=chances.draw + endless, plies=None)

    def _estimate(self, random: Random) -> Chances:
        """The chances, estimated from many games."""
        tally, each = Tally(), 1 / TRIALS
        for played in range(TRIALS):
            self.packed.tables.budget.ask(played)
            at = self.packed.start
            while not self._over[at & 255]:
                at = random.choice(self._choices(at))
                tally.plies += each
            tally.add(self.packed.winner(at), each)
        return tally.chances._replace(trials=TRIALS)

    def _choices(self, at: int) -> list[int]:
        """Where the moves lead that the player to act may choose, all equally likely."""
        if not self._perfect[at & 255]:
            return self._random(at)
        moves = self.packed.moves(at)
        scores = [code - LEVEL for _, code in moves]
        places = perfect_choices(scores, lambda place: self._traps_at(moves[place][0]))
        return [moves[place][0] for place in places]

    def _random(self, at: int) -> list[int]:
        """What the random player chooses from: see ``players.RandomPlayer``."""
        others = self.packed.steps(at)
        if self._asking[at & 255]:
            declared = [to for move, to, _ in others if isinstance(move, Declare)]
            return declared or [to for _, to, _ in others]
        return self.packed.picks(at) + [to for move, to, _ in others if _is_chosen(move)]

    def _traps_at(self, at: int) -> int:
        """How many moves here throw away what the best ones keep."""
        found = self._traps.get(at)
        if found is None:
            moves = [] if self._over[at & 255] else self.packed.moves(at)
            found = self._traps[at] = traps([code - LEVEL for _, code in moves])
        return found


def _is_chosen(move: Move) -> bool:
    return move is not LOST and not isinstance(move, Declare)
