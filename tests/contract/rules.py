"""Games from rules as a rule book writes them, for the tests of the language."""

from __future__ import annotations

from ninefold.books import read_book
from ninefold.core.game import Game


def game_of(**rules: object) -> Game:
    """The game with these rules, named as in a rule book but with underscores."""
    named = {key.replace("_", "-"): value for key, value in rules.items()}
    named.setdefault("pool", "1-9")
    return read_book({"id": "x", "title": "X", "summary": "X", "rules": named}).game
