"""An environment examined from beginning to end."""

from time import monotonic
from typing import NamedTuple

from ninefold.books import Book
from ninefold.conform.actions import parse_actions
from ninefold.conform.link import GaveUp, Link, OutOfTime, Settings
from ninefold.conform.report import Difference, Report
from ninefold.conform.rewards import Rewards
from ninefold.conform.shrink import settle
from ninefold.conform.verdict import Bench, Finding
from ninefold.conform.walk import Case, Walk, refuse_opponent

# Random games, where every position was visited and where not: the order of picks may matter to
# an environment even where it does not to the judge.
GAMES_AFTER_ALL, GAMES = 200, 1_000
MAX_TRIES = 1_000_000


class Terms(NamedTuple):
    """What the examination assumes of the environment, and how far it goes."""

    actions: str | None = None
    offset: int | None = None
    rewards: Rewards = Rewards()
    illegal: str = "any"
    games: int | None = None
    tries: int = MAX_TRIES


def examine(book: Book, settings: Settings, terms: Terms) -> Report:
    """Where the environment and the judge differ; raises NinefoldError if it cannot be played."""
    begun = monotonic()
    link = Link(settings)
    try:
        return _examine(book, settings, terms, link, begun)
    finally:
        link.stop()


def _examine(book: Book, settings: Settings, terms: Terms, link: Link, begun: float) -> Report:
    hello = link.hello
    actions = parse_actions(
        book.game, terms.actions, terms.offset, hello["start"], hello["actions"]
    )
    bench = Bench(actions, terms.rewards, hello["sources"], terms.illegal)
    found = Collection()
    walk = Walk(book.game, link, bench, settings.seed, found.add)
    notes = _introduction(hello)
    complete = False
    try:
        refuse_opponent(book.game, link, bench)
        complete = walk.everywhere(terms.tries)
        games = terms.games if terms.games is not None else (GAMES, GAMES_AFTER_ALL)[complete]
        walk.games(games)
        found.settle(walk)
    except OutOfTime:
        notes.append(f"stopped after {settings.budget:g} s (--time-budget).")
    except GaveUp:
        notes.append("stopped, because it ended or hung too often.")
    if link.printed:
        notes.append(f'it prints to standard output: "{link.printed}"')
    if not walk.repeatable:
        notes.append("its observations of the same game differ from one time to the next.")
    return Report(
        game=book.id,
        reading=book.reading,
        changes=book.changes,
        env=settings.env,
        differences=found.differences(),
        complete=complete,
        positions=walk.positions,
        games=walk.played,
        tries=link.tried,
        seconds=monotonic() - begun,
        notes=tuple(notes),
        actions=actions,
    )


class Collection:
    """The cases, by the fault they show: the shortest of each, and how many there were."""

    def __init__(self) -> None:
        self._cases: dict[tuple[str, tuple[str, ...]], Difference] = {}

    def add(self, case: Case) -> None:
        """Count a case, and keep it if it is the shortest of its kind."""
        key = (case.finding.kind, case.finding.group)
        kept, count = self._cases.get(key, Difference(case, 0))
        best = min(kept, case, key=lambda each: (each.length, each.path))
        self._cases[key] = Difference(best, count + 1)

    def settle(self, walk: Walk) -> None:
        """See each fault again in a fresh environment, in as short a game as it takes."""
        for key, (case, count) in self._cases.items():
            again = settle(walk, case)
            if again is None:
                text = f"once: {case.finding.environment}; not in a fresh environment"
                again = case._replace(finding=Finding("repeat", case.finding.judge, text))
            self._cases[key] = Difference(again, count)

    def differences(self) -> tuple[Difference, ...]:
        """Every fault, those that show earliest first."""
        return tuple(sorted(self._cases.values(), key=lambda each: each.case.length))


def _introduction(hello: dict[str, object]) -> list[str]:
    """What it does not tell, and what is therefore not compared."""
    notes = []
    if not hello["sources"]:
        notes.append(
            "it does not tell which actions are legal (valid_moves(), action_masks(), "
            'info["action_mask"] and the like): they were only tried.'
        )
    if not hello["turn"]:
        notes.append("it does not tell whose turn it is (current_player and the like).")
    return notes
