"""The rules of the games in a file, if they are available here and still the same."""

import os
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from ninefold.books import load_book
from ninefold.books.sources import is_path, parse, read_text
from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.text import shorten

MOST_BYTES = 1 << 20  # of a tournament


class Rules(NamedTuple):
    """A game, or why there is none."""

    game: Game | None
    why: str = ""


@lru_cache(maxsize=256)
def rules_of(
    folder: Path, book: str, reading: str, changes: tuple[str, ...], fingerprint: str
) -> Rules:
    """The game of a row: built in, or in the file that the tournament names."""
    why = "its rule book is not available here"
    for name in (*_sources(folder, fingerprint), book):
        try:
            game = load_book(name, reading or None, changes).game
        except NinefoldError as error:
            why = shorten(error.reason, 200).rstrip(".")
            continue
        if game.fingerprint == fingerprint:
            return Rules(game)
        why = "its rules have changed since"
    return Rules(None, why)


def _sources(folder: Path, fingerprint: str) -> list[str]:
    """Where the tournament says that these rules are: in a folder that the user named."""
    games = tournament_of(folder).get("games", [])
    found = [game for game in games if isinstance(game, dict)] if isinstance(games, list) else []
    names = [game.get("game") for game in found if game.get("rules") == fingerprint]
    known = [name for name in names if isinstance(name, str)]
    return [os.path.join(folder, name) if is_path(name) else name for name in known]


def tournament_of(folder: Path) -> dict[str, Any]:
    """The fields of the tournament in a folder, as they are written; nothing if it is damaged."""
    from ninefold.arena.run import TOURNAMENT

    path = str(folder / TOURNAMENT)
    try:
        return parse(read_text(path, MOST_BYTES), path)
    except NinefoldError:
        return {}
