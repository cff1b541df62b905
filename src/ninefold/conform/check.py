"""An environment examined from beginning to end."""

from __future__ import annotations

from time import monotonic
from typing import NamedTuple

from ninefold.books import Book
from ninefold.conform.actions import parse_actions
from ninefold.conform.link import GaveUp, Link, OutOfTime, Settings
from ninefold.conform.opening import begins_alike, refuse_opponent, refuse_other_actions
from ninefold.conform.report import Difference, Report
from ninefold.conform.rewards import Rewards
from ninefold.conform.shrink import settle
from ninefold.conform.verdict import Bench, Finding
from ninefold.conform.walk import Case, Walk
from ninefold.core.errors import NinefoldError

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
    """Where the environment and the judge differ; raises NinefoldError if it cannot be played.

    What a fresh environment does not confirm may be due to our copies of it: then everything is
    played once more without any.
    """
    begun = monotonic()
    report = _examine(book, settings, terms, begun)
    if any(each.case.finding.kind == "repeat" for each in report.differences) and settings.copies:
        try:
            report = _examine(book, settings._replace(copies=False), terms, begun)
        except NinefoldError:
            pass  # there is no time left to know better
    return report


def _examine(book: Book, settings: Settings, terms: Terms, begun: float) -> Report:
    link = Link(settings, begun)
    try:
        hello = link.hello
        space = (hello["start"], hello["actions"])
        actions = parse_actions(book.game, terms.actions, terms.offset, *space)
        bench = Bench(actions, terms.rewards, hello["sources"], terms.illegal)
        found = Collection()
        walk = Walk(book.game, link, bench, settings.seed, found.add)
        notes = _play(walk, found, settings, terms)
    finally:
        link.stop()
    return Report(
        game=book.id,
        reading=book.reading,
        changes=book.changes,
        env=settings.env,
        differences=found.differences(),
        complete=walk.complete,
        positions=walk.positions,
        games=walk.played,
        tries=link.tried,
        seconds=monotonic() - begun,
        notes=(*notes, *_remarks(walk, bool(found.differences()))),
        actions=actions,
    )


def _play(walk: Walk, found: Collection, settings: Settings, terms: Terms) -> list[str]:
    """Go as far as the terms allow; what stopped it, if anything did."""
    notes = []
    try:
        refuse_other_actions(walk.game, walk.link, walk.bench)
        if unlike := begins_alike(walk.link):
            found.add(Case(unlike, (), None, True))
            return ["stopped, because it does not always begin in the same way."]
        refuse_opponent(walk)
        walk.everywhere(terms.tries)
        games = (GAMES, GAMES_AFTER_ALL)[walk.complete] if terms.games is None else terms.games
        walk.games(games)
    except OutOfTime:
        if not walk.positions + walk.played:
            raise NinefoldError(
                "out-of-time",
                f"There was not enough time for {settings.env}.",
                "See --time-budget.",
            ) from None
        return [f"stopped after {settings.budget:g} s (--time-budget)."]
    except GaveUp:
        found.require_failure(walk.link.last_failure)
        notes.append("stopped, because it ended or hung too often.")
    try:
        found.settle(walk)
    except (OutOfTime, GaveUp):
        notes.append("there was no time to look for shorter games.")
    return notes


class Collection:
    """The cases, by the fault they show: the shortest of each, and how many there were."""

    def __init__(self) -> None:
        self._cases: dict[tuple[str, tuple[str, ...]], Difference] = {}

    def add(self, case: Case, times: int = 1) -> None:
        """Count a case, and keep it if it is the shortest of its kind."""
        key = (case.finding.kind, case.finding.group)
        kept, before = self._cases.get(key, Difference(case, 0))
        best = min(kept, case, key=lambda each: (each.length, each.path))
        self._cases[key] = Difference(best, before + times)

    def require_failure(self, failure: tuple[str, str]) -> None:
        """Have at least one case that tells how the environment ended or hung."""
        if not any(kind in ("crash", "timeout") for kind, _ in self._cases):
            code, why = failure
            self.add(Case(Finding(code, "a new game begins", why), (), None, True))

    def settle(self, walk: Walk) -> None:
        """See each fault again in a fresh environment, in as short a game as it takes."""
        settled = Collection()
        for case, times in self._cases.values():
            again = settle(walk, case)
            if again is None:
                text = f"once: {case.finding.environment}; not in a fresh environment"
                again = case._replace(finding=Finding("repeat", case.finding.judge, text))
            settled.add(again, times)
        self._cases = settled._cases

    def differences(self) -> tuple[Difference, ...]:
        """Every fault, those that show earliest first."""
        return tuple(sorted(self._cases.values(), key=lambda each: each.case.length))


def _remarks(walk: Walk, differs: bool) -> list[str]:
    """What was not compared, and what is odd though it is no fault."""
    link, notes = walk.link, []
    if not link.hello["sources"]:
        notes.append(
            "it does not tell which actions are legal (valid_moves(), action_masks(), "
            'info["action_mask"] and the like): they were only tried.'
        )
    if not link.hello["turn"]:
        notes.append("it does not tell whose turn it is (current_player and the like).")
    if differs and link.hello["opponent"]:
        notes.append(
            f"it has something called {link.hello['opponent']}: if it moves for an opponent by "
            "itself, it cannot be tested this way."
        )
    if link.printed:
        notes.append(f'it prints to standard output: "{link.printed}"')
    if not walk.repeatable:
        notes.append("its observations of the same game differ from one time to the next.")
    return notes
