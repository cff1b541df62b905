"""The command line: which command it names, the module that runs it, and shell completion."""

import argparse
import sys
from collections.abc import Iterable
from importlib import import_module

from ninefold import __version__
from ninefold.cli.arguments import GAME, Parser
from ninefold.cli.commands import COMMANDS


def parse(arguments: list[str]) -> int:
    """Parse the arguments and run the command they name; the exit code, 0 if it returns none."""
    command = next((word for word in arguments if word in COMMANDS), "")
    parser = build_parser(command)
    if not command:
        _refuse_unknown(parser, arguments)
    options = parser.parse_args(arguments)
    if options.command is None:
        return _run_without_command(parser, options)
    module = import_module(f"ninefold.cli.{COMMANDS[options.command].module}")
    run = getattr(module, f"run_{options.command.replace('-', '_')}")
    return run(options) or 0


def _run_without_command(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    """The full screen, or a menu where it cannot or should not be shown, or the help in a pipe."""
    from ninefold.cli.app_command import open_app, wants_full_screen

    if not (options.line or options.accessible) and wants_full_screen():
        return open_app()
    if options.line or (sys.stdin.isatty() and sys.stdout.isatty()):
        from ninefold.cli.play_commands import run_menu

        run_menu(options)
    else:
        parser.print_help()
    return 0


def _refuse_unknown(parser: argparse.ArgumentParser, arguments: list[str]) -> None:
    """Name the closest command to one that does not exist."""
    if arguments and not arguments[0].startswith("-"):
        from ninefold.books.faults import nearest
        from ninefold.core.text import shorten

        hint = nearest(arguments[0], COMMANDS)
        unknown = f"unknown command {shorten(arguments[0], 40)!r}"
        parser.error(f"{unknown}; {hint}" if hint else unknown)


def build_parser(only: str | None = None) -> argparse.ArgumentParser:
    """The parser; with ``only``, every other command comes without its arguments."""
    parser = Parser(
        prog="ninefold",
        description="Number-claiming games at the terminal. Without a command: the full screen.",
        epilog="example: ninefold play sequence-capture --p2 random",
    )
    parser.add_argument("-V", "--version", action="version", version=f"ninefold {__version__}")
    text = "line by line instead of full screen, for screen readers and small terminals"
    parser.flag("--line", text)
    parser.console()
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog="ninefold"
    )
    for name, (_, summary, example, add_arguments) in COMMANDS.items():
        below = commands.add_parser(
            name, help=summary, description=summary, epilog=f"example: ninefold {example}"
        )
        if only in (None, name):
            add_arguments(below)
    return parser


def run_completion(options: argparse.Namespace) -> None:
    """Print the completion script for one shell."""
    import shtab

    parser = build_parser()
    _offer_games(parser, options.shell)
    print(shtab.complete(parser, options.shell))


def _offer_games(parser: argparse.ArgumentParser, shell: str) -> None:
    """Complete games, readings, players and files, though other values are accepted too."""
    import shtab

    from ninefold import books
    from ninefold.players import HUMAN, KINDS, OUTSIDE, PROGRAM

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _offer_games(below, shell)
        elif action.metavar == GAME:
            action.choices = books.names()
            if shell == "bash":  # the other shells complete either games or files
                action.complete = _games_or_files(action.choices)  # type: ignore[attr-defined]
        elif action.metavar == "FILE":
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.dest == "reading":
            readings = {name for book in books.load_all() for name in book.readings}
            action.choices = sorted(readings)
        elif action.metavar == "WHO":  # an engine is neither a person nor another program
            barred = (HUMAN, PROGRAM) if action.dest == "player" else ()
            action.choices = [kind for kind in (*KINDS, *OUTSIDE) if kind not in barred]


def _games_or_files(games: Iterable[str]) -> dict[str, object]:
    """The bash completion of a game: the ids, rule-book files here, and folders."""
    script = f"""_ninefold_games() {{
  compgen -W "{" ".join(games)}" -- "$1"
  compgen -f -X '!*.toml' -- "$1"
  compgen -d -S / -- "$1"
}}"""
    return {"bash": "_ninefold_games", "preamble": {"bash": script}}
