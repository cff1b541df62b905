"""The commands in the order of the help: what each does, an example, and its arguments.

The module that runs ``ninefold NAME`` is ``ninefold.cli.NAME_command``.
"""

import argparse
from collections.abc import Callable
from typing import NamedTuple

from ninefold.cli.arguments import (
    GAME,
    add_first,
    add_game,
    add_json,
    add_position,
    add_record,
    add_rules,
    add_seed,
    count,
    count_or_none,
    mebibytes,
    name,
    offset,
    seconds,
)


class Command(NamedTuple):
    """What the help says about a command, and the function that adds its arguments."""

    summary: str
    example: str
    add_arguments: Callable[[argparse.ArgumentParser], None]


COMMANDS: dict[str, Command] = {}


def _command(
    name: str, summary: str, example: str
) -> Callable[[Callable[[argparse.ArgumentParser], None]], None]:
    """Register the function below as the one that adds the arguments of this command."""

    def register(add_arguments: Callable[[argparse.ArgumentParser], None]) -> None:
        COMMANDS[name] = Command(summary, example, add_arguments)

    return register


@_command("list", "List the games and the variants of their rules.", "list --json")
def _list(parser: argparse.ArgumentParser) -> None:
    add_json(parser)


@_command("rules", "Explain the rules of a game.", "rules sequence-builder")
def _rules(parser: argparse.ArgumentParser) -> None:
    add_game(parser)


@_command("play", "Play a game, line by line.", "play pattern-builder --p2 random")
def _play(parser: argparse.ArgumentParser) -> None:
    from ninefold.core.rules import TIMEOUT_POLICIES
    from ninefold.players import KINDS

    add_game(parser)
    add = parser.add_argument
    kinds = ", ".join((*KINDS, "program:CMD"))
    for seat in (1, 2):
        add(f"--p{seat}", metavar="WHO", default="human", help=f"who plays in seat {seat}: {kinds}")
    for seat in (1, 2):
        default = f"Player {seat}"
        add(f"--name{seat}", metavar="NAME", type=name, default=default, help="the player's name")
    add("--first", choices=("1", "2", "random"), default="1", help="who moves first")
    add("--wins", metavar="N", type=count, help="play a match: first to N wins")
    add("--max-games", metavar="N", type=count, help="end a match after at most N games")
    add("--time-limit", metavar="SECONDS", type=seconds, help="time for each turn")
    add("--on-timeout", choices=TIMEOUT_POLICIES, help="the penalty for running out of time")
    add_seed(parser)
    add("--no-record", action="store_true", help="do not record the game")


@_command("games", "List recorded games.", "games --unfinished")
def _games(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--unfinished", action="store_true", help="only games you can resume")
    add_json(parser)


@_command("show", "Replay a recorded game.", "show k3f9 --step")
def _show(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument("--step", action="store_true", help="wait for Enter after each move")
    add_json(parser)


@_command("review", "Judge a recorded game move by move.", "review k3f9")
def _review(parser: argparse.ArgumentParser) -> None:
    add_record(parser)
    parser.add_argument(
        "--annotate", action="store_true", help="write the verdicts into the record as comments"
    )
    add_json(parser)


@_command("resume", "Resume an unfinished game or match.", "resume k3f9")
def _resume(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("game", metavar="ID|FILE", nargs="?", help="default: the newest one")
    parser.add_argument(
        "--run-programs",
        action="store_true",
        help="run the programs named in the record without asking; only for records you trust",
    )


@_command(
    "referee",
    "Judge games for programs: reads one game per line, prints one JSON object per line.",
    "referee sequence-capture < games.txt",
)
def _referee(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add_first(parser)


@_command(
    "solve",
    "Solve a game: the value of every move, and how long it takes to win or lose.",
    'solve sequence-capture --moves "5 6"',
)
def _solve(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    add = parser.add_argument
    add("--time-budget", metavar="SECONDS", type=seconds, help="give up after this time")
    add(
        "--certificate",
        metavar="FILE",
        help="write a proof of the result for ninefold verify (.gz: compressed)",
    )
    add("--value-only", action="store_true", help="only the value of the position, not every move")
    add_json(parser)


@_command("verify", "Check a certificate of ninefold solve against every reply.", "verify draw.txt")
def _verify(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", help="written by ninefold solve --certificate")
    parser.add_argument("--game", metavar=GAME, help="if the rule book is in another file now")
    add_json(parser)


@_command(
    "hint", "Show the best numbers in a position, and why.", 'hint pattern-builder --moves "5 4"'
)
def _hint(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "--step",
        type=int,
        choices=(1, 2, 3),
        default=3,
        help="how much to show: 1 what to look for, 2 also the number, 3 also why (3)",
    )
    add_json(parser)


@_command(
    "gtp",
    "Run as an engine over the Go Text Protocol (version 2).",
    "gtp sequence-capture --player level:3",
)
def _gtp(parser: argparse.ArgumentParser) -> None:
    from ninefold.players import KINDS

    add_game(parser)
    parser.add_argument(
        "--player",
        metavar="WHO",
        help=f"who plays: {', '.join(KINDS[1:])} (default: perfect, in large games greedy)",
    )
    add_seed(parser)


@_command(
    "gtp-check",
    "Check a program that speaks the Go Text Protocol, and say what to fix.",
    'gtp-check "python3 bot.py"',
)
def _gtp_check(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("program", metavar="CMD", help="the program with its arguments, quoted")
    add("--game", metavar=GAME, help="check it in this game only (default: all)")
    add_rules(parser)
    add("--time-limit", metavar="SECONDS", type=seconds, default=10.0, help="per answer (10)")
    add_seed(parser, 1)
    add_json(parser)


@_command(
    "conform",
    "Compare somebody else's Gymnasium environment with the rules, move by move.",
    "conform magic-fifteen --env my_module:MyEnv",
)
def _conform(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add = parser.add_argument
    add("--env", metavar="MODULE:CLASS", required=True, help="the class of the environment")
    add("--kwargs", metavar="JSON", default="{}", help="its arguments, as a JSON object")
    add("--offset", metavar="N", type=offset, help="action 0 is the number N, action 1 is N+1, …")
    add(
        "--actions",
        metavar="MOVES",
        help='the moves in the order of their actions, for instance "2 7 6 9 5 1 4 3 8 pass=9"',
    )
    add(
        "--rewards",
        metavar="LIST",
        default="",
        help="its rewards (win=1,draw=0,loss=-1,step=0); also illegal=-10, step=any",
    )
    add(
        "--reward-to",
        choices=("mover", "player1"),
        default="mover",
        help="who receives the reward (mover)",
    )
    add(
        "--illegal",
        choices=("any", "raise", "lose", "refuse"),
        default="any",
        help="what an illegal action must do (any: one of the three, always the same)",
    )
    add("--legal", metavar="NAME", help="where it lists the legal actions; none: do not compare")
    add("--turn", metavar="NAME", help="where it says whose turn it is; none: do not compare")
    add(
        "--games",
        metavar="N",
        type=count_or_none,
        help="random games (200, or 1000 in a large game)",
    )
    add(
        "--tries",
        metavar="N",
        type=count_or_none,
        default=1_000_000,
        help="try every action in every position, up to N in all (1000000)",
    )
    add_seed(parser, 1)
    add("--python", metavar="PATH", default="", help="the interpreter to run it with (this one)")
    add("--time-limit", metavar="SECONDS", type=seconds, default=10.0, help="per answer (10)")
    add("--time-budget", metavar="SECONDS", type=seconds, default=600.0, help="in all (600)")
    add("--memory", metavar="MIB", type=mebibytes, default=4096, help="memory limit (4096)")
    add_json(parser)


@_command("puzzle", "Find the one number that wins.", "puzzle sequence-capture --rating 3")
def _puzzle(parser: argparse.ArgumentParser) -> None:
    from ninefold.players import LEVELS

    add_game(parser, required=False)
    add = parser.add_argument
    add(
        "--mistakes",
        action="store_true",
        help="wins you missed in your recorded games, when they are due (without GAME: in all)",
    )
    add(
        "--rating",
        metavar="N",
        type=int,
        choices=tuple(LEVELS),
        help=f"only puzzles of this rating, 1 to {max(LEVELS)}",
    )
    add("--count", metavar="N", type=count, default=5, help="how many puzzles (5)")
    add_seed(parser)
    add(
        "--list",
        action="store_true",
        help="count the puzzles of each rating; with --mistakes: show when each is due",
    )
    add_json(parser)


@_command(
    "strategy",
    "Print a complete strategy as a small card, checked against every reply.",
    "strategy sequence-capture --format markdown",
)
def _strategy(parser: argparse.ArgumentParser) -> None:
    add_position(parser)
    parser.add_argument(
        "--player", type=int, choices=(1, 2), help="whose card (default: the winner's)"
    )
    parser.add_argument(
        "--format", choices=("text", "markdown"), default="text", help="how to print it (text)"
    )
    add_json(parser)


@_command("check", "List every error in a rule-book file.", "check my-game.toml")
def _check(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE", nargs="?", help="a TOML file, or - for standard input")
    add("--schema", action="store_true", help="print the JSON Schema of rule books, for editors")
    add_json(parser)


@_command("new", "Ask a few questions and write a rule book.", "new my-game.toml")
def _new(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("file", metavar="FILE", nargs="?", help="the file to write (default: asks)")
    add("--title", metavar="TEXT", help="the name of the game")
    add("--extends", metavar="GAME", help="start from this game or file")
    add("--pool", metavar="NUMBERS", help='for instance 1-9, or "2 3 5 7 11"')
    add(
        "--wins",
        metavar="FAMILY",
        action="append",
        help='for instance "arithmetic length=3" or "sum count=3 equals=15"; none: nothing wins',
    )
    add("--misere", action=argparse.BooleanOptionalAction, help="completing a set loses")
    add(
        "--ending",
        metavar="MEASURE",
        action="append",
        help='if nobody has won, for instance "hand-sum higher"; draw: a draw',
    )
    add("--passing", action="store_true", help="players may pass")
    add("--picks-per-turn", metavar="N", help="how many numbers a player takes per turn")
    add("--pie", action="store_true", help="pie rule: the second player may swap hands")
    add("--opening", metavar="NUMBERS", help='allowed first numbers, for instance "4 5 6"')
    add("--hand-limit", metavar="N", help="the most numbers a player may hold")
    add("--yes", action="store_true", help="ask nothing, accept every suggestion")
    add("--overwrite", action="store_true", help="replace an existing file")


@_command(
    "audit",
    "Test a rule book: its claims, examples, rules and fairness.",
    "audit sequence-builder --all-readings",
)
def _audit(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add = parser.add_argument
    add("--all-readings", action="store_true", help="audit every variant of the rules")
    add(
        "--format",
        choices=("text", "markdown", "html"),
        default="text",
        help="how to write the report (text)",
    )
    add("--output", metavar="FILE", help="write the report to this file")
    add(
        "--time-budget",
        metavar="SECONDS",
        type=seconds,
        help="for the whole audit (600; 10 per search in a large game)",
    )
    add_seed(parser, 1)
    add_json(parser)


@_command(
    "dataset",
    "Write every position of a game: value, distance, best moves, how often random play "
    "reaches it.",
    "dataset magic-fifteen -o magic-fifteen.csv",
)
def _dataset(parser: argparse.ArgumentParser) -> None:
    add_game(parser)
    add = parser.add_argument
    add(
        "-o",
        "--output",
        metavar="FILE",
        help="write to this file, with a data card next to it (default: CSV to standard output)",
    )
    add("--format", choices=("csv", "parquet"), help="default: the extension of the file")
    add_json(parser)


@_command("completion", "Print a shell completion script.", "completion bash")
def _completion(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "tcsh"))
