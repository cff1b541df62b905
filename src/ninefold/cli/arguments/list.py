"""The arguments of ``ninefold list``."""

import argparse

from ninefold.cli.arguments.common import add_json


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_json(parser)
