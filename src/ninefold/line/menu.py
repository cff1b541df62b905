"""The menu of line mode: continue a game, or answer a few questions and play; then a rematch."""

from collections.abc import Callable, Mapping
from contextlib import suppress

from ninefold import books, preferences
from ninefold.book_files import titles
from ninefold.core.errors import NinefoldError
from ninefold.line.console import YES_OR_NO, Console
from ninefold.line.resume import open_session
from ninefold.line.series import Series
from ninefold.line.wrap import note
from ninefold.match import last_unfinished
from ninefold.new_game import (
    CLOCKS,
    MATCHES,
    OPPONENTS,
    OTHER,
    OUTSIDERS,
    begin,
    check_name,
    check_names,
    check_opponent,
    names,
    seconds_of,
    starters,
    wins_of,
)
from ninefold.players import HUMAN
from ninefold.record.listing import unfinished
from ninefold.record.store import Store
from ninefold.record.text import read_record
from ninefold.session import Session

HELP = """\
back           the question before
quit           leave (Ctrl-D does the same)
"""
CHOOSE = "Type the number of your choice, or press Enter for the one in brackets."
TYPE = "Type your answer, or press Enter for the one in brackets."
_QUIT, _BACK, _HELP = ("q", "quit", "exit"), ("b", "back"), ("h", "help", "?")
Choices = dict[str, str]


class Back(Exception):
    """The player wants the question before."""


def run(console: Console) -> None:
    """Ask what to play, play it, and offer a rematch, until the players leave."""
    console.show("Ninefold: claim numbers, complete a set, win.\n")
    with suppress(EOFError):
        session = _continued(console)
        while True:
            try:
                _play_with_rematches(console, session or begin_chosen(console))
            except NinefoldError as error:
                console.show(f"{error.message}\n", "refusal")
            session = None


def begin_chosen(console: Console) -> Session:
    """The session of a new game that the players choose; raises EOFError, NinefoldError."""
    choices = ask_choices(console)
    session = begin(choices, note)
    console.show("\n")
    if choices["first"] == "random":
        show_toss(console, session)
    return session


def show_toss(console: Console, session: Session) -> None:
    """Show whom the coin chose."""
    settings = session.settings
    console.show(f"Coin toss: {settings.players[settings.first - 1]} goes first.\n\n")


def ask_choices(console: Console) -> Choices:
    """The choices for a new game; the last ones are proposed, and remembered. Raises EOFError."""
    kept = preferences.load()
    last, chosen, asked, at = kept.new_game, Choices(), list[int](), 0
    while at < len(_QUESTIONS):
        name, ask = _QUESTIONS[at]
        try:
            answer = ask(console, chosen, last.get(name, ""))
        except Back:
            if asked:
                at = asked.pop()
            else:
                console.show("This is the first question. To leave, type quit.\n", "refusal")
            continue
        if answer is not None:
            chosen[name] = answer
            asked.append(at)
        else:
            chosen.pop(name, None)
        at += 1
    preferences.save(kept._replace(new_game={**last, **chosen}))
    return chosen


def _continued(console: Console) -> Session | None:
    """The unfinished game that was played last, if the players want to continue it."""
    store = Store()
    name = last_unfinished(store)
    if name is None:
        return None
    record = read_record(store.path(name))
    advice = "Type y to continue this game, or n for a new one."
    if not _agree(console, f"\nContinue {unfinished(record)}? [Y/n]: ", {"": True}, advice):
        return None
    try:
        return open_session(console, store.path(name))
    except NinefoldError as error:
        console.show(f"{error.message}\n", "refusal")
        return None


def _play_with_rematches(console: Console, session: Session) -> None:
    """Play until the players want no more of it; raises EOFError if they want no more at all."""
    wins: dict[str, int] = dict.fromkeys(session.settings.players, 0)
    drawn = 0
    while True:
        ending = Series(console, session).play()
        if ending == "gone":
            raise EOFError
        if ending == "left":
            return
        winner = _winner(session)
        if winner is None:
            drawn += 1
        else:
            wins[session.settings.players[winner - 1]] += 1
        if sum(wins.values()) + drawn > 1:
            score = ", ".join(f"{name} {count}" for name, count in wins.items())
            console.show(f"\nScore: {score}{f', drawn {drawn}' if drawn else ''}.\n")
        advice = "Type y to play again, n for the menu, or q to leave."
        if not _agree(console, "\nPlay again? [y/n]: ", {}, advice):
            return
        session = session.rematch()
        starts = f"{session.settings.players[session.settings.first - 1]} starts.\n\n"
        console.show(f"\n{starts if session.match is None else ''}")


def _winner(session: Session) -> int | None:
    """Who won the match, or the game."""
    if session.match is not None:
        return session.match.winner
    outcome = session.game.outcome if session.game else None
    return outcome.winner if outcome else None


def _agree(console: Console, prompt: str, usual: Mapping[str, bool], advice: str) -> bool:
    """Whether the answer is yes; to go back is a no. Raises EOFError to leave."""
    answers = {**YES_OR_NO, **usual}

    def parse(text: str) -> str:
        if text.casefold() not in answers:
            raise NinefoldError("bad-answer", advice)
        return text.casefold()

    try:
        return answers[_ask(console, prompt, parse, advice)]
    except Back:
        return False


def _ask(console: Console, prompt: str, parse: Callable[[str], str], how: str = TYPE) -> str:
    """An answer that ``parse`` accepts; help says ``how``. Raises Back, and EOFError to leave."""
    while True:
        text = console.ask(prompt).strip()
        word = text.casefold()
        if word in _QUIT:
            raise EOFError
        if word in _BACK:
            raise Back
        if word in _HELP:
            console.show(f"{how}\n{HELP}")
            continue
        try:
            return parse(text)
        except NinefoldError as error:
            console.show(f"{error.message}\n", "refusal")


def _choose(console: Console, question: str, options: Mapping[str, str], last: str) -> str:
    """The option chosen by its number; Enter takes the last one, or else the first."""
    console.show_menu(question, options.values())
    values = list(options)
    usual = values.index(last) if last in options else 0

    def parse(text: str) -> str:
        number = int(text[:9]) if text.isdecimal() else 0
        if text and not 1 <= number <= len(values):
            advice = f"Type a number from 1 to {len(values)}, or Enter for {usual + 1}."
            raise NinefoldError("bad-answer", advice)
        return values[number - 1 if text else usual]

    return _ask(console, f"1-{len(values)} [{usual + 1}]: ", parse, CHOOSE)


def _ask_game(console: Console, _: Choices, last: str) -> str:
    about = {book.id: f": {book.summary}" for book in books.load_all()}
    options = titles(preferences.load().books)
    texts = {value: text + about.get(value, "") for value, text in options.items()}
    return _choose(console, "Which game?", texts, last)


def _ask_reading(console: Console, chosen: Choices, last: str) -> str | None:
    book = books.load_book(chosen["game"])
    if len(book.readings) == 1:
        return None
    texts = {name: f"{name}: {reading.summary}" for name, reading in book.readings.items()}
    return _choose(console, "Which rules?", texts, last)


def _ask_opponent(console: Console, _: Choices, last: str) -> str:
    texts = {kind: f"{opponent.name}: {opponent.plays}" for kind, opponent in OPPONENTS.items()}
    return _choose(console, "Who plays against you?", texts, last)


def _ask_typed(
    name: str, only: tuple[str, str], question: str, usual: str, check: Callable[[Choices], object]
) -> Callable[[Console, Choices, str], str | None]:
    """A question that is only asked after a certain choice, and answered in words."""

    def ask(console: Console, chosen: Choices, last: str) -> str | None:
        if chosen.get(only[0]) != only[1]:
            return None
        proposed = last or usual

        def parse(text: str) -> str:
            check({**chosen, name: text or proposed})
            return text or proposed

        return _ask(console, f"\n{question}{f' [{proposed}]' if proposed else ''}: ", parse)

    return ask


def _ask_name(seat: int) -> Callable[[Console, Choices, str], str | None]:
    def ask(console: Console, chosen: Choices, last: str) -> str | None:
        if seat == 2 and chosen["opponent"] != HUMAN:
            return None
        usual = last or f"Player {seat}"
        whose = "Your name" if seat == 1 else "Your friend's name"

        def parse(text: str) -> str:
            name = check_name(text or usual)
            if seat == 2:
                check_names(names(chosen)[0], name)
            return name

        return _ask(console, f"\n{whose} [{usual}]: ", parse)

    return ask


def _ask_first(console: Console, chosen: Choices, last: str) -> str:
    one, two = names(chosen)
    unnamed = chosen["opponent"] != HUMAN and one == "Player 1"
    return _choose(console, "Who starts?", starters("You" if unnamed else one, two), last)


def _ask_clock(console: Console, _: Choices, last: str) -> str:
    return _choose(console, "With a clock?", CLOCKS, last)


def _ask_wins(console: Console, _: Choices, last: str) -> str:
    return _choose(console, "How many games?", MATCHES, last)


_QUESTIONS: tuple[tuple[str, Callable[[Console, Choices, str], str | None]], ...] = (
    ("game", _ask_game),
    ("reading", _ask_reading),
    ("opponent", _ask_opponent),
    *(
        (to.field, _ask_typed(to.field, ("opponent", kind), to.question, "", check_opponent))
        for kind, to in OUTSIDERS.items()
    ),
    ("name1", _ask_name(1)),
    ("name2", _ask_name(2)),
    ("first", _ask_first),
    ("clock", _ask_clock),
    (
        "seconds",
        _ask_typed("seconds", ("clock", OTHER), "How many seconds per turn?", "90", seconds_of),
    ),
    ("wins", _ask_wins),
    ("games", _ask_typed("games", ("wins", OTHER), "First to how many wins?", "10", wins_of)),
)
