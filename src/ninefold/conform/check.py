"""Compares an environment with the judge, from start to finish."""

from time import monotonic
from typing import NamedTuple

from ninefold.books import Book
from ninefold.conform.actions import parse_actions
from ninefold.conform.comparison import Comparison, Finding, changed, no_answer
from ninefold.conform.environment import Environment, EnvironmentSettings, GaveUp, OutOfTime, Probe
from ninefold.conform.explore import Case, Explorer
from ninefold.conform.report import Report
from ninefold.conform.rewards import Rewards
from ninefold.core.errors import NinefoldError

# Random games if every position was visited, and if not: the order of picks may matter to an
# environment even if it does not matter to the judge.
GAMES_AFTER_ALL, GAMES = 200, 1_000
MAX_TRIES = 1_000_000
# How often to look at the start of a game: random starts show up in time.
BEGINNINGS = 16


class Terms(NamedTuple):
    """What the comparison assumes about the environment, and how far it goes."""

    actions: str | None = None
    offset: int | None = None
    rewards: Rewards = Rewards()
    illegal: str = "any"
    games: int | None = None
    tries: int = MAX_TRIES


def examine(book: Book, settings: EnvironmentSettings, terms: Terms) -> Report:
    """Where the environment and the judge differ; raises NinefoldError if it cannot be played."""
    begun = monotonic()
    env = Environment(settings, begun)
    try:
        hello = env.hello
        space = (hello["start"], hello["actions"])
        actions = parse_actions(book.game, terms.actions, terms.offset, *space)
        comparison = Comparison(actions, terms.rewards, hello["sources"], terms.illegal)
        explorer = Explorer(book.game, env, comparison, settings.seed)
        notes = _play(explorer, settings, terms)
    finally:
        env.stop()
    shortest_first = sorted(explorer.cases.values(), key=lambda case: len(case.steps))
    return Report(
        game=book.id,
        reading=book.reading,
        changes=book.changes,
        env=settings.env,
        differences=tuple(shortest_first),
        complete=explorer.complete,
        positions=explorer.positions,
        games=explorer.played,
        tries=env.tried,
        seconds=monotonic() - begun,
        notes=(*notes, *_remarks(explorer)),
        actions=actions,
    )


def _play(explorer: Explorer, settings: EnvironmentSettings, terms: Terms) -> list[str]:
    """Compare as far as the terms allow; notes on what stopped it, if anything."""
    notes = []
    try:
        _refuse_shifted_actions(explorer)
        starts = explorer.env.ask([Probe(explorer.start, ())] * BEGINNINGS)
        states = [answer.get("at", {}) for _, answer in starts]
        if found := [*filter(None, (changed(explorer.start.said, state) for state in states))]:
            explorer.report(Case(found[0]))
            return ["stopped, because it does not always start the same way."]
        _refuse_opponent(explorer)
        explorer.visit_all(terms.tries)
        games = (GAMES, GAMES_AFTER_ALL)[explorer.complete] if terms.games is None else terms.games
        explorer.play_random(games)
    except OutOfTime:
        if not explorer.positions + explorer.played:
            reason = f"Not enough time for {settings.env}."
            raise NinefoldError("out-of-time", reason, "Allow more with --time-budget.") from None
        return [f"stopped after {settings.budget:g} s (--time-budget)."]
    except GaveUp as failure:
        if not any(case.finding.kind in ("crash", "timeout") for case in explorer.cases.values()):
            code, why = failure.args
            explorer.report(Case(Finding(code, "a new game starts", why)))
        notes.append("stopped, because it crashed or hung too often.")
    try:
        explorer.settle()
    except (OutOfTime, GaveUp):
        notes.append("there was no time to search for shorter games.")
    return notes


def _remarks(explorer: Explorer) -> list[str]:
    """What was not compared, and what is odd but not wrong."""
    env, notes = explorer.env, []
    if not env.hello["limited"]:
        notes.append("its memory was not limited: this system does not support it (--memory).")
    if not env.hello["sources"]:
        notes.append(
            "it does not list its legal actions (valid_moves(), action_masks(), "
            'info["action_mask"] and so on): they were only tried.'
        )
    if not env.hello["turn"]:
        notes.append("it does not say whose turn it is (current_player and so on).")
    if explorer.cases and env.hello["opponent"]:
        notes.append(
            f"it has something called {env.hello['opponent']}: if it plays an opponent itself, it "
            "cannot be tested this way."
        )
    if env.printed:
        notes.append(f'it prints to standard output: "{env.printed}"')
    if not explorer.repeatable:
        notes.append("its observations of the same game differ from time to time.")
    return notes


def _refuse_shifted_actions(explorer: Explorer) -> None:
    """Raise NinefoldError if all its actions are shifted by the same number."""
    pool, actions, start = explorer.game.pool, explorer.actions, explorer.start
    required = sorted(actions.legal(start.position))
    listed = next(iter(start.said.get("legal") or ()), None)
    if not listed or not isinstance(listed, list):
        return
    shift = listed[0] - required[0]
    inside = actions.start <= listed[0] and listed[-1] < actions.start + actions.size
    if not shift or listed != [action + shift for action in required] or not inside:
        return
    raise NinefoldError(
        "other-actions",
        f"The environment starts with actions {listed[0]} to {listed[-1]}, not "
        f"{required[0]} to {required[-1]}.",
        f"If action {listed[0]} is the number {pool[0]}: --offset {pool[0] - listed[0]}",
    )


def _refuse_opponent(explorer: Explorer) -> None:
    """Raise NinefoldError if the environment answers each first move with one of its own."""
    start, actions = explorer.start, explorer.actions
    legal = actions.legal(start.position)
    taken = []
    tries = tuple((action, None) for action in legal)
    for probe, answer in explorer.env.ask([Probe(start, tries)]):
        for (action, _), said in zip(probe.tries, answer.get("tries", ()), strict=False):
            if said.get("legal"):
                listed = said["legal"][0]
                required = actions.required(start.position.play(legal[action]))
                one_less = len(listed) == len(required) - 1
                taken.append(isinstance(listed, list) and one_less and set(listed) < required)
            elif "failed" in said:  # there may be no other chance to report it
                for finding in no_answer(said, "the move is legal"):
                    explorer.report(Case(finding, (), action))
    if taken and all(taken):
        raise NinefoldError(
            "opponent-inside",
            "After the first move another number is gone: the environment plays an opponent "
            "itself.",
            "It cannot be tested this way. If it has an option to control both players, set it "
            "with --kwargs.",
        )
