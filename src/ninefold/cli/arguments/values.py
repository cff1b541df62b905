"""The values of arguments, each read within its bounds; raises argparse.ArgumentTypeError."""

import argparse


def name(text: str) -> str:
    """A name to play under."""
    found = text.strip()
    if not found or len(found) > 40 or not found.isprintable():
        raise argparse.ArgumentTypeError("a name has 1 to 40 visible characters")
    return found


def count(text: str) -> int:
    """How many games, or wins, or puzzles: one at least."""
    from ninefold.record.format import MAX_GAMES

    return int(_number(text, 1, MAX_GAMES, whole=True))


def some(text: str) -> int:
    """How many tries: perhaps none, perhaps very many."""
    from ninefold.record.format import MAX_GAMES

    return int(_number(text, 0, MAX_GAMES**2, whole=True))


def whole(text: str) -> int:
    """Any whole number, also a negative one."""
    return int(_number(text, -(10**9), 10**9, whole=True))


def mebibytes(text: str) -> int:
    """So much memory."""
    return int(_number(text, 64, 1 << 30, whole=True))


def seconds(text: str) -> float:
    """So much time."""
    from ninefold.record.format import MAX_SECONDS

    return _number(text, 0.001, MAX_SECONDS)


def seed(text: str) -> int:
    """What chance is drawn from."""
    return int(_number(text, -(2**63), 2**63, whole=True))


def _number(text: str, least: float, most: float, whole: bool = False) -> float:
    try:
        number = int(text) if whole else float(text)
    except ValueError:
        number = None
    if number is None or not least <= number <= most:
        kind = "a whole number" if whole else "a number"
        raise argparse.ArgumentTypeError(f"{kind} from {least} to {most} is expected")
    return number
