"""The command line: which command it names, and the module that runs it."""

import argparse
import sys
from importlib import import_module
from typing import NoReturn

from ninefold import __version__
from ninefold.cli.arguments import COMMANDS


def parse(arguments: list[str]) -> int:
    """Parse the arguments and run the command they name; the exit code."""
    parser = build_parser(next((word for word in arguments if word in COMMANDS), ""))
    options = parser.parse_args(arguments)
    if options.command is None:
        return _no_command(parser)
    module = import_module(f"ninefold.cli.{_module_name(options.command)}_command")
    code: int = module.run(options)
    return code


def _module_name(command: str) -> str:
    return command.replace("-", "_")


def _no_command(parser: argparse.ArgumentParser) -> int:
    """At a terminal the menu, in a pipe the help."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from ninefold.cli.menu_command import run

        return run()
    parser.print_help()
    return 0


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line, and another that says where help is."""

    def error(self, message: str) -> NoReturn:
        """Complain and leave with exit code 2."""
        from ninefold.line.note import note

        note(f"ninefold: {message}\nTry: {self.prog} --help")
        self.exit(2)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The whole command line; if only one command is wanted, the others without their arguments."""
    parser = Parser(
        prog="ninefold",
        description="Number-claiming games at the terminal. Without a command: a menu.",
        epilog="example: ninefold play sequence-capture --p2 random",
    )
    parser.add_argument("-V", "--version", action="version", version=f"ninefold {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog="ninefold"
    )
    for name, (summary, example) in COMMANDS.items():
        below = commands.add_parser(
            name, help=summary, description=summary, epilog=f"example: ninefold {example}"
        )
        if only in (None, name):
            arguments = import_module(f"ninefold.cli.arguments.{_module_name(name)}")
            arguments.add_arguments(below)
    return parser
