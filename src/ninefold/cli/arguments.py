"""Arguments that several commands share, and argument values checked against their bounds."""

import argparse

GAME = "GAME"


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add ``--json``."""
    parser.add_argument("--json", action="store_true", help="print JSON, for programs")


def add_rules(parser: argparse.ArgumentParser) -> None:
    """Add the variant of the rules and changes to them."""
    parser.add_argument(
        "--reading", metavar="R", help="which variant of the rules (see ninefold rules GAME)"
    )
    parser.add_argument(
        "--set",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="change a rule, for instance pool=1-12 or wins.arithmetic.length=4",
    )


def add_game(parser: argparse.ArgumentParser, required: bool = True) -> None:
    """Add a game, the variant of its rules and changes to them."""
    from ninefold import books

    parser.add_argument(
        "game",
        metavar=GAME,
        nargs=None if required else "?",
        help="one of: " + ", ".join(books.names()) + "; or a file such as ./my-game.toml",
    )
    add_rules(parser)


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


def add_record(parser: argparse.ArgumentParser) -> None:
    """Add a recorded game."""
    parser.add_argument("game", metavar="ID|FILE", help="an ID from ninefold games, or a file")


def add_seed(parser: argparse.ArgumentParser, default: int | None = None) -> None:
    """Add the random seed."""
    text = "random seed" if default is None else f"random seed ({default})"
    parser.add_argument("--seed", metavar="N", type=seed, default=default, help=text)


def name(text: str) -> str:
    """The name of a player; raises argparse.ArgumentTypeError, as all of these do."""
    found = text.strip()
    if not found or len(found) > 40:
        raise argparse.ArgumentTypeError("a name must have 1 to 40 characters")
    if not found.isprintable():
        raise argparse.ArgumentTypeError(
            "that name contains a character the terminal cannot show safely"
        )
    return found


def count(text: str) -> int:
    """A number of games, wins or puzzles: at least one."""
    from ninefold.referee.settings import MAX_GAMES

    return _whole(text, 1, MAX_GAMES)


def count_or_none(text: str) -> int:
    """A number of games or tries: none, or very many."""
    from ninefold.referee.settings import MAX_GAMES

    return _whole(text, 0, MAX_GAMES**2)


def offset(text: str) -> int:
    """A whole number, possibly negative."""
    return _whole(text, -(10**9), 10**9)


def mebibytes(text: str) -> int:
    """An amount of memory."""
    return _whole(text, 64, 1 << 30)


def seconds(text: str) -> float:
    """A length of time."""
    from ninefold.referee.settings import MAX_SECONDS

    return _number(text, 0.001, MAX_SECONDS)


def seed(text: str) -> int:
    """A random seed."""
    return _whole(text, -(2**63), 2**63)


def _whole(text: str, least: int, most: int) -> int:
    return int(_number(text, least, most, "a whole number"))


def _number(text: str, least: float, most: float, kind: str = "a number") -> float:
    try:
        number = float(text) if kind == "a number" else int(text)
    except ValueError:
        number = None
    if number is None or not least <= number <= most:
        raise argparse.ArgumentTypeError(f"expected {kind} from {least} to {most}, found {text!r}")
    return number
