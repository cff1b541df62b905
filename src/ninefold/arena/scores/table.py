"""All games of a tournament as arrays, in a few bytes per decision, however many there are."""

from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.arena.faults import KNOWN
from ninefold.arena.scores.rows import Damaged, read_lines
from ninefold.arena.scores.rules import Rules, rules_of
from ninefold.arena.tournament import MOST_GAMES, MOST_PLAYERS
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import parse_move
from ninefold.core.state import State

Array = Any
UNKNOWN = -2
NO_DEPTH = -1
MOST_DAMAGED = 20  # of so many lines the fault is kept
# The kind of numbers in each column: of games, of decisions, of faults.
_GAMES = {
    **dict.fromkeys(("cell", "one", "two", "opening", "first", "winner", "forfeit"), "H"),
    **dict.fromkeys(("pair", "line"), "L"),
    **dict.fromkeys(("offset", "id"), "q"),
    **dict.fromkeys(("tokens1", "tokens2", "seconds1", "seconds2", "cost1", "cost2"), "d"),
}
_DECISIONS = {
    **dict.fromkeys(("game",), "L"),
    **dict.fromkeys(("player", "ply", "depth", "good"), "h"),
    **dict.fromkeys(("began", "before", "after", "worst"), "b"),
}
_FAULTS = {"game": "L", "player": "H", "kind": "B"}


class Cell(NamedTuple):
    """A game of the tournament: a book in one reading, perhaps with changes."""

    book: str
    reading: str
    changes: tuple[str, ...]
    rules: str

    @property
    def label(self) -> str:
        """What it is called."""
        return " ".join(filter(None, (self.book, self.reading, *self.changes)))


class Table(NamedTuple):
    """Games, decisions and faults, each a mapping from column to array; a column has one type."""

    names: tuple[str, ...]
    cells: tuple[Cell, ...]
    games: Mapping[str, Array]
    decisions: Mapping[str, Array]
    faults: Mapping[str, Array]
    openings: tuple[int, ...]  # how many different ones, for each game
    pairs: int
    damaged: tuple[tuple[int, str], ...]
    damaged_count: int
    doubled: int
    unjudged: Mapping[int, str]  # games whose rules are not available here, and why


def read_table(folder: Path) -> Table:
    """Read all games of a tournament once; damaged lines are listed, and left out."""
    reader = _Reader(folder)
    for line in read_lines(folder):
        if line.row is None:
            reader.note(line.number, line.fault)
            continue
        try:
            reader.add(line.row, line.number, line.offset)
        except NinefoldError as error:
            reader.note(line.number, error.reason.rstrip("."))
    return reader.table()


class _Reader:
    """Fills the columns, row by row."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.names: dict[str, int] = {}
        self.cells: dict[Cell, int] = {}
        self._pairs: dict[str, int] = {}
        self._ids: set[int] = set()
        self._openings: list[dict[str, int]] = []
        self._rules: list[Rules] = []
        self.games = {name: array(kind) for name, kind in _GAMES.items()}
        self.decisions = {name: array(kind) for name, kind in _DECISIONS.items()}
        self.faults = {name: array(kind) for name, kind in _FAULTS.items()}
        self.damaged: list[tuple[int, str]] = []
        self.damaged_count = self.doubled = 0

    def note(self, number: int, fault: str) -> None:
        """Note that a line is damaged."""
        self.damaged_count += 1
        if len(self.damaged) < MOST_DAMAGED:
            self.damaged.append((number, fault))

    def add(self, row: dict[str, Any], number: int, offset: int) -> None:
        """Add a row; raises Damaged, and leaves no part of the row behind."""
        key = hash(row["id"])
        if key in self._ids:
            self.doubled += 1
            return
        cell = self._cell(row)
        turns, over = self._replay(row, self._rules[cell])
        players = [self._player(name) for name in row["players"]]
        forfeit = 3 - row["winner"] if not over and row["winner"] else 0
        opening = self._openings[cell].setdefault(row["opening"], len(self._openings[cell]))
        pair = self._pairs.setdefault(row["pair"], len(self._pairs))
        self._ids.add(key)
        game = len(self.games["cell"])
        costs = _costs(row)
        first, winner = row.get("first", 1), row["winner"] or 0
        values = (cell, *players, min(opening, 65_000), first, winner, forfeit, pair, number)
        values += (offset, key, *map(float, costs))
        for column, value in zip(self.games.values(), values, strict=True):
            column.append(value)
        if turns is not None:
            self._add_decisions(row, game, players, turns)
        # The same fault again at the same decision, after a retry, is one decision with a fault.
        found = {(one["seat"], str(one.get("ply")), one["kind"]) for one in row.get("faults", ())}
        for seat, _, kind in sorted(found):
            self.faults["game"].append(game)
            self.faults["player"].append(players[seat - 1])
            self.faults["kind"].append(KNOWN.index(kind))

    def _add_decisions(
        self, row: dict[str, Any], game: int, players: Sequence[int], turns: Sequence[int]
    ) -> None:
        count, opening, first = len(turns), len(row["opening"].split()), row.get("first", 1)
        into = self.decisions
        into["game"].extend([game] * count)
        into["player"].extend([players[turn - 1] for turn in turns])
        into["began"].extend([turn == first for turn in turns])
        into["ply"].extend([min(32_000, opening + at) for at in range(1, count + 1)])
        for name in ("before", "after", "worst"):
            into[name].extend([UNKNOWN if one is None else one for one in row[name]])
        for name in ("depth", "good"):
            into[name].extend([NO_DEPTH if one is None else one for one in row[name]])

    def _cell(self, row: dict[str, Any]) -> int:
        changes = tuple(row.get("changes", ()))
        cell = Cell(row["book"], row["reading"], changes, row["rules"])
        if cell not in self.cells:
            if len(self.cells) == MOST_GAMES:
                raise Damaged(f"there are more than {MOST_GAMES} different games")
            self.cells[cell] = len(self.cells)
            self._openings.append({})
            self._rules.append(rules_of(self._folder, cell.book, cell.reading, changes, cell.rules))
        return self.cells[cell]

    def _player(self, name: str) -> int:
        if name not in self.names and len(self.names) == MOST_PLAYERS:
            raise Damaged(f"there are more than {MOST_PLAYERS} players")
        return self.names.setdefault(name, len(self.names))

    def _replay(self, row: dict[str, Any], rules: Rules) -> tuple[list[int] | None, bool]:
        """Whose move each was, and whether the game came to its end by the rules."""
        if rules.game is None:
            return None, row["reason"] not in KNOWN
        state: State = rules.game.states.start(row.get("first", 1))
        turns, skipped = list[int](), len(row["opening"].split())
        for token in (*row["opening"].split(), *row["moves"].split()):
            if state.over:
                raise Damaged("it has moves after its end")
            turns.append(state.turn)
            state = state.play(_move(token))
        if state.over and (state.winner or 0) != (row["winner"] or 0):
            raise Damaged("its winner is not the one that its moves lead to")
        return turns[skipped:], state.over

    def table(self) -> Table:
        """Everything read, as arrays."""
        import numpy as np

        def arrays(columns: dict[str, Any]) -> dict[str, Array]:
            return {name: np.array(column) for name, column in columns.items()}

        return Table(
            tuple(self.names),
            tuple(self.cells),
            arrays(self.games),
            arrays(self.decisions),
            arrays(self.faults),
            tuple(map(len, self._openings)),
            len(self._pairs),
            tuple(self.damaged),
            self.damaged_count,
            self.doubled,
            {at: rules.why for at, rules in enumerate(self._rules) if rules.game is None},
        )


@lru_cache(maxsize=4_096)
def _move(token: str) -> Any:
    return parse_move(token)


def _costs(row: dict[str, Any]) -> tuple[float, ...]:
    """Tokens, seconds and cost, each by seat."""
    return tuple(one for name in ("tokens", "seconds", "cost") for one in row.get(name, (0, 0)))
