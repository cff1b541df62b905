"""A state of OpenSpiel, which translates between it and a snapshot."""

from typing import Any

import pyspiel

from ninefold.core.moves import format_move
from ninefold.envs.openspiel.snapshot import NOBODY, Snapshot


class NinefoldState(pyspiel.State):  # type: ignore[misc] # it has no types
    """A state of a game that advances from snapshot to snapshot.

    OpenSpiel copies and saves all attributes, so there is only one.
    """

    def __init__(self, game: Any, snapshot: Snapshot) -> None:
        super().__init__(game)
        self.snapshot = snapshot

    def current_player(self) -> int:
        """0 or 1; after the end, OpenSpiel's terminal player."""
        return self.snapshot.player

    def is_terminal(self) -> bool:
        """Whether the game is over, by the judge or by the limit."""
        return self.snapshot.player == NOBODY

    def legal_actions(self, *player: int) -> list[int]:
        """The legal actions in ascending order; none for a player who is not to act."""
        who = player[0] if player else self.snapshot.player
        # The most frequent call avoids a dozen calls back and forth.
        if who == self.snapshot.player:
            return self.snapshot.legal.copy()
        others: list[int] = super().legal_actions(who)
        return others

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002 - required by OpenSpiel
        return self.snapshot.legal

    def observation_tensor(self, *player: int) -> list[float]:
        """The planes as seen by this player, row by row; by default, by the player to act."""
        who = player[0] if player else self.snapshot.player
        if who in (0, 1):
            # OpenSpiel would create and observe a state each time, to find the shape.
            seen: list[float] = self.snapshot.state.views[who].ravel().astype(float).tolist()
        else:
            seen = super().observation_tensor(who)  # raises the right error
        return seen

    def _apply_action(self, action: int) -> None:
        self.snapshot = self.snapshot.after(action)

    def _action_to_string(self, player: int, action: int) -> str:  # noqa: ARG002 - as above
        encoding = self.snapshot.shared.encoding
        return encoding.actions[encoding.checked(action)]

    def returns(self) -> list[float]:
        """1 and -1 for a win; 0 for a draw, before the end, and if the limit ended the game."""
        return [*self.snapshot.state.rewards]

    @property
    def moves(self) -> str:
        """The game so far, in the notation of ``ninefold referee``."""
        return " ".join(map(format_move, self.snapshot.moves))

    def __str__(self) -> str:
        """The position, with everything that can still matter and nothing else."""
        return str(self.snapshot)

    def _to_struct(self) -> dict[str, Any]:
        snapshot = self.snapshot
        hands = snapshot.shared.game.play(snapshot.moves).hands
        return {
            "moves": self.moves,
            "player": snapshot.player,
            "hands": [*map(list, hands)],
            "reason": snapshot.state.reason,
            "returns": self.returns(),
        }

    def _to_observation_struct(self, player: int) -> dict[str, Any]:  # noqa: ARG002 - as above
        return self._to_struct()

    def _action_to_struct(self, player: int, action: int) -> dict[str, str]:
        return {"action": self._action_to_string(player, action)}

    def _struct_to_actions(self, struct: dict[str, str]) -> list[int]:
        return [self.snapshot.shared.action(struct["action"])]
