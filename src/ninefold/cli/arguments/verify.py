"""The arguments of ``ninefold verify``."""

import argparse

from ninefold.cli.arguments.common import GAME, add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("file", metavar="FILE", help="written by ninefold solve --certificate")
    parser.add_argument("--game", metavar=GAME, help="if the rule book is another file by now")
    add_json(parser)
