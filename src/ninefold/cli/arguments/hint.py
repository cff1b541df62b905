"""The arguments of ``ninefold hint``."""

import argparse

from ninefold.cli.arguments.common import add_json, add_position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_position(parser)
    parser.add_argument(
        "--step", type=int, choices=(1, 2, 3), default=3, help="1: what to look for, 2: the number"
    )
    add_json(parser)
