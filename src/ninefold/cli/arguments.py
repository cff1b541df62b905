"""Adds the arguments of a command, one line each, with values checked against their bounds."""

import argparse
from collections.abc import Callable, Sequence
from typing import Any, NoReturn

from ninefold.invocation import command
from ninefold.line.wrap import note

GAME = "GAME"


class Parser(argparse.ArgumentParser):
    """Parses the arguments of a command; an error is one line, and where to find help another."""

    def error(self, message: str) -> NoReturn:
        """Print the error and leave with exit code 2."""
        task = self.prog.removeprefix("ninefold").strip()
        note(f"ninefold: {message}\nTry: {command(f'{task} --help'.strip())}")
        self.exit(2)

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        """The value of an argument; some versions of Python lose the one of ``--option=--``."""
        if not (action.option_strings and action.nargs is None and arg_strings == ["--"]):
            return super()._get_values(action, arg_strings)
        value = self._get_value(action, "--")
        self._check_value(action, value)
        return value

    def flag(self, name: str, text: str) -> None:
        """Add an option without a value."""
        self.add_argument(name, action="store_true", help=text)

    def value(
        self,
        name: str,
        metavar: str,
        text: str,
        parse: Callable[[str], Any] = str,
        default: Any = None,
        **more: Any,
    ) -> None:
        """Add an argument with a value; two names of an option are separated by a space."""
        names = name.split()
        self.add_argument(*names, metavar=metavar, type=parse, default=default, help=text, **more)

    def choice(self, name: str, choices: Sequence[Any], text: str, default: Any = None) -> None:
        """Add an argument with a few values; they are numbers if the first is one."""
        self.add_argument(name, choices=choices, type=type(choices[0]), default=default, help=text)

    def console(self) -> None:
        """Add how line mode shows a game; what was said before the command counts, too."""
        below = " " in self.prog
        accessible: Any = argparse.SUPPRESS if below else False
        countdown: Any = argparse.SUPPRESS if below else True
        words = "for screen readers: sentences instead of drawings, plain prompts, no countdown"
        self.add_argument("--accessible", action="store_true", default=accessible, help=words)
        words = "do not show the time left while you type"
        hidden: Any = {"action": "store_false", "dest": "countdown", "default": countdown}
        self.add_argument("--no-countdown", help=words, **hidden)

    def json(self) -> None:
        """Add ``--json``."""
        self.flag("--json", "print JSON, for programs")

    def rules(self) -> None:
        """Add the variant of the rules and changes to them."""
        self.value("--reading", "R", "which variant of the rules (see ninefold rules GAME)")
        change = "change a rule, for instance pool=1-12 or wins.arithmetic.length=4"
        self.value("--set", "KEY=VALUE", change, default=[], action="append")

    def game(self, **more: Any) -> None:
        """Add a game, the variant of its rules and changes to them."""
        from ninefold import books

        games = ", ".join(books.names())
        self.value(
            "game", GAME, f"{games} (a part is enough), or a file such as ./my-game.toml", **more
        )
        self.rules()

    def first(self) -> None:
        """Add who moves first."""
        self.choice("--first", (1, 2), "who moves first", 1)

    def position(self) -> None:
        """Add a game and the moves that lead to a position of it."""
        self.game()
        self.value("--moves", "MOVES", "the position after these moves", default="")
        self.first()

    def seed(self, default: int | None = None) -> None:
        """Add the random seed."""
        text = "random seed" if default is None else f"random seed ({default})"
        self.value("--seed", "N", text, whole(-(2**63), 2**63), default)


def name(text: str) -> str:
    """The name of a player; raises argparse.ArgumentTypeError, as all of these do."""
    from ninefold.core.errors import NinefoldError
    from ninefold.new_game import check_name

    try:
        return check_name(text)
    except NinefoldError as error:
        raise argparse.ArgumentTypeError(error.reason) from None


def count(text: str) -> int:
    """A number of games, wins or puzzles: at least one."""
    from ninefold.referee.settings import MAX_GAMES

    return whole(1, MAX_GAMES)(text)


def seconds(text: str) -> float:
    """A length of time."""
    from ninefold.referee.settings import MAX_SECONDS

    return _number(text, float, 0.001, MAX_SECONDS)


def pause(text: str) -> float:
    """A length of time that may be nothing."""
    return _number(text, float, 0, 3600)


def decimal(least: float, most: float) -> Callable[[str], float]:
    """A parser of numbers between these bounds."""
    return lambda text: _number(text, float, least, most)


def whole(least: int, most: int) -> Callable[[str], int]:
    """A parser of whole numbers between these bounds."""
    return lambda text: int(_number(text, int, least, most))


def _number(text: str, kind: type[int] | type[float], least: float, most: float) -> float:
    try:
        number = kind(text)
        if least <= number <= most:
            return number
    except ValueError:
        pass
    expected = "a whole number" if kind is int else "a number"
    raise argparse.ArgumentTypeError(f"expected {expected} from {least} to {most}, found {text!r}")
