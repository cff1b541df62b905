"""Adds the arguments of a command, one line each, with values checked against their bounds."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any

GAME = "GAME"


class Arguments:
    """The arguments of one command, and those that several commands share."""

    def __init__(self, parser: argparse.ArgumentParser) -> None:
        self._add = parser.add_argument

    def word(self, name: str, metavar: str, text: str, required: bool = True) -> None:
        """Add a positional argument."""
        self._add(name, metavar=metavar, nargs=None if required else "?", help=text)

    def flag(self, name: str, text: str) -> None:
        """Add an option without a value."""
        self._add(name, action="store_true", help=text)

    def switch(self, name: str, text: str) -> None:
        """Add an option without a value, and its opposite ``--no-…``."""
        self._add(name, action=argparse.BooleanOptionalAction, help=text)

    def option(
        self,
        name: str,
        metavar: str,
        text: str,
        parse: Callable[[str], Any] = str,
        default: Any = None,
        **more: Any,
    ) -> None:
        """Add an option with a value; two names are separated by a space."""
        names = name.split()
        self._add(*names, metavar=metavar, type=parse, default=default, help=text, **more)

    def options(self, name: str, metavar: str, text: str, default: Any = None) -> None:
        """Add an option that can be given several times."""
        self._add(name, metavar=metavar, action="append", default=default, help=text)

    def choice(self, name: str, choices: Sequence[Any], text: str, default: Any = None) -> None:
        """Add an option with a few values; they are numbers if the first is one."""
        self._add(name, choices=choices, type=type(choices[0]), default=default, help=text)

    def json(self) -> None:
        """Add ``--json``."""
        self.flag("--json", "print JSON, for programs")

    def rules(self) -> None:
        """Add the variant of the rules and changes to them."""
        self.option("--reading", "R", "which variant of the rules (see ninefold rules GAME)")
        example = "for instance pool=1-12 or wins.arithmetic.length=4"
        self.options("--set", "KEY=VALUE", f"change a rule, {example}", [])

    def game(self, required: bool = True) -> None:
        """Add a game, the variant of its rules and changes to them."""
        from ninefold import books

        games = ", ".join(books.names())
        self.word("game", GAME, f"one of: {games}; or a file such as ./my-game.toml", required)
        self.rules()

    def first(self) -> None:
        """Add who moves first."""
        self.choice("--first", (1, 2), "who moves first", 1)

    def position(self) -> None:
        """Add a game and the moves that lead to a position of it."""
        self.game()
        self.option("--moves", "MOVES", "the position after these moves", default="")
        self.first()

    def record(self) -> None:
        """Add a recorded game."""
        self.word("game", "ID|FILE", "an ID from ninefold games, or a file")

    def seed(self, default: int | None = None) -> None:
        """Add the random seed."""
        text = "random seed" if default is None else f"random seed ({default})"
        self.option("--seed", "N", text, seed, default)


def name(text: str) -> str:
    """The name of a player; raises argparse.ArgumentTypeError, as all of these do."""
    found = text.strip()
    if not found or len(found) > 40:
        raise argparse.ArgumentTypeError("a name must have 1 to 40 characters")
    if not found.isprintable():
        raise argparse.ArgumentTypeError(
            "that name contains a character the terminal cannot show safely"
        )
    return found


def count(text: str) -> int:
    """A number of games, wins or puzzles: at least one."""
    from ninefold.referee.settings import MAX_GAMES

    return _whole(text, 1, MAX_GAMES)


def count_or_none(text: str) -> int:
    """A number of games or tries: none, or very many."""
    from ninefold.referee.settings import MAX_GAMES

    return _whole(text, 0, MAX_GAMES**2)


def offset(text: str) -> int:
    """A whole number, possibly negative."""
    return _whole(text, -(10**9), 10**9)


def mebibytes(text: str) -> int:
    """An amount of memory."""
    return _whole(text, 64, 1 << 30)


def seconds(text: str) -> float:
    """A length of time."""
    from ninefold.referee.settings import MAX_SECONDS

    return _number(text, 0.001, MAX_SECONDS)


def seed(text: str) -> int:
    """A random seed."""
    return _whole(text, -(2**63), 2**63)


def _whole(text: str, least: int, most: int) -> int:
    return int(_number(text, least, most, "a whole number"))


def _number(text: str, least: float, most: float, kind: str = "a number") -> float:
    try:
        number = float(text) if kind == "a number" else int(text)
    except ValueError:
        number = None
    if number is None or not least <= number <= most:
        raise argparse.ArgumentTypeError(f"expected {kind} from {least} to {most}, found {text!r}")
    return number
