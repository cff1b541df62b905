"""Statements about winning sets: which can happen, and which splits and hands have one."""

from collections.abc import Iterator
from itertools import chain, combinations, count, islice, permutations

from ninefold.audit.claims.splits import split_without_set, theorem_words
from ninefold.audit.figures import Moves
from ninefold.audit.finding import Answer, answer
from ninefold.audit.subject import Subject
from ninefold.audit.words import pool_name
from ninefold.books.claims import Claim
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, SpecialMove
from ninefold.core.position import Position
from ninefold.core.sets import TABLE_POOL
from ninefold.core.text import listed, plural
from ninefold.pages.words import numbers
from ninefold.solver.breadth_first import BreadthFirst, TooLarge, end_key, legal_steps

# At most as many hands are tried as the largest pool with a table has.
MAX_HANDS = 1 << TABLE_POOL
# At most this many sets with a negative number are tried.
MAX_SETS = 5
# At most this many positions are tried to find a game that a set decides.
MAX_STEPS = 20_000


def set_can_happen(subject: Subject, claim: Claim) -> Answer:
    """A game can be won with this set, or with one that has a negative number."""
    game = subject.game
    if claim.get("negative"):
        return _negative_set(subject)
    wanted = tuple(sorted(claim["set"]))
    for number in wanted:
        if wanted.count(number) > 1:
            return answer(False, f"There is only one {number}, and it can be claimed once.")
        if number not in game.bits:
            return answer(False, f"{number} is not in the pool.")
    mask, lose = game.mask(wanted), " or losing" if game.rules.losses else ""
    both = game.wins, game.losses
    if not any(wanted in of.patterns or wanted in of.held(mask, wanted) for of in both):
        return answer(False, f"{numbers(wanted)} is not a winning{lose} set.")
    return _set_can_happen(subject, wanted)


def _set_can_happen(subject: Subject, wanted: tuple[int, ...]) -> Answer:
    """Whether both players together can play a game that this set decides.

    At first one player takes only numbers of the set and the other one none of them. If no such
    game is found, every move is tried.
    """
    game, name = subject.game, numbers(wanted)
    limit, shared = game.rules.hand_limit, game.wins.shared or game.losses.shared
    if limit is not None and len(wanted) > limit and not shared:
        return answer(False, f"A hand has at most {plural(limit, 'number')}.")
    for order in permutations(wanted) if game.rules.in_order else [wanted]:
        for seat in (1, 2):
            if moves := _help(game, order, seat):
                return answer(True, f"{name} decides this game.", subject.show(moves))
    walk = BreadthFirst(game.start(), legal_steps, end_key, MAX_STEPS)
    try:
        for at in walk:
            outcome = walk.nodes[at].outcome
            if outcome is not None and wanted in outcome.sets:
                return answer(True, f"{name} decides this game.", subject.show(walk.path(at)))
    except TooLarge:
        return answer(None, f"No game in which {name} decides was found.")
    positions = plural(sum(node.outcome is None for node in walk.nodes), "position")
    return answer(False, f"{name} cannot decide the game from any of {positions}.")


def _help(game: Game, order: tuple[int, ...], seat: int) -> Moves | None:
    steps = count()

    def go_on(position: Position, moves: Moves) -> Moves | None:
        if position.outcome is not None:
            return moves if tuple(sorted(order)) in position.outcome.sets else None
        if next(steps) > MAX_STEPS or len(moves) > 4 * len(order) + 4:
            return None
        choices = _choices(position, order, seat)
        found = (go_on(position.play(move), (*moves, move)) for move in choices)
        return next(filter(None, found), None)

    return go_on(game.start(), ())


def _choices(position: Position, order: tuple[int, ...], seat: int) -> list[Move]:
    """The moves that help: the next number of the set, or any other that decides nothing."""
    legal = position.legal
    wish = Declare(tuple(sorted(order)))
    if wish in legal:
        return [wish]
    quiet: list[Move] = [move for move in legal if isinstance(move, SpecialMove)]
    if position.turn == seat:
        rest = [number for number in order if number in position.available]
        rest = rest if position.game.picks.can_stick else rest[:1]
        return [move for move in rest if move in legal] or quiet
    return [*(move for move in legal if isinstance(move, int) and move not in order), *quiet]


def _negative_set(subject: Subject) -> Answer:
    """Each set with a negative number is tried, until one decides a game."""
    game = subject.game
    if game.pool[0] >= 0:
        return answer(False, "No number of the pool is negative, so no set has one.")
    limit = None if game.wins.shared or game.losses.shared else game.rules.hand_limit
    every = [*game.sets, *winning_hands(game)]
    sets = [item for item in every if min(item) < 0 and (limit is None or len(item) <= limit)]
    tried = []
    for wanted in sets[:MAX_SETS]:
        tried.append(_set_can_happen(subject, wanted))
        if tried[-1].holds:
            return tried[-1]
    settled = all(item.holds is False for item in tried) and len(tried) == len(sets)
    if not settled or not _can_try_all_hands(game):
        return answer(None, "No game that a set with a negative number decides was found.")
    if sets:
        return answer(False, "No set with a negative number can decide a game.")
    return answer(False, "No winning set that a hand has room for has a negative number.")


def every_number(subject: Subject, _: Claim) -> Answer:
    """Every number belongs to a winning set, or to a hand that wins as a whole."""
    game = subject.game
    idle = set(game.pool).difference(*game.sets)
    if not idle:
        return answer(True, f"Each belongs to at least one of {plural(len(game.sets), 'set')}.")
    if not game.whole:
        return answer(False, f"These belong to no winning set: {numbers(sorted(idle))}.")
    for hand in winning_hands(game):
        idle -= set(hand)
        if not idle:
            return answer(True, "Each belongs to a winning set, or to a hand that wins as a whole.")
    if not _can_try_all_hands(game):
        return answer(None, "There are too many hands to try them all.")
    return answer(False, f"In no winning set, and in no hand that wins: {numbers(sorted(idle))}.")


def winning_hands(game: Game) -> Iterator[tuple[int, ...]]:
    """The hands that win as a whole, the smallest first, as far as they can be tried."""
    sizes = range(1, len(game.pool) + 1)
    hands = chain.from_iterable(combinations(game.pool, size) for size in sizes)
    tried = islice(hands, MAX_HANDS) if game.whole else ()
    return (hand for hand in tried if any(game.wins.matches(one, hand) for one in game.whole))


def _can_try_all_hands(game: Game) -> bool:
    return not game.whole or 2 ** len(game.pool) <= MAX_HANDS


def any_split(subject: Subject, _: Claim) -> Answer:
    """However the whole pool is shared out, one part holds a set."""
    game, table = subject.game, subject.game.table
    if game.wins.shared:
        return answer(None, "The numbers of both players count together, so no part holds a set.")
    if table is not None:
        ways = f"all {len(table):,} ways to split {pool_name(game.pool)} into two parts"
        free = [one for one in range(len(table)) if not table[one] and not table[game.full ^ one]]
        every, some = f"In {ways}", f"In {len(free):,} of {ways}, neither part holds a set"
        split = (free[0], game.full ^ free[0]) if free else None
    else:
        every, some = "In every split of the pool", "Neither part holds a set in this split"
        try:
            split = split_without_set(game)
        except TooLarge:
            return answer(None, "There are too many splits to try them all.")
    if split is None:
        text = f"{every}, one part holds a set.{theorem_words(game)}"
        if game.picks.can_stick:
            text += " But a game can end before all numbers are taken."
        return answer(True, text)
    one, two = (numbers(game.numbers(part)) or "nothing" for part in split)
    return answer(False, f"{some}: {one} and {two}.")


def any_hand(subject: Subject, claim: Claim) -> Answer:
    """Any so many numbers hold a set."""
    game, count = subject.game, plural(claim["numbers"], "number")
    if game.whole:
        return answer(None, "More numbers may spoil a hand in this game.")
    try:
        split = split_without_set(game, (claim["numbers"], 0))
    except TooLarge:
        return answer(None, "There are too many hands to try them all.")
    if split is None:
        return answer(True, f"Every hand of {count} holds a set.")
    return answer(False, f"{numbers(game.numbers(split[0]))} are {count} without a set.")


def in_most_sets(subject: Subject, claim: Claim) -> Answer:
    """No number belongs to more sets than these."""
    game = subject.game
    if game.whole:
        return answer(None, "Hands win as a whole in this game, so not all sets can be listed.")
    counts = {number: sum(number in item for item in game.sets) for number in game.pool}
    most = max(counts.values())
    top = [number for number, count in counts.items() if count == most]
    text = f"{listed(top)} belong to the most sets, {most} each."
    return answer(all(counts.get(number) == most for number in claim["numbers"]), text)
