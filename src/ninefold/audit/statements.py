"""Statements about a game, each tested: true, false or not settled, with what shows it."""

from collections.abc import Callable, Mapping
from typing import Any

from ninefold.audit.figures import DRAW, LINK, OTHER
from ninefold.audit.finding import Answer, Evidence, answer
from ninefold.audit.passing import passing_helps
from ninefold.audit.splits import (
    TooManySteps,
    hand_without_set,
    open_splits,
    split_without_set,
    theorem,
)
from ninefold.audit.subject import Subject
from ninefold.audit.words import (
    SEATS,
    listed,
    moves_words,
    numbers,
    percent,
    plural,
    pool_name,
    result_words,
)
from ninefold.core.game import TABLE_POOL
from ninefold.core.moves import format_move

Fields = Mapping[str, Any]


def judge_statement(subject: Subject, fields: Fields) -> Answer:
    """Whether this statement holds, and why."""
    return _TESTS[fields["kind"]](subject, fields)


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
            (Evidence("A game need not end, though: turns can be given away for ever."),)
            if figures.longest is None
            else ()
        )
        return Answer(True, (Evidence(text), *_why_no_draws(subject), *endless))
    return _no_draws_by_splits(subject)


def _why_no_draws(subject: Subject) -> tuple[Evidence, ...]:
    """What lies behind it: the splits, and the theorem they bear out."""
    if any(decider.kind == LINK for decider in subject.figures.deciding):
        return ()
    found = any_split(subject, {})
    return found.evidence if found.holds else ()


def _no_draws_by_splits(subject: Subject) -> Answer:
    """For a large pool: if every split has a set, nobody gets to the end of the pool."""
    found = any_split(subject, {})
    if found.holds and subject.game.rules.hand_limit is None:
        return found
    return answer(None, f"No draw came up in {_trials(subject)}, which settles nothing.")


def draws_happen(subject: Subject, fields: Fields) -> Answer:
    """A game can end in a draw."""
    found = no_draws(subject, fields)
    return Answer(None if found.holds is None else not found.holds, found.evidence)


def every_rule(subject: Subject, _: Fields) -> Answer:
    """Every pattern, link and limit can make a difference."""
    rules = [rule for rule in subject.rules if rule.kind != "outcome"]
    dead = [rule for rule in rules if rule.alive is False]
    if dead:
        return Answer(False, tuple(Evidence(f"{rule.name} never matters: {rule.text}") for rule in dead))
    if any(rule.alive is None for rule in rules):
        open_ = [rule.name for rule in rules if rule.alive is None]
        return answer(None, f"Nothing is known of {listed(open_)}.")
    shown = [Evidence(f"{rule.name}: {rule.text}", rule.shown) for rule in rules]
    return Answer(True, tuple(shown))


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
    if wanted not in game.patterns:
        return answer(False, f"{numbers(wanted)} is not a winning set.")
    return _set_can_happen(subject, wanted)


def _set_can_happen(subject: Subject, wanted: tuple[int, ...]) -> Answer:
    """One player collects the set, the other one gives the game away as far as the rules allow."""
    from ninefold.audit.wishes import game_with_set

    moves = game_with_set(subject.game, wanted)
    if moves is None:
        return answer(None, f"No game in which {numbers(wanted)} decides was found.")
    return answer(True, f"{numbers(wanted)} decides this game.", subject.show(moves))


def by_force(seat: int | None, wanted: bool) -> Callable[[Subject, Fields], Answer]:
    """A test of who wins by force: this seat (None: nobody) does, or does not."""

    def test(subject: Subject, _: Fields) -> Answer:
        result, plies = subject.value
        if result == "unknown":
            return answer(None, "The search did not finish in time.")
        winner = {"win": 1, "loss": 2}.get(result)
        words = result_words(result, plies)
        text = f"Under best play it is {words}." if winner is None else f"{_capital(words)}."
        return answer((winner == seat) == wanted, text + _line_of_play(subject))

    return test


def _line_of_play(subject: Subject) -> str:
    good = subject.good_openings
    if not good:
        return ""
    kept = [format_move(item.move) for item in good]
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
        from ninefold.audit.sample import wilson

        low, high = wilson(worst, max(chances.trials for chances in perfect))
        holds = holds if not low <= least <= high else None
    return Answer(holds, tuple(map(Evidence, lines)))


def equal_chances(subject: Subject, fields: Fields) -> Answer:
    """Two random players fare alike."""
    chances, within = subject.figures.random, fields.get("within", 5) / 100
    one, two = chances.share(1), chances.share(2)
    text = (
        f"Two random players score {percent(one, chances.trials)} and "
        f"{percent(two, chances.trials)}."
    )
    holds = None if chances.trials else abs(one - two) <= within
    return answer(holds, text)


def at_most_moves(subject: Subject, fields: Fields) -> Answer:
    """No game lasts longer than this."""
    figures, most = subject.figures, fields["moves"]
    if figures.exact and figures.longest is None:
        return answer(False, "A game need not end: turns can be given away for ever.")
    assert figures.longest is not None
    if figures.longest > most:
        text = f"This game has {plural(figures.longest, 'move')}."
        return answer(False, text, subject.show(figures.longest_game))
    if figures.exact:
        text = f"The longest game has {plural(figures.longest, 'move')}."
        return answer(True, text, subject.show(figures.longest_game))
    if most >= len(subject.game.pool) and not _special(subject):
        return answer(True, "Every move takes a number, and there are no more numbers.")
    return answer(None, f"The longest of {_trials(subject)} had {plural(figures.longest, 'move')}.")


def at_least_moves(subject: Subject, fields: Fields) -> Answer:
    """No game is over sooner than this."""
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
        return answer(True, f"Turns alternate, so nobody holds more than {plural(half, 'number')}.")
    return answer(None, f"In {_trials(subject)} nobody held more than {figures.most_numbers}.")


def passing(subject: Subject, _: Fields) -> Answer:
    """Giving a turn away is never better than every number."""
    if not subject.figures.exact:
        return answer(None, "The pool is too large to try every position.")
    moves, looked = passing_helps(subject.game, subject.solver)
    if moves is None:
        return answer(True, f"In none of {plural(looked, 'position')} is a lost turn the best move.")
    text = f"After {moves_words(moves)} it would be best to give the turn away."
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
        listing = listed([format_move(move) for move in kept])
        verb = {"win": "win", "draw": "hold the draw", "loss": "lose no sooner than any"}
        alone = "These openings" if len(kept) != 1 else "This opening"
        rest = "every opening is as good" if len(kept) == len(subject.openings) else "the others are worse"
        return answer(holds, f"{alone} {verb[subject.value.result]}: {listing}; {rest}.")

    return test


def sets_decide(subject: Subject, _: Fields) -> Answer:
    """Every game is decided by a set."""
    for decider, deciding in subject.figures.deciding.items():
        if decider.kind in (LINK, OTHER) and deciding.game is not None:
            return answer(False, "This game is not decided by a set.", subject.show(deciding.game))
    if subject.figures.exact:
        count = plural(subject.figures.finals, "final position")
        return Answer(
            True, (Evidence(f"A set decides each of {count}."), *_why_no_draws(subject))
        )
    return _no_draws_by_splits(subject)


def every_number(subject: Subject, _: Fields) -> Answer:
    """Every number belongs to a winning set."""
    used = {number for numbers_ in subject.game.sets for number in numbers_}
    idle = [number for number in subject.game.pool if number not in used]
    if idle:
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
    return answer(False, f"{text}: {numbers(game.numbers(found))} and {numbers(game.numbers(other))}.")


def _bears_out(subject: Subject) -> str:
    known = theorem(subject.game)
    return f" This bears out {known}." if known else ""


def any_hand(subject: Subject, fields: Fields) -> Answer:
    """Any so many numbers hold a set."""
    game, size = subject.game, fields["numbers"]
    try:
        hand = hand_without_set(game, size)
    except TooManySteps:
        return answer(None, "There are too many hands to try them all.")
    if hand is None:
        return answer(True, f"Every hand of {plural(size, 'number')} holds a set.")
    text = f"{numbers(game.numbers(hand))} are {plural(size, 'number')} without a set."
    return answer(False, text)


def ending_decides(subject: Subject, _: Fields) -> Answer:
    """The ending never leaves two hands equal, on this pool or a smaller one of its shape."""
    if not subject.game.rules.ending:
        return answer(False, "The book has no ending but a draw.")
    used = 0
    for smaller in smaller_pools(subject):
        figures = smaller.figures
        drawn = figures.deciding.get(DRAW)
        if drawn is not None and drawn.game is not None:
            pool = pool_name(smaller.game.pool)
            return answer(
                False, f"With {pool}, the ending leaves this game open.", smaller.show(drawn.game)
            )
        ends = [item.finals for decider, item in figures.deciding.items() if decider.kind == LINK]
        used += sum(ends)
    where = pool_name(subject.game.pool)
    text = f"On {where} and every smaller pool of this shape it decides {plural(used, 'final position')} and leaves none open."
    return answer(True if used else None, text)


def smaller_pools(subject: Subject) -> list[Subject]:
    """The game itself, where it can be counted, and the same rules on the first numbers of its pool."""
    pool = subject.game.pool
    found = [subject] if subject.figures.exact else []
    for size in reversed(range(2, min(len(pool), 11))):
        other = subject.variant(pool=pool[:size])
        if other is not None and other.figures.exact:
            found.append(other)
    return found


def in_most_sets(subject: Subject, fields: Fields) -> Answer:
    """No number belongs to more sets than these."""
    game = subject.game
    counts = {number: sum(number in item for item in game.sets) for number in game.pool}
    most = max(counts.values())
    top = [number for number, count in counts.items() if count == most]
    text = f"The most sets, {most}, go through {listed(top)}."
    return answer(all(counts.get(number) == most for number in fields["numbers"]), text)


def example(subject: Subject, fields: Fields) -> Answer:
    """The example of this name is right."""
    from ninefold.audit.examples import replay

    assert subject.book is not None
    told = next(item for item in subject.book.examples if item["name"] == fields["name"])
    found = replay(subject.book, told)
    if found.right:
        return answer(True, f"{found.name} is right.", found.shown)
    return answer(False, f"{found.name} is wrong: {found.truth}", found.shown)


def _special(subject: Subject) -> bool:
    from ninefold.audit.alive import limits

    return bool(set(limits(subject.game.rules)) - {"hand_limit", "misere"})


def _trials(subject: Subject) -> str:
    return plural(subject.figures.random.trials, "random game")


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


_TESTS: Mapping[str, Callable[[Subject, Fields], Answer]] = {
    "no-draws": no_draws,
    "draws-happen": draws_happen,
    "every-rule-can-happen": every_rule,
    "set-can-happen": set_can_happen,
    "first-player-wins": by_force(1, True),
    "second-player-wins": by_force(2, True),
    "nobody-wins-by-force": by_force(None, True),
    "first-player-does-not-win": by_force(1, False),
    "second-player-does-not-win": by_force(2, False),
    "skill-beats-luck": skill,
    "equal-chances": equal_chances,
    "at-most-moves": at_most_moves,
    "at-least-moves": at_least_moves,
    "at-most-numbers": at_most_numbers,
    "passing-never-helps": passing,
    "good-openings": openings(only=False),
    "best-openings": openings(only=True),
    "sets-decide": sets_decide,
    "every-number-counts": every_number,
    "any-split": any_split,
    "any-hand": any_hand,
    "ending-decides": ending_decides,
    "in-most-sets": in_most_sets,
    "example": example,
}
