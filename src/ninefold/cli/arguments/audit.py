"""The arguments of ``ninefold audit``."""

import argparse

from ninefold.cli.arguments.common import add_game, add_json
from ninefold.cli.arguments.values import seconds, seed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_game(parser)
    parser.add_argument(
        "--all-readings", action="store_true", help="audit every reading, not only one"
    )
    parser.add_argument(
        "--format",
        choices=("text", "markdown", "html"),
        help="default: by the ending of the file's name, such as .html or .md; otherwise text",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write the report into this file, whole or not at all",
    )
    parser.add_argument(
        "--time-budget",
        metavar="SECONDS",
        type=seconds,
        help="for the whole audit (600, of which 10 for each search on a large pool)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=seed, default=1, help="other random games, on a large pool"
    )
    add_json(parser)
