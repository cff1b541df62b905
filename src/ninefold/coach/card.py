"""A strategy card: general rules, and lines of moves to try in order; as data and as text.

On every turn the general rules come first: complete a set, or else stop the opponent's. If they
say nothing, the current line of the card does: the first of its moves that is possible. If none
is, the only number left is taken. After each turn of the opponent, the line below that names it
becomes the current one; if there is none, the same line stays.
"""

from collections.abc import Iterator
from math import inf
from typing import Literal, TypeAlias

from ninefold.coach.hint import after_turn
from ninefold.coach.words import DEEDS
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, SpecialMove, format_move
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple, listed, plural

Rule: TypeAlias = Literal["declare", "complete", "stop"]
Goal: TypeAlias = Literal["win", "draw"]
# All the moves of a turn of the opponent; none if a full hand is skipped.
Reply: TypeAlias = tuple[Move, ...]

_RULES = {
    "declare": "If you hold a set, declare it.",
    "complete": "If a number completes a set for you, take it.",
    "stop": "If a number would complete a set for your opponent, take it.",
}
# If a turn has several numbers, a set may take more than one of them.
_IN_A_TURN = "If you can complete a set this turn, do it."
_NUMBERS = "take the first of its numbers that is free"
_MOVES = "make the first of its moves that is possible"
# The last number, without and with rules about what may be taken.
_LEFT = ("number that is left", "only number you may take")


class Line(NamedTuple):
    """One line of a card: on these replies (none named: any other), these moves in this order."""

    replies: tuple[Reply, ...]
    numbers: tuple[Move, ...]
    then: tuple["Line", ...] = ()

    @property
    def size(self) -> int:
        """How many lines this is on paper, with everything below it."""
        return 1 + sum(line.size for line in self.then)


class Card(NamedTuple):
    """A complete strategy for one player from one position: it wins, or never loses."""

    start: Position
    player: int
    goal: Goal
    rules: tuple[Rule, ...]
    root: Line  # begins with the opening; without numbers if the opponent moves first

    def __repr__(self) -> str:
        promise = "wins" if self.goal == "win" else "never loses"
        lines = self.root.size if self.root.numbers else self.root.size - 1
        return f"<Card of {self.start.game.name}: player {self.player} {promise}, {lines} lines>"


class Proof(NamedTuple):
    """How much was checked: how many positions, and the most moves a game took to its end."""

    positions: int
    plies: int
    takes_last: bool = False  # whether the only number left was ever taken without being named


def moves_by_rule(position: Position, rule: Rule) -> list[Move]:
    """What a general rule allows the player to act: any set, any way to one, or any stop."""
    player = position.turn
    if rule == "declare":
        return [Declare(numbers) for numbers in position.sets_of(player)]
    threats = {*position.threats(player if rule == "complete" else 3 - player)}
    if rule == "complete" and position.picks_left > 1:
        for number in position.picks:
            after = after_turn(position, number)
            if is_same_turn(position, after) and moves_by_rule(after, "complete"):
                threats.add(number)
    return [number for number in position.picks if number in threats]


def reply_of(game: Game, moves: tuple[Move, ...]) -> Reply:
    """The turn that these moves of the opponent are; sorted, unless their order matters."""
    if game.rules.sees_order or game.picks.sees:
        return moves
    return tuple(sorted(moves, key=lambda move: move if isinstance(move, int) else inf))


def is_same_turn(before: Position, after: Position) -> bool:
    """Whether the player of a move is still in the same turn, with another number to take."""
    return after.outcome is None and after.turn == before.turn and after.picked > 0


def text(card: Card, title: str, proof: Proof) -> str:
    """The card as plain lines."""
    lines = [f"{'  ' * depth}{line}" for depth, line in _lines(card)]
    parts = ([title, _promise(card)], _rules(card, proof), lines, [_checked(card, proof)])
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def markdown(card: Card, title: str, proof: Proof) -> str:
    """The card as a Markdown page."""
    lines = [f"{'  ' * depth}- {line}" for depth, line in _lines(card)]
    intro, *rules = _rules(card, proof)
    blocks = [f"# {title}", _promise(card), intro, "\n".join(rules), "\n".join(lines)]
    return "\n\n".join(filter(None, [*blocks, _checked(card, proof)])) + "\n"


def as_data(card: Card, proof: Proof) -> dict[str, object]:
    """The card for programs: ``replies`` is null if a line is for any other reply."""
    return {
        "player": card.player,
        "goal": card.goal,
        "rules": card.rules,
        "card": _line_data(card.root),
        "verified": proof._asdict(),
    }


def _promise(card: Card) -> str:
    on_move = card.start.turn == card.player
    if any(card.start.hands):
        when = "is to move" if on_move else "moves next but one"
    else:
        when = "moves first" if on_move else "moves second"
    what = "wins" if card.goal == "win" else "never loses"
    return f"Player {card.player} {when}, and {what} with this card."


def _checked(card: Card, proof: Proof) -> str:
    end = "won" if card.goal == "win" else "won or drawn"
    positions, moves = plural(proof.positions, "position"), plural(proof.plies, "move")
    return f"Checked against every reply: {positions}, every game {end} in at most {moves}."


def _rules(card: Card, proof: Proof) -> list[str]:
    """What to do on every turn: a sentence, and numbered rules if there are any."""
    limited = card.start.game.picks.limited_later
    follow, rest = f"take the {_LEFT[limited]}", list[str]()
    if any(_lines(card)):
        rest = [f"If none of them is possible, {follow}."] * proof.takes_last
        follow = f"follow the card: {_MOVES if limited or _has_special(card.root) else _NUMBERS}"
    if not card.rules:
        return [f"On every turn, {follow}.", *rest]
    several = card.start.game.rules.picks_per_turn > 1
    rules = {**_RULES, "complete": _IN_A_TURN} if several else _RULES
    ordered = [*(rules[rule] for rule in card.rules), f"Otherwise, {follow}.", *rest]
    if card.start.game.rules.losses:
        ordered = [rule.replace(" a set", " a winning set") for rule in ordered]
    when = "For every number you take" if several else "On every turn"
    numbered = [f"{at}. {rule}" for at, rule in enumerate(ordered, 1)]
    return [f"{when}, do the first of these that applies:", *numbered]


def _has_special(line: Line) -> bool:
    """Whether the card ever says anything but numbers."""
    here = any(isinstance(move, SpecialMove) for move in line.numbers)
    return here or any(map(_has_special, line.then))


def _lines(card: Card) -> Iterator[tuple[int, str]]:
    root = card.root
    if root.numbers:
        first = root.numbers[0]
        opening = f"{'Take' if any(card.start.hands) else 'Open with'} {_spoken(first)}"
        if isinstance(first, SpecialMove):
            opening = _spoken(first).capitalize()
        rest = f", then: {_numbers(root.numbers[1:])}" if root.numbers[1:] else "."
        yield 0, opening + rest
    last = f"the {_LEFT[card.start.game.picks.limited_later]}"
    yield from _below(root, 0, "follow the rules" if card.rules else last)


def _below(line: Line, depth: int, default: str) -> Iterator[tuple[int, str]]:
    for below in line.then:
        when = _condition(below.replies) if below.replies else "After anything else"
        if len(line.then) == 1:
            when = "After any reply"
        yield depth, f"{when}: {_numbers(below.numbers) or default}"
        yield from _below(below, depth + 1, default)


def _numbers(moves: tuple[Move, ...]) -> str:
    return " ".join(map(format_move, moves))


def _condition(replies: tuple[Reply, ...]) -> str:
    """If they take 4 or 5, or pass."""
    taken, other = list[str](), list[str]()
    for moves in replies:
        words = listed(map(_spoken, moves)) or "cannot move"
        (taken if moves and isinstance(moves[0], int) else other).append(words)
    conditions = [f"take {listed(taken, 'or')}"] if taken else []
    return f"If they {', or '.join([*conditions, *other])}"


def _spoken(move: Move) -> str:
    return DEEDS[move][0] if isinstance(move, SpecialMove) else format_move(move)


def _line_data(line: Line) -> dict[str, object]:
    return {
        "replies": [_numbers(reply) or None for reply in line.replies] or None,
        "numbers": [m if isinstance(m, int) else format_move(m) for m in line.numbers],
        "then": [_line_data(below) for below in line.then],
    }
