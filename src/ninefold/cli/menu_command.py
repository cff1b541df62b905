"""``ninefold`` alone: a short menu, a game, and the offer of a rematch."""

from collections.abc import Sequence

from ninefold import books
from ninefold.cli.parser import build_parser
from ninefold.cli.play_command import play
from ninefold.line.console import Console, open_console

_SEATS = {
    "Two people at this keyboard": [],
    "You are Player 1 against the computer": ["--name2", "Computer", "--p2"],
    "The computer is Player 1, you are Player 2": ["--name1", "Computer", "--p1"],
}
_STRENGTHS = {
    "Level 1: it takes a win it can see": "level:1",
    "Level 2: it also blocks": "level:2",
    "Level 3: it sees double threats": "level:3",
    "Level 4: it thinks three turns ahead": "level:4",
    "Level 5: it never gives a win away": "level:5",
    "Perfect: it also lays traps": "perfect",
}
_STARTERS = {"Player 1": "1", "Player 2": "2", "Toss a coin": "random"}


def run() -> int:
    """Ask what to play, play it, and offer a rematch; Ctrl-C and Ctrl-D leave at any point."""
    console = open_console()
    console.show("Ninefold: claim numbers, complete a set, win.\n")
    try:
        options = build_parser("play").parse_args(_ask_what_to_play(console))
        while True:
            console.show("\n")
            code, left = play(options, console)
            if left or not _again(console):
                return code
    except EOFError:
        return 0


def _ask_what_to_play(console: Console) -> list[str]:
    """The arguments of ``ninefold play`` that the answers stand for."""
    games = {f"{book.title}: {book.summary}": book for book in books.load_all()}
    book = games[_choose(console, "Which game?", [*games])]
    arguments = ["play", book.id]
    if len(book.readings) > 1:
        readings = {f"{name}: {reading.summary}": name for name, reading in book.readings.items()}
        arguments += ["--reading", readings[_choose(console, "Which rules?", [*readings])]]
    seats: list[str] = _SEATS[_choose(console, "Who plays?", [*_SEATS])]
    if seats:
        strength = _STRENGTHS[_choose(console, "How strong is it?", [*_STRENGTHS])]
        arguments += [*seats, strength]
    return [*arguments, "--first", _STARTERS[_choose(console, "Who starts?", [*_STARTERS])]]


def _choose(console: Console, question: str, options: Sequence[str]) -> str:
    """The chosen option; Enter takes the first."""
    console.show(f"\n{question}\n")
    for number, option in enumerate(options, 1):
        console.show(f"  {number}. {option}\n")
    while True:
        text = console.ask(f"1-{len(options)} [1]: ").strip() or "1"
        if text.isdecimal() and 1 <= int(text[:9]) <= len(options):
            return options[int(text[:9]) - 1]
        console.show(f"Type a number from 1 to {len(options)}, or Enter for 1.\n", "refusal")


def _again(console: Console) -> bool:
    while True:
        text = console.ask("\nPlay again? [y/n]: ").strip().casefold()
        if text in ("y", "yes", "n", "no", "q", "quit"):
            return text.startswith("y")
        console.show("Type y to play again, or n to leave.\n", "refusal")
