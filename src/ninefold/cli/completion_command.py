"""``ninefold completion``: a script that completes commands, options and games in the shell."""

import argparse

from ninefold import books
from ninefold.cli.parser import GAME, build_parser
from ninefold.players import KINDS, PROGRAM


def run(options: argparse.Namespace) -> int:
    """Print the completion script for one shell."""
    import shtab

    parser = build_parser()
    _offer_games(parser)
    print(shtab.complete(parser, options.shell))
    return 0


def _offer_games(parser: argparse.ArgumentParser) -> None:
    """Let games, readings and players be completed, though more than these may be typed."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _offer_games(below)
        elif action.metavar == GAME:
            action.choices = books.names()
        elif action.dest == "reading":
            readings = {name for book in books.load_all() for name in book.readings}
            action.choices = sorted(readings)
        elif action.dest in ("p1", "p2"):
            action.choices = (*KINDS, PROGRAM)
        elif action.dest == "player":
            action.choices = KINDS[1:]
