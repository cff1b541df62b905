"""A game in progress for an adapter, and its states as actions, observations and masks."""

from functools import cached_property, lru_cache
from typing import Any

import numpy

from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.core.state import State, States
from ninefold.encoding import Array, encoding_for
from ninefold.envs.rendering import render_image, render_text
from ninefold.envs.settings import ILLEGAL_POLICIES, IllegalPolicy, limit_from
from ninefold.reachable import lost_turn
from ninefold.require import require_one_of


@lru_cache(maxsize=8)  # of up to 65,536 states each
def encoded_states_for(game: Game) -> "States[EncodedState]":
    """The encoded states of a game, shared by its environments."""
    return States(game, EncodedState)


class EncodedState(State):
    """A state with its encoding, computed when it is first needed; all arrays are read-only."""

    def __init__(self, position: Position, states: States[Any]) -> None:
        super().__init__(position, states)
        self.encoding = encoding_for(position.game)
        self.rewards = (self.encoding.reward(position, 1), self.encoding.reward(position, 2))

    def act(self, action: int) -> tuple[Move, "EncodedState"]:
        """The move of an action, and the state after it; raises Illegal."""
        move = self.encoding.move(self.position, action)
        return move, self.play(move)

    @cached_property
    def views(self) -> tuple[Array, Array]:
        """The observations of players 1 and 2."""
        one, two = (_read_only(self.encoding.observe(self.position, seat)) for seat in (1, 2))
        return one, two

    @cached_property
    def mask(self) -> Array:
        """1 for each legal action, else 0."""
        return _read_only(self.encoding.mask(self.position))

    @cached_property
    def actions(self) -> list[int]:
        """The legal actions; do not modify the list."""
        found: list[int] = self.mask.nonzero()[0].tolist()
        return found

    def __reduce__(self) -> tuple[Any, ...]:
        return _state_of, (self.position,)


def _state_of(position: Position) -> EncodedState:
    return encoded_states_for(position.game).of(position)


def _read_only(array: Array) -> Array:
    array.flags.writeable = False
    return array


class Episode:
    """A game in progress, as a base class for adapters: its current state and its moves."""

    metadata: dict[str, Any]

    def __init__(
        self,
        game: Game,
        illegal: IllegalPolicy,
        max_plies: int | None,
        render_mode: str | None,
    ) -> None:
        require_one_of("illegal", illegal, ILLEGAL_POLICIES)
        require_one_of("render_mode", render_mode, (None, *self.metadata["render_modes"]))
        self.game, self.illegal, self.render_mode = game, illegal, render_mode
        self.encoding = encoding_for(game)
        self.max_plies = limit_from(max_plies, self.encoding, illegal)
        self._no_actions: Array = numpy.zeros(len(self.encoding.actions), numpy.int8)
        self._first = encoded_states_for(game).start()
        self._begin_episode()

    def _begin_episode(self) -> None:
        self._state = self._first
        self.moves: list[Move] = []
        self._replayed: tuple[Position, int] = self._first.position, 0

    def _play(self, move: Move) -> None:
        """Play a move of the player to act; raises Illegal."""
        self._state = self._state.play(move)
        self.moves.append(move)

    def _try(self, action: int) -> Illegal | None:
        """Play an action; why it was illegal, unless illegal actions raise Illegal."""
        try:
            move, self._state = self._state.act(action)
            self.moves.append(move)
        except Illegal as refusal:
            if self.illegal == "raise":
                raise
            if self.illegal == "lose-turn":
                self._play(lost_turn(self._state.position))
            return refusal
        return None

    def _is_cut_off(self) -> bool:
        return self.max_plies is not None and len(self.moves) >= self.max_plies

    def render(self) -> Any:
        """The position as text or as an image, by the render mode; ``human`` prints it."""
        if self.render_mode == "human":
            print(render_text(self.position))
        if self.render_mode == "ansi":
            return render_text(self.position)
        return render_image(self.position) if self.render_mode == "rgb_array" else None

    @property
    def position(self) -> Position:
        """The current position, with both hands in the order they were picked."""
        position, played = self._replayed
        for move in self.moves[played:]:
            position = position.play(move)
        self._replayed = position, len(self.moves)
        return position
