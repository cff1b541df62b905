"""Thousands to millions of games in step, as a native Gymnasium vector environment."""

from ninefold.envs.extras import require

require("gymnasium", "gym")

import os
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.envs.batch.base import Batch, Settings, Told
from ninefold.envs.batch.chance import streams
from ninefold.envs.batch.loose import LooseBatch
from ninefold.envs.batch.table import TableBatch
from ninefold.envs.encoding import Array, encoding_for
from ninefold.envs.extras import is_installed
from ninefold.envs.seats import (
    ILLEGAL_POLICIES,
    SEATS,
    SELF,
    IllegalPolicy,
    Seat,
    WrongSetting,
    game_from,
    limit_from,
    require_one_of,
    require_opponent,
)
from ninefold.envs.tables.machine import MOST_NUMBERS, TooLarge


class NinefoldVectorEnv(VectorEnv[Array, Any, Any]):
    """Many games of a rule book in step, in the encoding of ``ninefold.envs.encoding``.

    With ``record``, every step's info holds the actions of all games so far. Without ``copy``,
    the arrays of a step are written over by the next one. ``compiled`` asks for Numba, or not.
    """

    def __init__(
        self,
        num_envs: int = 1,
        book: str | os.PathLike[str] = "sequence-capture",
        reading: str | None = None,
        changes: Iterable[str] = (),
        opponent: str = "random",
        seat: Seat = 1,
        illegal: IllegalPolicy = "lose",
        max_plies: int | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        record: bool = False,
        compiled: bool | None = None,
        render_mode: None = None,
    ) -> None:
        require_one_of("seat", seat, SEATS)
        require_one_of("illegal", illegal, ILLEGAL_POLICIES)
        require_one_of("render_mode", render_mode, (None,))
        self.game = game_from(book, reading, changes)
        self.encoding = encoding_for(self.game)
        if index(num_envs) < 1:
            raise WrongSetting("setting", f"num_envs must be at least 1, not {num_envs}.")
        self.num_envs, self.seat, self.illegal = num_envs, seat, illegal
        self.autoreset_mode = _autoreset(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        limit = limit_from(max_plies, self.encoding, illegal)
        width = max(limit or 0, self.encoding.limit) if record else 0
        alternates = seat == "alternate"
        settings = Settings(self.game, opponent, limit, illegal, alternates, width)
        self.batch = _batch(settings, num_envs, compiled)
        self._make_spaces()
        self._copy, self._record = copy, record
        self._done = numpy.zeros(num_envs, bool)
        self._started = False
        self._samples = streams(0, num_envs)
        self._told = Told.empty(num_envs, self.encoding)
        # What every info holds, for nobody to write on.
        self._everywhere = numpy.ones(num_envs, bool)
        self._nothing: Array = numpy.zeros_like(self._told.masks)
        for shared in (self._everywhere, self._nothing):
            shared.flags.writeable = False

    def _make_spaces(self) -> None:
        high, shape = self.encoding.high, self.encoding.shape
        self.single_observation_space = spaces.Box(0, high, shape, numpy.int8)
        self.single_action_space = spaces.Discrete(len(self.encoding.actions))
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        # Made at once: the general way makes a list of all games first, which takes long.
        self.observation_space = spaces.Box(0, high, (self.num_envs, *shape), numpy.int8)

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Begin all games, or those that the option ``reset_mask`` is true for.

        A seed settles everything that follows; several seeds settle one game each.
        """
        which = self._which((options or {}).get("reset_mask"))
        for name in options or {}:
            require_one_of("an option", name, ("reset_mask",))
        if seed is None and not self._started:
            seed = int(numpy.random.SeedSequence().generate_state(1)[0])
        if seed is not None:
            self._seed(seed, which)
        self._started = True
        if self.seat != "alternate":
            self.batch.agent[:] = self.seat
        self.batch.begin(which)
        self._done = self._done & ~which
        told = self._room()
        self.batch.show(told.views, told.masks)
        return told.views, self._info(told.masks)

    def _which(self, mask: Any) -> Any:
        if mask is None:
            return numpy.ones(self.num_envs, bool)
        mask = numpy.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            reason = f"reset_mask must hold {self.num_envs} booleans, one of them true at least."
            raise WrongSetting("setting", reason)
        return mask

    def _seed(self, seed: int | Sequence[int], which: Any) -> None:
        self.batch.words[which] = streams(seed, self.num_envs)[which]
        self._samples[which] = self.batch.words[which] ^ numpy.uint64(1 << 63)
        if self.seat == "alternate":
            # A game that begins changes seats first: then every other game has the first one.
            self.batch.agent[which] = (2 - numpy.arange(self.num_envs) % 2)[which]

    def step(self, actions: Any) -> tuple[Array, Any, Any, Any, dict[str, Any]]:
        """Play one action in each game; raises Illegal where that is the policy."""
        actions = self._checked(actions)
        again = self.autoreset_mode is AutoresetMode.SAME_STEP
        told = self._room()
        # What is recorded of a game is read off before it begins anew.
        ended, faults = self.batch.step(actions, self._done, again and not self._record, told)
        recorded = self._recorded() if again and ended else {}
        if not again:
            self._done = told.ended
        elif ended and self._record:
            self._begin_anew(told)
        info = self._info(told.masks)
        if again and ended:
            info |= self._finals(told, recorded)
        if faults:
            info |= {"illegal_action": told.faults, "_illegal_action": told.faults}
        return told.views, told.rewards, told.terminated, told.truncated, info

    def _begin_anew(self, told: Told) -> None:
        """Begin the games that have just ended; the rewards and faults of the step stay told."""
        rewards, faults = told.rewards.copy(), told.faults.copy()
        told.finals[told.ended] = told.views[told.ended]
        self.batch.begin(told.ended)
        self.batch.show(told.views, told.masks)
        told.rewards[:], told.faults[:], self.batch.faults[:] = rewards, faults, faults

    def _checked(self, actions: Any) -> Any:
        """The actions as an array of integers; raises NinefoldError if they cannot be played."""
        actions = numpy.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise WrongSetting("setting", f"There must be {self.num_envs} actions, all integers.")
        if not self._started:
            raise WrongSetting("setting", "Call reset() before the first step.")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._done.any():
            at = int(self._done.argmax())
            raise Illegal("game-over", f"Game {at} is over.", "Reset it: reset_mask.")
        if self.illegal == "raise":
            self._refuse(actions)
        return numpy.ascontiguousarray(actions, numpy.int64)

    def _refuse(self, actions: Any) -> None:
        wrong = ~(self.batch.allows(actions) | self._done)
        if wrong.any():
            at = int(wrong.argmax())
            reason = f"Action {int(actions[at])} is illegal in game {at}."
            raise Illegal("illegal-action", reason, "The action mask tells which are legal.")

    def _finals(self, told: Told, recorded: dict[str, Any]) -> dict[str, Any]:
        """How the games that have just ended look, before they begin anew."""
        ended = told.ended
        last = self._info(self._nothing) | recorded
        info = {name: ended if name[0] == "_" else value for name, value in last.items()}
        shown = {"final_obs": told.finals, "final_info": info}
        return shown | {f"_{name}": ended for name in shown}

    def action_masks(self) -> Any:
        """Which actions are legal now, in every game."""
        views, masks = numpy.empty_like(self._told.views), numpy.empty_like(self._told.masks)
        self.batch.show(views, masks)
        return masks.astype(bool)

    def seats(self) -> Any:
        """Who acts in each game, 1 or 2: in self-play the player to move, else the agent."""
        plays_itself = self.batch.settings.opponent == SELF
        return (self.batch.actor if plays_itself else self.batch.agent).copy()

    def sample_actions(self) -> Any:
        """A random legal action for each game, by the seed; any for a game that is over."""
        return self.batch.any_action(self._samples)

    def moves(self, at: int) -> list[Move]:
        """The recorded moves of one game, as the judge plays them."""
        position, found = self.game.start(), list[Move]()
        for action in self.batch.moves[at, : self.batch.plies[at]].tolist():
            if action < len(self.encoding.actions):
                found.append(self.encoding.move(position, action))
            else:
                found.append(self.encoding.lost_move(position))
            position = position.play(found[-1])
        return found

    def _room(self) -> Told:
        """Where the next step is written: to new arrays, or over those of the last one."""
        return Told.empty(self.num_envs, self.encoding) if self._copy else self._told

    def _info(self, masks: Array) -> dict[str, Any]:
        everywhere = self._everywhere
        info: dict[str, Any] = {"action_mask": masks, "_action_mask": everywhere}
        return info | self._recorded()

    def _recorded(self) -> dict[str, Any]:
        """The actions of all games so far, and how many, if they are recorded."""
        if not self._record:
            return {}
        info: dict[str, Any] = {"moves": self.batch.moves.copy(), "plies": self.batch.plies.copy()}
        return info | {f"_{name}": self._everywhere for name in info}


def _autoreset(mode: AutoresetMode | str) -> AutoresetMode:
    """The mode itself, by its value, as Gymnasium's own environments take it."""
    if not isinstance(mode, AutoresetMode):
        require_one_of("autoreset_mode", mode, [each.value for each in AutoresetMode])
    return AutoresetMode(mode)


def _batch(settings: Settings, count: int, compiled: bool | None) -> Batch:
    """The quickest way to play these games."""
    require_opponent(settings.opponent, settings.game)
    if compiled:
        require("numba", "fast")
    elif compiled is None:
        compiled = is_installed("numba")
    if _is_small(settings.game):
        try:
            return _compiled_batch(settings, count) if compiled else TableBatch(settings, count)
        except TooLarge:
            pass
    return (_wide_batch(settings, count) if compiled else None) or LooseBatch(settings, count)


def _is_small(game: Game) -> bool:
    return len(game.pool) <= MOST_NUMBERS


def _compiled_batch(settings: Settings, count: int) -> Batch:
    from ninefold.envs.batch.compiled import CompiledBatch

    return CompiledBatch(settings, count)


def _wide_batch(settings: Settings, count: int) -> Batch | None:
    from ninefold.envs.batch.wide import WideBatch, can_play

    return WideBatch(settings, count) if can_play(settings) else None
