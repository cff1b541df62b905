"""The record as it is written: tags, numbered moves, and the result as the last token.

Every line stands for one complete fact, so a line that was cut off is simply not there yet.
"""

from typing import NamedTuple

from ninefold.core.moves import format_move
from ninefold.core.outcome import Outcome
from ninefold.core.text import shorten
from ninefold.referee.events import Fact, Forfeited, Moved, Resigned, TakenBack

UNFINISHED = "*"
RESULTS = {1: "1-0", 2: "0-1", None: "1/2-1/2"}
MAX_SECONDS = 86_400
MAX_GAMES = 1_000
MAX_COMMENT = 300
_BRACES = str.maketrans("{}", "()")


# The tags of a game from a file, which only such a game has: the file, and the copy of its book.
OPTIONAL = ("file", "book")


class Header(NamedTuple):
    """The tags of a record, in the order they are written; None is written as ``-``."""

    game: str
    reading: str
    rules: str
    date: str
    player1: str
    player2: str
    seat1: str
    seat2: str
    first: int
    time_limit: float | None
    on_timeout: str
    seed: int
    match: str | None = None
    round: int = 1
    wins: int | None = None
    max_games: int | None = None
    changes: str | None = None
    file: str | None = None
    book: str | None = None

    @property
    def all_changes(self) -> tuple[str, ...]:
        """The changes to the book's rules, one by one."""
        return tuple(self.changes.split("; ")) if self.changes else ()


def tag_name(field: str) -> str:
    """The name of a header field as a tag: ``time_limit`` is written TimeLimit."""
    return "".join(part.capitalize() for part in field.split("_"))


def format_header(header: Header) -> str:
    """The tags and the empty line that ends them."""
    tags = header._asdict().items()
    lines = [
        f'[{tag_name(field)} "{_escape(_format_value(value))}"]'
        for field, value in tags
        if value is not None or field not in OPTIONAL
    ]
    return "\n".join([*lines, "", ""])


def format_fact(fact: Fact, plies: int) -> str:
    """The line for a fact; ``plies`` counts the moves that stand after it."""
    if isinstance(fact, Moved):
        causes = {"chosen": "", "timeout": "timeout ", "invalid": f"invalid:{fact.tried} "}
        return f"{plies}. {causes[fact.cause]}{format_move(fact.move)}\n"
    if isinstance(fact, TakenBack):
        return f"undo:{fact.plies}\n"
    if isinstance(fact, Forfeited):
        return f"forfeit:{fact.seat}:{fact.reason}{_comment(fact.detail)}\n"
    return f"resign:{fact.seat}\n" if isinstance(fact, Resigned) else f"timeout:{fact.seat}\n"


def format_result(outcome: Outcome) -> str:
    """The last line: why, with every winning set, and the result."""
    sets = "".join("; " + " ".join(map(str, numbers)) for numbers in outcome.sets)
    return f"{{{outcome.reason}{sets}}} {RESULTS[outcome.winner]}\n"


def _comment(text: str) -> str:
    """Words of a stranger as a comment, which cannot hold braces or line breaks."""
    words = shorten(" ".join(text.split()), MAX_COMMENT).translate(_BRACES)
    return f" {{{words}}}" if words else ""


def _format_value(value: object) -> str:
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return "-" if value is None else str(value)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
