"""The rules of a book: read from its table, and written as one line of JSON for programs."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.books.faults import MAX_FAULTS, BookError, Fault, Table
from ninefold.books.fields import attribute, read_fields
from ninefold.books.language import LINK, NEEDS_BY, RULES, conflicts
from ninefold.books.sources import parse_json
from ninefold.books.values import A_SET, is_set, line
from ninefold.core.errors import RulesError
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.picks import LIMIT_FIRST, Picks, Seen
from ninefold.core.rules import Cap, Criterion, Restriction, Rules
from ninefold.core.text import listed

# A program that plays a game with more sets than this can list them from the rules.
MAX_LISTED = 1_000
_SOURCE = "the description"
# The first programs were told these even at their defaults, where later rules are left out.
_ALWAYS_WRITTEN = "pool wins ending in_order declare invalid misere exceeding".split()


def read_rules(table: Table) -> Rules:
    """The rules of a book; everything that is wrong with them is noted as faults."""
    found = read_fields(table, RULES)
    found["ending"] = tuple(Criterion(**_attributes(link)) for link in found["ending"])
    found["restrictions"] = _restrictions(table, found["restrictions"])
    found["caps"] = tuple(Cap(**_attributes(cap)) for cap in found["caps"])
    found["hand-limit"] = found["hand-limit"] or None
    found["opening"] = tuple(sorted({*found["opening"]}))
    rules = Rules(**_attributes(found))
    if all(fault.keys != (*table.keys, "pool") for fault in table.faults):
        _check_pool(table, rules)
    table.faults.extend(Fault((*table.keys, name), problem) for name, problem in conflicts(rules))
    return rules


def _restrictions(table: Table, given: tuple[dict[str, Any], ...]) -> tuple[Restriction, ...]:
    """The restrictions; what does not fit together in one of them is noted."""
    problems = [*map(_misfit, given)]
    for at, problem in enumerate(problems):
        if problem:
            table.tables("restrictions")[at].fault("", problem)
    return () if any(problems) else tuple(map(_restriction, given))


def _misfit(values: Mapping[str, Any]) -> str:
    """What is wrong with these fields of a restriction together; nothing if they fit."""
    if "must" in values and "must-not" in values:
        return "must and must-not cannot be combined: write two restrictions"
    relation = values.get("must") or values.get("must-not")
    if relation is None:
        return "needs must or must-not"
    if "by" in values and relation not in NEEDS_BY:
        return f"{relation} has no by: only {listed(NEEDS_BY)} have one"
    if "by" not in values and relation in NEEDS_BY:
        return f"{relation} needs a number to go by, such as by = 2"
    if relation != "sum" and relation in NEEDS_BY and values["by"] < 1:
        return f"two numbers cannot differ by {values['by']}: by must be at least 1"
    return ""


def _restriction(values: Mapping[str, Any]) -> Restriction:
    relation, by = values.get("must") or values["must-not"], values.get("by", 0)
    exceptions = tuple(sorted({*values.get("except", ())}))
    return Restriction(relation, values["compared-with"], "must" in values, by, exceptions)


def _attributes(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by the names that core has for their fields."""
    return {attribute(name): value for name, value in values.items()}


def _check_pool(table: Table, rules: Rules) -> None:
    """Note the numbers of other fields that are outside the pool."""
    pool = {*rules.pool}
    bits = {number: 1 << at for at, number in enumerate(sorted(pool))}
    if pool.issuperset(rules.opening) and not Picks(rules, bits).allowed(Seen(0, 0)):
        names = [name for name in LIMIT_FIRST if getattr(rules, attribute(name))]
        problem = f"no number may be taken first: {listed(names)} leave none"
        table.faults.append(Fault((*table.keys, names[-1]), problem))
    for number, _ in rules.values:
        if number not in pool:
            table.table("values").fault(str(number), f"{number} is not a number of the pool")
    for at, rule in enumerate(rules.restrictions):
        if not pool.issuperset(rule.exceptions):
            table.tables("restrictions")[at].wrong("except", "a list of numbers of the pool")
    if not pool.issuperset(rules.opening):
        table.wrong("opening", "a list of numbers of the pool")
    for kind in ("wins", "losses"):
        _check_sets(table, kind, pool)


def _check_sets(table: Table, kind: str, pool: set[int]) -> None:
    """Note the listed sets with numbers that are outside the pool."""
    for name, pattern in table.unchecked().table(kind).data.items():
        if isinstance(pattern, dict) and isinstance(pattern.get("sets"), list):
            sets = table.table(kind).table(name).items("sets", A_SET)
            listed = [(at, numbers) for at, numbers in sets.data.items() if is_set(numbers)]
            outside = [at for at, numbers in listed if not pool.issuperset(numbers)]
            for at in outside[:MAX_FAULTS]:
                sets.wrong(at, A_SET)


def format_game(game: Game) -> str:
    """The line that describes this game; it has no ``#``, which starts a comment elsewhere."""
    rules, defaults = game.rules, Rules._field_defaults
    tables = {
        "wins": _patterns_data(rules.wins),
        "losses": _patterns_data(rules.losses),
        "ending": [*map(_link_data, rules.ending)],
        "restrictions": [*map(_restriction_data, rules.restrictions)],
        "caps": [_written(cap._asdict()) for cap in rules.caps],
        "values": dict(rules.values),
    }
    values = {
        name: tables.get(name, value)
        for name, value in rules._asdict().items()
        if name in _ALWAYS_WRITTEN or value != defaults[name]
    }
    data: dict[str, Any] = {"game": game.name, "rules": _written(values)}
    if len(game.sets) <= MAX_LISTED:
        data["sets"] = game.sets
    return json.dumps(data).replace("#", "\\u0023")


def parse_game(text: str) -> Game:
    """The game that a line describes; ``sets`` may be missing. Raises BookError."""
    table = Table(parse_json(text, _SOURCE), (), [])
    name, rules = line().read(table, "game"), read_rules(table.table("rules"))
    if table.faults:
        raise BookError(_SOURCE, table.faults)
    try:
        return Game(rules, name[:60])
    except RulesError as error:
        raise BookError(_SOURCE, [Fault(("rules",), error.message)]) from None


def _written(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values by the names that the language has for their fields."""
    return {name.replace("_", "-"): value for name, value in values.items()}


def _restriction_data(rule: Restriction) -> dict[str, Any]:
    values: dict[str, Any] = {"must" if rule.must else "must-not": rule.relation}
    values["compared-with"] = rule.compared_with
    values |= {"by": rule.by} if rule.relation in NEEDS_BY else {}
    return {**values, **({"except": rule.exceptions} if rule.exceptions else {})}


def _link_data(link: Criterion) -> dict[str, Any]:
    values, defaults = link._asdict(), Criterion._field_defaults
    return {
        name: values[name]
        for name, field in LINK.items()
        if field.applies(values.get)
        and (field.required or name in _ALWAYS_WRITTEN or values[name] != defaults[name])
    }


def _patterns_data(patterns: Sequence[Pattern]) -> dict[str, dict[str, Any]]:
    found = {pattern.label: dict(pattern.parameters) for pattern in patterns}
    named = {pattern.label: {"family": pattern.family} for pattern in patterns if pattern.name}
    return {label: {**named.get(label, {}), **values} for label, values in found.items()}
