"""Who sits where: the seat of the agent in each episode, and the player opposite."""

import os
from collections.abc import Iterable, Sequence
from operator import index
from typing import Literal, TypeAlias

from ninefold import books, players
from ninefold.core.errors import Illegal, NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.envs.encoding import Encoding
from ninefold.players import Chance, NoMove, Player

SELF = "self"
Seat: TypeAlias = Literal[1, 2, "alternate"]
SEATS: tuple[Seat, ...] = (1, 2, "alternate")
IllegalPolicy: TypeAlias = Literal["raise", "lose", "lose-turn"]
ILLEGAL_POLICIES: tuple[IllegalPolicy, ...] = ("raise", "lose", "lose-turn")


class WrongSetting(NinefoldError, ValueError):
    """An argument of an environment is none of those it knows."""


def require_one_of(name: str, value: object, allowed: Sequence[object]) -> None:
    """Raise WrongSetting unless the value of this argument is one of those allowed."""
    if value not in allowed or isinstance(value, bool):
        words = ", ".join(map(repr, allowed))
        raise WrongSetting("setting", f"{name} must be one of {words}, not {value!r}.")


def game_from(book: str | os.PathLike[str], reading: str | None, changes: Iterable[str]) -> Game:
    """The game these arguments name; a change that stands alone is one; raises NinefoldError."""
    laid_over = (changes,) if isinstance(changes, str) else tuple(changes or ())
    if not all(isinstance(change, str) for change in laid_over):
        raise WrongSetting("setting", f"changes must be text, such as 'pool=1-12': {changes!r}.")
    return books.load_book(os.fspath(book), reading, laid_over).game


def require_opponent(kind: object, game: Game) -> None:
    """Raise NinefoldError unless this player exists and plays this game, or it is self-play."""
    if not isinstance(kind, str):
        reason = f"opponent must be the name of a player, or {SELF!r}, not {kind!r}."
        raise WrongSetting("setting", reason)
    if kind == players.HUMAN:
        raise WrongSetting("setting", "No person can be the opponent in an environment.")
    known = [name for name in players.KINDS if name != players.HUMAN]
    if kind not in (SELF, *known) and not players.is_program(kind):
        told = ", ".join((*known, f"{players.PROGRAM}CMD", SELF))
        raise WrongSetting("setting", f"There is no opponent {kind!r}; choose one of: {told}.")
    if kind != SELF:
        players.check(kind, game)


def limit_from(max_plies: int | None, encoding: Encoding, illegal: IllegalPolicy) -> int | None:
    """The limit in force: the one asked for, or the stated one of an endless game; 0 is none."""
    if max_plies is None:
        return encoding.limit if encoding.is_endless or illegal == "lose-turn" else None
    try:
        max_plies = index(max_plies)
    except TypeError:
        told = f"max_plies must be a whole number, not {max_plies!r}."
        raise WrongSetting("setting", told) from None
    if max_plies < 0:
        raise WrongSetting("setting", f"max_plies must not be negative: {max_plies}.")
    return max_plies or None


class Forfeit(Exception):
    """The opponent made no legal move; the message says why."""


class Opponent:
    """A player of Ninefold in the other seat, for one environment."""

    def __init__(self, kind: str, game: Game) -> None:
        require_opponent(kind, game)
        player = players.make(kind)
        assert player is not None  # a person was refused
        self.player: Player = player
        self._game = game
        self._chance = Chance(0)

    def begin(self, seed: int) -> None:
        """Sit down for a game whose chance comes from this seed."""
        self._chance = Chance(seed)
        self.player.begin(self._game, None)

    def move(self, position: Position, moves: Sequence[Move]) -> Move:
        """A legal move, after these moves; raises Forfeit if none is made."""
        try:
            self.player.follow(1, moves)
            move = self.player.choose(position, len(moves), self._chance)
            position.play(move)
        except (NoMove, Illegal) as failure:
            raise Forfeit(failure.message) from failure
        return move

    def close(self) -> None:
        """Leave for good."""
        self.player.close()
