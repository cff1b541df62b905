"""Many games on a large pool by bitboards: too many positions for a table, but simple rules.

The lines that win are those the judge lists, and what follows from a pick is compiled from the
same description of turns. The judge decides who wins once no number is left, game by game.
"""

from itertools import product
from typing import Any

import numpy

from ninefold.core.game import Game
from ninefold.core.turns import COMPLETE, EXHAUSTED, SET, End, Phase
from ninefold.envs.batch import bitboard_kernels as kernels
from ninefold.envs.batch.base import GOES_ON, Batch, BatchSettings
from ninefold.envs.batch.random_streams import Streams
from ninefold.envs.batch.threads import share
from ninefold.envs.settings import SELF


def can_play(settings: BatchSettings) -> bool:
    """Whether the rules are simple enough for bitboards, and the opponent needs no solver."""
    game = settings.game
    simple = game.rules._replace(misere=False).is_ordinary and not game.whole
    return simple and settings.opponent in (SELF, "random") and settings.illegal != "lose-turn"


class BitboardBatch(Batch):
    """Games whose hands are sets of bits; only for settings that ``can_play``."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        super().__init__(settings, count)
        self.hands: Streams = numpy.zeros((count, 2), numpy.uint64)
        # Who has won: 0 for a draw, or one of the kernels' codes.
        self.winner = numpy.full(count, kernels.UNDECIDED, numpy.int8)
        # Who sees each game, or saw its last step.
        self._seen_by: Any = numpy.ones(count, numpy.int8)
        self._board = _board(settings.game)
        games = (self.hands, self.actor, self.agent, self.plies, self.streams)
        self._games = kernels.Games(*games, self.moves, self.winner)

    def _start(self, which: Any) -> None:
        values = (which, self._games, self._board, self.plays_itself)
        share(lambda first, last: kernels.start(first, last, *values), self.count)

    def _play(self, actions: Any, going: Any) -> None:
        self._seen_by = self.viewers().copy()
        values = (actions, going, self.ends, self.faults, self._games, self._board)
        terms = self.plays_itself, self.settings.limit or 0
        share(lambda first, last: kernels.play(first, last, *values, *terms), self.count)
        for at in numpy.flatnonzero(self.winner == kernels.ASK_JUDGE).tolist():
            self.winner[at] = self._judged(at) or 0
        over = going & (self.winner != kernels.UNDECIDED)
        won = numpy.where(self.winner == self._seen_by, 1, numpy.where(self.winner == 0, 0, -1))
        self.rewards[:] = numpy.where(over, won, numpy.where(self.faults, -1, 0))

    def _judged(self, at: int) -> int | None:
        """Who wins a game in which no number is left, according to the judge."""
        game = self.settings.game
        end = game.turns.picked[_phase(game, int(self.actor[at]))][EXHAUSTED]
        assert isinstance(end, End)
        one, two = (int(mask) for mask in self.hands[at])
        return game.endings.decide((game.numbers(one), game.numbers(two)), (one, two), end).winner

    def show(self, views: Any, masks: Any) -> None:
        """Write the observations and the action masks of all games."""
        going = self.ends == GOES_ON
        self._seen_by[going] = self.viewers()[going]
        self._show_finals(numpy.ones(self.count, bool), views)
        # Every free number may be claimed, as long as the game goes on.
        numpy.multiply(views[:, 2], (going & (self.winner < 0))[:, None], out=masks)

    def _show_finals(self, which: Any, views: Any) -> None:
        values = (which, self.hands, self._seen_by, self._board.full, views)
        share(lambda first, last: kernels.show(first, last, *values), self.count)

    def allows(self, actions: Any) -> Any:
        """Whether each action is legal in its game, or that game is over."""
        inside = (actions >= 0) & (actions < len(self.settings.game.pool))
        bits = numpy.uint64(1) << numpy.where(inside, actions, 0).astype(numpy.uint64)
        free = (self.hands[:, 0] | self.hands[:, 1]) & bits == 0
        return (inside & free) | (self.winner != kernels.UNDECIDED)

    def sample(self, streams: Streams) -> Any:
        """A random legal action for each game, from these streams; 0 for a game that is over."""
        actions = numpy.empty(self.count, numpy.int64)
        values = (streams, self.hands, self.winner, self._board.full, actions)
        share(lambda first, last: kernels.sample(first, last, *values), self.count)
        return actions


def _board(game: Game) -> kernels.Board:
    through = [[line for line in game.lines.values() if line & bit] for bit in game.bits.values()]
    starts = numpy.cumsum([0, *map(len, through)]).astype(numpy.int64)
    lines = numpy.array([line for lines in through for line in lines], numpy.uint64)
    return kernels.Board(numpy.uint64(game.full), starts, lines, _after_pick(game))


def _after_pick(game: Game) -> Any:
    """What follows from a pick of each player, by whether it completed a line, or was the last."""
    follows = numpy.zeros((3, 2, 2), numpy.int64)
    for seat, completed, exhausted in product((1, 2), (0, 1), (0, 1)):
        facts = completed * COMPLETE | exhausted * EXHAUSTED
        to = game.turns.picked[_phase(game, seat)][facts]
        if not isinstance(to, End):
            follows[seat, completed, exhausted] = to.turn
        elif to.by == SET:
            follows[seat, completed, exhausted] = kernels.WON + game.turns.winner_by_set(to.turn)
        else:
            follows[seat, completed, exhausted] = kernels.ENDING
    return follows


def _phase(game: Game, seat: int) -> Phase:
    """The phase in which this player is to act; simple rules have no other."""
    return game.turns.start()._replace(turn=seat)
