"""Proof that a strategy card is complete: it is followed to the letter against every reply.

Nothing here comes from the search that made the card, nor from the solver: only the judge is asked.
"""

from collections.abc import Iterator
from typing import TypeAlias

from ninefold.coach.card import Card, Line, Proof, Reply, is_same_turn, moves_by_rule, reply_of
from ninefold.coach.words import format_choice
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import PASS, Move
from ninefold.core.position import Position


class BadCard(NinefoldError):
    """A card that says nothing somewhere, or does not keep its promise."""

    def __init__(self, reason: str, played: tuple[Move, ...]) -> None:
        moves = " ".join(map(format_choice, played)) or "the start"
        super().__init__("bad-card", f"{reason}: {moves}")


# A moment of a game with the card: the current line, and the opponent's turn so far.
_State: TypeAlias = tuple[Position, Line, tuple[Move, ...]]


def verify_card(card: Card) -> Proof:
    """Follow the card through every game there can be; raises BadCard at the first that fails."""
    check = _Check(card)
    plies = check.longest((card.start, card.root, ()), ())
    return Proof(len(check.known), plies, check.takes_last)


class _Check:
    """All games with the card; if several numbers fit one of its rules, each of them."""

    def __init__(self, card: Card) -> None:
        self.card = card
        # None while a state is being looked at: to meet it again means to go round in circles.
        self.known: dict[tuple[object, ...], int | None] = {}
        self.takes_last = False

    def longest(self, state: _State, played: tuple[Move, ...]) -> int:
        """The most moves to the end from here, after these moves; raises BadCard."""
        (position, line, turn), card = state, self.card
        if position.outcome is not None:
            winner = position.outcome.winner
            if winner != card.player and (card.goal == "win" or winner is not None):
                raise BadCard("The card does not keep its promise after", played)
            return 0
        key = position.key, position.turn, id(line), turn
        if key not in self.known:
            self.known[key] = None
            self.known[key] = 1 + max(
                self.longest(after, (*played, move)) for move, after in self._moves(state, played)
            )
        plies = self.known[key]
        if plies is None and card.goal == "win":
            raise BadCard("The game can go on forever after", played)
        return plies or 0

    def _moves(self, state: _State, played: tuple[Move, ...]) -> Iterator[tuple[Move, _State]]:
        """Every move that the card or the opponent can make, and what it leads to."""
        position, line, turn = state
        mine = position.turn == self.card.player
        for move in self._choices(position, line, played) if mine else position.legal:
            after = position.play(move)
            reply = turn if mine or position.asking else (*turn, move)
            same = after.turn == position.turn
            if same and (after.asking or is_same_turn(position, after)):
                yield move, (after, line, reply)
            elif reply:
                # The last move of the opponent's turn makes its line the current one.
                yield move, (after, _next(line, reply_of(position.game, reply)), ())
            else:
                yield move, (after, _next(line, ()) if mine and same else line, ())

    def _choices(self, position: Position, line: Line, played: tuple[Move, ...]) -> list[Move]:
        """What the card tells its player to do; raises BadCard if that is nothing."""
        if position.asking:
            return moves_by_rule(position, "declare") or [PASS]
        for rule in self.card.rules:
            if allowed := moves_by_rule(position, rule):
                return allowed
        said = [move for move in line.numbers if move in position.legal][:1]
        free = position.picks
        if not said and len(free) > 1:
            raise BadCard("The card says nothing after", played)
        self.takes_last = self.takes_last or not said
        return [*(said or free)]


def _next(line: Line, reply: Reply) -> Line:
    """The line that is current after this reply."""
    named = (below for below in line.then if reply in below.replies)
    others = (below for below in line.then if not below.replies)
    return next(named, next(others, line))
