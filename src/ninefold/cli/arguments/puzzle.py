"""The arguments of ``ninefold puzzle``."""

import argparse

from ninefold.cli.arguments.common import add_game, add_json
from ninefold.cli.arguments.values import count, seed
from ninefold.players import LEVELS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_game(parser, required=False)
    parser.add_argument(
        "--mistakes",
        action="store_true",
        help="wins you missed in your recorded games, when they are due (without GAME: in all)",
    )
    parser.add_argument(
        "--rating", metavar="N", type=int, choices=tuple(LEVELS), help="only puzzles rated 1 to 5"
    )
    parser.add_argument("--count", metavar="N", type=count, default=5, help="how many (5)")
    parser.add_argument("--seed", metavar="N", type=seed, help="choose the same puzzles again")
    parser.add_argument(
        "--list",
        action="store_true",
        help="count the puzzles of each rating; with --mistakes: when each of them is due",
    )
    add_json(parser)
