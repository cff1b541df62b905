"""Proof that a strategy card is complete: it is followed to the letter against every reply.

Nothing here comes from the search that made the card, nor from the solver: only the judge is asked.
"""

from typing import NamedTuple, TypeAlias

from ninefold.coach.lines import Card, Line, Reply, Rule, goes_on, reply_of
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


# A move, where it leads, the line that is current then, and the moves of a turn that goes on.
_Step: TypeAlias = tuple[Move, Position, Line, tuple[Move, ...]]


class _Walk:
    """All games with the card; where several numbers fit one of its rules, each of them."""

    def __init__(self, card: Card) -> None:
        self.card = card
        # None while a position is being looked at: to meet it again then is to go round in circles.
        self.known: dict[tuple[object, ...], int | None] = {}

    def follow(
        self, position: Position, line: Line, played: tuple[Move, ...], turn: tuple[Move, ...] = ()
    ) -> int:
        """The most moves to the end from here, in the middle of this turn; raises BadCard."""
        if position.outcome is not None:
            self._judge(position, played)
            return 0
        state = (position.key, position.turn, id(line), turn)
        if state not in self.known:
            self.known[state] = None
            self.known[state] = 1 + max(
                self.follow(after, line_after, (*played, move), turn_after)
                for move, after, line_after, turn_after in self._moves(position, line, played, turn)
            )
        plies = self.known[state]
        if plies is None and self.card.goal == "win":
            raise BadCard("bad-card", f"This can go on for ever: {_written(played)}")
        return plies or 0

    def _moves(
        self, position: Position, line: Line, played: tuple[Move, ...], turn: tuple[Move, ...]
    ) -> list[_Step]:
        """Every way to go on, the line of the card that is current then, and the turn so far."""
        if position.turn != self.card.player:
            return [self._reply(position, line, move, turn) for move in position.legal]
        found: list[_Step] = []
        for move in self._choices(position, line, played):
            after = position.play(move)
            same = after.asking or goes_on(position, after)
            skipped = after.turn == position.turn and not same
            found.append((move, after, _next(line, None) if skipped else line, ()))
        return found

    def _reply(self, position: Position, line: Line, move: Move, turn: tuple[Move, ...]) -> _Step:
        """A move of the opponent: with the last one of a turn, its line becomes the current one."""
        after = position.play(move)
        turn = turn if position.asking else (*turn, move)
        if after.turn == position.turn and (after.asking or goes_on(position, after)):
            return move, after, line, turn
        return move, after, _next(line, reply_of(position.game, turn)) if turn else line, ()

    def _choices(self, position: Position, line: Line, played: tuple[Move, ...]) -> list[Move]:
        """What the card tells its player to do; raises BadCard if that is nothing."""
        sets = [Declare(numbers) for numbers in position.sets_of(position.turn)]
        if position.asking:
            return [*sets] or [PASS]
        for rule in self.card.rules:
            fitting: list[Move] = [*sets] if rule == "declare" else _fitting(position, rule)
            if fitting:
                return fitting
        said = [move for move in line.numbers if move in position.legal][:1]
        free = position.picks
        if not said and len(free) > 1:
            raise BadCard("bad-card", f"The card says nothing after: {_written(played)}")
        return [*(said or free)]

    def _judge(self, position: Position, played: tuple[Move, ...]) -> None:
        outcome, card = position.outcome, self.card
        assert outcome is not None, "only finished games are judged"
        if outcome.winner != card.player and (card.goal == "win" or outcome.winner is not None):
            raise BadCard("bad-card", f"The card does not keep its promise: {_written(played)}")


def _fitting(position: Position, rule: Rule) -> list[Move]:
    """The numbers that a rule about sets allows: any way to a set in this turn, or any stop."""
    if rule == "stop":
        return [n for n in position.picks if _completes(position, 3 - position.turn, n)]
    return [n for n in position.picks if _leads_to_set(position, n)]


def _leads_to_set(position: Position, number: int) -> bool:
    """Whether the player to act completes a set in this turn, with this number or after it."""
    if _completes(position, position.turn, number):
        return True
    after = position.play(number)
    after = after.play(PASS) if after.asking else after
    if not goes_on(position, after):
        return False
    return any(_leads_to_set(after, other) for other in after.picks)


def _completes(position: Position, seat: int, number: int) -> bool:
    """Whether this player would hold a new set with this number, if it were that player's turn."""
    game, hand, mask = position.game, position.hands[seat - 1], position.masks[seat - 1]
    limit = game.rules.hand_limit
    if limit is not None and len(hand) >= limit:
        return False
    after = game.sets_in(mask | game.bits[number], (*hand, number))
    return bool(set(after) - set(position.sets_of(seat)))


def _next(line: Line, reply: Reply) -> Line:
    """The line that is current after this reply."""
    named = (below for below in line.then if reply in below.replies)
    others = (below for below in line.then if not below.replies)
    return next(named, next(others, line))


def _written(moves: tuple[Move, ...]) -> str:
    return " ".join(map(format_move, moves)) or "the start"
