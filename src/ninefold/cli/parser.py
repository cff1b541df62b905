"""The command line: which command it names, and the module that runs it."""

import argparse
import sys
from importlib import import_module
from typing import NoReturn

from ninefold import __version__
from ninefold.cli.arguments import Arguments
from ninefold.cli.commands import COMMANDS


def parse(arguments: list[str]) -> int:
    """Parse the arguments and run the command they name; the exit code."""
    parser = build_parser(next((word for word in arguments if word in COMMANDS), ""))
    options = parser.parse_args(arguments)
    if options.command is None:
        # A menu at a terminal, the help in a pipe.
        if sys.stdin.isatty() and sys.stdout.isatty():
            from ninefold.cli.play_commands import run_menu

            return run_menu()
        parser.print_help()
        return 0
    module = import_module(f"ninefold.cli.{COMMANDS[options.command].module}")
    code: int = getattr(module, f"run_{options.command.replace('-', '_')}")(options)
    return code


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line, and another that says where to find help."""

    def error(self, message: str) -> NoReturn:
        """Print the error and leave with exit code 2."""
        from ninefold.line.wrap import note

        note(f"ninefold: {message}\nTry: {self.prog} --help")
        self.exit(2)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser; with ``only``, every other command comes without its arguments."""
    parser = Parser(
        prog="ninefold",
        description="Number-claiming games at the terminal. Without a command: a menu.",
        epilog="example: ninefold play sequence-capture --p2 random",
    )
    parser.add_argument("-V", "--version", action="version", version=f"ninefold {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog="ninefold"
    )
    for name, (_, summary, example, add_arguments) in COMMANDS.items():
        below = commands.add_parser(
            name, help=summary, description=summary, epilog=f"example: ninefold {example}"
        )
        if only in (None, name):
            add_arguments(Arguments(below))
    return parser
