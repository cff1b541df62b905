"""The arguments of ``ninefold gtp-check``."""

import argparse

from ninefold.cli.arguments.common import GAME, add_json
from ninefold.cli.arguments.values import seconds, seed


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("program", metavar="CMD", help="the program with its arguments, quoted")
    parser.add_argument("--game", metavar=GAME, help="check it in this game only (default: all)")
    parser.add_argument("--reading", metavar="R", help="how the rule book is read (see rules)")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="change a rule of the game"
    )
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=seconds, default=10.0, help="for each answer (10)"
    )
    parser.add_argument("--seed", metavar="N", type=seed, default=1, help="other positions")
    add_json(parser)
