"""The arguments of ``ninefold resume``."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("game", metavar="ID|FILE", nargs="?", help="default: the newest one")
    parser.add_argument(
        "--run-programs",
        action="store_true",
        help="run the programs the record names without asking; only for records you trust",
    )
