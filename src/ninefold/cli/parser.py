"""The arguments of every command, and the module that runs it."""

import argparse
import sys
from importlib import import_module
from typing import NoReturn

from ninefold import __version__, books
from ninefold.core.rules import TIMEOUT_POLICIES
from ninefold.players import KINDS, LEVELS
from ninefold.record.format import MAX_GAMES, MAX_SECONDS

GAME = "GAME"


def parse(arguments: list[str]) -> int:
    """Parse the arguments and run the command they name; the exit code."""
    parser = build_parser()
    options = parser.parse_args(arguments)
    if options.command is None:
        return _no_command(parser)
    module = import_module(f"ninefold.cli.{options.command.replace('-', '_')}_command")
    code: int = module.run(options)
    return code


def _no_command(parser: argparse.ArgumentParser) -> int:
    """At a terminal the menu, in a pipe the help."""
    if sys.stdin.isatty() and sys.stdout.isatty():
        from ninefold.cli.menu_command import run

        return run()
    parser.print_help()
    return 0


class Parser(argparse.ArgumentParser):
    """A parser whose complaint is one line, and another that says where help is."""

    def error(self, message: str) -> NoReturn:
        """Complain and leave with exit code 2."""
        self.exit(2, f"ninefold: {message}\nTry: {self.prog} --help\n")


def build_parser() -> argparse.ArgumentParser:
    """The whole command line."""
    parser = Parser(
        prog="ninefold",
        description="Number-claiming games at the terminal. Without a command: a menu.",
        epilog="example: ninefold play sequence-capture --p2 random",
    )
    parser.add_argument("-V", "--version", action="version", version=f"ninefold {__version__}")
    commands = parser.add_subparsers(
        dest="command", metavar="COMMAND", title="commands", prog="ninefold"
    )

    def add(name: str, summary: str, example: str) -> argparse.ArgumentParser:
        return commands.add_parser(
            name, help=summary, description=summary, epilog=f"example: ninefold {example}"
        )

    _add_json(add("list", "List the games and their readings.", "list --json"))
    rules = add("rules", "Explain the rules of a game.", "rules sequence-builder")
    _add_game(rules)
    _add_play(add("play", "Play a game, line by line.", "play pattern-builder --p2 random"))
    games = add("games", "List recorded games.", "games --unfinished")
    games.add_argument("--unfinished", action="store_true", help="only those that can be resumed")
    _add_json(games)
    show = add("show", "Replay a recorded game.", "show k3f9 --step")
    show.add_argument("game", metavar="ID|FILE", help="a name from ninefold games, or a file")
    show.add_argument("--step", action="store_true", help="wait for Enter after each move")
    _add_json(show)
    review = add("review", "Judge a recorded game move by move.", "review k3f9")
    review.add_argument("game", metavar="ID|FILE", help="a name from ninefold games, or a file")
    review.add_argument(
        "--annotate", action="store_true", help="write the verdicts into the record as comments"
    )
    _add_json(review)
    resume = add("resume", "Go on with an unfinished game or match.", "resume k3f9")
    resume.add_argument("game", metavar="ID|FILE", nargs="?", help="default: the newest one")
    resume.add_argument(
        "--run-programs",
        action="store_true",
        help="run the programs the record names without asking; only for records you trust",
    )
    referee = add(
        "referee",
        "Judge games for programs: one game a line in, one JSON object a line out.",
        "referee sequence-capture < games.txt",
    )
    _add_game(referee)
    referee.add_argument("--first", type=int, choices=(1, 2), default=1, help="who moves first")
    _add_solve(
        add(
            "solve",
            "Solve a game: every move, its value, how long it takes.",
            'solve sequence-capture --moves "5 6"',
        )
    )
    verify = add("verify", "Follow a certificate of solve against every reply.", "verify draw.txt")
    verify.add_argument("file", metavar="FILE", help="written by ninefold solve --certificate")
    verify.add_argument("--game", metavar=GAME, help="if the rule book is another file by now")
    _add_json(verify)
    hint = add(
        "hint", "The best numbers in a position, and why.", 'hint pattern-builder --moves "5 4"'
    )
    _add_position(hint)
    hint.add_argument(
        "--step", type=int, choices=(1, 2, 3), default=3, help="1: what to look for, 2: the number"
    )
    _add_json(hint)
    _add_gtp(
        add(
            "gtp",
            "Be an engine over the Go Text Protocol (version 2).",
            "gtp sequence-capture --player level:3",
        )
    )
    _add_gtp_check(
        add(
            "gtp-check",
            "Tell the author of a program what it gets wrong in the Go Text Protocol.",
            'gtp-check "python3 bot.py"',
        )
    )
    _add_conform(
        add(
            "conform",
            "Play somebody else's Gymnasium environment against the judge: where do they differ?",
            "conform magic-fifteen --env my_module:MyEnv",
        )
    )
    _add_puzzle(
        add("puzzle", "Find the one number that wins.", "puzzle sequence-capture --rating 3")
    )
    card = add(
        "strategy",
        "A complete strategy as a small card, checked against every reply.",
        "strategy sequence-capture --format markdown",
    )
    _add_position(card)
    card.add_argument(
        "--player", type=int, choices=(1, 2), help="whose card (default: whoever wins)"
    )
    card.add_argument("--format", choices=("text", "markdown"), default="text")
    _add_json(card)
    _add_check(
        add("check", "Tell everything that is wrong with a rule-book file.", "check my-game.toml")
    )
    _add_new(add("new", "Ask a few questions and write a rule book.", "new my-game.toml"))
    _add_audit(
        add(
            "audit",
            "Test what a rule book claims: its claims, examples, rules, fairness.",
            "audit sequence-builder --all-readings",
        )
    )
    _add_dataset(
        add(
            "dataset",
            "Write every position of a game: value, distance, best moves, how often random play "
            "comes there.",
            "dataset magic-fifteen -o magic-fifteen.csv",
        )
    )
    completion = add("completion", "Print a script for shell completion.", "completion bash")
    completion.add_argument("shell", choices=("bash", "zsh", "tcsh"))
    return parser


def _add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="for programs")


def _add_game(parser: argparse.ArgumentParser, required: bool = True) -> None:
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


def _add_play(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    kinds = ", ".join((*KINDS, "program:CMD"))
    for seat in (1, 2):
        parser.add_argument(
            f"--p{seat}", metavar="WHO", default="human", help=f"who plays in seat {seat}: {kinds}"
        )
    for seat in (1, 2):
        parser.add_argument(f"--name{seat}", metavar="NAME", type=_name, default=f"Player {seat}")
    parser.add_argument(
        "--first", choices=("1", "2", "random"), default="1", help="who moves first"
    )
    parser.add_argument("--wins", metavar="N", type=_count, help="a match: first to N wins")
    parser.add_argument(
        "--max-games", metavar="N", type=_count, help="end a match after N games at the latest"
    )
    parser.add_argument("--time-limit", metavar="SECONDS", type=_seconds, help="time for each turn")
    parser.add_argument(
        "--on-timeout", choices=TIMEOUT_POLICIES, help="what running out of time costs"
    )
    parser.add_argument("--seed", metavar="N", type=_seed, help="repeat the same chance")
    parser.add_argument("--no-record", action="store_true", help="do not write the game down")


def _add_position(parser: argparse.ArgumentParser) -> None:
    """A game and the moves that lead to a position of it."""
    _add_game(parser)
    parser.add_argument(
        "--moves", metavar="MOVES", default="", help="the position after these moves"
    )
    parser.add_argument("--first", type=int, choices=(1, 2), default=1, help="who moves first")


def _add_solve(parser: argparse.ArgumentParser) -> None:
    _add_position(parser)
    parser.add_argument(
        "--time-budget", metavar="SECONDS", type=_seconds, help="give up after this time"
    )
    parser.add_argument(
        "--certificate",
        metavar="FILE",
        help="write down what shows the result, for ninefold verify (.gz: compressed)",
    )
    parser.add_argument(
        "--value-only", action="store_true", help="the value of the position, not of every move"
    )
    _add_json(parser)


def _add_gtp(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument(
        "--player",
        metavar="WHO",
        help=f"who thinks: {', '.join(KINDS[1:])} (default: perfect, in large games greedy)",
    )
    parser.add_argument("--seed", metavar="N", type=_seed, help="repeat the same chance")


def _add_gtp_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("program", metavar="CMD", help="the program with its arguments, quoted")
    parser.add_argument("--game", metavar=GAME, help="check it in this game only (default: all)")
    parser.add_argument("--reading", metavar="R", help="how the rule book is read (see rules)")
    parser.add_argument(
        "--set", metavar="KEY=VALUE", action="append", default=[], help="change a rule of the game"
    )
    parser.add_argument(
        "--time-limit", metavar="SECONDS", type=_seconds, default=10.0, help="for each answer (10)"
    )
    parser.add_argument("--seed", metavar="N", type=_seed, default=1, help="other positions")
    _add_json(parser)


def _add_conform(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    add = parser.add_argument
    add("--env", metavar="MODULE:CLASS", required=True, help="what makes the environment")
    add("--kwargs", metavar="JSON", default="{}", help="arguments for it, as a JSON object")
    add("--offset", metavar="N", type=_whole, help="action 0 is the number N, action 1 is N+1, …")
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
    add("--games", metavar="N", type=_some, help="random games (200, or 1000 in a large game)")
    add(
        "--tries",
        metavar="N",
        type=_some,
        default=1_000_000,
        help="try every action everywhere, but no more than N in all (1000000)",
    )
    add("--seed", metavar="N", type=_seed, default=1, help="other random games")
    add("--python", metavar="PATH", default="", help="the interpreter it runs with (this one)")
    add("--time-limit", metavar="SECONDS", type=_seconds, default=10.0, help="for an answer (10)")
    add("--time-budget", metavar="SECONDS", type=_seconds, default=600.0, help="for all (600)")
    add("--memory", metavar="MIB", type=_mebibytes, default=4096, help="what it may use (4096)")
    _add_json(parser)


def _add_puzzle(parser: argparse.ArgumentParser) -> None:
    _add_game(parser, required=False)
    parser.add_argument(
        "--mistakes",
        action="store_true",
        help="wins you missed in your recorded games, when they are due (without GAME: in all)",
    )
    parser.add_argument(
        "--rating", metavar="N", type=int, choices=tuple(LEVELS), help="only puzzles rated 1 to 5"
    )
    parser.add_argument("--count", metavar="N", type=_count, default=5, help="how many (5)")
    parser.add_argument("--seed", metavar="N", type=_seed, help="choose the same puzzles again")
    parser.add_argument(
        "--list",
        action="store_true",
        help="count the puzzles of each rating; with --mistakes: when each of them is due",
    )
    _add_json(parser)


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", nargs="?", help="a TOML file, or - for input")
    parser.add_argument(
        "--schema", action="store_true", help="print the JSON Schema of rule books, for editors"
    )
    _add_json(parser)


def _add_new(parser: argparse.ArgumentParser) -> None:
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


def _add_audit(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument(
        "--all-readings", action="store_true", help="audit every reading, not only one"
    )
    parser.add_argument("--format", choices=("text", "markdown", "html"), default="text")
    parser.add_argument(
        "--output", metavar="FILE", help="write the report into this file, whole or not at all"
    )
    parser.add_argument(
        "--time-budget",
        metavar="SECONDS",
        type=_seconds,
        default=10.0,
        help="for each search on a pool too large for tables (10)",
    )
    parser.add_argument(
        "--seed", metavar="N", type=_seed, default=1, help="other random games, on a large pool"
    )
    _add_json(parser)


def _add_dataset(parser: argparse.ArgumentParser) -> None:
    _add_game(parser)
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="write into this file, whole or not at all, and a data card beside it (default: CSV "
        "to standard output)",
    )
    parser.add_argument(
        "--format", choices=("csv", "parquet"), help="default: what the name of the file ends with"
    )
    _add_json(parser)


def _name(text: str) -> str:
    name = text.strip()
    if not name or len(name) > 40 or not name.isprintable():
        raise argparse.ArgumentTypeError("a name has 1 to 40 visible characters")
    return name


def _count(text: str) -> int:
    return int(_number(text, 1, MAX_GAMES, whole=True))


def _some(text: str) -> int:
    return int(_number(text, 0, MAX_GAMES**2, whole=True))


def _whole(text: str) -> int:
    return int(_number(text, -(10**9), 10**9, whole=True))


def _mebibytes(text: str) -> int:
    return int(_number(text, 64, 1 << 30, whole=True))


def _seconds(text: str) -> float:
    return _number(text, 0.001, MAX_SECONDS)


def _seed(text: str) -> int:
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
