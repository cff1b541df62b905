"""How a record is listed: when it was played, what, by whom, and how it ended, in words."""

import time
from calendar import timegm
from os.path import basename

from ninefold import books
from ninefold.books.book import title_of
from ninefold.players import HUMAN, name_of
from ninefold.record.text import RESULTS, Record
from ninefold.referee.events import Forfeited
from ninefold.referee.settings import GameSettings

_DAY = 86_400
# What the front ends call a player whom nobody has given a name.
_NAMELESS = ("Player 1", "Player 2", "Computer")
_LOSSES = {"resignation": "{} resigned", "timeout": "{} ran out of time"}


def local_time(date: str, now: float | None = None) -> str:
    """When a game began, in local time and in short: today 14:05, 3 Nov 14:05, 3 Nov 2025."""
    try:
        seconds = timegm(time.strptime(date, "%Y-%m-%dT%H:%M:%SZ"))
        then, today = time.localtime(seconds), time.localtime(now)
        yesterday = time.localtime(time.mktime(today) - _DAY)
    except (ValueError, OverflowError, OSError):
        return date  # a stranger's record
    clock = time.strftime("%H:%M", then)
    for day, word in ((today, "today"), (yesterday, "yesterday")):
        if then[:3] == day[:3]:
            return f"{word} {clock}"
    day_and_month = f"{then.tm_mday} {time.strftime('%b', then)}"
    same_year = then.tm_year == today.tm_year
    return f"{day_and_month} {clock if same_year else then.tm_year}"


def title(settings: GameSettings) -> str:
    """The game, with its rules variant and changes if that says anything."""
    own = settings.file is None and settings.game in books.names()
    book = books.load_book(settings.game) if own else None
    parts = [book.title if book else title_of(settings.game)]
    if settings.reading != "default" and (book is None or len(book.readings) > 1):
        parts.append(f"({settings.reading})")
    if settings.changes:
        parts.append(f"[{settings.changes}]")
    if settings.file is not None:
        parts.append(f"from {basename(settings.file)}")
    return " ".join(parts)


def players(settings: GameSettings) -> tuple[str, str]:
    """Both players by name; a computer without one is called what it is."""
    one, two = (
        name_of(kind) if kind != HUMAN and name in _NAMELESS else name
        for name, kind in zip(settings.players, settings.seats, strict=True)
    )
    return one, two


def unfinished(record: Record) -> str:
    """What would be continued: Sequence Capture vs Perfect, move 5, today 14:05."""
    settings = record.settings
    names, humans = players(settings), settings.humans
    move = "next game" if record.finished else f"move {record.plies + 1}"
    when = f"{move}, {local_time(settings.date)}"
    if sum(humans) == 1:
        return f"{title(settings)} vs {names[humans.index(False)]}, {when}"
    # The names come last, where a narrow screen cuts them off.
    who = "" if set(names) <= set(_NAMELESS) else f", {' vs '.join(names)}"
    return f"{title(settings)}, {when}{who}"


def result(record: Record) -> str:
    """How the game ended, in words."""
    if not record.finished:
        return "unfinished"
    names, winner = players(record.settings), winner_of(record)
    if winner is None:
        return "drawn"
    last = record.entries[-1].fact if record.entries else None
    how = ""
    if isinstance(last, Forfeited):
        how = f" ({_LOSSES.get(last.reason, '{} forfeited').format(names[last.seat - 1])})"
    return f"{names[winner - 1]} won{how}"


def winner_of(record: Record) -> int | None:
    """Who won, by the result as it is written; None for a draw or an unfinished game."""
    return {written: winner for winner, written in RESULTS.items()}.get(record.result)


def score_for_person(record: Record) -> str:
    """``won``, ``lost`` or ``drawn`` for the only person of a finished game, else nothing."""
    humans, winner = record.settings.humans, winner_of(record)
    if not record.finished or sum(humans) != 1:
        return ""
    return "drawn" if winner is None else "won" if humans[winner - 1] else "lost"
