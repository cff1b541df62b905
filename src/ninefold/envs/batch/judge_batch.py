"""Many games of any kind, played by the judge itself: slow, and right by definition."""

from typing import Any

import numpy

from ninefold.core.position import Position
from ninefold.envs.batch.base import Batch, BatchSettings
from ninefold.envs.batch.random_streams import Streams, draw_marked
from ninefold.envs.settings import opponent_from
from ninefold.reachable import lost_turn

MOST_KEPT = 1 << 16


class JudgeBatch(Batch):
    """Games that advance position by position."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        super().__init__(settings, count)
        asks = settings.outsider is not None
        self._player = None if asks else opponent_from(settings.opponent, settings.game)
        self._chosen: dict[object, list[int]] = {}  # what it chooses between, by position
        self.positions: list[Position] = [settings.game.start()] * count

    def _set_up(self, which: Any) -> None:
        for at in numpy.flatnonzero(which).tolist():
            self.positions[at] = self.settings.game.start()

    def _is_legal(self, at: Any, actions: Any) -> Any:
        pairs = zip(at.tolist(), actions.tolist(), strict=True)
        legal = [action in self.encoding.moves(self.positions[game]) for game, action in pairs]
        return numpy.array(legal, bool)

    def _choose(self, at: Any, streams: Streams) -> Any:
        masks = numpy.zeros((len(at), len(self.encoding.actions)), numpy.int8)
        for mask, game in zip(masks, at.tolist(), strict=True):
            mask[self._candidates(self.positions[game])] = 1
        return draw_marked(streams, masks)

    def _candidates(self, position: Position) -> list[int]:
        """The actions between which the opponent chooses; finding them can take seconds."""
        assert self._player is not None
        if position.key not in self._chosen:
            if len(self._chosen) >= MOST_KEPT:
                self._chosen.clear()
            moves = self._player.candidates(position)
            self._chosen[position.key] = [*map(self.encoding.action, moves)]
        return self._chosen[position.key]

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

    def _position(self, at: int) -> Position:
        return self.positions[at]

    def _reasons(self, at: Any) -> Any:
        outcomes = [self.positions[game].outcome for game in at.tolist()]
        return [self._code_of(outcome.reason if outcome else "") for outcome in outcomes]

    def _observe(self, at: Any, views: Any, acting: Any) -> None:
        viewers = numpy.where(acting, self.actor[at], 3 - self.actor[at]).tolist()
        for row, game in enumerate(numpy.arange(self.count)[at].tolist()):
            views[row] = self.encoding.observe(self.positions[game], viewers[row])

    def _mask(self, at: Any, masks: Any) -> None:
        for mask, game in zip(masks, numpy.arange(self.count)[at].tolist(), strict=True):
            mask[:] = self.encoding.mask(self.positions[game])
