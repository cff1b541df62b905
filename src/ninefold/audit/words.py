"""Numbers, sets, rules and results in words."""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from ninefold.audit.figures import LOSS, OTHER, PATTERN, Decider
from ninefold.audit.finding import BestPlay
from ninefold.books.families import counted
from ninefold.core.game import Game
from ninefold.core.moves import AnyMove, Move, SpecialMove, as_move
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.text import listed, plural, spans
from ninefold.pages.shown import Shown
from ninefold.pages.words import SPECIAL_WORDS, move_words, numbers

# More moves than this are named, and listed in tables, in groups.
MANY = 20
SEATS = {1: "the first player", 2: "the second player"}


def move_names(written: Iterable[AnyMove]) -> list[str]:
    """Moves in words; where there are many, numbers in a row are one span."""
    moves = [as_move(move) for move in written]
    numbers = [move for move in moves if isinstance(move, int)]
    others = [move_words(move) for move in moves if not isinstance(move, int)]
    return [*(spans(numbers) if len(numbers) > MANY else map(str, numbers)), *others]


def would_open(written: Sequence[str]) -> str:
    """What a player would do who begins with one of these: open with 3 or 4, or lose the turn."""
    deeds = {move.value: SPECIAL_WORDS[move][1] for move in SpecialMove}
    others = [deeds[move] for move in written if move in deeds]
    picks = [move for move in written if move not in deeds]
    if not picks:
        return listed(others, "or")
    return ", or ".join([f"open with {listed(picks, 'or')}", *others])


def pool_name(pool: tuple[int, ...]) -> str:
    """A pool in short: 1-9, or its numbers."""
    steps = {high - low for low, high in pairwise(pool)}
    if len(pool) > 2 and steps == {1}:
        return f"{pool[0]} to {pool[-1]}"
    if len(pool) > 12:
        return f"{numbers(pool[:4])} ... {pool[-1]}"
    return numbers(pool)


def pattern_name(pattern: Pattern) -> str:
    """A pattern as the book names it: arithmetic (length 3), or evens (kind even, count 3)."""
    values = []
    for key, value in pattern.parameters:
        if isinstance(value, tuple):
            size = plural(len(value), "set") if key == "sets" else len(value)
            values.append(f"{size} listed")
        else:
            values.append(key if value is True else f"{key} {value}")
    if pattern.name and pattern.family not in ("kind", "sets"):
        values.insert(0, pattern.family)
    return f"{pattern.label} ({', '.join(values)})" if values else pattern.label


def link_name(game: Game, at: int) -> str:
    """A link of the ending: last-pick (lower wins)."""
    link = game.rules.ending[at]
    words = [f"{link.prefer} wins"]
    if link.target:
        words.append(f"target {link.target}")
    if not link.exceeding:
        words.append("not exceeding it")
    if link.kind:
        words.append(counted(link))
    if link.among == "highest":
        words.append("the highest of equal runs")
    return f"{link.measure} ({', '.join(words)})"


def decider_name(game: Game, decider: Decider) -> str:
    """A rule that decides games, as the report names it."""
    rules, at = game.rules, decider.at
    if decider.kind == OTHER:
        return f"otherwise {decider.name}"
    if decider.kind == LOSS:
        return f"losing {pattern_name(rules.losses[at])}"
    return pattern_name(rules.wins[at]) if decider.kind == PATTERN else link_name(game, at)


def only_moves(one: Position, two: Position) -> list[Move]:
    """The moves that are possible in the first of two positions, but not in the second."""
    there = two.legal
    return [move for move in one.legal if move not in there]


def choices_words(one: Position, two: Position, names: tuple[str, str]) -> str:
    """Which moves are possible in only one of two positions, with the words for each of them."""
    only = zip((only_moves(one, two), only_moves(two, one)), names, strict=True)
    return " and ".join(
        f"{listed(move_names(found))} {'is' if len(found) == 1 else 'are'} possible only {name}"
        for found, name in only
        if found
    )


def result_words(result: str, plies: int | None, endless: bool | None = False) -> str:
    """Who wins under best play, from the first player's result; a draw may be an endless game."""
    who = {"win": "the first player wins", "loss": "the second player wins"}
    if result in who:
        return who[result] + ("" if plies is None else f" in {plural(plies, 'move')}")
    draws = {False: "a draw", True: "the game never ends", None: "a draw or an endless game"}
    return draws[endless] if result == "draw" else "not settled"


def decided_by(best: BestPlay, misere: bool) -> str:
    """What decides if the winner wins as soon as possible and the loser delays it."""
    found = [rule for rule in best.rules if rule.quickest]
    sets = [rule.name for rule in found if rule.kind in (PATTERN, LOSS)]
    others = [rule.name for rule in found if rule.kind not in (PATTERN, LOSS)]
    parts = []
    if sets:
        owner = "a set of the loser" if misere else "a set"
        parts.append(f"by {owner}, {listed(sets, 'or')}")
    if others:
        parts.append(f"on the tie-break, {listed(others, 'or')}")
    return ", or ".join(parts)


def span(least: int, most: int) -> str:
    """How many moves: 5 moves, or 5 to 9 moves."""
    return plural(most, "move") if least == most else f"{least} to {plural(most, 'move')}"


def after_words(shown: Shown) -> str:
    """When something happens: after 5 3 2, or at the start."""
    return f"after {shown.words}" if shown.moves else "at the start"
