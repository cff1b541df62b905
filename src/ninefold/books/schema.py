"""The JSON Schema of a rule book, for editors: made from the same names the loader knows.

It is written for draft 2020-12 in words that older drafts know too, because the TOML servers of
editors speak those. What a schema cannot say (that a reading exists, that a combination makes
sense, that there are not too many sets) is left to ``ninefold check``.
"""

from collections.abc import Mapping

from ninefold.books import fields
from ninefold.books.book import MAX_NAME, MAX_READINGS
from ninefold.books.claims import MAX_CLAIMS
from ninefold.books.describe import FAMILIES as FAMILY_TEXTS
from ninefold.books.describe import MEASURES as MEASURE_TEXTS
from ninefold.books.examples import MAX_EXAMPLES
from ninefold.books.schema_blocks import (
    HIDDEN,
    LINE,
    Schema,
    choice,
    line,
    list_of,
    or_false,
    prose,
    reference,
    sentence,
    table,
)
from ninefold.books.schema_told import claim_schema, example_schema, reason_schema
from ninefold.books.words import ENDINGS, LINES, MAX_LENGTH, MAX_LINES, PHRASES, PLACEHOLDERS
from ninefold.core.patterns import FAMILIES, Parameter
from ninefold.core.rules import (
    INVALID_POLICIES,
    MAX_LINKS,
    MAX_PATTERNS,
    MAX_POOL,
    MEASURES,
    OTHERWISE,
    PREFERENCES,
    TIMEOUT_POLICIES,
)

_FAMILY = "The family, where the name of the pattern is not one."

_DRAFT = "https://json-schema.org/draft/2020-12/schema"
# Letters and digits of any script, and - _ . between them; classes such as \w differ by program.
_NAME = r"^[^\u0000-\u002c\u002f\u003a-\u0040\u005b-\u005e\u0060\u007b-\u00a9]+$"


def format_schema() -> str:
    """The schema as a file."""
    import json

    return json.dumps(build_schema(), indent=2, ensure_ascii=False) + "\n"


def build_schema() -> Schema:
    """The schema as data."""
    return {
        "$schema": _DRAFT,
        "title": "Ninefold rule book",
        "description": "A game in which two players claim numbers from a shared pool.",
        **table(_book_fields()),
        # Without a pool of its own, a book must inherit one.
        "anyOf": [
            {"required": ["extends"]},
            {"required": ["rules"], "properties": {"rules": _own_rules()}},
        ],
        "$defs": {
            "rules": _rules(),
            "words": _words(),
            "play": _play(),
            "pattern": _any_family(),
            "template": _template(),
            "reason": reason_schema(),
        },
    }


def _own_rules() -> Schema:
    """Rules that inherit nothing: with a pool, and with a family where the name is not one."""
    named = {"anyOf": [{"enum": [False]}, {"required": ["family"]}]}
    wins = {"properties": {family: {} for family in FAMILIES}, "additionalProperties": named}
    return {"required": ["pool"], "properties": {"wins": wins}}


def _book_fields() -> Mapping[str, Schema]:
    told = fields.BOOK
    return {
        "id": {**line(told["id"]), "pattern": _NAME, "minLength": 1, "maxLength": MAX_NAME},
        "title": line(told["title"]),
        "order": {"type": "integer", "description": told["order"]},
        "summary": line(told["summary"]),
        "text": prose(told["text"]),
        "notes": prose(told["notes"]),
        "extends": {**line(told["extends"]), "minLength": 1},
        "default-reading": line(told["default-reading"]),
        "rules": reference("rules", told["rules"]),
        "words": reference("words", told["words"]),
        "play": reference("play", told["play"]),
        "readings": {
            "description": told["readings"],
            "type": "object",
            "maxProperties": MAX_READINGS,
            "propertyNames": {"pattern": _NAME, "maxLength": MAX_NAME},
            "additionalProperties": or_false(_reading(), "Takes an inherited reading away."),
        },
        "examples": list_of(told["examples"], example_schema(), MAX_EXAMPLES),
        "claims": list_of(told["claims"], claim_schema(), MAX_CLAIMS),
    }


def _reading() -> Schema:
    told = fields.READING
    return {
        "description": "One way to play.",
        **table(
            {
                "summary": line(told["summary"]),
                "text": prose(told["text"]),
                "rules": reference("rules", told["rules"]),
                "words": reference("words", told["words"]),
                "play": reference("play", told["play"]),
            }
        ),
    }


def _rules() -> Schema:
    told = fields.RULES
    switch: Schema = {"type": "boolean", "default": False}
    return {
        "description": fields.BOOK["rules"],
        **table(
            {
                "pool": _pool(),
                "wins": _wins(),
                "ending": {
                    "description": told["ending"],
                    "type": "array",
                    "items": _criterion(),
                    "maxItems": MAX_LINKS,
                },
                "hand-limit": {
                    "description": told["hand-limit"],
                    "type": "integer",
                    "minimum": 0,
                },
                "in-order": {"description": told["in-order"], **switch},
                "declare": {"description": told["declare"], **switch},
                "invalid": choice(told["invalid"], INVALID_POLICIES, "retry"),
                "misere": {"description": told["misere"], **switch},
                "otherwise": choice(told["otherwise"], OTHERWISE, "draw"),
                "passing": {"description": told["passing"], **switch},
                "picks-per-turn": {
                    "description": told["picks-per-turn"],
                    "type": "integer",
                    "minimum": 1,
                    "maximum": MAX_POOL,
                    "default": 1,
                },
                "opening": {
                    "description": told["opening"],
                    "type": "array",
                    "items": {"type": "integer"},
                },
                "pie": {"description": told["pie"], **switch},
            }
        ),
    }


def _pool() -> Schema:
    return {
        "description": fields.RULES["pool"],
        "anyOf": [
            {"type": "string", "pattern": "^-?[0-9]{1,9}--?[0-9]{1,9}( step [0-9]{1,9})?$"},
            {
                "type": "array",
                "items": {"type": "integer"},
                "minItems": 1,
                "maxItems": MAX_POOL,
                "uniqueItems": True,
            },
        ],
    }


def _wins() -> Schema:
    """Families under their own names, and under names of the designer's choice."""
    known = table({name: _family(name) for name in FAMILIES})
    taken = {"enum": [False], "description": "Takes an inherited pattern away."}
    known["additionalProperties"] = {"anyOf": [{"$ref": "#/$defs/pattern"}, taken]}
    return {"description": fields.RULES["wins"], **known, "maxProperties": MAX_PATTERNS}


def _family(family: str) -> Schema:
    text = FAMILY_TEXTS[family]
    told = {"description": sentence(text.meaning)}
    own = {**told, **table(_parameters(family))}
    other = {"allOf": [{"$ref": "#/$defs/pattern"}, {"required": ["family"]}]}
    taken = {"enum": [False], "description": "Takes an inherited family away."}
    return {**told, "anyOf": [own, other, taken]}


def _any_family() -> Schema:
    """A pattern under a name of its own; which parameters belong together is left to the loader."""
    properties = {name: _loose(name) for family in FAMILIES for name in _parameters(family)}
    properties["family"] = choice(_FAMILY, tuple(FAMILIES))
    return {"description": "A pattern under a name of its own.", **table(properties)}


def _loose(name: str) -> Schema:
    """A parameter that several families have, with the bounds of none."""
    found = [_parameters(family)[name] for family in FAMILIES if name in _parameters(family)]
    bounds = ("minimum", "maximum")
    return {key: value for key, value in found[0].items() if key not in bounds}


def _parameters(family: str) -> dict[str, Schema]:
    texts = FAMILY_TEXTS[family].parameters
    return {
        name: {"description": sentence(texts[name].meaning), **_parameter(name, parameter)}
        for name, parameter in FAMILIES[family].parameters.items()
    }


def _parameter(name: str, parameter: Parameter) -> Schema:
    if parameter.kind is bool:
        return {"type": "boolean"}
    if parameter.kind is tuple:
        numbers = {
            "type": "array",
            "items": {"type": "integer"},
            "minItems": 1,
            "uniqueItems": True,
        }
        return {"type": "array", "items": numbers}
    if parameter.choices:
        return {"type": "string", "enum": [*parameter.choices]}
    least = {} if parameter.least is None else {"minimum": parameter.least}
    most = {"maximum": MAX_POOL} if name in ("length", "count") else {}
    return {"type": "integer", **least, **most}


def _criterion() -> Schema:
    told = fields.CRITERION
    meanings = [f"{name}: {MEASURE_TEXTS[name].meaning}." for name in MEASURES]
    link = table(
        {
            "measure": choice(" ".join([told["measure"], *meanings]), MEASURES),
            "prefer": choice(told["prefer"], PREFERENCES),
            "target": {"description": told["target"], "type": "integer"},
            "exceeding": {"description": told["exceeding"], "type": "boolean", "default": True},
        }
    )
    return {**link, "required": ["measure", "prefer"], "description": fields.RULES["ending"]}


def _play() -> Schema:
    timeout = choice(fields.PLAY["on-timeout"], TIMEOUT_POLICIES, "lose")
    return {"description": fields.BOOK["play"], **table({"on-timeout": timeout})}


def _words() -> Schema:
    lines = {name: _lines(fields.LINES[name], default) for name, default in LINES.items()}
    ended = {name: _lines(ending_told(name), default) for name, default in ENDINGS.items()}
    phrases = {
        name: {
            "description": fields.PHRASES[name],
            "allOf": [{"$ref": "#/$defs/template"}],
            "default": default,
        }
        for name, default in PHRASES.items()
    }
    markers = {
        "description": fields.MARKERS,
        "type": "array",
        "items": {"type": "string", "pattern": LINE, "minLength": 1},
        "minItems": 2,
        "maxItems": 2,
        "uniqueItems": True,
        "default": ["1", "2"],
    }
    below = {"description": fields.ENDED, **table(ended)}
    told = {"description": fields.BOOK["words"]}
    return {**told, **table({**phrases, **lines, "ended": below, "markers": markers})}


def ending_told(reason: str) -> str:
    """What an ending of the words is shown for: a reason of its own, or a measure."""
    if reason in fields.ENDINGS:
        return fields.ENDINGS[reason]
    return f"Decided at the end by {MEASURE_TEXTS[reason].meaning}."


def _lines(told: str, default: tuple[str, ...]) -> Schema:
    return {
        "description": told,
        "type": "array",
        "items": {"$ref": "#/$defs/template"},
        "maxItems": MAX_LINES,
        "default": [*default],
    }


def _template() -> Schema:
    names = "|".join(sorted(PLACEHOLDERS))
    listed = ", ".join(f"{{{name}}}" for name in fields.PLACEHOLDERS)
    return {
        "description": f"Text with plain names in braces: {listed}.",
        "type": "string",
        "maxLength": MAX_LENGTH,
        "pattern": rf"^([^{{}}\u0000-\u001f{HIDDEN}]|\{{({names})\}})*$",
    }
