"""What a row of the rule-book language is; all that is read, asked or said follows from rows."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ninefold.books.faults import Table
from ninefold.books.values import FLAG, Schema, Type, list_of
from ninefold.core.rules import Rules

Offers: TypeAlias = Callable[[Sequence[int]], tuple[Any, ...]]


class Field(NamedTuple):
    """One field of the language: a row of the tables that everything is derived from."""

    type: Type
    meaning: str  # a full sentence; that of a flag says what true means
    default: Any = None
    required: bool = False
    without: str = ""  # what holds without the field, where ``default`` does not say it
    # The field exists only where another field of its table, named first, has one of these values.
    when: tuple[str, ...] = ()
    # Its sentence in generated rules, if it is not at its default; ``describe`` has more.
    sentence: str | Callable[[Rules], str] = ""
    # How a new book is asked for it, or for another table of a list; ``menu`` lists it under
    # "Anything special?".
    question: str = ""
    menu: str = ""
    # What a new book is offered, best first, perhaps depending on the pool.
    offers: tuple[Any, ...] | Offers = ()
    # The values that can be chosen, in words; "none" leaves the field out.
    words: Mapping[str, str] = {}
    # Whether it is asked for beside the answers about other fields of its table.
    asked: Callable[[Mapping[str, Any]], bool] = lambda _: True

    def applies(self, value_of: Callable[[str], Any]) -> bool:
        """Whether the field exists beside these values of its table."""
        return not self.when or value_of(self.when[0]) in self.when[1:]

    def schema(self) -> Schema:
        """The JSON Schema of the field."""
        default = [*self.default] if isinstance(self.default, tuple) else self.default
        given = {} if default is None or self.without else {"default": default}
        return {"description": self.meaning, **self.type.schema, **given}

    @property
    def implied(self) -> Any:
        """The only value beside the default; None if there are several."""
        others = [option for option in self.type.options if option != self.default]
        return others[0] if len(others) == 1 else None

    def proposals(self, pool: Sequence[int]) -> tuple[Any, ...]:
        """The values that a new book is offered on this pool, best first."""
        offers = self.offers(pool) if callable(self.offers) else self.offers
        return offers or tuple(sorted(self.type.options, key=lambda one: one == self.default))


# The fields of a table, by their names.
Fields: TypeAlias = Mapping[str, Field]


def required(type_: Type, meaning: str, **more: Any) -> Field:
    """A field that must be there."""
    return Field(type_, meaning, required=True, **more)


def optional(type_: Type, meaning: str, without: str = "none", **more: Any) -> Field:
    """A field that may be left out; ``without`` is what holds then, in words."""
    return Field(type_, meaning, without=without, **more)


def flag(meaning: str, default: bool = False, **more: Any) -> Field:
    """A field that is true or false."""
    return Field(FLAG, meaning, default, **more)


def attribute(name: str) -> str:
    """What core calls a field, in ``Rules`` or ``Criterion``."""
    return name.replace("-", "_")


def as_sentence(meaning: str) -> str:
    """A meaning with a capital letter and a full stop."""
    return f"{meaning[:1].upper()}{meaning[1:]}."


def read_given(table: Table, fields: Fields) -> dict[str, Any]:
    """The values of the fields that the table has; notes what is missing and what is unknown."""
    known = {name: field for name, field in fields.items() if field.applies(table.data.get)}
    table.allow(*known)
    given = [name for name, field in known.items() if field.required or name in table.data]
    return {name: known[name].type.read(table, name) for name in given}


def read_fields(table: Table, fields: Fields) -> dict[str, Any]:
    """The values of all these fields, with defaults for those that the table does not have."""
    return {name: field.default for name, field in fields.items()} | read_given(table, fields)


def table_schema(fields: Fields, partial: bool = False) -> Schema:
    """The JSON Schema of a table with these fields and no others; ``partial`` requires none."""
    required = [name for name, field in fields.items() if field.required and not field.when]
    return {
        "type": "object",
        "additionalProperties": False,
        "properties": {name: field.schema() for name, field in fields.items()},
        **({"required": required} if required and not partial else {}),
    }


def table_of(fields: Fields) -> Type:
    """A table with these fields; those that are left out are missing from the value."""
    return Type(
        "a table", lambda table, key: read_given(table.table(key), fields), table_schema(fields)
    )


def tables_of(fields: Fields, most: int | None = None, noun: str = "") -> Type:
    """A list of at most so many tables with these fields."""
    return list_of(table_of(fields), "a list of tables", most, noun)._replace(rows=fields)
