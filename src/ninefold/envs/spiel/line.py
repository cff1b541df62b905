"""The line of play that a state of OpenSpiel stands for: nothing in it ever changes."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from ninefold.core.errors import Illegal
from ninefold.core.game import TABLE_POOL
from ninefold.core.moves import Declare, Move, format_move
from ninefold.core.position import Position
from ninefold.envs import picture
from ninefold.envs.encoding import Encoding, encoding_for
from ninefold.envs.spiel.settings import Settings

# What OpenSpiel calls the player to act after the end.
NOBODY = -4


class Table:
    """What all lines of one game share. ``name`` is the text that OpenSpiel loads it by."""

    def __init__(self, name: str, settings: Settings) -> None:
        self.name = name
        self.limit = settings.limit
        self.encoding: Encoding = encoding_for(settings.book.game)
        # Where turns can be lost there is a limit, and it alone ends the game for sure.
        bounds = [self.limit, None if self.encoding.is_endless else self.encoding.most_moves]
        self.most_moves = min(bound for bound in bounds if bound is not None)
        self.start = Line(self, settings.book.game.start(), (), 0)
        pool = settings.book.game.pool
        self.cells = [*map(str, pool)]
        self.places = {number: at for at, number in enumerate(pool)}
        # The planes that show one value everywhere, by their index.
        planes = enumerate(self.encoding.planes)
        self.flags = {at: name for at, name in planes if at > 2 and not name.endswith("_order")}
        # Whatever number is free may be taken, so what is taken tells what is legal; the answers
        # are kept, if there are not too many of them.
        self._is_kept = settings.book.game.rules.is_ordinary and len(pool) <= TABLE_POOL
        self._legal: dict[int, list[int]] = {}

    def replay(self, actions: Iterable[int]) -> "Line":
        """The line of these actions; raises Illegal."""
        line = self.start
        for action in actions:
            line = line.after(action)
        return line

    def follow(self, moves: Iterable[Move]) -> "Line":
        """The line of these moves, one by one as they are judged; raises Illegal."""
        line = self.start
        for move in moves:
            line.position.play(move)
            # A turn lost on the clock can be written in any book, but is not always an action.
            name = "declare" if isinstance(move, Declare) else format_move(move)
            line = line.after(self.action(name))
        return line

    def action(self, name: str) -> int:
        """The action of this name; raises Illegal."""
        if name not in self.encoding.actions:
            told = f"There are: {', '.join(self.encoding.actions)}."
            raise Illegal("no-action", f"{name!r} is no action of this game.", told)
        return self.encoding.actions.index(name)

    def legal(self, position: Position) -> list[int]:
        """The actions the judge allows, in ascending order; not to be changed."""
        if not self._is_kept:
            return self._allowed(position)
        taken = position.masks[0] | position.masks[1]
        found = self._legal.get(taken)
        if found is None:
            found = self._legal[taken] = self._allowed(position)
        return found

    def _allowed(self, position: Position) -> list[int]:
        found: list[int] = self.encoding.mask(position).nonzero()[0].tolist()
        return found


class Line(NamedTuple):
    """Actions played from the start, the position they lead to, and who acts there: 0 or 1."""

    table: Table
    position: Position
    actions: tuple[int, ...]
    player: int

    def __deepcopy__(self, memo: object) -> "Line":
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # Only the actions are written down; the judge plays them again.
        return _read_back, (self.table.name, self.actions)

    def after(self, action: int) -> "Line":
        """The line with one more action; raises Illegal."""
        table, position, actions, player = self
        if player == NOBODY:
            raise Illegal("game-over", "The game is over.")
        position = table.encoding.play(position, action)
        actions = (*actions, action)
        over = position.outcome is not None or len(actions) == table.limit
        return Line(table, position, actions, NOBODY if over else position.turn - 1)

    @property
    def legal(self) -> list[int]:
        """The actions the judge allows; none after the end. Not to be changed."""
        return [] if self.player == NOBODY else self.table.legal(self.position)

    @property
    def moves(self) -> list[Move]:
        """The moves these actions were, as the judge plays them."""
        found, position = [], self.table.start.position
        for action in self.actions:
            found.append(self.table.encoding.move(position, action))
            position = position.play(found[-1])
        return found

    def __str__(self) -> str:
        """All that can still matter: two lines are told alike if and only if their future is."""
        table, position, _, _ = self
        cells = [*table.cells]
        for mark, hand in zip(picture.MARKS, position.hands, strict=True):
            for number in hand:
                cells[table.places[number]] = f"[{mark}]"
        if self.player != NOBODY:
            return "\n".join([" ".join(cells), picture.state(position), *self._more()])
        end = "Draw: no moves left" if position.outcome is None else picture.state(position)
        return f"{' '.join(cells)}\n{end}"

    def _more(self) -> list[str]:
        """What the number line does not show: the planes that say one thing, and the limit."""
        table, position, actions, _ = self
        told = []
        if table.encoding.game.rules.in_order:
            orders = zip(picture.MARKS, map(position.order_of, (1, 2)), strict=True)
            told += [f"{mark}: {' '.join(map(str, order))}".rstrip() for mark, order in orders]
        if table.flags:
            values = table.encoding.observe(position)[:, 0].tolist()
            told += [f"{name}: {values[at]}" for at, name in table.flags.items()]
        if table.limit is not None:
            told.append(f"{table.limit - len(actions)} moves left")
        return told


def _read_back(name: str, actions: tuple[int, ...]) -> Line:
    """The line of these actions in the game of this name; raises Illegal."""
    import pyspiel

    table: Table = pyspiel.load_game(name).table
    return table.replay(actions)
