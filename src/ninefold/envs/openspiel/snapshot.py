"""An immutable snapshot of a game, which a state of OpenSpiel holds."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from ninefold.core.errors import Illegal
from ninefold.core.game import TABLE_POOL
from ninefold.core.moves import Declare, Move, format_move
from ninefold.core.position import Position
from ninefold.encoding import Encoding, encoding_for
from ninefold.envs.openspiel.settings import GameSettings
from ninefold.envs.rendering import MARKS, describe_state

# OpenSpiel's number for the player to act after the end.
NOBODY = -4


class SharedGame:
    """What all snapshots of a game share; ``name`` is the text that OpenSpiel loads it by."""

    def __init__(self, name: str, settings: GameSettings) -> None:
        self.name = name
        self.limit = settings.limit
        self.encoding: Encoding = encoding_for(settings.book.game)
        # If turns can be lost without end, only the limit is sure to end the game.
        bounds = [self.limit, None if self.encoding.is_endless else self.encoding.most_moves]
        self.most_moves = min(bound for bound in bounds if bound is not None)
        self.start = Snapshot(self, settings.book.game.start(), (), 0)
        pool = settings.book.game.pool
        self.cells = [*map(str, pool)]
        self.places = {number: at for at, number in enumerate(pool)}
        # The planes with one value in every place, by their index.
        planes = enumerate(self.encoding.planes)
        self.flags = {at: name for at, name in planes if at > 2 and not name.endswith("_order")}
        # In ordinary games any free number may be taken, so legal actions depend only on what is
        # taken. They are cached if there are not too many.
        self._is_cached = settings.book.game.rules.is_ordinary and len(pool) <= TABLE_POOL
        self._legal: dict[int, list[int]] = {}

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

    def legal(self, position: Position) -> list[int]:
        """The legal actions in ascending order; do not modify the list."""
        if not self._is_cached:
            return self._allowed(position)
        taken = position.masks[0] | position.masks[1]
        found = self._legal.get(taken)
        if found is None:
            found = self._legal[taken] = self._allowed(position)
        return found

    def _allowed(self, position: Position) -> list[int]:
        found: list[int] = self.encoding.mask(position).nonzero()[0].tolist()
        return found


class Snapshot(NamedTuple):
    """The actions so far, the position they lead to, and the player to act: 0 or 1."""

    shared: SharedGame
    position: Position
    actions: tuple[int, ...]
    player: int

    def __deepcopy__(self, memo: object) -> "Snapshot":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Only the actions are saved; the judge plays them again.
        return _read_back, (self.shared.name, self.actions)

    def after(self, action: int) -> "Snapshot":
        """The snapshot after one more action; raises Illegal."""
        shared, position, actions, player = self
        if player == NOBODY:
            raise Illegal("game-over", "The game is over.")
        position = shared.encoding.play(position, action)
        actions = (*actions, action)
        over = position.outcome is not None or len(actions) == shared.limit
        return Snapshot(shared, position, actions, NOBODY if over else position.turn - 1)

    @property
    def legal(self) -> list[int]:
        """The legal actions; none after the end. Do not modify the list."""
        return [] if self.player == NOBODY else self.shared.legal(self.position)

    @property
    def moves(self) -> list[Move]:
        """The moves of these actions, as the judge plays them."""
        found, position = [], self.shared.start.position
        for action in self.actions:
            found.append(self.shared.encoding.move(position, action))
            position = position.play(found[-1])
        return found

    def __str__(self) -> str:
        """All that can still matter: two texts are equal if and only if the future is."""
        shared, position, _, _ = self
        cells = [*shared.cells]
        for mark, hand in zip(MARKS, position.hands, strict=True):
            for number in hand:
                cells[shared.places[number]] = f"[{mark}]"
        if self.player != NOBODY:
            return "\n".join([" ".join(cells), describe_state(position), *self._more()])
        end = "Draw: no moves left" if position.outcome is None else describe_state(position)
        return f"{' '.join(cells)}\n{end}"

    def _more(self) -> list[str]:
        """What the number line does not show: order, single-valued planes, and the limit."""
        shared, position, actions, _ = self
        lines = []
        if shared.encoding.game.rules.in_order:
            orders = zip(MARKS, map(position.order_of, (1, 2)), strict=True)
            lines += [f"{mark}: {' '.join(map(str, order))}".rstrip() for mark, order in orders]
        if shared.flags:
            values = shared.encoding.observe(position)[:, 0].tolist()
            lines += [f"{name}: {values[at]}" for at, name in shared.flags.items()]
        if shared.limit is not None:
            lines.append(f"{shared.limit - len(actions)} moves left")
        return lines


def _read_back(name: str, actions: tuple[int, ...]) -> Snapshot:
    """The snapshot after these actions in the game of this name; raises Illegal."""
    import pyspiel

    shared: SharedGame = pyspiel.load_game(name).shared
    return shared.replay(actions)
