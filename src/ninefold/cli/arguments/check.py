"""The arguments of ``ninefold check``."""

import argparse

from ninefold.cli.arguments.common import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="a TOML file, or - for input")
    parser.add_argument(
        "--schema", action="store_true", help="print the JSON Schema of rule books, for editors"
    )
    add_json(parser)
