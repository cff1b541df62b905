"""Many games on a large pool: too many positions for a table, but plain enough for bits.

For ordinary rules the lines that win are those the judge has listed; who wins when no number is
left is asked of the judge, game by game.
"""

from typing import Any

import numpy

from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.envs.batch import wide_kernels as kernels
from ninefold.envs.batch.base import Batch, Settings
from ninefold.envs.batch.chance import Words
from ninefold.envs.batch.crew import share
from ninefold.envs.batch.outcomes import GOES_ON
from ninefold.envs.seats import SELF


def can_play(settings: Settings) -> bool:
    """Whether these rules are plain enough, and the opponent looks nothing up."""
    game = settings.game
    plain = game.rules.is_ordinary and not game.whole and game.rules.otherwise == "draw"
    return plain and settings.opponent in (SELF, "random") and settings.illegal != "lose-turn"


class WideBatch(Batch):
    """Games whose hands are sets of bits; only for settings that ``can_play`` says yes to."""

    def __init__(self, settings: Settings, count: int) -> None:
        super().__init__(settings, count)
        self.hands: Words = numpy.zeros((count, 2), numpy.uint64)
        # Who has won: 0 for a draw, or what the kernels say.
        self.winner = numpy.full(count, kernels.STILL_OPEN, numpy.int8)
        self.viewers = numpy.ones(count, numpy.int8)
        lines = _lines(settings.game)
        self._rules = (numpy.uint64(settings.game.full), *lines)
        games = (self.hands, self.actor, self.agent, self.plies, self.words)
        self._games = (*games, self.moves, self.winner)

    def advance(self, actions: Any, fresh: Any) -> None:
        """Play one action of the agent in each game, and the answers; begin the fresh ones anew."""
        plays_itself, limit = self.settings.opponent == SELF, self.settings.limit or 0
        if fresh.any():
            self._begin(fresh)
        told = (self.viewers, self.ends, self.faults)
        values = (actions, fresh, *self._games, *told, *self._rules, plays_itself, limit)
        share(lambda first, last: kernels.advance(first, last, *values), self.count)
        for at in numpy.flatnonzero(self.winner == kernels.FOR_THE_JUDGE).tolist():
            self.winner[at] = self._judged(at) or 0
        over = ~fresh & (self.winner != kernels.STILL_OPEN)
        won = numpy.where(self.winner == self.viewers, 1, numpy.where(self.winner == 0, 0, -1))
        self.rewards[:] = numpy.where(over, won, numpy.where(self.faults, -1, 0))

    def _judged(self, at: int) -> int | None:
        """Who wins a game in which no number is left: the judge plays the last of them."""
        game, mover = self.settings.game, int(self.actor[at])
        masks = [int(mask) for mask in self.hands[at]]
        # Nobody holds a line, so any number of the last player may have been the last one.
        last = masks[mover - 1] & -masks[mover - 1]
        masks[mover - 1] ^= last
        one, two = masks
        hands = game.numbers(one), game.numbers(two)
        before = Position(game, hands, (one, two), game.turns.start(mover))
        outcome = before.play(game.numbers(last)[0]).outcome
        assert outcome is not None
        return outcome.winner

    def begin(self, which: Any) -> None:
        """Begin these games anew, up to the agent's turn; the others are left alone."""
        self.rewards[which], self.ends[which], self.faults[which] = 0, GOES_ON, False
        self._begin(which)

    def _begin(self, which: Any) -> None:
        rules = self.settings.opponent == SELF, self.settings.flips
        values = (which, *self._games, *self._rules, *rules)
        share(lambda first, last: kernels.begin(first, last, *values), self.count)

    def show(self, views: Any, allowed: Any) -> None:
        """Write the observations and the masks of all games."""
        going = self.ends == GOES_ON
        seats = self.actor if self.settings.opponent == SELF else self.agent
        self.viewers[going] = seats[going]
        self._show(numpy.ones(self.count, bool), views)
        # Every number that is free may be claimed, as long as the game goes on.
        numpy.multiply(views[:, 2], (going & (self.winner < 0))[:, None], out=allowed)

    def _show(self, which: Any, views: Any) -> None:
        values = (which, self.hands, self.viewers, self._rules[0], views)
        share(lambda first, last: kernels.show(first, last, *values), self.count)

    def show_ends(self, which: Any, views: Any) -> None:
        """Write the observations of these games, which are over, and of no others."""
        self._show(which, views)

    def allows(self, actions: Any) -> Any:
        """Whether each action is legal in its game; also where the game is over."""
        size = len(self.settings.game.pool)
        inside = (actions >= 0) & (actions < size)
        bits = numpy.uint64(1) << numpy.where(inside, actions, 0).astype(numpy.uint64)
        free = (self.hands[:, 0] | self.hands[:, 1]) & bits == 0
        return (inside & free) | (self.winner != kernels.STILL_OPEN)

    def any_action(self, words: Words) -> Any:
        """A random legal action of each game, by these streams; 0 where it is over."""
        actions = numpy.empty(self.count, numpy.int64)
        values = (words, self.hands, self.winner, self._rules[0], actions)
        share(lambda first, last: kernels.sample(first, last, *values), self.count)
        return actions


def _lines(game: Game) -> tuple[Any, Any]:
    """The lines through each number, one after the other, and where those of each begin."""
    through = [[line for line in game.lines.values() if line & bit] for bit in game.bits.values()]
    starts = numpy.cumsum([0, *map(len, through)]).astype(numpy.int64)
    return starts, numpy.array([line for lines in through for line in lines], numpy.uint64)
