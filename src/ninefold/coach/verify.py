"""Proof that a strategy card is complete: it is followed to the letter against every reply.

Nothing here comes from the search that made the card, nor from the solver: only the judge is asked.
"""

from typing import NamedTuple

from ninefold.coach.strategy import Card, Line, Reply
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import PASS, Declare, Move, format_move
from ninefold.core.position import Position


class BadCard(NinefoldError):
    """A card that says nothing somewhere, or does not keep its promise."""


class Proof(NamedTuple):
    """How much was checked: how many positions, and the most moves a game took to its end."""

    positions: int
    plies: int


def verify_card(card: Card) -> Proof:
    """Follow the card through every game there can be; raises BadCard at the first that fails."""
    walk = _Walk(card)
    plies = walk.follow(card.start, card.root, ())
    return Proof(len(walk.known), plies)


class _Walk:
    """All games with the card; where several numbers fit one of its rules, each of them."""

    def __init__(self, card: Card) -> None:
        self.card = card
        # None while a position is being looked at: to meet it again then is to go round in circles.
        self.known: dict[tuple[object, int, int], int | None] = {}

    def follow(self, position: Position, line: Line, played: tuple[Move, ...]) -> int:
        """The most moves to the end from here; raises BadCard."""
        if position.outcome is not None:
            self._judge(position, played)
            return 0
        state = (position.key, position.turn, id(line))
        if state not in self.known:
            self.known[state] = None
            self.known[state] = 1 + max(
                self.follow(after, line_after, (*played, move))
                for move, after, line_after in self._moves(position, line, played)
            )
        plies = self.known[state]
        if plies is None and self.card.goal == "win":
            raise BadCard("bad-card", f"This can go on for ever: {_written(played)}")
        return plies or 0

    def _moves(
        self, position: Position, line: Line, played: tuple[Move, ...]
    ) -> list[tuple[Move, Position, Line]]:
        """Every way to go on, and the line of the card that is current then."""
        mine = position.turn == self.card.player
        found = []
        for move in self._choices(position, line, played) if mine else position.legal:
            after = position.play(move)
            reply: Reply = None if mine else move
            skipped = mine and after.turn == position.turn and not after.asking
            answered = not mine and not position.asking
            found.append((move, after, _next(line, reply) if skipped or answered else line))
        return found

    def _choices(self, position: Position, line: Line, played: tuple[Move, ...]) -> list[Move]:
        """What the card tells its player to do; raises BadCard if that is nothing."""
        sets = [Declare(numbers) for numbers in position.sets_of(position.turn)]
        if position.asking:
            return [*sets] or [PASS]
        for rule in self.card.rules:
            if rule == "declare":
                fitting: list[Move] = [*sets]
            else:
                seat = position.turn if rule == "complete" else 3 - position.turn
                fitting = [n for n in position.picks if _completes(position, seat, n)]
            if fitting:
                return fitting
        free = position.picks
        said = [number for number in line.numbers if number in free][:1]
        if not said and len(free) > 1:
            raise BadCard("bad-card", f"The card says nothing after: {_written(played)}")
        return [*(said or free)]

    def _judge(self, position: Position, played: tuple[Move, ...]) -> None:
        outcome, card = position.outcome, self.card
        assert outcome is not None, "only finished games are judged"
        if outcome.winner != card.player and (card.goal == "win" or outcome.winner is not None):
            raise BadCard("bad-card", f"The card does not keep its promise: {_written(played)}")


def _completes(position: Position, seat: int, number: int) -> bool:
    """Whether this player would hold a new set with this number, if it were that player's turn."""
    limit = position.game.rules.hand_limit
    if limit is not None and len(position.hands[seat - 1]) >= limit:
        return False
    before = position.sets_of(seat)
    after = position._replace(turn=seat).play(number).sets_of(seat)
    return bool(set(after) - set(before))


def _next(line: Line, reply: Reply) -> Line:
    """The line that is current after this reply."""
    named = (below for below in line.then if reply in below.replies)
    others = (below for below in line.then if not below.replies)
    return next(named, next(others, line))


def _written(moves: tuple[Move, ...]) -> str:
    return " ".join(map(format_move, moves)) or "the start"
