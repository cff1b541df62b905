"""``ninefold completion``: a shell script that completes commands, options and games."""

import argparse

from ninefold import books
from ninefold.cli.arguments import GAME
from ninefold.cli.parser import build_parser
from ninefold.players import KINDS, PROGRAM


def run_completion(options: argparse.Namespace) -> int:
    """Print the completion script for one shell."""
    import shtab

    parser = build_parser()
    _offer_games(parser, options.shell)
    print(shtab.complete(parser, options.shell))
    return 0


def _offer_games(parser: argparse.ArgumentParser, shell: str) -> None:
    """Complete games, readings, players and files, though other values are accepted too."""
    import shtab

    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _offer_games(below, shell)
        elif action.metavar == GAME:
            action.choices = books.names()
            if shell == "bash":  # the other shells complete either games or files
                action.complete = _games_or_files()  # type: ignore[attr-defined]
        elif action.metavar == "FILE":
            action.complete = shtab.FILE  # type: ignore[attr-defined]
        elif action.dest == "reading":
            readings = {name for book in books.load_all() for name in book.readings}
            action.choices = sorted(readings)
        elif action.dest in ("p1", "p2"):
            action.choices = (*KINDS, PROGRAM)
        elif action.dest == "player":
            action.choices = KINDS[1:]


def _games_or_files() -> dict[str, object]:
    """The bash completion of a game: the ids, rule-book files here, and folders."""
    lines = [
        "_ninefold_games() {",
        f'  compgen -W "{" ".join(books.names())}" -- "$1"',
        "  compgen -f -X '!*.toml' -- \"$1\"",
        '  compgen -d -S / -- "$1"',
        "}",
    ]
    return {"bash": "_ninefold_games", "preamble": {"bash": "\n".join(lines)}}
