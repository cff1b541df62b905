"""Statements about how games end: draws, rules that decide, lengths."""

from collections.abc import Iterable, Iterator
from itertools import zip_longest

from ninefold.audit.claims.about_sets import any_split
from ninefold.audit.claims.splits import split_without_set, theorem_words
from ninefold.audit.figures import DRAW, LINK, OTHER, Deciding
from ninefold.audit.finding import Answer, answer
from ninefold.audit.limits import limits
from ninefold.audit.subject import Subject
from ninefold.audit.words import pool_name
from ninefold.books.claims import Claim
from ninefold.core.outcome import Outcome
from ninefold.core.text import listed, plural
from ninefold.pages.shown import Evidence
from ninefold.solver.breadth_first import TooLarge

ENDLESS = "game need not end: players can lose their turns forever."


def no_draws(subject: Subject, _: Claim) -> Answer:
    """No game ends in a draw."""
    figures = subject.figures
    finals = plural(figures.finals, "final position")
    drawn = figures.deciding.get(DRAW, Deciding())
    if drawn.game is not None:
        how_many = "a draw came up in a random game"
        if figures.exact:
            how_many = f"{drawn.finals:,} of {finals} are drawn"
        return answer(False, f"{how_many}, for instance after this game.", subject.show(drawn.game))
    if not figures.exact:
        return _no_draws_by_splits(subject)
    endless = [Evidence(f"But a {ENDLESS}")] if figures.longest is None else []
    none = Evidence(f"None of {finals} is a draw.")
    return Answer(True, (none, *_why_no_draws(subject), *endless))


def _why_no_draws(subject: Subject) -> tuple[Evidence, ...]:
    """Why there are none: every split of the pool has a set, which may be a known theorem."""
    game = subject.game
    by_others = game.picks.can_stick or game.rules.losses
    if by_others or any(decider.kind == LINK for decider in subject.figures.deciding):
        return ()
    found = any_split(subject, {})
    return found.evidence if found.holds else ()


def _no_draws_by_splits(subject: Subject) -> Answer:
    """For a large pool: if every split has a set, no game reaches the end of the pool."""
    game, half = subject.game, len(subject.game.pool) // 2
    unknown = answer(None, f"No draw came up in {_trials(subject)}, which proves nothing.")
    if game.rules.hand_limit is not None or _special(subject):
        return unknown
    try:
        split = split_without_set(game, (len(game.pool) - half, half))
    except TooLarge:
        return unknown
    if split is None:
        known = theorem_words(game)
        return answer(True, f"In every split of the pool into halves, one half holds a set.{known}")
    pairs = zip_longest(*map(game.numbers, split))
    shown = subject.show(tuple(number for pair in pairs for number in pair if number is not None))
    drawn = shown.position.outcome == Outcome(None, "draw")
    return answer(False, "This game is drawn.", shown) if drawn else unknown


def draws_happen(subject: Subject, claim: Claim) -> Answer:
    """A game can end in a draw."""
    found = no_draws(subject, claim)
    return Answer(None if found.holds is None else not found.holds, found.evidence)


def sets_decide(subject: Subject, _: Claim) -> Answer:
    """Every game is decided by a set."""
    for decider, deciding in subject.figures.deciding.items():
        if decider.kind in (LINK, OTHER) and deciding.game is not None:
            return answer(False, "This game is not decided by a set.", subject.show(deciding.game))
    if subject.figures.exact:
        count = plural(subject.figures.finals, "final position")
        return Answer(True, (Evidence(f"A set decides each of {count}."), *_why_no_draws(subject)))
    return _no_draws_by_splits(subject)


def every_rule(subject: Subject, _: Claim) -> Answer:
    """Every pattern, link and limit can make a difference."""
    rules = [rule for rule in subject.rules if rule.kind != "outcome"]
    dead = [f"{rule.name} never matters: {rule.text}" for rule in rules if rule.can_matter is False]
    if dead:
        return Answer(False, tuple(map(Evidence, dead)))
    unsettled = [rule.name for rule in rules if rule.can_matter is None]
    if unsettled:
        return answer(None, f"Not settled: {listed(unsettled)}.")
    names = listed([rule.name for rule in rules])
    return answer(True, f"Each of them can matter, as shown under the rules: {names}.")


def ending_decides(subject: Subject, _: Claim) -> Answer:
    """The ending never leaves two hands equal, on this pool or a smaller one of its shape."""
    rules, pool = subject.game.rules, subject.game.pool
    if not rules.ending and rules.otherwise == "draw":
        return answer(False, "The only ending of the book is a draw.")
    # So that this takes no longer than the rest.
    largest = 6 if subject.game.rules.sees_order else 10
    sizes = reversed(range(2, min(len(pool) - 1, largest) + 1))
    tried = [subject] if subject.figures.exact else []
    tried += on_pools(subject, (pool[:size] for size in sizes))
    used = 0
    for item in tried:
        drawn = item.figures.deciding.get(DRAW, Deciding())
        if drawn.game is not None:
            text = f"With {pool_name(item.game.pool)}, the ending leaves this game undecided."
            return answer(False, text, item.show(drawn.game))
        deciding = item.figures.deciding.items()
        used += sum(found.finals for decider, found in deciding if decider.kind in (LINK, OTHER))
    where = pool_name(tried[0].game.pool) if tried else "no pool"
    others = plural(len(tried) - 1, "smaller pool")
    decided = plural(used, "final position")
    text = f"On {where} and {others} of this shape it decides {decided}, all without a tie."
    if not any(decider.kind == LINK for decider in subject.figures.deciding):
        text += f" With {pool_name(pool)} it is never needed."
    return answer(True if used and subject.figures.exact else None, text)


def on_pools(subject: Subject, pools: Iterable[tuple[int, ...]]) -> Iterator[Subject]:
    """The same rules on each of these pools, if every position can be counted there."""
    for pool in pools:
        other = subject.variant(pool=pool)
        if other is not None and other.figures.exact:
            yield other


def at_most_moves(subject: Subject, claim: Claim) -> Answer:
    """No game lasts longer than this."""
    figures, most = subject.figures, claim["moves"]
    if figures.longest is None:
        return answer(False, f"A {ENDLESS}")
    length, shown = plural(figures.longest, "move"), subject.show(figures.longest_game)
    if figures.longest > most:
        return answer(False, f"This game has {length}.", shown)
    if figures.exact:
        return answer(True, f"The longest game has {length}.", shown)
    rules = subject.game.rules
    others = rules.passing or rules.pie or rules.declare or rules.invalid == "lose-turn"
    if most >= len(subject.game.pool) and not others:
        return answer(True, "Every move takes a number, and there are only that many.")
    return answer(None, f"The longest of {_trials(subject)} had {length}.")


def at_least_moves(subject: Subject, claim: Claim) -> Answer:
    """No game is shorter than this."""
    figures = subject.figures
    games = [item.game for item in figures.deciding.values() if item.game is not None]
    shown = subject.show(min(games, key=len))
    length = plural(len(shown.moves), "move")
    if len(shown.moves) < claim["moves"]:
        return answer(False, f"This game is over after {length}.", shown)
    if figures.exact:
        return answer(True, f"No game is shorter. This game is over after {length}.", shown)
    return answer(None, f"The shortest of {_trials(subject)} had {length}.")


def at_most_numbers(subject: Subject, claim: Claim) -> Answer:
    """Nobody ever holds more numbers than this."""
    figures, most = subject.figures, claim["numbers"]
    held = plural(figures.most_numbers, "number")
    if figures.most_numbers > most:
        return answer(False, f"A player can hold {held}.")
    if figures.exact:
        return answer(True, f"Nobody holds more than {held}.")
    half = (len(subject.game.pool) + 1) // 2
    if half <= most and not _special(subject):
        text = f"Turns alternate, so nobody can hold more than {plural(half, 'number')}."
        return answer(True, text)
    return answer(None, f"In {_trials(subject)} nobody held more than {figures.most_numbers}.")


def _special(subject: Subject) -> bool:
    """Whether any rule is unusual beside the limit of a hand, and losing by a set."""
    return bool(set(limits(subject.game.rules)) - {"hand_limit", "misere"})


def _trials(subject: Subject) -> str:
    return plural(subject.figures.random.trials, "random game")
