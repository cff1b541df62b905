"""Maps the actions of an environment to moves."""

from collections.abc import Mapping
from typing import NamedTuple

from ninefold.conform.host.plain import MAX_ACTION
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, Move, format_move, parse_move, split_moves
from ninefold.core.position import Position

ORDERED = "Write the moves in the order of their actions:"
EXAMPLE = f'{ORDERED} --actions "1 2 3 4 5 6 7 8 9 pass=9".'
MAX_LISTED = 12


class Actions(NamedTuple):
    """The moves by action, and the action space: ``size`` actions from ``start`` on."""

    moves: Mapping[int, Move]
    start: int
    size: int

    def legal(self, position: Position) -> dict[int, Move]:
        """The move of each legal action, even if it loses the turn; raises NinefoldError."""
        legal = set(position.legal)
        found = {action: move for action, move in self.moves.items() if move in legal}
        if len(found) < len(legal):
            if missing := legal.difference(found.values(), [LOST]):
                raise self._no_action(min(map(format_move, missing)))
            for action, move in self.moves.items():
                if type(move) is int and position.attempt(move) is LOST:
                    found[action] = LOST
        return found

    def required(self, position: Position) -> set[int]:
        """The actions that must be listed as legal; those that lose the turn may be listed too."""
        return {action for action, move in self.legal(position).items() if move is not LOST}

    def illegal(self, legal: Mapping[int, Move]) -> list[int]:
        """All other actions than these legal ones."""
        actions = range(self.start, self.start + self.size)
        return [action for action in actions if action not in legal]

    def _no_action(self, word: str) -> NinefoldError:
        """The refusal of a game with this move, and how to add it to the known ones."""
        known = [format_move(self.moves[action]) for action in sorted(self.moves)]
        listed = " ".join(known if len(known) <= MAX_LISTED else [*known[:2], "…", known[-1]])
        example = f'{ORDERED} --actions "{listed} {word}={max(self.moves) + 1}".'
        return NinefoldError("no-action", f"No action stands for the move {word}.", example)

    def word(self, action: int) -> str:
        """The move of an action, or the action itself if it has none."""
        move = self.moves.get(action)
        return f"action {action}" if move is None else format_move(move)


def parse_actions(
    game: Game, text: str | None, offset: int | None, start: int, count: int | None
) -> Actions:
    """The actions given by ``--actions`` or ``--offset``, or by the pool; raises NinefoldError."""
    if text is not None:
        moves = _listed(text, start)
    elif offset is not None:
        moves = {number - offset: number for number in game.pool}
    else:
        moves = {start + at: number for at, number in enumerate(game.pool)}
    lacking = [number for number in game.pool if number not in moves.values()]
    if lacking:
        raise NinefoldError("no-action", f"No action stands for the number {lacking[0]}.", EXAMPLE)
    low, high = min(moves), max(moves)
    if count is None:
        return Actions(moves, min(low, start), high + 1 - min(low, start))
    if low < start or high >= start + count:
        raise NinefoldError(
            "too-few-actions",
            f"The game needs actions {low} to {high}, but the environment has {start} to "
            f"{start + count - 1}.",
            "Is it another game, or another pool (--set pool=1-9)? Otherwise say which action is "
            "which number: --offset or --actions.",
        )
    return Actions(moves, start, count)


def _listed(text: str, start: int) -> dict[int, Move]:
    """Moves in the order of their actions; ``pass=9`` gives the action of a move."""
    moves: dict[int, Move] = {}
    at = start
    for token in split_moves(text):
        word, equals, place = token.partition("=")
        if equals and not (place.isdecimal() and int(place) < MAX_ACTION):
            raise NinefoldError("bad-actions", f"{token!r} has no valid action number.", EXAMPLE)
        action = int(place) if equals else at
        move = parse_move(word)
        if action in moves or move in moves.values():
            raise NinefoldError("bad-actions", f"{token!r} appears twice.", EXAMPLE)
        moves[action] = move
        at = action + 1
    return moves
