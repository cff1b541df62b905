"""What a new game can be: the choices of the form, and what was chosen in words."""

from ninefold import books
from ninefold.books import Book
from ninefold.books.describe import pool_of
from ninefold.core.text import NamedTuple, plural
from ninefold.new_game import CLOCKS, MATCHES, OPPONENTS, OTHER, Opponent
from ninefold.players import HUMAN, KINDS
from ninefold.web.server.view import Json

COMPUTERS = KINDS[1:]
_PEOPLE = {
    "friend": Opponent(OPPONENTS[HUMAN].name, "You send them a link, and they join."),
    "anyone": Opponent("Anyone", "Your challenge is listed here until somebody accepts it."),
}
_UNITS = ((86_400, "day"), (3_600, "hour"), (60, "minute"))


class Times(NamedTuple):
    """The clock of a game, in seconds; None where there is no limit."""

    time_limit: float | None = None
    game_time: float | None = None
    increment: float | None = None


# Besides those of a turn that every front end offers.
_CLOCKS = (
    Times(86_400),
    Times(None, 60),
    Times(None, 180, 2),
    Times(None, 300, 5),
    Times(None, 900, 10),
)


def choices() -> Json:
    """Everything that the form for a new game offers."""
    turns = [Times(float(seconds)) for seconds in CLOCKS if seconds not in ("", OTHER)]
    clocks = [Times(), *turns, *_CLOCKS]
    opponents = _PEOPLE | {kind: one for kind, one in OPPONENTS.items() if kind in COMPUTERS}
    return {
        "games": [choice_of(book) for book in books.load_all()],
        "opponents": [{"kind": kind, **one._asdict()} for kind, one in opponents.items()],
        "computers": [*COMPUTERS],
        "clocks": [{"label": clock_text(times), **times._asdict()} for times in clocks],
        "matches": [
            {"label": label, "wins": int(wins) if wins else None}
            for wins, label in MATCHES.items()
            if wins != OTHER
        ],
    }


def choice_of(book: Book) -> Json:
    """A game, with one line about it and about how each of its variants differs."""
    return {
        "id": book.id,
        "title": book.title,
        "summary": f"{book.summary} Numbers: {pool_of(book.game)}.",
        "reading": book.reading,
        "readings": [
            {"name": name, "summary": reading.summary} for name, reading in book.readings.items()
        ],
    }


def clock_text(times: Times) -> str:
    """The clock in words."""
    parts = []
    if times.game_time is not None:
        parts.append(f"{duration(times.game_time)} each")
    if times.increment:
        parts.append(f"{duration(times.increment)} more per turn")
    if times.time_limit is not None:
        parts.append(f"{duration(times.time_limit)} per turn")
    return ", ".join(parts) or CLOCKS[""]


def match_text(wins: int | None) -> str:
    """The length of a match in words; None for a single game."""
    if wins is None:
        return MATCHES[""]
    return MATCHES.get(str(wins), f"First to {plural(wins, 'win')}")


def duration(seconds: float) -> str:
    """A time in words: 90 seconds, 5 minutes."""
    for size, unit in _UNITS:
        if seconds >= size and seconds % size == 0:
            return plural(int(seconds // size), unit)
    return plural(int(seconds), "second") if seconds == int(seconds) else f"{seconds:g} seconds"
