"""The arguments of ``ninefold review``."""

import argparse

from ninefold.cli.arguments.common import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("game", metavar="ID|FILE", help="a name from ninefold games, or a file")
    parser.add_argument(
        "--annotate", action="store_true", help="write the verdicts into the record as comments"
    )
    add_json(parser)
