"""How a record is written: tags, numbered moves, and the result at the end.

Every line is one complete fact, so a line that was cut off can simply be dropped.
"""

from ninefold.core.moves import format_move
from ninefold.core.outcome import Outcome
from ninefold.core.text import shorten
from ninefold.referee.events import Fact, Moved, TakenBack
from ninefold.referee.settings import GameSettings

UNFINISHED = "*"
RESULTS = {1: "1-0", 2: "0-1", None: "1/2-1/2"}
# Why people lose without a move, and the word for it in a record; programs forfeit the game.
LOSSES = {"resignation": "resign", "timeout": "timeout"}
MAX_COMMENT = 300
# Only a game from a file has these tags: the file, and the copy of its rule book.
OPTIONAL = ("file", "book")
_BRACES = str.maketrans("{}", "()")


def tag_name(field: str) -> str:
    """The tag of a setting: ``time_limit`` is written TimeLimit."""
    return "".join(part.capitalize() for part in field.split("_"))


def format_settings(settings: GameSettings) -> str:
    """The settings as tags, in their order, and the empty line that ends them."""
    lines = [
        f'[{tag_name(field)} "{_escape(_format_value(value))}"]'
        for field, value in settings._asdict().items()
        if value is not None or field not in OPTIONAL
    ]
    return "\n".join([*lines, "", ""])


def format_fact(fact: Fact, plies: int) -> str:
    """The line for a fact; ``plies`` is the number of moves in force after it."""
    if isinstance(fact, Moved):
        causes = {"chosen": "", "timeout": "timeout ", "invalid": f"invalid:{fact.tried} "}
        return f"{plies}. {causes[fact.cause]}{format_move(fact.move)}\n"
    if isinstance(fact, TakenBack):
        return f"undo:{fact.plies}\n"
    if fact.reason in LOSSES:
        return f"{LOSSES[fact.reason]}:{fact.seat}\n"
    return f"forfeit:{fact.seat}:{fact.reason}{_comment(fact.detail)}\n"


def format_result(outcome: Outcome) -> str:
    """The last line: the reason, every winning set, and the result."""
    sets = "".join("; " + " ".join(map(str, numbers)) for numbers in outcome.sets)
    return f"{{{outcome.reason}{sets}}} {RESULTS[outcome.winner]}\n"


def _comment(text: str) -> str:
    """A program's words as a comment, which cannot hold braces or line breaks."""
    words = shorten(" ".join(text.split()), MAX_COMMENT).translate(_BRACES)
    return f" {{{words}}}" if words else ""


def _format_value(value: object) -> str:
    if isinstance(value, float):
        return repr(value).removesuffix(".0")
    return "-" if value is None else str(value)


def _escape(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"')
