"""Statements about winning sets: which can happen, and which splits and hands have one."""

from collections.abc import Mapping
from typing import Any

from ninefold.audit.figures import whole_hand
from ninefold.audit.finding import Answer, answer
from ninefold.audit.splits import (
    TooManySteps,
    hand_without_set,
    open_splits,
    split_without_set,
    theorem,
)
from ninefold.audit.subject import Subject
from ninefold.audit.words import (
    listed,
    numbers,
    plural,
    pool_name,
)
from ninefold.core.game import TABLE_POOL

Fields = Mapping[str, Any]


def set_can_happen(subject: Subject, fields: Fields) -> Answer:
    """A game can be won with this set, or with one that has a negative number."""
    game = subject.game
    if fields.get("negative"):
        found = [item for item in game.sets if item[0] < 0]
        if not found:
            return answer(False, "No number of the pool is negative, so no set has one.")
        return _set_can_happen(subject, found[0])
    wanted = tuple(sorted(fields["set"]))
    for number in wanted:
        if wanted.count(number) > 1:
            return answer(False, f"There is only one {number}, and it can be claimed once.")
        if number not in game.bits:
            return answer(False, f"{number} is not in the pool.")
    if wanted not in game.patterns and wanted not in game.sets_in(game.mask(wanted), wanted):
        return answer(False, f"{numbers(wanted)} is not a winning set.")
    return _set_can_happen(subject, wanted)


def _set_can_happen(subject: Subject, wanted: tuple[int, ...]) -> Answer:
    """One player collects the set, the other one gives the game away as far as the rules allow."""
    from ninefold.audit.wishes import game_with_set

    moves = game_with_set(subject.game, wanted)
    if moves is None:
        return answer(None, f"No game in which {numbers(wanted)} decides was found.")
    return answer(True, f"{numbers(wanted)} decides this game.", subject.show(moves))


def every_number(subject: Subject, _: Fields) -> Answer:
    """Every number belongs to a winning set."""
    used = {number for numbers_ in subject.game.sets for number in numbers_}
    idle = [number for number in subject.game.pool if number not in used]
    if idle and not whole_hand(subject.game):
        return answer(False, f"In no winning set: {numbers(idle)}.")
    return answer(True, f"Each belongs to at least one of {plural(len(subject.game.sets), 'set')}.")


def any_split(subject: Subject, _: Fields) -> Answer:
    """However the whole pool is shared out, one part holds a set."""
    game = subject.game
    if len(game.pool) <= TABLE_POOL:
        open_ = open_splits(game)
        whole = f"all {2 ** len(game.pool):,} ways to split {pool_name(game.pool)} into two parts"
        if not open_:
            return answer(True, f"In {whole}, one part holds a set.{_bears_out(subject)}")
        text = f"In {open_:,} of {whole}, neither part holds a set"
        found = next(
            one
            for one in range(game.full + 1)
            if game.table and not game.table[one] and not game.table[game.full ^ one]
        )
        other = game.full ^ found
    elif whole_hand(game):
        return answer(None, "There are too many splits to try them all.")
    else:
        try:
            halves = len(game.pool) - len(game.pool) // 2, len(game.pool) // 2
            split = split_without_set(game, halves)
        except TooManySteps:
            return answer(None, "There are too many splits to try them all.")
        if split is None:
            known = _bears_out(subject)
            return answer(True, f"Every split of the pool into halves has a set in one.{known}")
        text, (found, other) = "Not in every split", split
    return answer(
        False, f"{text}: {numbers(game.numbers(found))} and {numbers(game.numbers(other))}."
    )


def _bears_out(subject: Subject) -> str:
    known = theorem(subject.game)
    return f" This bears out {known}." if known else ""


def any_hand(subject: Subject, fields: Fields) -> Answer:
    """Any so many numbers hold a set."""
    game, size = subject.game, fields["numbers"]
    if whole_hand(game):
        return answer(None, "More numbers may spoil a hand in this game.")
    try:
        hand = hand_without_set(game, size)
    except TooManySteps:
        return answer(None, "There are too many hands to try them all.")
    if hand is None:
        return answer(True, f"Every hand of {plural(size, 'number')} holds a set.")
    text = f"{numbers(game.numbers(hand))} are {plural(size, 'number')} without a set."
    return answer(False, text)


def in_most_sets(subject: Subject, fields: Fields) -> Answer:
    """No number belongs to more sets than these."""
    game = subject.game
    counts = {number: sum(number in item for item in game.sets) for number in game.pool}
    most = max(counts.values())
    top = [number for number, count in counts.items() if count == most]
    text = f"The most sets, {most}, go through {listed(top)}."
    return answer(all(counts.get(number) == most for number in fields["numbers"]), text)
