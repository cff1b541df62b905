"""The arguments of ``ninefold games``."""

import argparse

from ninefold.cli.arguments.common import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("--unfinished", action="store_true", help="only those that can be resumed")
    add_json(parser)
