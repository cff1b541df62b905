"""The commands in the order of the help: what each does, an example, and its arguments.

The module that runs ``ninefold NAME`` is ``ninefold.cli.NAME_command``.
"""

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ninefold.cli.arguments import (
    GAME,
    Arguments,
    count,
    count_or_none,
    mebibytes,
    name,
    offset,
    seconds,
)

AddArguments: TypeAlias = Callable[[Arguments], None]


class Command(NamedTuple):
    """What the help says about a command, and the function that adds its arguments."""

    summary: str
    example: str
    add_arguments: AddArguments


COMMANDS: dict[str, Command] = {}


def _command(name: str, summary: str, example: str) -> Callable[[AddArguments], None]:
    """Register the function below as the one that adds the arguments of this command."""

    def register(add_arguments: AddArguments) -> None:
        COMMANDS[name] = Command(summary, example, add_arguments)

    return register


@_command("list", "List the games and the variants of their rules.", "list --json")
def _list(add: Arguments) -> None:
    add.json()


@_command("rules", "Explain the rules of a game.", "rules sequence-builder")
def _rules(add: Arguments) -> None:
    add.game()


@_command("play", "Play a game, line by line.", "play pattern-builder --p2 random")
def _play(add: Arguments) -> None:
    from ninefold.core.rules import TIMEOUT_POLICIES
    from ninefold.players import KINDS

    add.game()
    kinds = ", ".join((*KINDS, "program:CMD"))
    for seat in (1, 2):
        add.option(f"--p{seat}", "WHO", f"who plays in seat {seat}: {kinds}", default="human")
    for seat in (1, 2):
        player = f"Player {seat}"
        add.option(f"--name{seat}", "NAME", f"the player's name ({player})", name, player)
    add.choice("--first", ("1", "2", "random"), "who moves first", "1")
    add.option("--wins", "N", "play a match: first to N wins", count)
    add.option("--max-games", "N", "end a match after at most N games", count)
    add.option("--time-limit", "SECONDS", "time for each turn", seconds)
    add.choice("--on-timeout", TIMEOUT_POLICIES, "the penalty for running out of time")
    add.seed()
    add.flag("--no-record", "do not record the game")


@_command("games", "List recorded games.", "games --unfinished")
def _games(add: Arguments) -> None:
    add.flag("--unfinished", "only games you can resume")
    add.json()


@_command("show", "Replay a recorded game.", "show k3f9 --step")
def _show(add: Arguments) -> None:
    add.record()
    add.flag("--step", "wait for Enter after each move")
    add.json()


@_command("review", "Judge a recorded game move by move.", "review k3f9")
def _review(add: Arguments) -> None:
    add.record()
    add.flag("--annotate", "write the verdicts into the record as comments")
    add.json()


@_command("resume", "Resume an unfinished game or match.", "resume k3f9")
def _resume(add: Arguments) -> None:
    add.word("game", "ID|FILE", "default: the newest one", required=False)
    trusted = "only for records you trust"
    add.flag("--run-programs", f"run the programs named in the record without asking; {trusted}")


@_command(
    "referee",
    "Judge games for programs: reads one game per line, prints one JSON object per line.",
    "referee sequence-capture < games.txt",
)
def _referee(add: Arguments) -> None:
    add.game()
    add.first()


@_command(
    "solve",
    "Solve a game: the value of every move, and how long it takes to win or lose.",
    'solve sequence-capture --moves "5 6"',
)
def _solve(add: Arguments) -> None:
    add.position()
    add.option("--time-budget", "SECONDS", "give up after this time", seconds)
    proof = "write a proof of the result for ninefold verify (.gz: compressed)"
    add.option("--certificate", "FILE", proof)
    add.flag("--value-only", "only the value of the position, not every move")
    add.json()


@_command("verify", "Check a certificate of ninefold solve against every reply.", "verify draw.txt")
def _verify(add: Arguments) -> None:
    add.word("file", "FILE", "written by ninefold solve --certificate")
    add.option("--game", GAME, "if the rule book is in another file now")
    add.json()


@_command(
    "hint", "Show the best numbers in a position, and why.", 'hint pattern-builder --moves "5 4"'
)
def _hint(add: Arguments) -> None:
    add.position()
    steps = "how much to show: 1 what to look for, 2 also the number, 3 also why (3)"
    add.choice("--step", (1, 2, 3), steps, 3)
    add.json()


@_command(
    "gtp",
    "Run as an engine over the Go Text Protocol (version 2).",
    "gtp sequence-capture --player level:3",
)
def _gtp(add: Arguments) -> None:
    from ninefold.players import KINDS

    add.game()
    kinds = ", ".join(KINDS[1:])
    add.option("--player", "WHO", f"who plays: {kinds} (default: perfect, in large games greedy)")
    add.seed()


@_command(
    "gtp-check",
    "Check a program that speaks the Go Text Protocol, and say what to fix.",
    'gtp-check "python3 bot.py"',
)
def _gtp_check(add: Arguments) -> None:
    add.word("program", "CMD", "the program with its arguments, quoted")
    add.option("--game", GAME, "check it in this game only (default: all)")
    add.rules()
    add.option("--time-limit", "SECONDS", "per answer (10)", seconds, 10.0)
    add.seed(1)
    add.json()


@_command(
    "conform",
    "Compare somebody else's Gymnasium environment with the rules, move by move.",
    "conform magic-fifteen --env my_module:MyEnv",
)
def _conform(add: Arguments) -> None:
    add.game()
    add.option("--env", "MODULE:CLASS", "the class of the environment", required=True)
    add.option("--kwargs", "JSON", "its arguments, as a JSON object", default="{}")
    add.option("--offset", "N", "action 0 is the number N, action 1 is N+1, …", offset)
    example = 'for instance "2 7 6 9 5 1 4 3 8 pass=9"'
    add.option("--actions", "MOVES", f"the moves in the order of their actions, {example}")
    rewards = "its rewards (win=1,draw=0,loss=-1,step=0); also illegal=-10, step=any"
    add.option("--rewards", "LIST", rewards, default="")
    add.choice("--reward-to", ("mover", "player1"), "who receives the reward (mover)", "mover")
    illegal = "what an illegal action must do (any: one of the three, always the same)"
    add.choice("--illegal", ("any", "raise", "lose", "refuse"), illegal, "any")
    add.option("--legal", "NAME", "where it lists the legal actions; none: do not compare")
    add.option("--turn", "NAME", "where it says whose turn it is; none: do not compare")
    add.option("--games", "N", "random games (200, or 1000 in a large game)", count_or_none)
    tries = "try every action in every position, up to N in all (1000000)"
    add.option("--tries", "N", tries, count_or_none, 1_000_000)
    add.seed(1)
    add.option("--python", "PATH", "the interpreter to run it with (this one)", default="")
    add.option("--time-limit", "SECONDS", "per answer (10)", seconds, 10.0)
    add.option("--time-budget", "SECONDS", "in all (600)", seconds, 600.0)
    add.option("--memory", "MIB", "memory limit (4096)", mebibytes, 4096)
    add.json()


@_command("puzzle", "Find the one number that wins.", "puzzle sequence-capture --rating 3")
def _puzzle(add: Arguments) -> None:
    from ninefold.players import LEVELS

    add.game(required=False)
    due = "when they are due (without GAME: in all)"
    add.flag("--mistakes", f"wins you missed in your recorded games, {due}")
    add.choice("--rating", tuple(LEVELS), "only puzzles of this rating")
    add.option("--count", "N", "how many puzzles (5)", count, 5)
    add.seed()
    add.flag("--list", "count the puzzles of each rating; with --mistakes: show when each is due")
    add.json()


@_command(
    "strategy",
    "Print a complete strategy as a small card, checked against every reply.",
    "strategy sequence-capture --format markdown",
)
def _strategy(add: Arguments) -> None:
    add.position()
    add.choice("--player", (1, 2), "whose card (default: the winner's)")
    add.choice("--format", ("text", "markdown"), "how to print it (text)", "text")
    add.json()


@_command("check", "List every error in a rule-book file.", "check my-game.toml")
def _check(add: Arguments) -> None:
    add.word("file", "FILE", "a TOML file, or - for standard input", required=False)
    add.flag("--schema", "print the JSON Schema of rule books, for editors")
    add.json()


@_command("new", "Ask a few questions and write a rule book.", "new my-game.toml")
def _new(add: Arguments) -> None:
    add.word("file", "FILE", "the file to write (default: asks)", required=False)
    add.option("--title", "TEXT", "the name of the game")
    add.option("--extends", "GAME", "start from this game or file")
    add.option("--pool", "NUMBERS", 'for instance 1-9, or "2 3 5 7 11"')
    examples = '"arithmetic length=3" or "sum count=3 equals=15"'
    add.options("--wins", "FAMILY", f"for instance {examples}; none: nothing wins")
    add.switch("--misere", "completing a set loses")
    example = 'for instance "hand-sum higher"'
    add.options("--ending", "MEASURE", f"if nobody has won, {example}; draw: a draw")
    add.flag("--passing", "players may pass")
    add.option("--picks-per-turn", "N", "how many numbers a player takes per turn")
    add.flag("--pie", "pie rule: the second player may swap hands")
    add.option("--opening", "NUMBERS", 'allowed first numbers, for instance "4 5 6"')
    add.option("--hand-limit", "N", "the most numbers a player may hold")
    add.flag("--yes", "ask nothing, accept every suggestion")
    add.flag("--overwrite", "replace an existing file")


@_command(
    "audit",
    "Test a rule book: its claims, examples, rules and fairness.",
    "audit sequence-builder --all-readings",
)
def _audit(add: Arguments) -> None:
    add.game()
    add.flag("--all-readings", "audit every variant of the rules")
    form = "default: the extension of the file, such as .html or .md; otherwise text"
    add.choice("--format", ("text", "markdown", "html"), form)
    add.option("-o --output", "FILE", "write the report to this file")
    budget = "for the whole audit (600; 10 per search in a large game)"
    add.option("--time-budget", "SECONDS", budget, seconds)
    add.seed(1)
    add.json()


@_command(
    "dataset",
    "Write every position of a game: value, distance, best moves, how often random play "
    "reaches it.",
    "dataset magic-fifteen -o magic-fifteen.csv",
)
def _dataset(add: Arguments) -> None:
    add.game()
    output = "write to this file, with a data card next to it (default: CSV to standard output)"
    add.option("-o --output", "FILE", output)
    add.choice("--format", ("csv", "parquet"), "default: the extension of the file")
    add.json()


@_command("completion", "Print a shell completion script.", "completion bash")
def _completion(add: Arguments) -> None:
    add.choice("shell", ("bash", "zsh", "tcsh"), "the shell")
