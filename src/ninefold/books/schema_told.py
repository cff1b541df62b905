"""The part of the JSON Schema that describes what a book tells of itself: claims and examples."""

from collections.abc import Mapping

from ninefold.books import fields
from ninefold.books.claims import CLAIM, KINDS, MAX_NUMBERS, REASON, REASONS, Kind
from ninefold.books.examples import ATTEMPT, FIELDS, MAX_MOVES, RESULT, STATEMENTS
from ninefold.books.schema_blocks import Schema, line, list_of, prose, reference, sentence, table

_PLAYERS = (1, 2)


def claim_schema() -> Schema:
    """A claim: of one of the kinds, with the fields of that kind."""
    common = {name: _common(name) for name in CLAIM}
    return {"description": "A claim.", "anyOf": _of_kinds(KINDS, common)}


def reason_schema() -> Schema:
    """A reason, which is defined once because every kind of claim may have one."""
    statements = _of_kinds(REASONS, {name: _common(name) for name in REASON})
    return {
        "description": fields.CLAIM["because"],
        "anyOf": [prose("Text, which is only shown."), *statements],
    }


def example_schema() -> Schema:
    """An example: its moves or its hands, and what is said about them."""
    whole = table({name: _EXAMPLE[name] for name in FIELDS})
    either = [{"required": ["name", "moves"]}, {"required": ["name", "hands"]}]
    return {"description": "An example.", **whole, "oneOf": either}


def _of_kinds(kinds: Mapping[str, Kind], common: Mapping[str, Schema]) -> list[Schema]:
    """A table for each kind, so that an editor shows what each says and proposes its fields."""
    return [_of_kind(name, kind, common) for name, kind in kinds.items()]


def _of_kind(name: str, kind: Kind, common: Mapping[str, Schema]) -> Schema:
    says = sentence(kind.meaning.replace("{", "").replace("}", ""))
    fields_of = {key: _field(key, kind.needs[key]) for key in kind.needs}
    fields_of |= {key: _field(key, kind.may_have[key]) for key in kind.may_have}
    shown = {"kind": {"description": says, "enum": [name]}, **fields_of, **common}
    whole = {"description": says, **table(shown), "required": ["kind", *kind.needs]}
    if name == "set-can-happen":
        negative = {"properties": {"negative": {"enum": [True]}}, "required": ["negative"]}
        whole["anyOf"] = [{"required": ["set"]}, negative]
    return whole


def _field(name: str, kind: type) -> Schema:
    told = fields.KIND[name]
    if kind is list:
        return {**_numbers(told), "minItems": 1}
    if kind is int:
        return {"description": told, "type": "integer", "minimum": 0}
    return {"description": told, "type": "boolean" if kind is bool else "string"}


def _common(name: str) -> Schema:
    told = fields.CLAIM[name]
    if name == "says":
        return prose(told)
    if name == "readings":
        return _readings(told)
    return reference("reason", told)


def _readings(told: str) -> Schema:
    return {"description": told, "type": "array", "items": {"type": "string"}, "minItems": 1}


def _numbers(told: str) -> Schema:
    return list_of(told, {"type": "integer"}, MAX_NUMBERS)


def _player(told: str) -> Schema:
    return {"description": told, "enum": [*_PLAYERS]}


def _after(told: str) -> Schema:
    return {"description": told, "type": "integer", "minimum": 0, "maximum": MAX_MOVES}


def _attempt() -> Schema:
    told = fields.ATTEMPT
    number = {"description": told["number"], "type": "integer"}
    whole = table({"after": _after(told["after"]), "number": number})
    return {**whole, "required": [*ATTEMPT]}


def _result() -> Schema:
    told = fields.RESULT
    either = [{"maxItems": 0}, {"minItems": 2, "maxItems": 2}]
    known = {
        "winner": {"description": told["winner"], "enum": [0, *_PLAYERS]},
        "reason": line(told["reason"]),
        "set": _numbers(told["set"]),
        "sums": {**_numbers(told["sums"]), "anyOf": either},
        "pool-empty": {"description": told["pool-empty"], "type": "boolean"},
    }
    return {**table({name: known[name] for name in RESULT}), "required": ["winner"]}


def _statement(name: str) -> Schema:
    told, known = fields.STATEMENT, _numbers(fields.STATEMENT[name])
    if name == "turn":
        known = _player(told[name])
    elif name == "no-set":
        known = {"description": told[name], "enum": [True]}
    beside: dict[str, Schema] = {
        "player": _player(told["player"]),
        "with": {"description": told["with"], "type": "integer"},
    }
    needed = {"after": _after(told["after"]), name: known}
    needed |= {key: beside[key] for key in STATEMENTS[name]}
    return {"description": told[name], **table(needed), "required": [*needed]}


def _hands(told: str) -> Schema:
    numbers = {"type": "array", "items": {"type": "integer"}, "maxItems": MAX_MOVES}
    return {**list_of(told, numbers, 2), "minItems": 2}


_EXAMPLE: Mapping[str, Schema] = {
    "name": {**line(fields.EXAMPLE["name"]), "minLength": 1},
    "moves": line(fields.EXAMPLE["moves"]),
    "hands": _hands(fields.EXAMPLE["hands"]),
    "first": {**_player(fields.EXAMPLE["first"]), "default": 1},
    "readings": _readings(fields.EXAMPLE["readings"]),
    "attempts": {
        "description": fields.EXAMPLE["attempts"],
        "type": "array",
        "items": _attempt(),
    },
    "says": {"description": fields.EXAMPLE["says"], **_result()},
    "statements": {
        "description": fields.EXAMPLE["statements"],
        "type": "array",
        "items": {"anyOf": [_statement(name) for name in STATEMENTS]},
    },
}
