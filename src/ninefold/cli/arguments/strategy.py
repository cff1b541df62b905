"""The arguments of ``ninefold strategy``."""

import argparse

from ninefold.cli.arguments.common import add_json, add_position


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_position(parser)
    parser.add_argument(
        "--player", type=int, choices=(1, 2), help="whose card (default: whoever wins)"
    )
    parser.add_argument("--format", choices=("text", "markdown"), default="text")
    add_json(parser)
