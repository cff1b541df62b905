"""Copies of a program, which take turns in any number of games."""

import asyncio
from collections.abc import Sequence
from typing import NamedTuple

from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move, parse_move
from ninefold.players import Chance
from ninefold.players.program import ProgramPlayer


class Turn(NamedTuple):
    """A program is to move in this game: who went first, all moves, and the seconds per turn."""

    id: str
    game: Game
    first: int
    moves: tuple[str, ...]
    limit: float | None


class Programs:
    """So many copies of a program. A game stays with the copy that knows it, if that is free."""

    def __init__(self, arguments: Sequence[str], count: int, seconds: float) -> None:
        self._places = asyncio.Semaphore(count)
        self._copies = [_Copy(arguments, seconds) for _ in range(count)]
        self._free = [*self._copies]

    async def choose(self, turn: Turn) -> str:
        """The move that the program chooses; raises NinefoldError if it chooses none."""
        async with self._places:
            # The one that was used longest ago is first.
            copy = next((one for one in self._free if one.id == turn.id), self._free[0])
            self._free.remove(copy)
            try:
                return await asyncio.to_thread(copy.choose, turn)
            finally:
                self._free.append(copy)

    def close(self) -> None:
        """End all copies, also those that are thinking."""
        for copy in self._copies:
            copy.close()


class _Copy:
    """One running program, and the game that it played last."""

    def __init__(self, arguments: Sequence[str], seconds: float) -> None:
        self.id = ""
        self._player = ProgramPlayer(arguments, seconds)
        self._is_thinking = False

    def choose(self, turn: Turn) -> str:
        """The move that it chooses; raises NinefoldError."""
        self._is_thinking = True
        try:
            return self._choose(turn)
        finally:
            self._is_thinking = False

    def _choose(self, turn: Turn) -> str:
        if self.id != turn.id:
            self._player.begin(turn.game, turn.limit)
        self.id = ""  # after a failure, it begins anew
        moves: list[Move] = [parse_move(move) for move in turn.moves]
        self._player.follow(turn.first, moves)
        position = turn.game.start(turn.first)
        for move in moves:
            position = position.play(move)
        chosen = self._player.choose(position, len(moves), Chance(0))
        self.id = turn.id
        return format_move(chosen)

    def close(self) -> None:
        """End the program; at once if it is thinking, in another thread."""
        if self._is_thinking:
            self._player.interrupt()
        else:
            self._player.close()
