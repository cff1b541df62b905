"""Questions to a player, asked several times: an answer counts only if it is always the same."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy

from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move
from ninefold.core.position import Position
from ninefold.players import KINDS, LLM, PROGRAM, Chance, Player, Who, make
from ninefold.require import WrongSetting
from ninefold.state_table import OPEN, StateTable

# Averages may miss a whole number by this much.
EXACT = 1e-9
# How often a question is asked: chance that a player keeps to itself shows in its answers.
TIMES, TIMES_PROGRAM = 20, 2


class Inconsistent(NinefoldError):
    """The agent answered the same question differently, so nothing can be proved about it."""

    def __init__(self, moves: Iterable[Move], one: str, other: str) -> None:
        after = " ".join(map(format_move, moves))
        where = f"After {after}" if after else "At the start"
        super().__init__(
            "inconsistent",
            "The agent answers the same question differently. "
            f"{where} it chose {one}, then {other}.",
            "Make it deterministic, or let it return the probability of each action.",
        )


class Questions:
    """A player and its answers, each of which must be the same every time."""

    def __init__(self, game: Game, who: Who) -> None:
        player = make(who, game, seconds=None)
        if player is None:
            raise WrongSetting("setting", "A person cannot be examined.")
        player.begin(game, None)
        self.player: Player = player
        name = who if isinstance(who, str) else ""
        self.times = (
            1 if name in KINDS else TIMES_PROGRAM if name.startswith((PROGRAM, LLM)) else TIMES
        )

    def policy(self, position: Position, moves: tuple[Move, ...]) -> Mapping[Move, float]:
        """The probability of each move; raises Illegal, Inconsistent, NoMove, WrongAnswer."""
        first = self._ask(position, moves, 0)
        for time in range(1, self.times):
            again = self._ask(position, moves, time)
            if not _agree(first, again):
                raise Inconsistent(moves, _listed(first), _listed(again))
        return first

    def _ask(self, position: Position, moves: tuple[Move, ...], time: int) -> Mapping[Move, float]:
        self.player.follow(1, moves)
        return self.player.policy(position, len(moves), Chance(time))

    def table(self, table: StateTable) -> Any:
        """The probability of each action in every state; raises as ``policy`` does."""
        chances = numpy.zeros(table.masks.shape)
        states = numpy.flatnonzero(table.ends == OPEN)
        if self.player.agent is None:
            for state in states.tolist():
                policy = self.policy(table.positions[state], table.graph.path(state))
                for move, chance in policy.items():
                    chances[state, table.encoding.action(move)] = chance
        else:
            chances[states] = self._ask_all(table, states)
        if (wrong := (chances > 0) & (table.masks == 0)).any():
            state, action = numpy.argwhere(wrong)[0].tolist()
            table.positions[state].play(table.encoding.move(table.positions[state], action))
        return chances

    def _ask_all(self, table: StateTable, states: Any) -> Any:
        """The answers of an agent to all states at once; raises Illegal, Inconsistent."""
        assert self.player.agent is not None
        given = table.own_views[states], table.masks[states], numpy.zeros(len(states), numpy.int64)
        first, again = (_as_chances(self.player.agent(*given), given[1]) for _ in range(2))
        differs = numpy.abs(first - again).max(axis=1) > EXACT
        if differs.any():
            at = int(differs.argmax())
            one, other = (self._named(table, answer[at]) for answer in (first, again))
            raise Inconsistent(table.graph.path(int(states[at])), one, other)
        return first

    @staticmethod
    def _named(table: StateTable, chances: Any) -> str:
        actions = table.encoding.actions
        return _listed({actions[at]: chances[at] for at in numpy.flatnonzero(chances).tolist()})


def _as_chances(answer: Any, masks: Any) -> Any:
    """Actions as certain; raises Illegal if there is no such action."""
    if answer.ndim == 2:
        return answer
    if len(outside := answer[(answer < 0) | (answer >= masks.shape[1])]):
        raise Illegal("no-action", f"{outside[0]} is not a valid action.")
    return numpy.eye(masks.shape[1])[answer]


def _agree(one: Mapping[Move, float], other: Mapping[Move, float]) -> bool:
    moves = one.keys() | other.keys()
    return all(abs(one.get(move, 0) - other.get(move, 0)) <= EXACT for move in moves)


def _listed(policy: Mapping[Any, float]) -> str:
    """Moves, with their probabilities unless there is only one."""
    named = {move if isinstance(move, str) else format_move(move): policy[move] for move in policy}
    if len(named) == 1:
        return next(iter(named))
    return " ".join(f"{move} ({chance:.3g})" for move, chance in named.items())
