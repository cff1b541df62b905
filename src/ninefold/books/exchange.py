"""The rules of a game as one line of JSON, for programs: the fields of a book, and its sets."""

import json
from typing import Any

from ninefold.books.faults import BookError, Fault, Table
from ninefold.books.format import read_rules
from ninefold.core.errors import RulesError
from ninefold.core.game import Game

# More sets than this are left out: whoever plays so large a game can list them from the rules.
MAX_LISTED = 1_000
_SOURCE = "the description"


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
    """The rules under the names a rule book gives them; what is not limited is left out."""
    fields = game.rules._asdict()
    fields["wins"] = {pattern.family: dict(pattern.parameters) for pattern in game.rules.wins}
    fields["ending"] = [criterion._asdict() for criterion in game.rules.ending]
    return {key.replace("_", "-"): value for key, value in fields.items() if value is not None}
