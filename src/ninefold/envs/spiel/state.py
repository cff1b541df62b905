"""A state of OpenSpiel: it holds a line of play, and translates."""

from typing import Any

import pyspiel

from ninefold.core.errors import Illegal
from ninefold.core.moves import format_move
from ninefold.envs.spiel.line import NOBODY, Line


class NinefoldState(pyspiel.State):  # type: ignore[misc] # it comes without types
    """A state of a game that moves on from line to line.

    OpenSpiel copies and writes down whatever attribute there is, so there is only one.
    """

    def __init__(self, game: Any, line: Line) -> None:
        super().__init__(game)
        self.line = line

    def current_player(self) -> int:
        """0 or 1; after the end, what OpenSpiel calls the terminal player."""
        return self.line.player

    def is_terminal(self) -> bool:
        """Whether the game is over, by the judge or by the limit."""
        return self.line.player == NOBODY

    def legal_actions(self, *player: int) -> list[int]:
        """The actions the judge allows, in ascending order; none for a player not to act."""
        who = player[0] if player else self.line.player
        # What is asked most is answered without a dozen calls back and forth.
        if who == self.line.player:
            return self.line.legal.copy()
        others: list[int] = super().legal_actions(who)
        return others

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - OpenSpiel prescribes it
        return self.line.legal

    def observation_tensor(self, *player: int) -> list[float]:
        """The planes as this player sees them, row by row; without one, as the player to act."""
        who = player[0] if player else self.line.player
        if who in (0, 1):
            # OpenSpiel would make a state and observe it each time, to find out the shape.
            planes = self.line.table.encoding.observe(self.line.position, who + 1)
            seen: list[float] = planes.ravel().astype(float).tolist()
        else:
            seen = super().observation_tensor(who)  # which says what is wrong
        return seen

    def _apply_action(self, action: int) -> None:
        self.line = self.line.after(action)

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002 - as above
        actions = self.line.table.encoding.actions
        if not 0 <= action < len(actions):
            told = f"There are 0 to {len(actions) - 1}."
            raise Illegal("no-action", f"{action} is no action.", told)
        return actions[action]

    def returns(self) -> list[float]:
        """1 and -1 for a win, 0 for a draw, before the end, and where the limit ended the game."""
        line = self.line
        return [line.table.encoding.reward(line.position, seat) for seat in (1, 2)]

    @property
    def moves(self) -> str:
        """The game so far, in the notation that ``ninefold referee`` judges."""
        return " ".join(map(format_move, self.line.moves))

    def __str__(self) -> str:
        """The position, with all that can still matter and nothing else."""
        return str(self.line)

    def _to_struct(self) -> dict[str, Any]:
        position = self.line.position
        outcome = position.outcome
        return {
            "moves": self.moves,
            "player": self.line.player,
            "hands": [list(hand) for hand in position.hands],
            "reason": "" if outcome is None else outcome.reason,
            "returns": self.returns(),
        }

    def _to_observation_struct(self, player: int) -> dict[str, Any]:  # noqa: ARG002 - as above
        return self._to_struct()

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        return {"action": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: dict[str, str]) -> list[int]:
        return [self.line.table.action(struct["action"])]
