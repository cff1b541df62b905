"""Statements about winning sets: which can happen, and which splits and hands have one."""

from collections.abc import Iterator, Mapping
from itertools import chain, combinations, islice
from typing import Any

from ninefold.audit.claims.splits import (
    TooManySteps,
    hand_without_set,
    open_splits,
    split_without_set,
    theorem,
)
from ninefold.audit.finding import Answer, answer
from ninefold.audit.subject import Subject
from ninefold.audit.words import listed, numbers, plural, pool_name
from ninefold.core.game import TABLE_POOL, Game

Fields = Mapping[str, Any]

# At most as many hands are tried as the largest pool with a table has.
MAX_HANDS = 1 << TABLE_POOL
# At most this many sets with a negative number are tried.
MAX_SETS = 5


def set_can_happen(subject: Subject, fields: Fields) -> Answer:
    """A game can be won with this set, or with one that has a negative number."""
    game = subject.game
    if fields.get("negative"):
        return _negative_set(subject)
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
    """Whether both players together can play a game that this set decides."""
    from ninefold.audit.claims.helpful_games import game_with_set

    limit = subject.game.rules.hand_limit
    if limit is not None and len(wanted) > limit:
        return answer(False, f"A hand has at most {plural(limit, 'number')}.")
    found = game_with_set(subject.game, wanted)
    if found.moves is not None:
        return answer(True, f"{numbers(wanted)} decides this game.", subject.show(found.moves))
    if found.settled:
        tried = plural(found.positions, "position")
        return answer(False, f"{numbers(wanted)} cannot decide the game from any of {tried}.")
    return answer(None, f"No game in which {numbers(wanted)} decides was found.")


def _negative_set(subject: Subject) -> Answer:
    """Each set with a negative number is tried, until one decides a game."""
    game = subject.game
    if game.pool[0] >= 0:
        return answer(False, "No number of the pool is negative, so no set has one.")
    whole = list(winning_hands(game))
    limit = game.rules.hand_limit or len(game.pool)
    sets = [item for item in [*game.sets, *whole] if min(item) < 0 and len(item) <= limit]
    tried = []
    for wanted in sets[:MAX_SETS]:
        tried.append(_set_can_happen(subject, wanted))
        if tried[-1].holds:
            return tried[-1]
    complete = not game.whole or 2 ** len(game.pool) <= MAX_HANDS
    if any(item.holds is None for item in tried) or len(tried) < len(sets) or not complete:
        return answer(None, "No game that a set with a negative number decides was found.")
    if sets:
        return answer(False, "No set with a negative number can decide a game.")
    return answer(False, "No winning set that a hand has room for has a negative number.")


def every_number(subject: Subject, _: Fields) -> Answer:
    """Every number belongs to a winning set."""
    used = {number for numbers_ in subject.game.sets for number in numbers_}
    idle = [number for number in subject.game.pool if number not in used]
    count = plural(len(subject.game.sets), "set")
    if not idle:
        return answer(True, f"Each belongs to at least one of {count}.")
    if not subject.game.whole:
        return answer(False, f"These belong to no winning set: {numbers(idle)}.")
    return _in_whole_hands(subject, set(idle))


def _in_whole_hands(subject: Subject, idle: set[int]) -> Answer:
    """Whether each of these numbers belongs to a hand that wins as a whole."""
    hands, complete = winning_hands(subject.game), 2 ** len(subject.game.pool) <= MAX_HANDS
    for hand in hands:
        idle -= set(hand)
        if not idle:
            return answer(True, "Each belongs to a winning set, or to a hand that wins as a whole.")
    if complete:
        return answer(
            False, f"In no winning set, and in no hand that wins: {numbers(sorted(idle))}."
        )
    return answer(None, "There are too many hands to try them all.")


def winning_hands(game: Game) -> Iterator[tuple[int, ...]]:
    """The hands that win as a whole, the smallest first, as far as they can be tried."""
    sizes = range(1, len(game.pool) + 1)
    hands = chain.from_iterable(combinations(game.pool, size) for size in sizes)
    patterns = game.whole
    tried = islice(hands, MAX_HANDS) if patterns else ()
    return (hand for hand in tried if any(pattern.matches(hand) for pattern in patterns))


def any_split(subject: Subject, _: Fields) -> Answer:
    """However the whole pool is shared out, one part holds a set."""
    game = subject.game
    if len(game.pool) <= TABLE_POOL:
        open_ = open_splits(game)
        whole = f"all {2 ** len(game.pool):,} ways to split {pool_name(game.pool)} into two parts"
        if not open_:
            return answer(True, f"In {whole}, one part holds a set.{theorem_words(subject)}")
        text = f"In {open_:,} of {whole}, neither part holds a set"
        found = next(
            one
            for one in range(game.full + 1)
            if game.table and not game.table[one] and not game.table[game.full ^ one]
        )
        other = game.full ^ found
    elif game.whole:
        return answer(None, "There are too many splits to try them all.")
    else:
        try:
            split = split_without_set(game)
        except TooManySteps:
            return answer(None, "There are too many splits to try them all.")
        if split is None:
            known = theorem_words(subject)
            return answer(True, f"In every split of the pool, one part holds a set.{known}")
        text, (found, other) = "Neither part holds a set in this split", split
    return answer(
        False, f"{text}: {numbers(game.numbers(found))} and {numbers(game.numbers(other))}."
    )


def theorem_words(subject: Subject) -> str:
    """The theorem that says the same of every split, as a sentence; empty if there is none."""
    known = theorem(subject.game)
    return f" This confirms {known}." if known else ""


def any_hand(subject: Subject, fields: Fields) -> Answer:
    """Any so many numbers hold a set."""
    game, size = subject.game, fields["numbers"]
    if game.whole:
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
    text = f"{listed(top)} belong to the most sets, {most} each."
    return answer(all(counts.get(number) == most for number in fields["numbers"]), text)
