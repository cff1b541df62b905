"""The choices for a new game, in the words every front end offers them, and what they begin."""

import os
from collections.abc import Callable, Mapping

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.players import HUMAN
from ninefold.record.store import Store
from ninefold.session import Session, new_settings

OPPONENTS = {
    HUMAN: "A friend at this keyboard",
    "level:1": "Level 1: takes a win it can see",
    "level:2": "Level 2: also blocks",
    "level:3": "Level 3: sees double threats",
    "level:4": "Level 4: thinks three turns ahead",
    "level:5": "Level 5: never gives a win away",
    "perfect": "Perfect: also sets traps",
    "greedy": "Greedy: wins or blocks at once, else picks anything",
    "random": "Random: picks anything",
}
CLOCKS = {
    "": "No clock",
    "10": "10 seconds a turn",
    "30": "30 seconds a turn",
    "60": "1 minute a turn",
}
MATCHES = {"": "One game", "2": "First to 2 wins", "3": "First to 3 wins", "5": "First to 5 wins"}
MAX_NAME = 40


def games(files: tuple[str, ...] = ()) -> dict[str, str]:
    """Built-in games and the user's rule books, by what loads them."""
    built_in = {book.id: book.title for book in books.load_all()}
    own = {file: f"{os.path.basename(file)} (yours)" for file in files if os.path.isfile(file)}
    return built_in | own


def starters(one: str, two: str) -> dict[str, str]:
    """Who may start."""
    return {"1": one, "2": two, "random": "Toss a coin"}


def names(choices: Mapping[str, str]) -> tuple[str, str]:
    """What both players are called; a computer is called what it is."""
    one, two = (choices.get(f"name{seat}", "").strip() or f"Player {seat}" for seat in (1, 2))
    kind = choices.get("opponent", HUMAN)
    return one, two if kind == HUMAN else kind.replace(":", " ").capitalize()


def check_name(text: str) -> str:
    """The name of a player, without space around it; raises NinefoldError."""
    found = text.strip()
    if not found or len(found) > MAX_NAME:
        raise NinefoldError("bad-name", f"A name must have 1 to {MAX_NAME} characters.")
    if odd := next((char for char in found if not char.isprintable()), ""):
        raise NinefoldError("bad-name", f"That name contains {_describe(odd)}.")
    return found


def check_names(one: str, two: str) -> None:
    """Refuse two names that differ at most in case; raises NinefoldError."""
    if one.casefold() == two.casefold():
        raise NinefoldError("bad-name", "The two names must differ.")


def begin(choices: Mapping[str, str], warn: Callable[[str], None]) -> Session:
    """The session that these choices begin; raises NinefoldError."""
    one, two = map(check_name, names(choices))
    check_names(one, two)
    first, clock, wins = (choices.get(name, "") for name in ("first", "clock", "wins"))
    book = books.load_book(choices["game"], choices.get("reading") or None)
    settings = new_settings(
        book,
        player1=one,
        player2=two,
        seat2=choices.get("opponent", HUMAN),
        first=first if first == "random" else int(first or 1),
        time_limit=float(clock) if clock else None,
        wins=int(wins) if wins else None,
    )
    return Session(book, settings, Store(), warn)


def _describe(char: str) -> str:
    """A character that cannot be shown, and what to do about it."""
    from unicodedata import category, name

    if category(char) == "Cs":  # the shell's bytes are not text in this locale
        return "bytes that are not UTF-8; choose a UTF-8 locale, such as LANG=C.UTF-8"
    called = name(char, "a control character")
    if char == "\u200d":
        return f"an emoji joined of several ({called}); choose a simple one"
    return f"an invisible character ({called}); leave it out"
