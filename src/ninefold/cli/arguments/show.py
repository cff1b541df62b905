"""The arguments of ``ninefold show``."""

import argparse

from ninefold.cli.arguments.common import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("game", metavar="ID|FILE", help="a name from ninefold games, or a file")
    parser.add_argument("--step", action="store_true", help="wait for Enter after each move")
    add_json(parser)
