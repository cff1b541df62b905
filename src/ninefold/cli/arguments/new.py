"""The arguments of ``ninefold new``."""

import argparse


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add what the command takes."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="what to write (default: asked)")
    parser.add_argument("--title", metavar="TEXT", help="what the game is called")
    parser.add_argument("--extends", metavar="GAME", help="start from this game or file")
    parser.add_argument("--pool", metavar="NUMBERS", help='for instance 1-9, or "2 3 5 7 11"')
    parser.add_argument(
        "--wins",
        metavar="FAMILY",
        action="append",
        help='for instance "arithmetic length=3" or "sum count=3 equals=15"; none: nothing',
    )
    parser.add_argument(
        "--misere", action=argparse.BooleanOptionalAction, help="whoever completes a set loses"
    )
    parser.add_argument(
        "--ending",
        metavar="MEASURE",
        action="append",
        help='if nobody has won, for instance "hand-sum higher"; draw: a draw',
    )
    parser.add_argument("--passing", action="store_true", help="a turn may be passed")
    parser.add_argument("--picks-per-turn", metavar="N", help="so many numbers a turn")
    parser.add_argument("--pie", action="store_true", help="the second player may change hands")
    parser.add_argument(
        "--opening", metavar="NUMBERS", help='what the first number must be one of, as "4 5 6"'
    )
    parser.add_argument("--hand-limit", metavar="N", help="at most so many numbers each")
    parser.add_argument("--yes", action="store_true", help="ask nothing: take what is proposed")
    parser.add_argument("--overwrite", action="store_true", help="replace a file that is there")
