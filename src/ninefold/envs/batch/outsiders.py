"""Opponents from outside in many games at once: batched agents, and players one game at a time."""

from typing import Any, Protocol

import numpy

from ninefold.core.errors import Illegal
from ninefold.envs.batch.base import Batch
from ninefold.envs.batch.random_streams import Streams, draw, draw_weighted
from ninefold.players import Chance, NoMove, Player
from ninefold.players.agents import Agent


class Outsider(Protocol):
    """Chooses an action in each of these games; an illegal one forfeits the game."""

    def __call__(self, batch: Batch, at: Any, streams: Streams) -> Any:
        """One action for each, drawn from these streams if there is any chance."""


def outsider_for(player: Player) -> Outsider:
    """How this player, which has begun, plays many games."""
    return Together(player.agent) if player.agent is not None else OneByOne(player)


class Together:
    """A batched agent: asked about all games at once in which it is to act."""

    def __init__(self, agent: Agent) -> None:
        self._agent = agent

    def __call__(self, batch: Batch, at: Any, streams: Streams) -> Any:
        """The actions of the agent; raises WrongAnswer."""
        views, masks = batch.offer(at)
        answer = self._agent(views, masks, at)
        return answer if answer.ndim == 1 else draw_weighted(streams, answer)


class OneByOne:
    """Any other player: told the moves of each game, which have to be recorded, and asked."""

    def __init__(self, player: Player) -> None:
        self._player = player

    def __call__(self, batch: Batch, at: Any, streams: Streams) -> Any:
        """The actions of the player; -1 if it makes no move."""
        seeds = draw(streams, numpy.full(len(at), 1 << 31)).tolist()
        asked = zip(at.tolist(), seeds, strict=True)
        return numpy.array([self._ask(batch, game, Chance(seed)) for game, seed in asked])

    def _ask(self, batch: Batch, game: int, chance: Chance) -> int:
        moves = batch.played(game)
        self._player.follow(1, moves)
        try:
            position = batch.settings.game.play(moves)
            return batch.encoding.action(self._player.choose(position, len(moves), chance))
        except (NoMove, Illegal):
            return -1
