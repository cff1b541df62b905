"""Thousands to millions of games in step, as a Gymnasium vector environment."""

import os
from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ninefold.core.errors import Illegal
from ninefold.core.moves import Move
from ninefold.encoding import Array, encoding_for
from ninefold.envs.batch.base import Batch, BatchSettings, StepResult
from ninefold.envs.batch.bitboard_batch import BitboardBatch, can_play
from ninefold.envs.batch.judge_batch import JudgeBatch
from ninefold.envs.batch.outsiders import OneByOne, Outsider, outsider_for
from ninefold.envs.batch.random_streams import seeded_streams
from ninefold.envs.batch.table_batch import TableBatch
from ninefold.envs.settings import (
    ILLEGAL_POLICIES,
    SEATS,
    SELF,
    IllegalPolicy,
    Seat,
    game_from,
    limit_from,
    opponent_from,
)
from ninefold.players import Who, is_outside
from ninefold.reachable import TooLarge
from ninefold.require import WrongSetting, is_installed, require_one_of, require_package
from ninefold.solver import is_small
from ninefold.state_table import MOST_NUMBERS


class NinefoldVectorEnv(VectorEnv[Array, Any, Any]):
    """Many games of a rule book in step, in the encoding of ``ninefold.encoding``.

    With ``record``, the info of every step holds the actions of all games so far. Without
    ``copy``, each step overwrites the arrays of the last one. ``compiled`` says whether to use
    Numba; by default it is used if it is installed.
    """

    def __init__(
        self,
        num_envs: int = 1,
        book: str | os.PathLike[str] | None = None,
        reading: str | None = None,
        changes: Iterable[str] = (),
        opponent: Who = "random",
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
        if not isinstance(autoreset_mode, AutoresetMode):
            modes = [mode.value for mode in AutoresetMode]
            require_one_of("autoreset_mode", autoreset_mode, modes)
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        limit = limit_from(max_plies, self.encoding, illegal)
        self._opponent = opponent_from(opponent, self.game)
        name, outsider = self._outsider(opponent)
        records = record or isinstance(outsider, OneByOne)
        width = max(limit or 0, self.encoding.limit) if records else 0
        alternates = seat == "alternate"
        settings = BatchSettings(self.game, name, limit, illegal, alternates, width, outsider)
        self.batch = _batch(settings, num_envs, compiled)
        high, shape = self.encoding.high, self.encoding.shape
        self.single_observation_space = spaces.Box(0, high, shape, numpy.int8)
        self.single_action_space = spaces.Discrete(len(self.encoding.actions))
        self.action_space = batch_space(self.single_action_space, num_envs)
        # Gymnasium's own batch_space makes a list of all games first, which is slow.
        self.observation_space = spaces.Box(0, high, (num_envs, *shape), numpy.int8)
        self._copy, self._record = copy, record
        self._done = numpy.zeros(num_envs, bool)
        self._started = False
        self._samples = seeded_streams(0, num_envs)
        self._last = StepResult.empty(num_envs, self.encoding)
        # Shared by all infos, and read-only.
        self._everywhere = numpy.ones(num_envs, bool)
        self._nothing: Array = numpy.zeros_like(self._last.masks)
        for shared in (self._everywhere, self._nothing):
            shared.flags.writeable = False

    def _outsider(self, opponent: Who) -> tuple[str, Outsider | None]:
        """The name of a built-in opponent; or a player from outside, which has begun."""
        if isinstance(opponent, str) and not is_outside(opponent):
            return opponent, None
        assert self._opponent is not None, "only built-in names stand for nobody"
        self._opponent.begin(self.game, None)
        return "", outsider_for(self._opponent)

    def close_extras(self, **_: Any) -> None:
        """End the opponent's process, if it has one."""
        if self._opponent is not None:
            self._opponent.close()

    def reset(
        self,
        *,
        seed: int | Sequence[int] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Array, dict[str, Any]]:
        """Start all games, or those in the option ``reset_mask``, from one seed or one for each."""
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
        result = self._result_arrays()
        self.batch.show(result.views, result.masks)
        result.seats[:] = self.batch.viewers()
        return result.views, self._info(result.masks, result.seats)

    def _which(self, mask: Any) -> Any:
        if mask is None:
            return numpy.ones(self.num_envs, bool)
        mask = numpy.asarray(mask)
        if mask.shape != (self.num_envs,) or mask.dtype != bool or not mask.any():
            reason = f"reset_mask must hold {self.num_envs} booleans, at least one of them true."
            raise WrongSetting("setting", reason)
        return mask

    def _seed(self, seed: int | Sequence[int], which: Any) -> None:
        self.batch.streams[which] = seeded_streams(seed, self.num_envs)[which]
        self._samples[which] = self.batch.streams[which] ^ numpy.uint64(1 << 63)
        if self.seat == "alternate":
            # A game changes seats as it begins: so every other game starts in the first seat.
            self.batch.agent[which] = (2 - numpy.arange(self.num_envs) % 2)[which]

    def step(self, actions: Any) -> tuple[Array, Any, Any, Any, dict[str, Any]]:
        """Play one action per game; raises Illegal if illegal actions should."""
        actions = self._checked(actions)
        again = self.autoreset_mode is AutoresetMode.SAME_STEP
        result = self._result_arrays()
        # The record of a game must be copied before the game restarts.
        ended, faults = self.batch.step(actions, self._done, again and not self._record, result)
        last = self._info(self._nothing, result.final_seats) if again and ended else {}
        if not again:
            self._done = result.ended
        elif ended and self._record:
            self.batch.restart_ended(result)
        info = self._info(result.masks, result.seats)
        if ended:
            (last if again else info).update(self._results(result))
        if last:
            info |= _finals(result, last)
        if faults:
            info |= {"illegal_action": self._complaints(), "_illegal_action": result.faults}
        return result.views, result.rewards, result.terminated, result.truncated, info

    def _checked(self, actions: Any) -> Any:
        """The actions as an array of integers; raises NinefoldError if they are not valid."""
        actions = numpy.asarray(actions)
        if actions.shape != (self.num_envs,) or actions.dtype.kind not in "iu":
            raise WrongSetting("setting", f"Expected {self.num_envs} actions, all integers.")
        if not self._started:
            raise WrongSetting("setting", "Call reset() before the first step.")
        if self.autoreset_mode is AutoresetMode.DISABLED and self._done.any():
            at = int(self._done.argmax())
            raise Illegal(
                "game-over", f"Game {at} is over.", "Reset it with the option reset_mask."
            )
        if self.illegal == "raise":
            self._refuse(actions)
        return numpy.ascontiguousarray(actions, numpy.int64)

    def _refuse(self, actions: Any) -> None:
        masks = self.action_masks()
        inside = (actions >= 0) & (actions < masks.shape[1])
        legal = inside & masks[numpy.arange(self.num_envs), numpy.where(inside, actions, 0)]
        wrong = ~legal & masks.any(axis=1)  # without a legal action, the game is over
        if wrong.any():
            at = int(wrong.argmax())
            reason = f"Action {int(actions[at])} is illegal in game {at}."
            raise Illegal("illegal-action", reason, "The action mask shows which are legal.")

    def action_masks(self) -> Any:
        """Which actions are legal now in each game."""
        views, masks = numpy.empty_like(self._last.views), numpy.empty_like(self._last.masks)
        self.batch.show(views, masks)
        return masks.astype(bool)

    def seats(self) -> Any:
        """Who acts in each game, 1 or 2: the player to act in self-play, else the agent."""
        return self.batch.viewers().copy()

    def sample_actions(self) -> Any:
        """A random legal action for each game, from the seed; any action if the game is over."""
        return self.batch.sample(self._samples)

    def moves(self, at: int) -> list[Move]:
        """The recorded moves of one game."""
        return self.batch.played(at)

    def _result_arrays(self) -> StepResult:
        """The arrays for the next step: new ones, or those of the last step."""
        return StepResult.empty(self.num_envs, self.encoding) if self._copy else self._last

    def _info(self, masks: Array, seats: Array) -> dict[str, Any]:
        """The masks, who sees each game, and if they are recorded all actions and their number."""
        everywhere = self._everywhere
        info: dict[str, Any] = {"action_mask": masks, "_action_mask": everywhere}
        info |= {"seat": seats, "_seat": everywhere}
        if self._record:
            info |= {"moves": self.batch.moves.copy(), "_moves": everywhere}
            info |= {"plies": self.batch.plies.copy(), "_plies": everywhere}
        return info

    def _results(self, result: StepResult) -> dict[str, Any]:
        """Who won and why, where a game ended by the rules."""
        over = result.terminated
        at = numpy.flatnonzero(over)
        reasons = numpy.full(self.num_envs, None)
        reasons[at] = numpy.array(self.batch.reason_names, object)[result.reasons[at]]
        return {"winner": result.winners, "_winner": over, "reason": reasons, "_reason": over}

    def _complaints(self) -> Any:
        """Why each illegal action was refused."""
        complaints = numpy.full(self.num_envs, None)
        complaints[[*self.batch.complaints]] = [*self.batch.complaints.values()]
        return complaints


def _finals(result: StepResult, last: dict[str, Any]) -> dict[str, Any]:
    """The final observations and infos of the games that ended in this step."""
    ended, over = result.ended, ("_winner", "_reason")
    info = {
        name: ended if name[0] == "_" and name not in over else value
        for name, value in last.items()
    }
    shown = {"final_obs": result.finals, "final_info": info}
    return shown | {f"_{name}": result.ended for name in shown}


def _batch(settings: BatchSettings, count: int, compiled: bool | None) -> Batch:
    """The fastest kind of batch for these games."""
    opponent, game = settings.opponent, settings.game
    if compiled:
        require_package("numba", "fast")
    elif compiled is None:
        compiled = is_installed("numba")
    if settings.outsider is not None:
        compiled = False  # compiled code cannot call it
    # In a large game, a player that searches would take too long over all positions.
    searches = not is_small(game) and opponent not in (SELF, "random", "greedy", "")
    if len(game.pool) <= MOST_NUMBERS and not searches:
        try:
            if not compiled:
                return TableBatch(settings, count)
            from ninefold.envs.batch.compiled_batch import CompiledBatch

            return CompiledBatch(settings, count)
        except TooLarge:
            pass
    return BitboardBatch(settings, count) if can_play(settings) else JudgeBatch(settings, count)
