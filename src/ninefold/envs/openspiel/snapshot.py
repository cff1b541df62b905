"""A state of OpenSpiel, and the immutable snapshot of a game that it holds."""

from collections.abc import Iterable
from functools import reduce
from typing import Any, NamedTuple

import pyspiel

from ninefold.core.errors import Illegal
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, format_move
from ninefold.core.position import Position
from ninefold.encoding import Encoding, encoding_for
from ninefold.envs.episode import EncodedState, encoded_states_for
from ninefold.envs.rendering import MARKS, describe_state, number_line

# OpenSpiel's number for the player to act after the end.
NOBODY = -4


class SharedGame:
    """What all snapshots of a game share; ``name`` is the text that OpenSpiel loads it by."""

    def __init__(self, name: str, game: Game, limit: int | None) -> None:
        self.name, self.game, self.limit = name, game, limit
        self.encoding: Encoding = encoding_for(self.game)
        # If turns can be lost without end, only the limit is sure to end the game.
        bounds = [self.limit, None if self.encoding.is_endless else self.encoding.most_moves]
        self.most_moves = min(bound for bound in bounds if bound is not None)
        self.start = Snapshot(self, encoded_states_for(self.game).start(), (), 0)
        # The planes that show one value or one number, by their index.
        planes = enumerate(self.encoding.planes)
        self.single = {at: name for at, name in planes if at > 2 and not name.endswith("_order")}

    def follow(self, moves: Iterable[Move]) -> "Snapshot":
        """The snapshot after these moves, judged one by one; raises Illegal."""
        snapshot = self.start
        for move in moves:
            snapshot.position.play(move)
            # A turn lost on the clock can be written for any book, but is not always an action.
            name = "declare" if isinstance(move, Declare) else format_move(move)
            snapshot = snapshot.after(self.action(name))
        return snapshot

    def action(self, name: str) -> int:
        """The action of this name; raises Illegal."""
        if name not in self.encoding.actions:
            advice = f"Use one of: {', '.join(self.encoding.actions)}."
            raise Illegal("no-action", f"{name!r} is not an action of this game.", advice)
        return self.encoding.actions.index(name)


class Snapshot(NamedTuple):
    """The actions so far, the state they lead to, and the player to act: 0 or 1."""

    shared: SharedGame
    state: EncodedState
    actions: tuple[int, ...]
    player: int

    def __deepcopy__(self, memo: object) -> "Snapshot":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Only the actions are saved; the judge plays them again. Saved states name this module.
        return _read_back, (self.shared.name, self.actions)

    def after(self, action: int) -> "Snapshot":
        """The snapshot after one more action; raises Illegal."""
        shared, state, actions, player = self
        if player == NOBODY:
            raise Illegal("game-over", "The game is over.")
        _, state = state.act(action)
        actions = (*actions, action)
        over = state.over or len(actions) == shared.limit
        return Snapshot(shared, state, actions, NOBODY if over else state.turn - 1)

    @property
    def position(self) -> Position:
        """A position with the same future; its hands may be in another order."""
        return self.state.position

    @property
    def legal(self) -> list[int]:
        """The legal actions; none after the end. Do not modify the list."""
        return [] if self.player == NOBODY else self.state.actions

    @property
    def moves(self) -> list[Move]:
        """The moves of these actions, as the judge plays them."""
        found, state = [], self.shared.start.state
        for action in self.actions:
            move, state = state.act(action)
            found.append(move)
        return found

    def __str__(self) -> str:
        """All that can still matter: two texts are equal if and only if the future is."""
        position = self.position
        end = describe_state(position)
        if self.player == NOBODY:
            end = "Draw: no moves left" if position.outcome is None else end
            return f"{number_line(position)}\n{end}"
        return "\n".join([number_line(position), end, *self._more()])

    def _more(self) -> list[str]:
        """What the number line does not show: order, single values and numbers, the limit."""
        shared, state, actions, player = self
        lines = []
        if shared.game.rules.sees_order:
            orders = zip(MARKS, map(self.position.order_of, (1, 2)), strict=True)
            lines += [f"{mark}: {' '.join(map(str, order))}".rstrip() for mark, order in orders]
        for at, name in shared.single.items():
            plane = state.views[player][at].tolist()
            value = plane[0]
            if name.endswith("_number"):
                value = shared.game.pool[plane.index(1)] if 1 in plane else "none"
            lines.append(f"{name}: {value}")
        if shared.limit is not None:
            lines.append(f"{shared.limit - len(actions)} moves left")
        return lines


def _read_back(name: str, actions: tuple[int, ...]) -> Snapshot:
    """The snapshot after these actions in the game of this name; raises Illegal."""
    start: Snapshot = pyspiel.load_game(name).shared.start
    return reduce(Snapshot.after, actions, start)


class NinefoldState(pyspiel.State):  # type: ignore[misc] # it has no types
    """A state of a game, whose only attribute is what OpenSpiel copies and saves: a snapshot."""

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
