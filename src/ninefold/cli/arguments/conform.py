"""The arguments of ``ninefold conform``."""

import argparse

from ninefold.cli.arguments.common import add_game, add_json
from ninefold.cli.arguments.values import mebibytes, seconds, seed, some, whole


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    add_game(parser)
    add = parser.add_argument
    add("--env", metavar="MODULE:CLASS", required=True, help="what makes the environment")
    add("--kwargs", metavar="JSON", default="{}", help="arguments for it, as a JSON object")
    add("--offset", metavar="N", type=whole, help="action 0 is the number N, action 1 is N+1, …")
    add(
        "--actions",
        metavar="MOVES",
        help='the moves in the order of their actions, for instance "2 7 6 9 5 1 4 3 8 pass=9"',
    )
    add(
        "--rewards",
        metavar="LIST",
        default="",
        help="what it pays (win=1,draw=0,loss=-1,step=0); also illegal=-10, step=any",
    )
    add("--reward-to", choices=("mover", "player1"), default="mover", help="who is paid (mover)")
    add(
        "--illegal",
        choices=("any", "raise", "lose", "refuse"),
        default="any",
        help="what an illegal action must do (any: always the same of the three)",
    )
    add("--legal", metavar="NAME", help="where it tells the legal actions; none: do not compare")
    add("--turn", metavar="NAME", help="where it tells whose turn it is; none: do not compare")
    add("--games", metavar="N", type=some, help="random games (200, or 1000 in a large game)")
    add(
        "--tries",
        metavar="N",
        type=some,
        default=1_000_000,
        help="try every action everywhere, but no more than N in all (1000000)",
    )
    add("--seed", metavar="N", type=seed, default=1, help="other random games")
    add("--python", metavar="PATH", default="", help="the interpreter it runs with (this one)")
    add("--time-limit", metavar="SECONDS", type=seconds, default=10.0, help="for an answer (10)")
    add("--time-budget", metavar="SECONDS", type=seconds, default=600.0, help="for all (600)")
    add("--memory", metavar="MIB", type=mebibytes, default=4096, help="what it may use (4096)")
    add_json(parser)
