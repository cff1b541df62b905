"""The rules of a game as one line of JSON, for programs: the fields of a book, and its sets."""

import json
from typing import Any

from ninefold.books.faults import BookError, Fault, Table
from ninefold.books.format import read_rules
from ninefold.core.errors import RulesError
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Rules

# More sets than this are left out: whoever plays so large a game can list them from the rules.
MAX_LISTED = 1_000
_SOURCE = "the description"
_LINK = ("measure", "prefer")


def format_game(game: Game) -> str:
    """The line that describes this game; it has no ``#``, which begins a comment elsewhere."""
    data: dict[str, Any] = {"game": game.name, "rules": _rules(game)}
    if len(game.sets) <= MAX_LISTED:
        data["sets"] = game.sets
    return json.dumps(data).replace("#", "\\u0023")


def parse_game(text: str) -> Game:
    """The game a line describes; ``sets`` need not be there. Raises BookError."""
    faults: list[Fault] = []
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        raise BookError(_SOURCE, [Fault("the line", "JSON is expected")]) from None
    table = Table(data, "", faults)
    name, rules = table.line("game"), read_rules(table.table("rules"))
    if faults:
        raise BookError(_SOURCE, faults)
    try:
        return Game(rules, name[:60])
    except RulesError as error:
        raise BookError(_SOURCE, [Fault("rules", error.message)]) from None


def _rules(game: Game) -> dict[str, Any]:
    """The rules under the names a rule book gives them; the rarer ones are left out if unused."""
    fields, usual = game.rules._asdict(), Rules._field_defaults
    for rare in ("passing", "picks_per_turn", "opening", "pie", "otherwise"):
        if fields[rare] == usual[rare]:
            del fields[rare]
    fields["wins"] = {pattern.label: _pattern(pattern) for pattern in game.rules.wins}
    fields["ending"] = [
        link._asdict() if link.measure == "distance" else dict(zip(_LINK, link, strict=False))
        for link in game.rules.ending
    ]
    return {key.replace("_", "-"): value for key, value in fields.items() if value is not None}


def _pattern(pattern: Pattern) -> dict[str, Any]:
    family = {"family": pattern.family} if pattern.name else {}
    return {**family, **dict(pattern.parameters)}
