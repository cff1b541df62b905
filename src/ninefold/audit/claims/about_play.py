"""Statements about play: who wins by force, openings, skill and luck, passing."""

from collections.abc import Callable, Mapping
from typing import Any

from ninefold.audit.best_play import is_endless
from ninefold.audit.claims.passing import passing_helps
from ninefold.audit.finding import Answer, Evidence, answer
from ninefold.audit.subject import Subject
from ninefold.audit.words import (
    SEATS,
    after_words,
    listed,
    move_words,
    percent,
    plural,
    result_words,
    sentence,
)

Fields = Mapping[str, Any]


def by_force(seat: int | None, wanted: bool) -> Callable[[Subject, Fields], Answer]:
    """A test of who wins by force: this seat (None: nobody) does, or does not."""

    def test(subject: Subject, _: Fields) -> Answer:
        result, plies = subject.value
        if result == "unknown":
            return answer(None, "The search did not finish in time.")
        winner = {"win": 1, "loss": 2}.get(result)
        endless = result == "draw" and is_endless(subject)
        text = f"Best play: {result_words(result, plies, endless)}."
        return answer((winner == seat) == wanted, text + _kept_by(subject))

    return test


def _kept_by(subject: Subject) -> str:
    """Which openings keep what the first player has."""
    good = subject.good_openings
    if not good:
        return ""
    kept = [move_words(item.move) for item in good]
    verb = {"win": "wins", "draw": "holds the draw"}.get(subject.value.result)
    if verb is None:
        return " Every opening loses."
    if len(kept) == len(subject.openings):
        return f" Every opening {verb}."
    return f" The openings that keep it: {listed(kept)}."


def skill(subject: Subject, fields: Fields) -> Answer:
    """A perfect player beats a random one from either seat."""
    perfect = subject.figures.perfect
    if perfect is None:
        return answer(None, "The pool is too large for perfect play.")
    least = fields.get("at-least", 50) / 100
    worst = min(perfect[0].share(1), perfect[1].share(2))
    holds: bool | None = worst >= least if "at-least" in fields else worst > least
    lines = [
        f"As {SEATS[seat]} a perfect player scores "
        f"{percent(perfect[seat - 1].share(seat), perfect[seat - 1].trials)} against a random one."
        for seat in (1, 2)
    ]
    if any(chances.trials for chances in perfect):
        holds = None  # an estimate proves nothing
    return Answer(holds, tuple(map(Evidence, lines)))


def equal_chances(subject: Subject, fields: Fields) -> Answer:
    """Two random players have about the same chances."""
    chances, within = subject.figures.random, fields.get("within", 5) / 100
    one, two = chances.share(1), chances.share(2)
    text = (
        f"Two random players score {percent(one, chances.trials)} and "
        f"{percent(two, chances.trials)}."
    )
    holds = None if chances.trials else abs(one - two) <= within
    return answer(holds, text)


def passing(subject: Subject, _: Fields) -> Answer:
    """Losing a turn is never better than every number."""
    if not subject.figures.exact:
        return answer(None, "The pool is too large to try every position.")
    moves, looked = passing_helps(subject)
    if moves is None:
        return answer(
            True, f"Losing a turn is the best move in none of {plural(looked, 'position')}."
        )
    text = f"{sentence(after_words(moves))}, losing the turn would be the best move."
    return answer(False, text, subject.show(moves))


def openings(only: bool) -> Callable[[Subject, Fields], Answer]:
    """A test of openings: these are good, and perhaps no others."""

    def test(subject: Subject, fields: Fields) -> Answer:
        good = subject.good_openings
        if good is None:
            return answer(None, "The search did not finish in time.")
        kept = [item.move for item in good]
        named = fields["openings"]
        holds = set(named) <= set(kept) if not only else set(named) == set(kept)
        listing = listed([*map(move_words, kept)])
        verb = {"win": "win", "draw": "hold the draw", "loss": "lose"}
        alone = "These openings" if len(kept) != 1 else "This opening"
        rest = (
            "no opening does better"
            if len(kept) == len(subject.openings)
            else "the others are worse"
        )
        return answer(holds, f"{alone} {verb[subject.value.result]}: {listing}; {rest}.")

    return test
