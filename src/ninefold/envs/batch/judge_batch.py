"""Many games of any kind: each is a position, played by the judge itself.

This is slow, and right by definition. The tests compare the other batches with it.
"""

from typing import Any

import numpy

from ninefold import players
from ninefold.core.position import Position
from ninefold.envs.batch.base import Batch, BatchSettings
from ninefold.envs.batch.random_streams import Streams, draw_marked
from ninefold.reachable import lost_turn


class JudgeBatch(Batch):
    """Games that advance position by position."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        super().__init__(settings, count)
        self._player = None if self.plays_itself else players.make(settings.opponent)
        self.positions: list[Position] = [settings.game.start()] * count

    def _set_up(self, which: Any) -> None:
        for at in numpy.flatnonzero(which).tolist():
            self.positions[at] = self.settings.game.start()

    def _is_legal(self, at: Any, actions: Any) -> Any:
        pairs = zip(at.tolist(), actions.tolist(), strict=True)
        legal = [action in self.encoding.moves(self.positions[game]) for game, action in pairs]
        return numpy.array(legal, bool)

    def _choose(self, at: Any, streams: Streams) -> Any:
        assert self._player is not None
        masks = numpy.zeros((len(at), len(self.encoding.actions)), numpy.int8)
        for mask, game in zip(masks, at.tolist(), strict=True):
            for move in self._player.candidates(self.positions[game]):
                mask[self.encoding.action(move)] = 1
        return draw_marked(streams, masks)

    def _move(self, at: Any, chosen: Any) -> None:
        for game, action in zip(at.tolist(), chosen.tolist(), strict=True):
            position = self.positions[game]
            is_lost = action == len(self.encoding.actions)
            move = lost_turn(position) if is_lost else self.encoding.move(position, action)
            after = self.positions[game] = position.play(move)
            if after.outcome is None:
                self.actor[game] = after.turn
            else:
                self._results[game] = self.encoding.reward(after, position.turn)

    def _observe(self, at: Any, views: Any) -> None:
        viewers = numpy.where(self.viewer_acts, self.actor, 3 - self.actor)
        for row, game in enumerate(numpy.arange(self.count)[at].tolist()):
            views[row] = self.encoding.observe(self.positions[game], int(viewers[game]))

    def _mask(self, masks: Any) -> None:
        for mask, position in zip(masks, self.positions, strict=True):
            mask[:] = self.encoding.mask(position)
