"""A strategy card in words: for the terminal, as Markdown, and as data."""

from collections.abc import Iterator

from ninefold.coach.lines import Card, Line, Reply
from ninefold.coach.verify import Proof
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove, format_move

_RULES = {
    "declare": "If you hold a set, declare it.",
    "complete": "If a number completes a set for you, take it.",
    "stop": "If a number would complete a set for your opponent, take it.",
}
# Where a turn has several numbers, a set may take more than one of them.
_IN_A_TURN = "If you can complete a set in this turn, do."
_FOLLOW = "On every turn, follow the card: {first}."
# A card without a line: whatever the rules leave open, there is no choice.
_LEFT = "Otherwise the number that is left."
_CARD = "Otherwise the card: {first}."
_FIRST = {PASS: "Pass", SWAP: "Swap", LOST: "Lose the turn"}
_REPLIES = {PASS: "a pass", SWAP: "a swap", LOST: "a lost turn"}
_NUMBERS = "the first of its numbers that is free"
_MOVES = "the first of its moves that is possible"


def text(card: Card, title: str, proof: Proof) -> str:
    """The card as plain lines."""
    lines = [f"{'  ' * depth}{line}" for depth, line in _lines(card)]
    parts = ([title, promise(card)], _rules(card), lines, [checked(card, proof)])
    return "\n\n".join("\n".join(part) for part in parts if part) + "\n"


def markdown(card: Card, title: str, proof: Proof) -> str:
    """The card as a Markdown page."""
    lines = [f"{'  ' * depth}- {line}" for depth, line in _lines(card)]
    intro, *rules = _rules(card)
    blocks = [f"# {title}", promise(card), intro, "\n".join(rules), "\n".join(lines)]
    return "\n\n".join(filter(None, [*blocks, checked(card, proof)])) + "\n"


def as_data(card: Card, proof: Proof) -> dict[str, object]:
    """The card for programs: ``replies`` is null where a line is for any other reply."""
    return {
        "player": card.player,
        "goal": card.goal,
        "rules": card.rules,
        "card": _line_data(card.root),
        "verified": {"positions": proof.positions, "plies": proof.plies},
    }


def promise(card: Card) -> str:
    """What the card does for its player."""
    if any(card.start.hands):
        when = "is to move" if card.start.turn == card.player else "is not to move"
    else:
        when = "moves first" if card.start.turn == card.player else "moves second"
    what = "wins" if card.goal == "win" else "never loses"
    return f"Player {card.player} {when}, and {what} with this card."


def checked(card: Card, proof: Proof) -> str:
    """What the proof says."""
    end = "won" if card.goal == "win" else "won or drawn"
    positions = f"{proof.positions:,} positions" if proof.positions != 1 else "1 position"
    moves = f"{proof.plies} moves" if proof.plies != 1 else "1 move"
    return f"Checked against every reply: {positions}, every game {end}, in {moves} at the most."


def _rules(card: Card) -> list[str]:
    """What to do on every turn: a sentence, and numbered rules if there are any beside the card."""
    bare = next(_lines(card), None) is None
    words = any(isinstance(move, SpecialMove) for move in _all_moves(card.root))
    first = _MOVES if words else _NUMBERS
    if not card.rules:
        follow = _FOLLOW.format(first=f"take {first}" if not words else first)
        return ["On every turn, take the number that is left." if bare else follow]
    several = card.start.game.rules.picks_per_turn > 1
    told = {**_RULES, "complete": _IN_A_TURN} if several else _RULES
    rules = [*(told[rule] for rule in card.rules), _LEFT if bare else _CARD.format(first=first)]
    numbered = [f"{at}. {rule}" for at, rule in enumerate(rules, 1)]
    head = "On every turn" if not several else "For every number you take"
    return [f"{head}, the first of these that applies:", *numbered]


def _all_moves(line: Line) -> Iterator[Move]:
    yield from line.numbers
    for below in line.then:
        yield from _all_moves(below)


def _lines(card: Card) -> Iterator[tuple[int, str]]:
    """Each line of the card with its depth."""
    root = card.root
    if root.numbers:
        first = root.numbers[0]
        opening = f"{'Take' if any(card.start.hands) else 'Open with'} {format_move(first)}"
        if isinstance(first, SpecialMove):
            opening = _FIRST[first]
        rest = f", then: {_numbers(root.numbers[1:])}" if root.numbers[1:] else "."
        yield 0, opening + rest
    yield from _below(root, 0, "follow the rules" if card.rules else "the number that is left")


def _below(line: Line, depth: int, default: str) -> Iterator[tuple[int, str]]:
    for below in line.then:
        on = _any_of(below.replies) if below.replies else "anything else"
        if len(line.then) == 1:
            on = "any reply"
        yield depth, f"On {on}: {_numbers(below.numbers) or default}"
        yield from _below(below, depth + 1, default)


def _numbers(moves: tuple[Move, ...]) -> str:
    return " ".join(map(format_move, moves))


def _any_of(replies: tuple[Reply, ...]) -> str:
    *most, last = map(_reply, replies)
    return f"{', '.join(most)} or {last}" if most else last


def _reply(reply: Reply) -> str:
    if reply is None:
        return "no reply (a full hand)"
    if isinstance(reply, SpecialMove):
        return _REPLIES[reply]
    return _written(reply)


def _written(reply: Move | tuple[Move, ...]) -> str:
    """A reply in the one notation: a move, or the moves of a turn."""
    if isinstance(reply, tuple) and not isinstance(reply, Declare):
        return _numbers(reply)
    return format_move(reply)


def _line_data(line: Line) -> dict[str, object]:
    return {
        "replies": [None if r is None else _written(r) for r in line.replies] or None,
        "numbers": [m if isinstance(m, int) else format_move(m) for m in line.numbers],
        "then": [_line_data(below) for below in line.then],
    }
