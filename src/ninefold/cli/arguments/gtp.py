"""The arguments of ``ninefold gtp``."""

import argparse

from ninefold.cli.arguments.common import add_game
from ninefold.cli.arguments.values import seed
from ninefold.players import KINDS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_game(parser)
    parser.add_argument(
        "--player",
        metavar="WHO",
        help=f"who thinks: {', '.join(KINDS[1:])} (default: perfect, in large games greedy)",
    )
    parser.add_argument("--seed", metavar="N", type=seed, help="repeat the same chance")
