"""``ninefold`` alone: a short menu, a game, and the offer of a rematch."""

from collections.abc import Sequence

from ninefold import books
from ninefold.cli.play_command import fresh_seed, play, toss
from ninefold.line.console import Console, open_console
from ninefold.line.series import now
from ninefold.record.text import Header

_OPPONENTS = (
    ("Two people at this keyboard", ("human", "human"), ("Player 1", "Player 2")),
    ("You are Player 1 against the computer", ("human", "random"), ("Player 1", "Computer")),
    ("The computer is Player 1, you are Player 2", ("random", "human"), ("Computer", "Player 2")),
)
_STARTERS = (("Player 1 starts", "1"), ("Player 2 starts", "2"), ("Toss a coin", "random"))


def run() -> int:
    """Ask what to play, play it, and ask again; Ctrl-D or Enter on the last question ends it."""
    console = open_console()
    console.show("Ninefold: claim numbers, make a set, win.\n")
    try:
        return _choose_and_play(console)
    except EOFError:
        console.show("\n")
        return 0


def _choose_and_play(console: Console) -> int:
    games = [books.load(name) for name in books.names()]
    listed = [f"{book.title}: {book.summary}" for book in games]
    book = games[_choose(console, "Which game?", listed)]
    if len(book.readings) > 1:
        names = [*book.readings]
        texts = [f"{name}: {book.readings[name].summary}" for name in names]
        book = books.load(book.id, names[_choose(console, "Which reading?", texts)])
    seats, players = _OPPONENTS[_choose(console, "Who plays?", [o[0] for o in _OPPONENTS])][1:]
    first = _STARTERS[_choose(console, "Who starts?", [s[0] for s in _STARTERS])][1]
    while True:
        console.show("\n")
        seed = fresh_seed()
        header = Header(
            game=book.id,
            reading=book.reading,
            rules=book.game.fingerprint,
            date=now(),
            player1=players[0],
            player2=players[1],
            seat1=seats[0],
            seat2=seats[1],
            first=toss(first, seed),
            time_limit=None,
            on_timeout=book.on_timeout,
            seed=seed,
        )
        code = play(console, book, header, first == "random")
        if code or not _again(console):
            return code


def _choose(console: Console, question: str, options: Sequence[str]) -> int:
    """The index of the option chosen; Enter takes the first."""
    console.show(f"\n{question}\n")
    for number, option in enumerate(options, 1):
        console.show(f"  {number}. {option}\n")
    while True:
        text = console.ask(f"1-{len(options)} [1]: ").strip() or "1"
        if text.isdecimal() and 1 <= int(text) <= len(options):
            return int(text) - 1
        console.show(f"Type a number from 1 to {len(options)}, or Enter for 1.\n", "refusal")


def _again(console: Console) -> bool:
    while True:
        text = console.ask("\nPlay again? [y/n]: ").strip().casefold()
        if text in ("y", "yes", "n", "no", ""):
            return text.startswith("y")
        console.show("Type y or n.\n", "refusal")
