"""Statements about a game, each tested: true, false or not settled, with what shows it."""

from collections.abc import Callable, Mapping
from typing import Any

from ninefold.audit.claims import about_ends, about_play, about_sets
from ninefold.audit.finding import Answer, answer
from ninefold.audit.subject import Subject

Fields = Mapping[str, Any]


def judge_statement(subject: Subject, fields: Fields) -> Answer:
    """Whether this statement holds, and why."""
    return _TESTS[fields["kind"]](subject, fields)


def example(subject: Subject, fields: Fields) -> Answer:
    """The example of this name is right."""
    from ninefold.audit.examples import replay

    assert subject.book is not None
    told = next(item for item in subject.book.examples if item["name"] == fields["name"])
    found = replay(subject.book, told)
    if found.right:
        return answer(True, f"{found.name} is right.", found.shown)
    return answer(False, f"{found.name} is wrong: {found.truth}", found.shown)


_TESTS: Mapping[str, Callable[[Subject, Fields], Answer]] = {
    "no-draws": about_ends.no_draws,
    "draws-happen": about_ends.draws_happen,
    "every-rule-can-happen": about_ends.every_rule,
    "set-can-happen": about_sets.set_can_happen,
    "first-player-wins": about_play.by_force(1, True),
    "second-player-wins": about_play.by_force(2, True),
    "nobody-wins-by-force": about_play.by_force(None, True),
    "first-player-does-not-win": about_play.by_force(1, False),
    "second-player-does-not-win": about_play.by_force(2, False),
    "skill-beats-luck": about_play.skill,
    "equal-chances": about_play.equal_chances,
    "at-most-moves": about_ends.at_most_moves,
    "at-least-moves": about_ends.at_least_moves,
    "at-most-numbers": about_ends.at_most_numbers,
    "passing-never-helps": about_play.passing,
    "good-openings": about_play.openings(only=False),
    "best-openings": about_play.openings(only=True),
    "sets-decide": about_ends.sets_decide,
    "every-number-counts": about_sets.every_number,
    "any-split": about_sets.any_split,
    "any-hand": about_sets.any_hand,
    "ending-decides": about_ends.ending_decides,
    "in-most-sets": about_sets.in_most_sets,
    "example": example,
}
