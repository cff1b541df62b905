"""Arguments that several commands share."""

import argparse

GAME = "GAME"


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="for programs")


def add_game(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """Add a game, its reading and changes to its rules."""
    from ninefold import books

    parser.add_argument(
        "game",
        metavar=GAME,
        nargs=None if required else "?",
        help="one of: " + ", ".join(books.names()) + "; or a file such as ./my-game.toml",
    )
    parser.add_argument("--reading", metavar="R", help="how the rule book is read (see rules)")
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change a rule, for instance pool=1-12 or wins.arithmetic.length=4",
    )


def add_first(parser: argparse.ArgumentParser) -> None:
    """Add who moves first."""
    parser.add_argument("--first", type=int, choices=(1, 2), default=1, help="who moves first")


def add_position(parser: argparse.ArgumentParser) -> None:
    """Add a game and the moves that lead to a position of it."""
    add_game(parser)
    parser.add_argument(
        "--moves", metavar="MOVES", default="", help="the position after these moves"
    )
    add_first(parser)
