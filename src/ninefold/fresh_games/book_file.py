"""The file of a rule book that nobody wrote by hand: a title and the rules."""

import json

from ninefold.books.rules import format_game
from ninefold.books.values import as_toml
from ninefold.core.game import Game


def format_rule_book(title: str, game: Game, comment: str = "") -> str:
    """A rule book as TOML; loading it gives these rules again, and their words are generated."""
    rules = json.loads(format_game(game))["rules"]
    tables = {name: rules.pop(name, {}) for name in ("wins", "losses", "values")}
    pool = rules.pop("pool")
    for link in rules["ending"]:
        if link.get("exceeding"):
            del link["exceeding"]  # as it is by default
    lines = [*(f"# {line}" for line in comment.splitlines()), f"title = {as_toml(title)}", ""]
    lines += ["[rules]", f"pool = {as_toml(_range(pool))}"]
    lines += [
        f"{name} = {as_toml(value)}"
        for name, value in rules.items()
        if value not in (None, False, []) and (name, value) != ("invalid", "retry")
    ]
    for name, table in tables.items():
        if table:
            lines += ["", f"[rules.{name}]", *(f"{key} = {as_toml(table[key])}" for key in table)]
    return "\n".join([*lines, ""])


def _range(pool: list[int]) -> list[int] | str:
    """Numbers without a gap are written as a range."""
    low, high = pool[0], pool[-1]
    return f"{low}-{high}" if low >= 0 and pool == [*range(low, high + 1)] else pool
