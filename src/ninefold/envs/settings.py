"""The ids of the environments, and the arguments that all of them take."""

import os
from collections.abc import Iterable
from operator import index
from typing import Literal, TypeAlias

from ninefold import books, players
from ninefold.core.game import Game
from ninefold.encoding import Encoding
from ninefold.layout import VERSION
from ninefold.require import WrongSetting

ANY_BOOK = f"ninefold/RuleBook-v{VERSION}"
SELF = "self"
Seat: TypeAlias = Literal[1, 2, "alternate"]
SEATS: tuple[Seat, ...] = (1, 2, "alternate")
IllegalPolicy: TypeAlias = Literal["raise", "lose", "lose-turn"]
ILLEGAL_POLICIES: tuple[IllegalPolicy, ...] = ("raise", "lose", "lose-turn")


def game_from(
    book: str | os.PathLike[str] | None, reading: str | None, changes: Iterable[str]
) -> Game:
    """The game these arguments name; a single string is one change. Raises NinefoldError."""
    if book is None:
        reason = "Which rule book? Name it: book='magic-fifteen', or book='./my-game.toml'."
        raise WrongSetting("setting", reason)
    listed = (changes,) if isinstance(changes, str) else tuple(changes or ())
    if not all(isinstance(change, str) for change in listed):
        raise WrongSetting("setting", f"changes must be text such as 'pool=1-12', not {changes!r}.")
    return books.load_book(os.fspath(book), reading, listed).game


def opponent_from(kind: object, game: Game) -> players.Player | None:
    """The player of this name, free of any clock; None for ``self``. Raises NinefoldError.

    It can also be an object: a player, a function of a position, or a batched agent.
    """
    if not isinstance(kind, str):
        if not isinstance(kind, players.Player) and not callable(kind):
            expected = f"opponent must be a player, a function, or the name of one, or {SELF!r}"
            raise WrongSetting("setting", f"{expected}, not {kind!r}.")
        return players.make(kind, game)
    if kind == players.HUMAN:
        raise WrongSetting("setting", "A person cannot be the opponent in an environment.")
    known = [name for name in players.KINDS if name != players.HUMAN]
    if kind not in (SELF, *known) and not players.is_outside(kind):
        choices = ", ".join((*players.FORMS[1:], SELF))
        raise WrongSetting("setting", f"Unknown opponent {kind!r}; choose one of: {choices}.")
    return None if kind == SELF else players.make(kind, game, seconds=None)


def limit_from(max_plies: int | None, encoding: Encoding, illegal: IllegalPolicy) -> int | None:
    """The limit in force: the given one, or by default that of an endless game; 0 is unlimited."""
    if max_plies is None:
        return encoding.limit if encoding.is_endless or illegal == "lose-turn" else None
    try:
        max_plies = index(max_plies)
    except TypeError:
        reason = f"max_plies must be a whole number, not {max_plies!r}."
        raise WrongSetting("setting", reason) from None
    if max_plies < 0:
        raise WrongSetting("setting", f"max_plies must not be negative: {max_plies}.")
    return max_plies or None


def registered_arguments() -> dict[str, dict[str, str | None]]:
    """The arguments that each id stands for: every book, and every reading by name."""
    found: dict[str, dict[str, str | None]] = {ANY_BOOK: {}}
    for book in books.names():
        for reading in (None, *books.load_book(book).readings):
            names = [book, reading] if reading else [book]
            camel = ["".join(map(str.capitalize, name.split("-"))) for name in names]
            arguments = {"book": book, "reading": reading}
            found[f"ninefold/{'-'.join(camel)}-v{VERSION}"] = arguments
    return found
