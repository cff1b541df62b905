"""The choices for a new game, in the words every front end offers them, and what they begin."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.players import HUMAN, LLM, MAX_NAME, PROGRAM, PYTHON, SAVED, make, name_of, split_kind
from ninefold.record.store import Store
from ninefold.referee.settings import MAX_GAMES, MAX_SECONDS
from ninefold.session import Session, new_settings

OTHER = "other"


class Opponent(NamedTuple):
    """An opponent to choose: its name, and how it plays."""

    name: str
    plays: str


OPPONENTS = {
    HUMAN: Opponent("A friend", "You take turns at this keyboard."),
    "level:1": Opponent("Level 1", "It takes a win it can see, and overlooks the rest."),
    "level:2": Opponent("Level 2", "It takes wins and blocks yours."),
    "level:3": Opponent("Level 3", "It takes wins, blocks yours, and sees double threats."),
    "level:4": Opponent("Level 4", "It thinks three turns ahead."),
    "level:5": Opponent("Level 5", "It never gives a win away, but does not hurry."),
    "perfect": Opponent("Perfect", "It wins as fast as it can, and sets traps if it cannot."),
    "greedy": Opponent("Greedy", "It wins or blocks at once if it can, else picks anything."),
    "random": Opponent("Random", "It picks any number."),
    "program": Opponent("A program", "Another program plays, such as ./mybot or python3 bot.py."),
    "python": Opponent("Python code", "Your own code plays, such as my_agents:lowest."),
    "agent": Opponent("A saved agent", "An agent plays that was trained and saved in a file."),
    "llm": Opponent("A language model", "A model plays, at the endpoint in NINEFOLD_LLM_URL."),
}


class Outsider(NamedTuple):
    """An opponent from outside: its scheme, and the field in which it is named."""

    scheme: str
    field: str
    label: str
    question: str


OUTSIDERS = {
    "program": Outsider(PROGRAM, "command", "Command", "Which program?"),
    "python": Outsider(PYTHON, "code", "Code", "Which code (MODULE:NAME)?"),
    "agent": Outsider(SAVED, "file", "File", "Which file?"),
    "llm": Outsider(LLM, "model", "Model", "Which model?"),
}
CLOCKS = {
    "": "No clock",
    "10": "10 seconds per turn",
    "30": "30 seconds per turn",
    "60": "1 minute per turn",
    OTHER: "Other …",
}
MATCHES = {
    "": "One game",
    "2": "First to 2 wins",
    "3": "First to 3 wins",
    "5": "First to 5 wins",
    OTHER: "Other …",
}


def starters(one: str, two: str) -> dict[str, str]:
    """Who may start."""
    return {"1": one, "2": two, "random": "Toss a coin"}


def names(choices: Mapping[str, str]) -> tuple[str, str]:
    """What both players are called; a computer is called what it is."""
    one, two = (choices.get(f"name{seat}", "").strip() or f"Player {seat}" for seat in (1, 2))
    kind = seat_of(choices)
    return one, two if kind == HUMAN else name_of(kind)


def seat_of(choices: Mapping[str, str]) -> str:
    """The kind of the opponent."""
    kind = choices.get("opponent", HUMAN)
    outsider = OUTSIDERS.get(kind)
    return f"{outsider.scheme}{choices.get(outsider.field, '').strip()}" if outsider else kind


def check_opponent(choices: Mapping[str, str]) -> None:
    """Refuse an opponent from outside that cannot play, as far as can be seen before the game.

    No code is run, and no model asked. Raises NinefoldError.
    """
    scheme, rest = split_kind(seat_of(choices))
    if scheme and not rest:
        asked = next(one.question for one in OUTSIDERS.values() if one.scheme == scheme)
        raise NinefoldError("bad-player", "Nothing was typed.", asked)
    make(seat_of(choices))
    if scheme == PROGRAM:
        from ninefold.players.process import find_program
        from ninefold.players.program import split_command

        find_program(split_command(rest))
    elif scheme == PYTHON:
        from ninefold.players.python import check_module

        check_module(rest)
    elif scheme == SAVED:
        from ninefold.players.saved import load_agent

        load_agent(rest)
    elif scheme == LLM:
        from ninefold.players.llm.endpoint import shared_endpoint
        from ninefold.require import require_package

        require_package("httpx", "llm")
        shared_endpoint()


def seconds_of(choices: Mapping[str, str]) -> int | None:
    """The seconds of a turn, chosen or typed; None without a clock. Raises NinefoldError."""
    return _number(choices, "clock", "seconds", "The seconds of a turn", MAX_SECONDS)


def wins_of(choices: Mapping[str, str]) -> int | None:
    """The wins of a match, chosen or typed; None for one game. Raises NinefoldError."""
    return _number(choices, "wins", "games", "The wins of a match", MAX_GAMES)


def _number(
    choices: Mapping[str, str], choice: str, field: str, what: str, most: int
) -> int | None:
    chosen = choices.get(choice, "")
    if chosen != OTHER:
        return int(chosen) if chosen else None
    typed = choices.get(field, "").strip()
    if not (typed.isascii() and typed.isdigit()) or not 1 <= int(typed) <= most:
        raise NinefoldError(f"bad-{field}", f"{what} must be a number from 1 to {most:,}.")
    return int(typed)


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
    check_opponent(choices)
    first = choices.get("first", "")
    book = books.load_book(choices["game"], choices.get("reading") or None)
    settings = new_settings(
        book,
        player1=one,
        player2=two,
        seat2=seat_of(choices),
        first=first if first == "random" else int(first or 1),
        time_limit=seconds_of(choices),
        wins=wins_of(choices),
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
