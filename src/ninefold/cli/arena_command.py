"""``ninefold arena``: run, resume, show, report and export tournaments."""

import argparse
import os
import sys
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any

from ninefold.cli import common
from ninefold.core.errors import NinefoldError
from ninefold.core.text import plural
from ninefold.invocation import command
from ninefold.line.wrap import note

if TYPE_CHECKING:
    from ninefold.arena.run import Finished, Progress
    from ninefold.arena.tournament import Tournament

INTERRUPTED = 130
KINDS = {".html": "html", ".md": "markdown", ".json": "json", ".txt": "text"}
# Seconds between two lines of progress at a terminal.
PACE = 0.2


def run_arena(options: argparse.Namespace) -> int:
    """Run one of the commands below; its exit code."""
    return int(globals()[f"_{options.action.replace('-', '_')}"](options) or 0)


def _run(options: argparse.Namespace) -> int:
    """Start a tournament, or continue it if the folder has the same one already."""
    tournament = _tournament(options)
    return _play(options, Path(options.output or _folder(options)), tournament)


def _resume(options: argparse.Namespace) -> int:
    """Continue the tournament in a folder."""
    from ninefold.arena.run import open_folder

    folder = Path(options.folder)
    tournament = open_folder(folder)
    _check_consent(tournament, options, f"arena resume {options.folder}")
    return _play(options, folder, tournament)


def _folder(options: argparse.Namespace) -> str:
    return Path(options.file).stem if options.file else "arena"


def _tournament(options: argparse.Namespace) -> "Tournament":
    """The tournament of a file or of the options; raises NinefoldError."""
    from ninefold.arena.tournament import make_tournament, read_tournament

    fields = {name.replace("_", "-"): getattr(options, name) for name in SETTINGS}
    given = {name: value for name, value in fields.items() if value is not None}
    if options.file:
        if given or options.players or options.games or options.reading or options.set:
            reason = "A tournament from a file has its settings there."
            raise NinefoldError("usage", reason, "Change the file, or leave the file out.")
        tournament = read_tournament(options.file)
        output = f" -o {options.output}" if options.output else ""
        _check_consent(tournament, options, f"arena run {options.file}{output}")
        return tournament
    if not options.players or not (options.games or options.preset):
        reason = "A tournament needs a file, or --players and --games."
        raise NinefoldError("usage", reason, f"Try: {command('arena run --help')}")
    rules = {"reading": options.reading or "", "changes": [*options.set]}
    players = [_entrant(word) for part in options.players for word in _split(part)]
    games = [{"game": word, **rules} for part in options.games for word in _split(part)]
    usual: dict[str, Any] = {"players": players, "games": games}
    if options.preset:
        from ninefold.arena.presets import gg_bench

        usual = gg_bench(players, games)
    return make_tournament(usual | given)


def _split(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _entrant(text: str) -> dict[str, str]:
    """A player, perhaps with a name before it: NAME=PLAYER."""
    name, found, spec = text.partition("=")
    if not found or ":" in name:
        return {"player": text}
    return {"name": name, "player": spec}


SETTINGS = (
    *("format", "seed", "rounds", "openings", "opening_moves", "most_openings", "time_limit"),
    *("retries", "most_moves", "swiss_rounds", "elo0", "elo1", "alpha", "beta", "batch"),
)


def _check_consent(tournament: "Tournament", options: argparse.Namespace, task: str) -> None:
    """A file runs no code unless the user says so; raises NinefoldError."""
    from ninefold.players import LLM, split_kind

    if tournament.commands and not options.run_programs:
        reason = f"This tournament would run: {', '.join(tournament.commands)}."
        if any(split_kind(one)[0] == LLM for one in tournament.commands):
            reason += " A language model may cost money."
        advice = f"If you trust it: {command(f'{task} --run-programs')}"
        raise NinefoldError("runs-programs", reason, advice)


def _play(options: argparse.Namespace, folder: Path, tournament: "Tournament") -> int:
    from ninefold.arena.run import run

    workers = options.workers or _cores()
    line = _Line()
    try:
        finished = run(folder, tournament, workers, options.on or "", line.show)
    except KeyboardInterrupt:
        line.end()
        note(_how_to_resume(folder, tournament) or "Stopped.")
        return INTERRUPTED
    except OSError as error:  # a full disk
        line.end()
        why = f"The tournament in {folder} stopped: {error.strerror or error}."
        note(f"ninefold: {why} {_how_to_resume(folder, tournament)}")
        return 1
    except NinefoldError as error:
        line.end()
        how = _how_to_resume(folder, tournament)
        if not how or error.code in ("other-tournament", "busy"):
            raise
        raise NinefoldError(error.code, error.message, how) from None
    line.end()
    common.print_answer(options, _data(finished, tournament), _words(finished, tournament))
    return 0


def _how_to_resume(folder: Path, tournament: "Tournament") -> str:
    """How much was played, and which command plays the rest; nothing if nothing was begun."""
    from ninefold.arena.results import GAMES, count_games

    if not (folder / GAMES).exists():
        return ""
    games, single = count_games(folder)
    pairs = f"; {plural(single, 'pair')} still {'lacks' if single == 1 else 'lack'} a game"
    agreed = " --run-programs" if tournament.commands else ""
    return (
        f"Stopped after {plural(games, 'game')}{pairs if single else ''}. "
        f"Resume with: {command(f'arena resume {folder}{agreed}')}"
    )


def _cores() -> int:
    """How many processes can run at once."""
    if hasattr(os, "sched_getaffinity"):  # not on every system
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _data(finished: "Finished", tournament: "Tournament") -> dict[str, Any]:
    data: dict[str, Any] = {"folder": finished.folder, "games": finished.games, "new": finished.new}
    if finished.verdict is not None:
        data["verdict"] = {**finished.verdict._asdict(), "words": _explained(finished, tournament)}
    return data


def _words(finished: "Finished", tournament: "Tournament") -> str:
    new = "" if finished.new == finished.games else f", {finished.new:,} of them now"
    lines = [f"{finished.folder}: {plural(finished.games, 'game')}{new}."]
    if finished.verdict is not None:
        lines.append(_explained(finished, tournament))
    return "\n".join([*lines, f"See: {command(f'arena show {finished.folder}')}"])


def _explained(finished: "Finished", tournament: "Tournament") -> str:
    from ninefold.arena.formats.sequential import explain

    assert finished.verdict is not None
    one, two = (entrant.name for entrant in tournament.players)
    return explain(finished.verdict, tournament.test, (one, two))


class _Line:
    """The progress, on one line of standard error; nothing if that is not a terminal."""

    def __init__(self) -> None:
        self._shown, self._last = sys.stderr.isatty(), 0.0
        self._width = 0

    def show(self, progress: "Progress") -> None:
        """Show how far it is, now and then."""
        if not self._shown or monotonic() - self._last < PACE:
            return
        self._last = monotonic()
        text = f"{progress.played:,} of {progress.most:,} games"
        if progress.left is not None:
            text += f", about {_duration(progress.left)} left"
        print(f"\r{text:{self._width}}", end="", file=sys.stderr, flush=True)
        self._width = len(text)

    def end(self) -> None:
        """Leave the line empty for what follows."""
        if self._width:
            print(f"\r{'':{self._width}}\r", end="", file=sys.stderr, flush=True)
            self._width = 0


def _duration(seconds: float) -> str:
    if seconds < 90:
        return plural(max(1, round(seconds)), "second")
    return (
        plural(round(seconds / 60), "minute") if seconds < 5400 else f"{seconds / 3600:.1f} hours"
    )


def _show(options: argparse.Namespace) -> None:
    """Print the report, or one game."""
    from shutil import get_terminal_size

    from ninefold.arena.report import game_data, render, show_game

    folder, width = _existing(options), max(40, min(get_terminal_size().columns, 100)) - 1
    if options.game and not options.json:
        text = show_game(folder, options.game, width)
    elif options.game:
        text = game_data(folder, options.game)
    else:
        text = render(folder, "json" if options.json else "text", width)
    print(text, end="")


def _report(options: argparse.Namespace) -> None:
    """Write the report to a file, in the format of its name."""
    from ninefold.arena.report import render

    kind = common.format_of(options, KINDS, "Name a file that ends in .html, .md, .json or .txt.")
    text = render(_existing(options), kind)
    with common.whole_file(options.output) as file:
        file.write(text.encode())
    common.print_answer(options, {"file": options.output}, f"{options.output}: report", None)


def _win_rate(options: argparse.Namespace) -> None:
    """Print win rates as gg-bench reports them."""
    from ninefold.arena.presets import gg_bench_scores
    from ninefold.arena.results import read_rows
    from ninefold.arena.run import open_folder

    folder = _existing(options)
    opponent = open_folder(folder).players[0].name
    scores = gg_bench_scores(read_rows(folder), opponent)
    data = {"opponent": opponent, "players": [score.as_data() for score in scores]}
    lines = [f"Win rates against {opponent}, the mean over games (gg-bench):"]
    for score in scores:
        rate = "none" if score.win_rate is None else f"{score.win_rate:.1%}"
        low, high = score.interval or (None, None)
        wide = "" if low is None or high is None else f", 95% interval {low:.1%} to {high:.1%}"
        faulted = sum(game.faulted for game in score.games)
        lines.append(f"    {score.player}: {rate}{wide}")
        if faulted:
            lost = f"{score.win_rate_of_all:.1%} if they count as lost"
            games = f"{plural(faulted, 'game')} ended with a fault"
            lines.append(f"        {games} and left out; {lost}")
    common.print_answer(options, data, "\n".join(lines))


def _export(options: argparse.Namespace) -> None:
    """Write all games as one table."""
    from ninefold.arena.export import write_parquet

    folder = _existing(options)
    common.format_of(options, {".parquet": "parquet"}, "Name a file that ends in .parquet.")
    with common.whole_file(options.output) as file:
        rows = write_parquet(folder, file)
    data = {"file": options.output, "games": rows}
    common.print_answer(options, data, f"{options.output}: {plural(rows, 'game')}", None)


def _existing(options: argparse.Namespace) -> Path:
    """The folder of a tournament; raises NinefoldError."""
    from ninefold.arena.run import TOURNAMENT

    folder = Path(options.folder)
    if not (folder / TOURNAMENT).is_file():
        reason = f"There is no tournament in {options.folder}."
        raise NinefoldError("no-tournament", reason, "Start one with: ninefold arena run")
    return folder
