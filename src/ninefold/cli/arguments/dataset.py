"""The arguments of ``ninefold dataset``."""

import argparse

from ninefold.cli.arguments.common import add_game, add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_game(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write into this file, whole or not at all, and a data card beside it (default: CSV "
        "to standard output)",
    )
    parser.add_argument(
        "--format", choices=("csv", "parquet"), help="default: what the name of the file ends with"
    )
    add_json(parser)
