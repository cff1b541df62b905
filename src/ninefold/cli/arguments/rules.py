"""The arguments of ``ninefold rules``."""

import argparse

from ninefold.cli.arguments.common import add_game


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_game(parser)
