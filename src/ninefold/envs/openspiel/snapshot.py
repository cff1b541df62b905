"""An immutable snapshot of a game, which a state of OpenSpiel holds."""

from collections.abc import Iterable
from typing import Any, NamedTuple

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
        # The planes with one value in every place, by their index.
        planes = enumerate(self.encoding.planes)
        self.flags = {at: name for at, name in planes if at > 2 and not name.endswith("_order")}

    def replay(self, actions: Iterable[int]) -> "Snapshot":
        """The snapshot after these actions; raises Illegal."""
        snapshot = self.start
        for action in actions:
            snapshot = snapshot.after(action)
        return snapshot

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
        """What the number line does not show: order, single-valued planes, and the limit."""
        shared, state, actions, player = self
        lines = []
        if shared.game.rules.in_order:
            orders = zip(MARKS, map(self.position.order_of, (1, 2)), strict=True)
            lines += [f"{mark}: {' '.join(map(str, order))}".rstrip() for mark, order in orders]
        if shared.flags:
            values = state.views[player][:, 0].tolist()
            lines += [f"{name}: {values[at]}" for at, name in shared.flags.items()]
        if shared.limit is not None:
            lines.append(f"{shared.limit - len(actions)} moves left")
        return lines


def _read_back(name: str, actions: tuple[int, ...]) -> Snapshot:
    """The snapshot after these actions in the game of this name; raises Illegal."""
    import pyspiel

    shared: SharedGame = pyspiel.load_game(name).shared
    return shared.replay(actions)
