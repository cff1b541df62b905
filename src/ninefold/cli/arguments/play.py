"""The arguments of ``ninefold play``."""

import argparse

from ninefold.cli.arguments.common import add_game
from ninefold.cli.arguments.values import count, name, seconds, seed
from ninefold.core.rules import TIMEOUT_POLICIES
from ninefold.players import KINDS


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_game(parser)
    kinds = ", ".join((*KINDS, "program:CMD"))
    for seat in (1, 2):
        parser.add_argument(
            f"--p{seat}", metavar="WHO", default="human", help=f"who plays in seat {seat}: {kinds}"
        )
    for seat in (1, 2):
        parser.add_argument(f"--name{seat}", metavar="NAME", type=name, default=f"Player {seat}")
    parser.add_argument(
        "--first", choices=("1", "2", "random"), default="1", help="who moves first"
    )
    parser.add_argument("--wins", metavar="N", type=count, help="a match: first to N wins")
    parser.add_argument(
        "--max-games", metavar="N", type=count, help="end a match after N games at the latest"
    )
    parser.add_argument("--time-limit", metavar="SECONDS", type=seconds, help="time for each turn")
    parser.add_argument(
        "--on-timeout", choices=TIMEOUT_POLICIES, help="what running out of time costs"
    )
    parser.add_argument("--seed", metavar="N", type=seed, help="repeat the same chance")
    parser.add_argument("--no-record", action="store_true", help="do not write the game down")
