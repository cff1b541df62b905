"""The fingerprint of a game: a short digest of its compiled rules.

Records and certificates hold fingerprints, so no fingerprint may change from one version to the
next. Rules that the first version had always enter; a rule that came later enters only if a book
uses it. A new field of ``Rules`` or ``Criterion`` is part of the fingerprint automatically.
"""

from hashlib import sha256
from typing import TYPE_CHECKING

from ninefold.core.patterns import FAMILIES
from ninefold.core.rules import Criterion, Rules

if TYPE_CHECKING:
    from ninefold.core.game import Game

# How each field of ``Rules`` enters is written below, under these names; any other is generic.
_WRITTEN_OUT = (
    *("pool", "wins", "ending", "hand_limit", "in_order", "declare", "invalid"),
    *("misere", "passing", "picks_per_turn", "opening", "pie", "otherwise"),
)
_WRITTEN_OUT_OF_A_LINK = ("measure", "prefer", "target", "exceeding")


def fingerprint_of(game: "Game") -> str:
    """The digest of the rules of this game: equal rules, equal fingerprint."""
    rules = game.rules
    compiled = (
        game.pool,
        # The family sum was once called total, and records from then are still accepted.
        tuple(
            (numbers, {"sum": "total"}.get(patterns[0].family, patterns[0].family))
            for numbers, patterns in game.patterns.items()
        ),
        tuple(map(_link, rules.ending)),
        rules.hand_limit,
        rules.in_order,
        rules.declare,
        rules.invalid,
        *_used_rules(game),
        *_changed(rules, _WRITTEN_OUT),
    )
    return sha256(repr(compiled).encode()).hexdigest()[:16]


def _link(link: Criterion) -> tuple[object, ...]:
    """A link of the ending: the measure ``distance`` also has a target."""
    known = link[:4] if link.measure == "distance" else link[:2]
    return (*known, *_changed(link, _WRITTEN_OUT_OF_A_LINK))


def _changed(values: Rules | Criterion, skipped: tuple[str, ...]) -> list[object]:
    """The name and value of every other field that differs from its default."""
    defaults = type(values)._field_defaults
    return [
        (name, _plain(value))
        for name, value in values._asdict().items()
        if name not in skipped and (name not in defaults or value != defaults[name])
    ]


def _plain(value: object) -> object:
    """The value without names of classes and fields, which may change."""
    return tuple(map(_plain, value)) if isinstance(value, tuple) else value


def _used_rules(game: "Game") -> list[object]:
    """The rules that entered the language before fingerprints became generic, if they are used."""
    rules = game.rules
    entries: dict[object, object] = {
        "misere": rules.misere,
        "whole-hand": tuple(pattern[:2] for pattern in game.whole),
        "passing": rules.passing,
        "picks": rules.picks_per_turn > 1 and rules.picks_per_turn,
        "opening": game.opening,
        "pie": rules.pie,
        "otherwise": rules.otherwise != "draw" and rules.otherwise,
    }
    if rules.in_order:
        entries["listed"] = tuple(p.parameters for p in rules.wins if p.family == "sets")
        entries["orders"] = _orders(game)
    return [name if value is True else (name, value) for name, value in entries.items() if value]


def _orders(game: "Game") -> tuple[tuple[tuple[int, ...], tuple[str, ...]], ...]:
    """The sets of several families that accept different orders."""
    found = []
    for numbers, patterns in game.patterns.items():
        orders: dict[object, str] = {}
        for pattern in patterns:
            orders.setdefault(FAMILIES[pattern.family].in_order, pattern.family)
        if len(orders) > 1:
            found.append((numbers, tuple(orders.values())))
    return tuple(found)
