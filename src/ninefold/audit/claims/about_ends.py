"""Statements about how games end: draws, rules that decide, lengths."""

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from ninefold.audit.claims.about_sets import any_split, theorem_words
from ninefold.audit.claims.splits import TooManySteps, split_without_set
from ninefold.audit.figures import DRAW, LINK, OTHER, PATTERN, Moves
from ninefold.audit.figures.position_layers import can_be_counted
from ninefold.audit.finding import Answer, Evidence, answer
from ninefold.audit.subject import Subject
from ninefold.audit.words import listed, plural, pool_name
from ninefold.core.outcome import Outcome

Fields = Mapping[str, Any]


def no_draws(subject: Subject, _: Fields) -> Answer:
    """No game ends in a draw."""
    figures = subject.figures
    drawn = figures.deciding.get(DRAW)
    if drawn is not None and drawn.game is not None:
        how_many = f"{drawn.finals:,} of {plural(figures.finals, 'final position')} are drawn"
        if not figures.exact:
            how_many = "a draw came up in a random game"
        return answer(False, f"{how_many}, for instance after this game.", subject.show(drawn.game))
    if figures.exact:
        text = f"None of {plural(figures.finals, 'final position')} is a draw."
        endless = (
            (Evidence("But a game need not end: players can lose their turns forever."),)
            if figures.longest is None
            else ()
        )
        return Answer(True, (Evidence(text), *_why_no_draws(subject), *endless))
    return _no_draws_by_splits(subject)


def _why_no_draws(subject: Subject) -> tuple[Evidence, ...]:
    """Why there are none: every split of the pool has a set, which may be a known theorem."""
    if any(decider.kind == LINK for decider in subject.figures.deciding):
        return ()
    found = any_split(subject, {})
    return found.evidence if found.holds else ()


def _no_draws_by_splits(subject: Subject) -> Answer:
    """For a large pool: if every split has a set, no game reaches the end of the pool."""
    if subject.game.rules.hand_limit is None and not _special(subject):
        try:
            moves = _full_board(subject)
        except TooManySteps:
            return _no_draw_came_up(subject)
        if moves is None:
            known = theorem_words(subject)
            return answer(
                True, f"In every split of the pool into halves, one half holds a set.{known}"
            )
        if subject.show(moves).position.outcome == Outcome(None, "draw"):
            return answer(False, "This game is drawn.", subject.show(moves))
    return _no_draw_came_up(subject)


def _no_draw_came_up(subject: Subject) -> Answer:
    return answer(None, f"No draw came up in {_trials(subject)}, which proves nothing.")


def _full_board(subject: Subject) -> Moves | None:
    """A game in which nobody completes a set; None if there is none. Raises TooManySteps."""
    game = subject.game
    if game.whole:
        raise TooManySteps
    half = len(game.pool) // 2
    split = split_without_set(game, (len(game.pool) - half, half))
    if split is None:
        return None
    one, two = map(game.numbers, split)
    return tuple(number for pair in zip_longest(one, two) for number in pair if number is not None)


def draws_happen(subject: Subject, fields: Fields) -> Answer:
    """A game can end in a draw."""
    found = no_draws(subject, fields)
    return Answer(None if found.holds is None else not found.holds, found.evidence)


def sets_decide(subject: Subject, _: Fields) -> Answer:
    """Every game is decided by a set."""
    for decider, deciding in subject.figures.deciding.items():
        if decider.kind in (LINK, OTHER) and deciding.game is not None:
            return answer(False, "This game is not decided by a set.", subject.show(deciding.game))
    if subject.figures.exact:
        count = plural(subject.figures.finals, "final position")
        return Answer(True, (Evidence(f"A set decides each of {count}."), *_why_no_draws(subject)))
    return _no_draws_by_splits(subject)


def every_rule(subject: Subject, _: Fields) -> Answer:
    """Every pattern, link and limit can make a difference."""
    rules = [rule for rule in subject.rules if rule.kind != "outcome"]
    dead = [rule for rule in rules if rule.alive is False]
    if dead:
        return Answer(
            False, tuple(Evidence(f"{rule.name} never matters: {rule.text}") for rule in dead)
        )
    if any(rule.alive is None for rule in rules):
        open_ = [rule.name for rule in rules if rule.alive is None]
        return answer(None, f"Not settled: {listed(open_)}.")
    names = [rule.name for rule in rules]
    return answer(True, f"Each of them can matter, as shown under the rules: {listed(names)}.")


def ending_decides(subject: Subject, _: Fields) -> Answer:
    """The ending never leaves two hands equal, on this pool or a smaller one of its shape."""
    rules = subject.game.rules
    if not rules.ending and rules.otherwise == "draw":
        return answer(False, "The only ending of the book is a draw.")
    used, pools = 0, smaller_pools(subject)
    for smaller in pools:
        figures = smaller.figures
        drawn = figures.deciding.get(DRAW)
        if drawn is not None and drawn.game is not None:
            pool = pool_name(smaller.game.pool)
            return answer(
                False,
                f"With {pool}, the ending leaves this game undecided.",
                smaller.show(drawn.game),
            )
        ends = [item for decider, item in figures.deciding.items() if decider.kind != PATTERN]
        used += sum(item.finals for item in ends)
    where = pool_name(pools[0].game.pool) if pools else "no pool"
    decided = plural(used, "final position")
    others = plural(len(pools) - 1, "smaller pool")
    text = f"On {where} and {others} of this shape it decides {decided}, all without a tie."
    if not any(decider.kind == LINK for decider in subject.figures.deciding):
        text += f" With {pool_name(subject.game.pool)} it is never needed."
    return answer(True if used and subject.figures.exact else None, text)


def smaller_pools(subject: Subject) -> list[Subject]:
    """The game itself, if every position can be counted, and its rules on the start of its pool."""
    pool = subject.game.pool
    found = [subject] if subject.figures.exact else []
    largest = (
        10 if can_be_counted(subject.game) else 6
    )  # so that this takes no longer than the rest
    for size in reversed(range(2, min(len(pool) - 1, largest) + 1)):
        other = subject.variant(pool=pool[:size])
        if other is not None and other.figures.exact:
            found.append(other)
    return found


def at_most_moves(subject: Subject, fields: Fields) -> Answer:
    """No game lasts longer than this."""
    figures, most = subject.figures, fields["moves"]
    if figures.exact and figures.longest is None:
        return answer(False, "A game need not end: players can lose their turns forever.")
    assert figures.longest is not None
    if figures.longest > most:
        text = f"This game has {plural(figures.longest, 'move')}."
        return answer(False, text, subject.show(figures.longest_game))
    if figures.exact:
        text = f"The longest game has {plural(figures.longest, 'move')}."
        return answer(True, text, subject.show(figures.longest_game))
    if most >= len(subject.game.pool) and not _special(subject):
        return answer(True, "Every move takes a number, and there are only that many.")
    return answer(None, f"The longest of {_trials(subject)} had {plural(figures.longest, 'move')}.")


def at_least_moves(subject: Subject, fields: Fields) -> Answer:
    """No game is shorter than this."""
    figures, least = subject.figures, fields["moves"]
    games = [item.game for item in figures.deciding.values() if item.game is not None]
    shortest = min(games, key=len)
    text = f"This game is over after {plural(len(shortest), 'move')}."
    if len(shortest) < least:
        return answer(False, text, subject.show(shortest))
    if figures.exact:
        return answer(True, f"No game is shorter. {text}", subject.show(shortest))
    return answer(None, f"The shortest of {_trials(subject)} had {plural(len(shortest), 'move')}.")


def at_most_numbers(subject: Subject, fields: Fields) -> Answer:
    """Nobody ever holds more numbers than this."""
    figures, most = subject.figures, fields["numbers"]
    if figures.most_numbers > most:
        return answer(False, f"A player can hold {plural(figures.most_numbers, 'number')}.")
    if figures.exact:
        return answer(True, f"Nobody holds more than {plural(figures.most_numbers, 'number')}.")
    half = (len(subject.game.pool) + 1) // 2
    if half <= most and not _special(subject):
        return answer(
            True, f"Turns alternate, so nobody can hold more than {plural(half, 'number')}."
        )
    return answer(None, f"In {_trials(subject)} nobody held more than {figures.most_numbers}.")


def _special(subject: Subject) -> bool:
    from ninefold.audit.dead_rules import limits

    return bool(set(limits(subject.game.rules)) - {"hand_limit", "misere"})


def _trials(subject: Subject) -> str:
    return plural(subject.figures.random.trials, "random game")
