"""The arguments of ``ninefold solve``."""

import argparse

from ninefold.cli.arguments.common import add_json, add_position
from ninefold.cli.arguments.values import seconds


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_position(parser)
    parser.add_argument(
        "--time-budget", metavar="SECONDS", type=seconds, help="give up after this time"
    )
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        help="write down what shows the result, for ninefold verify (.gz: compressed)",
    )
    parser.add_argument(
        "--value-only", action="store_true", help="the value of the position, not of every move"
    )
    add_json(parser)
