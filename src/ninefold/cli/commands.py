"""The commands in the order of the help: what each does, an example, and its arguments."""

from argparse import BooleanOptionalAction
from collections.abc import Callable
from typing import NamedTuple, TypeAlias

from ninefold.cli.arguments import GAME, Parser, count, decimal, name, pause, seconds, whole

AddArguments: TypeAlias = Callable[[Parser], None]
RECORD = "an ID from ninefold games, or a file (default: the game played last)"


class Command(NamedTuple):
    """Where a command is, what the help says about it, and the function that adds its arguments."""

    module: str
    summary: str
    example: str
    add_arguments: AddArguments


COMMANDS: dict[str, Command] = {}


def _command(module: str, example: str) -> Callable[[AddArguments], None]:
    """Register the command of the example; the docstring of the function below is its help."""

    def register(add_arguments: AddArguments) -> None:
        summary = " ".join((add_arguments.__doc__ or "").split())
        COMMANDS[example.split(maxsplit=1)[0]] = Command(module, summary, example, add_arguments)

    return register


@_command("book_commands", "list --json")
def _list(add: Parser) -> None:
    """List the games and the variants of their rules."""
    add.json()


@_command("book_commands", "rules sequence-builder")
def _rules(add: Parser) -> None:
    """Explain the rules of a game."""
    add.game()


@_command("play_commands", "play pattern-builder --p2 random")
def _play(add: Parser) -> None:
    """Play a game, line by line; without GAME, ask which one."""
    add.game(nargs="?")
    _add_players(add, "human", ("Player 1", "Player 2"))
    add.console()


@_command("app_command", "app sequence-capture --p2 level:3")
def _app(add: Parser) -> None:
    """Open the full screen: Home, or a game at once."""
    add.game(nargs="?")
    _add_players(add)


@_command("app_command", "watch magic-fifteen --p1 level:2 --p2 perfect")
def _watch(add: Parser) -> None:
    """Watch two computer players or programs play."""
    add.game()
    _add_players(add, "perfect")
    pace = "the pause before each move (1; in a pipe 0)"
    add.value("--pace", "SECONDS", pace, pause)
    add.console()


def _add_players(
    add: Parser, who: str | None = None, names: tuple[str | None, str | None] = (None, None)
) -> None:
    """Add who plays, under which conditions; ``who`` and ``names`` are what is usual."""
    from ninefold.core.rules import TIMEOUT_POLICIES
    from ninefold.players import FORMS

    kinds = ", ".join(FORMS)
    for seat in (1, 2):
        add.value(f"--p{seat}", "WHO", f"who plays in seat {seat}: {kinds}", default=who)
    for seat, usual in enumerate(names, 1):
        shown = f" ({usual})" if usual else ""
        add.value(f"--name{seat}", "NAME", f"the player's name{shown}", name, usual)
    add.choice("--first", ("1", "2", "random"), "who moves first", "1")
    add.value("--wins", "N", "play a match: first to N wins", count)
    add.value("--max-games", "N", "end a match after at most N games", count)
    add.value("--time-limit", "SECONDS", "time for each turn", seconds)
    add.value("--game-time", "SECONDS", "time for all turns of a player together", seconds)
    add.value("--increment", "SECONDS", "added to it after each turn", pause)
    add.choice("--on-timeout", TIMEOUT_POLICIES, "the penalty for running out of time for a turn")
    add.seed()
    add.flag("--no-record", "do not record the game")


@_command("record_commands", "games --unfinished")
def _games(add: Parser) -> None:
    """List recorded games, or delete some."""
    add.flag("--unfinished", "only games you can resume")
    add.flag("--all", "all of them, not only the newest 20")
    add.value("--delete", "ID", "delete this game, or all games of this match")
    add.flag("--yes", "delete without asking")
    add.json()


@_command("record_commands", "show k3f9 --step")
def _show(add: Parser) -> None:
    """Replay a recorded game."""
    add.value("game", "ID|FILE", RECORD, nargs="?")
    add.flag("--step", "wait for Enter after each move")
    add.json()


@_command("coach_commands", "review k3f9")
def _review(add: Parser) -> None:
    """Judge a recorded game move by move."""
    add.value("game", "ID|FILE", RECORD, nargs="?")
    add.flag("--annotate", "write the verdicts into the record as comments")
    add.value("--time-budget", "SECONDS", "per move of a large game (5)", seconds, 5.0)
    add.json()


@_command("record_commands", "resume k3f9")
def _resume(add: Parser) -> None:
    """Resume an unfinished game or match."""
    add.value("game", "ID|FILE", "default: the unfinished one played last", nargs="?")
    trusted = "only for records you trust"
    add.flag("--run-programs", f"run the programs named in the record without asking; {trusted}")
    add.console()


@_command("program_commands", "referee sequence-capture < games.txt")
def _referee(add: Parser) -> None:
    """Judge games for programs: reads one game per line, prints one JSON object per line."""
    add.game()
    add.first()


@_command("solve_commands", 'solve sequence-capture --moves "5 6"')
def _solve(add: Parser) -> None:
    """Solve a game: who wins after every move, and in how many moves."""
    add.position()
    add.value("--time-budget", "SECONDS", "stop after this time (default: unlimited)", seconds)
    proof = "write a proof of the result for ninefold verify (.gz: compressed)"
    add.value("--certificate", "FILE", proof)
    add.flag("--value-only", "only the result of the position, not of every move")
    add.json()


@_command("solve_commands", "verify draw.txt")
def _verify(add: Parser) -> None:
    """Check a certificate of ninefold solve against every reply."""
    add.value("file", "FILE", "written by ninefold solve --certificate")
    add.value("--game", GAME, "if the rule book is in another file now")
    add.json()


@_command("coach_commands", 'hint pattern-builder --moves "5 4"')
def _hint(add: Parser) -> None:
    """Show the best numbers in a position, and why."""
    add.position()
    steps = "how much to show: 1 what to look for, 2 also the number, 3 also why (3)"
    add.choice("--step", (1, 2, 3), steps, 3)
    add.value("--time-budget", "SECONDS", "to solve a large game (5)", seconds, 5.0)
    add.json()


@_command("program_commands", "gtp sequence-capture --player level:3")
def _gtp(add: Parser) -> None:
    """Run as an engine over the Go Text Protocol (version 2)."""
    from ninefold.gtp.session import ENGINES

    add.game()
    kinds = ", ".join(ENGINES)
    add.value("--player", "WHO", f"who plays: {kinds} (default: perfect, in large games level:5)")
    add.seed()


@_command("program_commands", 'gtp-check "python3 bot.py"')
def _gtp_check(add: Parser) -> None:
    """Check a program that speaks the Go Text Protocol, and say what to fix."""
    add.value("program", "CMD", "the program with its arguments, quoted")
    add.value("--game", GAME, "check it in this game only (default: all)")
    add.rules()
    add.value("--time-limit", "SECONDS", "per answer (10)", seconds, 10.0)
    add.seed(1)
    add.json()


@_command("bridge_command", 'bridge "python3 bot.py" --token-file bot.token')
def _bridge(add: Parser) -> None:
    """Let a program that speaks the Go Text Protocol play on a server, as a bot."""
    add.value("program", "CMD", "the program with its arguments, quoted")
    server = "the address of the server (http://127.0.0.1:8000/)"
    add.value("--server", "URL", server, default="http://127.0.0.1:8000/")
    token = "holds the token of the bot; if there is no such file, a new bot is made"
    add.value("--token-file", "FILE", f"{token} (default: the variable NINEFOLD_TOKEN)")
    add.value("--name", "NAME", "what a new bot is called (default: the name of the program)", name)
    only = "play this game only; can be repeated (default: all)"
    add.value("--game", GAME, only, default=[], action="append")
    copies = "how many copies of the program think at a time (1)"
    add.value("--copies", "N", copies, whole(1, 64), 1)
    add.value("--time-limit", "SECONDS", "per move, without a clock per move (10)", seconds, 10.0)


@_command("program_commands", "conform magic-fifteen --env my_module:MyEnv")
def _conform(add: Parser) -> None:
    """Compare somebody else's Gymnasium environment with the rules, move by move."""
    add.game()
    add.value("--env", "MODULE:CLASS", "the class of the environment", required=True)
    add.value("--kwargs", "JSON", "its arguments, as a JSON object", default="{}")
    offset = "action 0 is the number N, action 1 is N+1, …"
    add.value("--offset", "N", offset, whole(-(10**9), 10**9))
    example = 'for instance "2 7 6 9 5 1 4 3 8 pass=9"'
    add.value("--actions", "MOVES", f"the moves in the order of their actions, {example}")
    rewards = "its rewards (win=1,draw=0,loss=-1,step=0); also illegal=-10, step=any"
    add.value("--rewards", "LIST", rewards, default="")
    add.choice("--reward-to", ("mover", "player1"), "who receives the reward (mover)", "mover")
    illegal = "what an illegal action must do (any: one of the three, always the same)"
    add.choice("--illegal", ("any", "raise", "lose", "refuse"), illegal, "any")
    add.value("--legal", "NAME", "where it lists the legal actions; none: do not compare")
    add.value("--turn", "NAME", "where it says whose turn it is; none: do not compare")
    add.value("--games", "N", "random games (200, or 1000 in a large game)", whole(0, 10**6))
    tries = "try every action in every position, up to N in all (1000000)"
    add.value("--tries", "N", tries, whole(0, 10**6), 1_000_000)
    add.seed(1)
    add.value("--python", "PATH", "the interpreter to run it with (this one)", default="")
    add.value("--time-limit", "SECONDS", "per answer (10)", seconds, 10.0)
    add.value("--time-budget", "SECONDS", "in all (600)", seconds, 600.0)
    add.value("--memory", "MIB", "memory limit (4096)", whole(64, 1 << 30), 4096)
    add.json()


@_command("train_command", "train sequence-duel-sum --save sum.npz")
def _train(add: Parser) -> None:
    """Train a small agent by self-play, prove what it has learned, and save it."""
    add.game(nargs="*")
    add.seed(1)
    add.value("--seeds", "N", "train from this many seeds, one after the other (1)", count, 1)
    add.value("--steps", "N", "at most (12000)", whole(0, 10**9), 12_000)
    add.value("--games", "N", "games in step (512)", whole(1, 10**6), 512)
    add.value("--width", "N", "of the hidden layers (256)", whole(1, 10**5), 256)
    add.value("--jobs", "N", "trainings at a time (2)", whole(1, 1024), 2)
    add.value("--save", "FILE", "write the best agent, for agent:FILE")
    add.value("--curve", "FILE", "write an image of the learning curves (SVG)")
    add.json()


@_command("exam_command", "exam magic-fifteen --player agent:mine.npz")
def _exam(add: Parser) -> None:
    """Prove how good a player is: does it keep what positions are worth against every reply?"""
    from ninefold.players import FORMS

    add.game()
    kinds = ", ".join(FORMS[1:])
    add.value("--player", "WHO", f"who is examined: {kinds}", required=True)
    add.json()


@_command("arena_command", "arena run --players level:2,perfect --games magic-fifteen -o DIR")
def _arena(add: Parser) -> None:
    """Run tournaments of players, and measure them against exact values."""
    below = add.add_subparsers(dest="action", metavar="ACTION", title="actions", required=True)
    for action, (summary, example, add_arguments) in ARENA.items():
        parser = below.add_parser(
            action, help=summary, description=summary, epilog=f"example: ninefold arena {example}"
        )
        add_arguments(parser)


def _arena_run(add: Parser) -> None:
    add.value("file", "FILE", "a tournament in a TOML file", nargs="?")
    players = "the players, with commas; NAME=WHO gives one a name; can be repeated"
    add.value("--players", "WHO,WHO", players, default=[], action="append")
    add.value("--games", "GAME,GAME", "the games, with commas", default=[], action="append")
    add.rules()
    preset = "the protocol of a published benchmark: 30 games each, against level:3"
    add.choice("--preset", ("gg-bench",), preset)
    formats = ("round-robin", "gauntlet", "swiss", "sequential")
    add.choice("--format", formats, "who meets whom (round-robin)")
    rounds = "pairs of games per pairing and game, seats exchanged (50, or one per opening)"
    add.value("--rounds", "N", rounds, whole(1, 1_000_000))
    add.choice("--openings", ("none", "all", "balanced"), "how games begin (none)")
    add.value("--opening-moves", "N", "how long openings are (2)", whole(1, 8))
    add.value("--most-openings", "N", "use at most so many openings", whole(1, 10_000))
    add.value("--swiss-rounds", "N", "rounds of a Swiss tournament", whole(1, 200))
    elo = (-2000, 2000)
    add.value("--elo0", "ELO", "sequential: no better than this (0)", decimal(*elo))
    add.value("--elo1", "ELO", "sequential: at least this much better (10)", decimal(*elo))
    add.value("--alpha", "P", "sequential: risk to call it better wrongly (0.05)", decimal(0, 0.5))
    add.value("--beta", "P", "sequential: risk to miss that it is better (0.05)", decimal(0, 0.5))
    add.value("--batch", "N", "sequential: pairs between two looks (32)", whole(1, 100_000))
    add.value("--time-limit", "SECONDS", "per move, for programs and models", seconds)
    add.value("--retries", "N", "second tries per turn after a faulty answer (0)", whole(0, 100))
    add.value("--most-moves", "N", "a longer game is a draw (1000)", whole(1, 100_000))
    add.value("--seed", "N", "random seed (0)", whole(0, 2**53))
    add.value("-o --output", "DIR", "the folder for the results (default: the name of the file)")
    _add_arena_run(add, "the file")


def _arena_resume(add: Parser) -> None:
    add.value("folder", "DIR", "the folder of the tournament")
    _add_arena_run(add, "the folder")


def _add_arena_run(add: Parser, where: str) -> None:
    """Who plays, and whether code may run."""
    add.value("--workers", "N", "processes (default: one per core)", whole(1, 1024))
    add.value("--on", "ADDRESS", "play on a Ray cluster: HOST:PORT, ray://HOST:PORT, auto or local")
    add.flag("--run-programs", f"run the programs and code that {where} names, if you trust it")
    add.json()


def _arena_show(add: Parser) -> None:
    add.value("folder", "DIR", "the folder of the tournament")
    add.value("--game", "ID", "show this game, move by move, with the value of each")
    add.json()


def _arena_report(add: Parser) -> None:
    add.value("folder", "DIR", "the folder of the tournament")
    add.value("-o --output", "FILE", "the file: .html, .md, .json or .txt", required=True)
    add.choice("--format", ("html", "markdown", "json", "text"), "default: the name of the file")
    add.json()


def _arena_win_rate(add: Parser) -> None:
    add.value("folder", "DIR", "the folder of the tournament; its first player is the opponent")
    add.json()


def _arena_export(add: Parser) -> None:
    add.value("folder", "DIR", "the folder of the tournament")
    add.value("-o --output", "FILE", "the file to write (.parquet)", required=True)
    add.choice("--format", ("parquet",), "default: the name of the file")
    add.json()


ARENA: dict[str, tuple[str, str, AddArguments]] = {
    "run": (
        "Play a tournament, from a TOML file or from options.",
        "run --players level:2,perfect --games magic-fifteen --openings balanced -o results",
        _arena_run,
    ),
    "resume": ("Continue a tournament.", "resume results", _arena_resume),
    "show": ("Show the report in the terminal.", "show results", _arena_show),
    "report": ("Write the report.", "report results -o report.html", _arena_report),
    "win-rate": ("Show win rates as gg-bench reports them.", "win-rate results", _arena_win_rate),
    "export": ("Write all games as one table.", "export results -o games.parquet", _arena_export),
}


def _add_labels(add: Parser, option: str | None = "--relabel") -> None:
    """Under which names a game is shown."""
    from ninefold.llm_text.relabelling import KINDS

    if option:
        add.value(
            option, "N", "show the game under other names, drawn by this seed", whole(0, 10**9)
        )
    add.choice("--labels", KINDS, "what these names are (default: drawn by the seed)")


@_command("eval_commands", "relabel magic-fifteen --seed 7 --verify")
def _relabel(add: Parser) -> None:
    """Show a game under other names: the same game tree with other numbers, words or symbols."""
    add.game()
    add.value("--seed", "N", "random seed (0)", whole(0, 10**9), 0)
    _add_labels(add, None)
    add.flag("--verify", "play both games, and compare every position")
    output = "write a rule book with the new numbers (with --labels numbers)"
    add.value("-o --output", "FILE", output)
    add.json()


@_command("eval_commands", "fresh --seed 2026-11 --count 10 -o benchmark")
def _fresh(add: Parser) -> None:
    """Draw new rule books at random, in which many moves are real decisions."""
    add.value("--seed", "TEXT", "random seed, for example the month", default="0")
    add.value("--count", "N", "how many books (10)", whole(1, 1000), 10)
    share = "the least share of decisions among random moves, in both seats (0.25)"
    add.value("--decisions", "SHARE", share, decimal(0, 0.9), 0.25)
    add.value("-o --output", "DIR", "a new folder for the books and a manifest", required=True)
    add.json()


@_command("eval_commands", "quiz sequence-capture --player llm:MODEL")
def _quiz(add: Parser) -> None:
    """Test whether a language model understands a game: what is legal, who won, who threatens."""
    add.game()
    who = "who is asked: llm:MODEL, or python:MODULE:NAME for a function from text to text"
    add.value("--player", "ANSWERER", f"{who} (default: nobody, print the questions)")
    add.value("--count", "N", "how many questions (100)", whole(1, 100_000), 100)
    add.seed(0)
    _add_labels(add)
    add.value("-o --output", "FILE", "write the questions, and the answers given, as JSON lines")
    add.json()


@_command("eval_commands", "export-eval magic-fifteen --format lm-eval -o tasks")
def _export_eval(add: Parser) -> None:
    """Write positions or questions with exact answers for an evaluation tool."""
    from ninefold.evals.formats import FORMATS

    add.game()
    add.choice("--items", ("moves", "questions"), "what is asked (moves)", "moves")
    add.choice("--format", (*FORMATS,), "the format (jsonl)", "jsonl")
    add.value("--count", "N", "how many (100)", whole(1, 100_000), 100)
    add.seed(0)
    _add_labels(add)
    add.value("-o --output", "DIR", "the folder to write to", required=True)
    add.json()


@_command("coach_commands", "puzzle sequence-capture --rating 3")
def _puzzle(add: Parser) -> None:
    """Find the one number that wins."""
    from ninefold.players import LEVELS

    add.game(nargs="?")
    due = "when they are due (without GAME: in all)"
    add.flag("--mistakes", f"wins you missed in your recorded games, {due}")
    add.choice("--rating", tuple(LEVELS), "only puzzles of this rating")
    add.value("--count", "N", "how many puzzles (5)", count, 5)
    add.seed()
    add.flag("--list", "count the puzzles of each rating; with --mistakes: show when each is due")
    add.json()


@_command("coach_commands", "strategy sequence-capture --format markdown")
def _strategy(add: Parser) -> None:
    """Print a complete strategy as a small card, checked against every reply."""
    add.position()
    add.choice("--player", (1, 2), "whose card (default: the winner's)")
    add.choice("--format", ("text", "markdown"), "how to print it (text)", "text")
    add.json()


@_command("book_commands", "check my-game.toml")
def _check(add: Parser) -> None:
    """List every error in a rule-book file."""
    add.value("file", "FILE", "a TOML file, or - for standard input", nargs="?")
    add.flag("--schema", "print the JSON Schema of rule books, for editors")
    add.json()


@_command("new_command", "new my-game.toml")
def _new(add: Parser) -> None:
    """Ask a few questions and write a rule book."""
    add.value("file", "FILE", "the file to write (default: asks)", nargs="?")
    add.value("--title", "TEXT", "the name of the game")
    add.value("--extends", "GAME", "start from this game or file")
    add.value("--pool", "NUMBERS", 'for instance 1-9, or "2 3 5 7 11"')
    examples = '"arithmetic length=3" or "sum count=3 equals=15"'
    add.value("--wins", "FAMILY", f"for instance {examples}; none: nothing wins", action="append")
    add.add_argument("--misere", action=BooleanOptionalAction, help="completing a set loses")
    example = 'for instance "hand-sum higher"'
    add.value("--ending", "MEASURE", f"if nobody has won, {example}; draw: a draw", action="append")
    add.value("--losses", "FAMILY", "what loses at once, written like --wins", action="append")
    add.value("--values", "LIST", 'what numbers count in totals, for instance "1=10 9=0"')
    add.flag("--passing", "players may pass")
    add.value("--picks-per-turn", "N", "how many numbers a player takes per turn")
    add.flag("--pie", "pie rule: the second player may swap hands")
    add.value("--opening", "NUMBERS", 'allowed first numbers, for instance "4 5 6"')
    add.value("--hand-limit", "N", "the most numbers a player may hold")
    relation = '[{must="multiple",compared-with="last"}]'
    add.value("--restrictions", "TABLES", f"which numbers may be taken, for instance {relation}")
    total = '[{total="sum",of="taken",at-most=30}]'
    add.value("--caps", "TABLES", f"totals that no pick may exceed, for instance {total}")
    add.flag("--row-ends", "only the lowest and the highest number left may be taken")
    add.value("--stuck", "WHAT", "a player without a legal pick: end (the game ends), skip")
    add.flag("--yes", "ask nothing, accept every suggestion")
    add.flag("--overwrite", "replace an existing file")


@_command("audit_command", "audit sequence-builder --all-readings")
def _audit(add: Parser) -> None:
    """Test a rule book: its claims, examples, rules and fairness."""
    add.game()
    add.flag("--all-readings", "audit every variant of the rules")
    form = "default: by the name of the file (.html, .md, .json, .txt); otherwise text"
    add.choice("--format", ("text", "markdown", "html"), form)
    add.value("-o --output", "FILE", "write the report to this file")
    budget = "for the whole audit (600; 10 per search in a large game)"
    add.value("--time-budget", "SECONDS", budget, seconds)
    add.seed(1)
    add.json()


@_command("page_command", "page magic-fifteen -o magic-fifteen.html")
def _page(add: Parser) -> None:
    """Write a game as one HTML file that plays it in a browser, without a network."""
    add.game()
    add.value("-o --output", "FILE", "the file to write", required=True)


@_command("dataset_command", "dataset magic-fifteen -o magic-fifteen.csv")
def _dataset(add: Parser) -> None:
    """Write every position of a game: value, distance, best moves, how often random play
    reaches it.
    """
    add.game()
    output = "write to this file, with a data card next to it (default: CSV to standard output)"
    add.value("-o --output", "FILE", output)
    add.choice("--format", ("csv", "parquet"), "default: the extension of the file")
    add.json()


@_command("dataset_command", "tables magic-fifteen -o magic-fifteen.npz")
def _tables(add: Parser) -> None:
    """Write a game as arrays: every state, and where each action leads."""
    add.game()
    add.value("-o --output", "FILE", "the NumPy archive to write (.npz)", required=True)
    add.json()


@_command("serve_command", "serve --port 8000")
def _serve(add: Parser) -> None:
    """Serve games over HTTP and WebSockets."""
    add.value("--host", "ADDRESS", "the address to listen at (127.0.0.1)", default="127.0.0.1")
    add.value("--port", "N", "the port; 0: any free one (8000)", whole(0, 65_535), 8000)
    database = "an SQLite file, or a URL that begins with postgresql:// (default: a file of yours)"
    add.value("--database", "URL", database)
    add.value("--url", "URL", "the public address, if a proxy stands in front of the server")
    rate = "the requests per second that one address may make (20)"
    add.value("--rate", "N", rate, count, 20)
    connections = "the WebSockets that one address may open at a time (500)"
    add.value("--connections", "N", connections, whole(1, 1_000_000), 500)
    add.value("--backup", "FILE", "copy the SQLite database to this file, and serve nothing")


@_command("parser", "completion bash")
def _completion(add: Parser) -> None:
    """Print a shell completion script."""
    add.choice("shell", ("bash", "zsh", "tcsh"), "the shell")
