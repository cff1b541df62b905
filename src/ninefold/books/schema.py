"""The JSON Schema of a rule book, in terms that the older drafts of editors know, too."""

from ninefold.books.claims import MAX_CLAIMS, claim_schema, reason_schema
from ninefold.books.examples import MAX_EXAMPLES, example_schema
from ninefold.books.families import FAMILIES
from ninefold.books.fields import table_schema
from ninefold.books.language import BOOK, PLAY, RULES
from ninefold.books.rule_types import FAMILY
from ninefold.books.values import Schema
from ninefold.books.words import WORDS, template_schema


def format_schema() -> str:
    """The schema as a file."""
    import json

    return json.dumps(build_schema(), indent=2, ensure_ascii=False) + "\n"


def build_schema() -> Schema:
    """The schema as data."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Ninefold rule book",
        "description": "A game in which two players claim numbers from a shared pool.",
        **table_schema(BOOK),
        # Without a pool of its own, a book must inherit one.
        "anyOf": [
            {"required": ["extends"]},
            {"required": ["rules"], "properties": {"rules": _own_rules()}},
        ],
        "$defs": {
            "rules": {"description": BOOK["rules"].meaning, **table_schema(RULES, partial=True)},
            "words": {"description": BOOK["words"].meaning, **table_schema(WORDS)},
            "play": {"description": BOOK["play"].meaning, **table_schema(PLAY)},
            "examples": {"type": "array", "items": example_schema(), "maxItems": MAX_EXAMPLES},
            "claims": {"type": "array", "items": claim_schema(), "maxItems": MAX_CLAIMS},
            "pattern": _any_pattern(),
            "template": template_schema(),
            "reason": reason_schema(),
        },
    }


def _own_rules() -> Schema:
    """Rules that inherit nothing: with a pool, and with a family where the name is not one."""
    named = {"anyOf": [{"enum": [False]}, {"required": ["family"]}]}
    wins = {"properties": {family: {} for family in FAMILIES}, "additionalProperties": named}
    return {"required": ["pool"], "properties": {"wins": wins}}


def _any_pattern() -> Schema:
    """A pattern under any name; which parameters it may have is left to the reader."""
    properties: dict[str, Schema] = {}
    for family in FAMILIES.values():
        for name, field in family.parameters.items():
            bounds = ("minimum", "maximum")  # they differ from family to family
            loose = {key: value for key, value in field.schema().items() if key not in bounds}
            properties.setdefault(name, loose)
    table = table_schema({"family": FAMILY})
    table["properties"] |= properties
    return {"description": "A pattern under a name of its own.", **table}
