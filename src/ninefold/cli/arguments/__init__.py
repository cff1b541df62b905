"""The commands in the order of the help; the arguments of each are in the module of its name."""

from typing import NamedTuple


class Command(NamedTuple):
    """What the help says of a command: what it does, and an example."""

    summary: str
    example: str


COMMANDS = {
    "list": Command("List the games and their readings.", "list --json"),
    "rules": Command("Explain the rules of a game.", "rules sequence-builder"),
    "play": Command("Play a game, line by line.", "play pattern-builder --p2 random"),
    "games": Command("List recorded games.", "games --unfinished"),
    "show": Command("Replay a recorded game.", "show k3f9 --step"),
    "review": Command("Judge a recorded game move by move.", "review k3f9"),
    "resume": Command("Go on with an unfinished game or match.", "resume k3f9"),
    "referee": Command(
        "Judge games for programs: one game a line in, one JSON object a line out.",
        "referee sequence-capture < games.txt",
    ),
    "solve": Command(
        "Solve a game: every move, its value, how long it takes.",
        'solve sequence-capture --moves "5 6"',
    ),
    "verify": Command("Follow a certificate of solve against every reply.", "verify draw.txt"),
    "hint": Command(
        "The best numbers in a position, and why.", 'hint pattern-builder --moves "5 4"'
    ),
    "gtp": Command(
        "Be an engine over the Go Text Protocol (version 2).",
        "gtp sequence-capture --player level:3",
    ),
    "gtp-check": Command(
        "Tell the author of a program what it gets wrong in the Go Text Protocol.",
        'gtp-check "python3 bot.py"',
    ),
    "conform": Command(
        "Play somebody else's Gymnasium environment against the judge: where do they differ?",
        "conform magic-fifteen --env my_module:MyEnv",
    ),
    "puzzle": Command("Find the one number that wins.", "puzzle sequence-capture --rating 3"),
    "strategy": Command(
        "A complete strategy as a small card, checked against every reply.",
        "strategy sequence-capture --format markdown",
    ),
    "check": Command("Tell everything that is wrong with a rule-book file.", "check my-game.toml"),
    "new": Command("Ask a few questions and write a rule book.", "new my-game.toml"),
    "audit": Command(
        "Test what a rule book claims: its claims, examples, rules, fairness.",
        "audit sequence-builder --all-readings",
    ),
    "dataset": Command(
        "Write every position of a game: value, distance, best moves, how often random play "
        "comes there.",
        "dataset magic-fifteen -o magic-fifteen.csv",
    ),
    "completion": Command("Print a script for shell completion.", "completion bash"),
}
