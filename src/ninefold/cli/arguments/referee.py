"""The arguments of ``ninefold referee``."""

import argparse

from ninefold.cli.arguments.common import add_first, add_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_game(parser)
    add_first(parser)
