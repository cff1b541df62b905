"""What a reader must know about a tournament before its figures: its end, verdict and repeats."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.arena.formats import FORMATS, Results
from ninefold.arena.formats.sequential import SEQUENTIAL, explain
from ninefold.arena.results import read_rows
from ninefold.core.errors import NinefoldError
from ninefold.core.text import listed, plural, shorten
from ninefold.invocation import command
from ninefold.players import LLM

if TYPE_CHECKING:
    from ninefold.arena.tournament import Tournament

MOST_NAMED = 5


class Repeats(NamedTuple):
    """Two entrants who played the same games again and again, since neither leaves it to chance."""

    players: tuple[str, str]
    games: int
    different: int


def describe_course(folder: Path, settings: dict[str, Any]) -> list[str]:
    """Sentences about the tournament in a folder; none about what cannot be read."""
    found = list[str]()
    try:
        found += _prompts(settings)
        found += _repeated(find_repeats(read_rows(folder)))
        found += _state(folder)
    except (NinefoldError, KeyError, TypeError, ValueError, IndexError):
        pass  # the report lists what is damaged
    return found


def find_repeats(rows: Iterable[dict[str, Any]]) -> list[Repeats]:
    """Pairings in which every repetition of a game had the same moves, if there were any."""
    seen: dict[tuple[str, ...], tuple[str, int, bool]] = {}
    for row in rows:
        one, two = row["players"]
        key = (one, two, row["rules"], row["opening"])
        moves, count, is_same = seen.get(key, (row["moves"], 0, True))
        seen[key] = moves, count + 1, is_same and moves == row["moves"]
    pairings: dict[tuple[str, str], list[tuple[int, bool]]] = {}
    for (one, two, *_), (_, count, is_same) in seen.items():
        pairings.setdefault((min(one, two), max(one, two)), []).append((count, is_same))
    return [
        Repeats(players, sum(count for count, _ in kinds), len(kinds))
        for players, kinds in pairings.items()
        if all(is_same for _, is_same in kinds) and all(count > 2 for count, _ in kinds)
    ]


def _repeated(found: list[Repeats]) -> list[str]:
    if not found:
        return []
    named = [
        f"{shorten(one.players[0], 60)} against {shorten(one.players[1], 60)} "
        f"({one.different:,} different games of {one.games:,})"
        for one in found[:MOST_NAMED]
    ]
    more = [plural(len(found) - MOST_NAMED, "more pairing")] if len(found) > MOST_NAMED else []
    return [
        f"The same games were played again and again: {listed([*named, *more])}. Repetitions are "
        "no evidence, so intervals and p-values that rest on them promise too much. Other openings "
        "give other games: --openings balanced."
    ]


def _state(folder: Path) -> Iterator[str]:
    """Whether it is over, and what a sequential test found."""
    from ninefold.arena.run import open_folder

    tournament = open_folder(folder)
    results = Results({one.name: at for at, one in enumerate(tournament.players)})
    played = 0
    for played, row in enumerate(read_rows(folder), 1):  # noqa: B007 - counted
        results.add(row)
    if tournament.format == "sequential":
        is_over = _count_rounds(tournament, results)
        verdict = SEQUENTIAL.verdict(tournament, results)
        one, two = (entrant.name for entrant in tournament.players)
        yield f"Sequential test: {explain(verdict, tournament.test, (one, two))}"
        if is_over:
            return
    pairs = sum(map(tournament.pairs, range(len(tournament.games))))
    whole = 2 * pairs * FORMATS[tournament.format].most_pairings(tournament)
    if played < whole:
        yield _unfinished(folder, tournament, played, whole)


def _count_rounds(tournament: "Tournament", results: Results) -> bool:
    """Count the complete rounds of a sequential test; whether it is over."""
    while pairings := SEQUENTIAL.next_round(tournament, results):
        number = results.rounds + 1
        found = (pairs.total() for key, pairs in results.pairs.items() if key[0] == number)
        if sum(found) < sum(pairing.pairs for pairing in pairings):
            return False
        results.rounds = number
    return True


def _unfinished(folder: Path, tournament: "Tournament", played: int, whole: int) -> str:
    consent = " --run-programs" if tournament.commands else ""
    task = command(f"arena resume {folder}{consent}")
    most = "at most " if tournament.format == "sequential" else ""
    return f"Not finished: {played:,} of {most}{whole:,} games are played. Resume with: {task}"


def _prompts(settings: dict[str, Any]) -> list[str]:
    """Which words each language model was asked with."""
    from ninefold.players.llm import LlmPlayer

    found = list[str]()
    for one in settings.get("players", []):
        spec = one.get("player") if isinstance(one, dict) else None
        if isinstance(spec, str) and spec.startswith(LLM):
            about = LlmPlayer(spec.removeprefix(LLM)).about
            words = f"version {about['prompt']}, hash {about['prompt_hash']}"
            found.append(f"Prompt of {shorten(str(one.get('name')), 80)}: {words}.")
    return found
