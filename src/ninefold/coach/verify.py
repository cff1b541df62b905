"""Proof that a strategy card is complete: it is followed to the letter against every reply.

Nothing here comes from the search that made the card, nor from the solver: only the judge is asked.
"""

from typing import NamedTuple

from ninefold.coach.card import Card, Line, Proof, Reply, is_same_turn, moves_by_rule, reply_of
from ninefold.coach.words import format_choice
from ninefold.core.errors import NinefoldError
from ninefold.core.moves import PASS, Move
from ninefold.core.position import Position


class BadCard(NinefoldError):
    """A card that says nothing somewhere, or does not keep its promise."""


class _State(NamedTuple):
    """A moment of a game with the card: the current line, and the opponent's turn so far."""

    position: Position
    line: Line
    turn: tuple[Move, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for two moments with the same future."""
        return self.position.key, self.position.turn, id(self.line), self.turn


def verify_card(card: Card) -> Proof:
    """Follow the card through every game there can be; raises BadCard at the first that fails."""
    check = _Check(card)
    plies = check.longest(_State(card.start, card.root), ())
    return Proof(len(check.known), plies)


class _Check:
    """All games with the card; if several numbers fit one of its rules, each of them."""

    def __init__(self, card: Card) -> None:
        self.card = card
        # None while a state is being looked at: to meet it again means to go round in circles.
        self.known: dict[tuple[object, ...], int | None] = {}

    def longest(self, state: _State, played: tuple[Move, ...]) -> int:
        """The most moves to the end from here, after these moves; raises BadCard."""
        if state.position.outcome is not None:
            self._judge(state.position, played)
            return 0
        key = state.key
        if key not in self.known:
            self.known[key] = None
            self.known[key] = 1 + max(
                self.longest(after, (*played, move)) for move, after in self._moves(state, played)
            )
        plies = self.known[key]
        if plies is None and self.card.goal == "win":
            raise _bad_card("The game can go on forever after", played)
        return plies or 0

    def _moves(self, state: _State, played: tuple[Move, ...]) -> list[tuple[Move, _State]]:
        """Every move that the card or the opponent can make, and what it leads to."""
        position, line, _ = state
        if position.turn != self.card.player:
            return [(move, self._after_reply(state, move)) for move in position.legal]
        found = []
        for move in self._choices(position, line, played):
            after = position.play(move)
            goes_on = after.asking or is_same_turn(position, after)
            is_skipped = after.turn == position.turn and not goes_on
            found.append((move, _State(after, _next(line, None) if is_skipped else line)))
        return found

    def _after_reply(self, state: _State, move: Move) -> _State:
        """A move of the opponent: the last one of a turn makes its line the current one."""
        position, line, turn = state
        after = position.play(move)
        turn = turn if position.asking else (*turn, move)
        if after.turn == position.turn and (after.asking or is_same_turn(position, after)):
            return _State(after, line, turn)
        return _State(after, _next(line, reply_of(position.game, turn)) if turn else line)

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
            raise _bad_card("The card says nothing after", played)
        return [*(said or free)]

    def _judge(self, position: Position, played: tuple[Move, ...]) -> None:
        outcome, card = position.outcome, self.card
        assert outcome is not None, "only finished games are judged"
        if outcome.winner != card.player and (card.goal == "win" or outcome.winner is not None):
            raise _bad_card("The card does not keep its promise after", played)


def _bad_card(reason: str, played: tuple[Move, ...]) -> BadCard:
    moves = " ".join(map(format_choice, played)) or "the start"
    return BadCard("bad-card", f"{reason}: {moves}")


def _next(line: Line, reply: Reply) -> Line:
    """The line that is current after this reply."""
    named = (below for below in line.then if reply in below.replies)
    others = (below for below in line.then if not below.replies)
    return next(named, next(others, line))
