"""A position and the one judge: nothing else decides what is legal or who has won."""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ninefold.core.endings import decide
from ninefold.core.errors import Illegal
from ninefold.core.moves import LOST, PASS, Declare, Move, NoPick
from ninefold.core.outcome import Outcome

if TYPE_CHECKING:
    from ninefold.core.game import Game

Hand: TypeAlias = tuple[int, ...]


class Position(NamedTuple):
    """A frozen moment of a game. Playing a move returns a new position.

    ``hands`` are in the order picked; ``turn`` is the player to act, 1 or 2; ``asking`` is true
    while that player is asked for a declaration after a pick.
    """

    game: "Game"
    hands: tuple[Hand, Hand]
    masks: tuple[int, int]
    turn: int
    asking: bool = False
    last_picker: int | None = None
    first_complete: int | None = None
    outcome: Outcome | None = None

    def __repr__(self) -> str:
        state = str(self.outcome) if self.outcome else f"player {self.turn} to act"
        return f"<{self.game.name}: {list(self.hands[0])} {list(self.hands[1])}, {state}>"

    @property
    def available(self) -> Hand:
        """The unclaimed numbers, in ascending order."""
        return self.game.numbers(self.game.full ^ (self.masks[0] | self.masks[1]))

    @property
    def legal(self) -> list[Move]:
        """Every move the player to act may choose; empty when the game is over."""
        if self.outcome is not None:
            return []
        rules = self.game.rules
        moves: list[Move] = [PASS] if self.asking else [*self.available]
        if rules.declare:
            moves += [Declare(numbers) for numbers in self.sets_of(self.turn)]
        if rules.invalid == "lose-turn" and not self.asking:
            moves.append(LOST)
        return moves

    @property
    def key(self) -> tuple[object, ...]:
        """All of this position that can still matter, as seen by the player to act.

        Two positions with equal keys have the same future; hands are masks unless order counts.
        """
        me = self.turn - 1
        own, other = (self.hands if self.game.rules.in_order else self.masks)[:: -1 if me else 1]
        if self.outcome is not None:
            return own, other, self.outcome.reason, _relative(self.outcome.winner, self.turn)
        if not self.game.rules.declare:
            return own, other
        return own, other, self.asking, _relative(self.first_complete, self.turn)

    def sets_of(self, seat: int) -> tuple[Hand, ...]:
        """Every winning set player 1 or 2 holds, the smallest first."""
        return self.game.sets_in(self.masks[seat - 1], self.hands[seat - 1])

    def threats(self, seat: int) -> Hand:
        """The unclaimed numbers that would complete a set for player 1 or 2 at once."""
        game, hand, mask = self.game, self.hands[seat - 1], self.masks[seat - 1]
        limit = game.rules.hand_limit
        if limit is not None and len(hand) >= limit:
            return ()
        return tuple(
            number
            for number in self.available
            if game.holds_set(mask | game.bits[number], (*hand, number))
        )

    def play(self, move: Move) -> "Position":
        """The position after this move of the player to act; raises Illegal.

        A turn can be lost on the clock in any book, so ``LOST`` is always playable; ``legal`` lists
        it where a player may choose it.
        """
        if type(move) is not int:
            return self._play_other(move)
        game, hands, (one, two), turn, asking, _, first_complete, outcome = self
        bit = game.bits.get(move)
        if bit is None or asking or outcome is not None or (one | two) & bit:
            raise self._refusal(move)
        if turn == 1:
            one = mask = one | bit
            hand = (*hands[0], move)
            hands = (hand, hands[1])
        else:
            two = mask = two | bit
            hand = (*hands[1], move)
            hands = (hands[0], hand)
        plain = game.plain
        if plain is not None and not plain[mask] and one | two != game.full:
            # By far the most frequent case, kept short: an ordinary book, and nothing happens.
            return _new(Position, (game, hands, (one, two), 3 - turn, False, turn, None, None))
        after = Position(game, hands, (one, two), turn, False, turn, first_complete)
        return after._claimed(hand, mask)

    def _claimed(self, hand: Hand, mask: int) -> "Position":
        """What follows from the number just claimed: a win, a question, or the next turn."""
        game = self.game
        complete = game.holds_set(mask, hand)
        if game.rules.declare:
            after = self._replace(
                asking=len(hand) >= game.smallest_set,
                first_complete=self.first_complete or (self.turn if complete else None),
            )
            return after if after.asking else after._turn_over()
        if complete:
            sets = self.sets_of(self.turn)
            winner = 3 - self.turn if game.rules.misere else self.turn
            return self._replace(outcome=Outcome(winner, game.family(sets[0], hand), sets))
        return self._turn_over()

    def attempt(self, number: int) -> Move:
        """The move that choosing this number amounts to under the book's policy.

        Where an unavailable number loses the turn, choosing one is the move ``lost``.
        """
        playable = not self.asking and self.outcome is None
        if playable and self.game.rules.invalid == "lose-turn" and not self._is_free(number):
            return LOST
        return number

    def follow(self, move: Move) -> "Position":
        """The position after the next move of a written list; raises Illegal.

        There, a question may be passed in silence, by a number or by a declaration that is none of
        the numbers of the player asked, and a choice stands for what it amounts to.
        """
        if isinstance(move, Declare):
            own = set(move.numbers) & set(self.hands[self.turn - 1])
            return (self if own else self._passed()).play(move)
        if isinstance(move, NoPick):
            return self.play(move)
        position = self._passed()
        return position.play(position.attempt(move))

    def settled(self) -> "Position":
        """The end of a written list: the question after the very last number is passed."""
        return self if self.available else self._passed()

    def _passed(self) -> "Position":
        return self.play(PASS) if self.asking else self

    def _is_free(self, number: int) -> bool:
        bit = self.game.bits.get(number)
        return bit is not None and not (self.masks[0] | self.masks[1]) & bit

    def _turn_over(self) -> "Position":
        """Hand the turn on, past a full hand; if nobody can claim a number, decide the game."""
        game, hands, masks, turn = self[:4]
        limit = game.rules.hand_limit
        over = masks[0] | masks[1] == game.full
        if limit is None or len(hands[2 - turn]) < limit:
            turn = 3 - turn
        elif len(hands[turn - 1]) >= limit:
            over = True
        after = _new(Position, (game, hands, masks, turn, False, *self[5:]))
        return after._replace(outcome=decide(after)) if over else after

    def _play_other(self, move: Move) -> "Position":
        if self.outcome is not None:
            raise self._refusal(move)
        if isinstance(move, NoPick):
            if self.asking != (move is PASS):
                raise self._refusal(move)
            return self._turn_over()
        if isinstance(move, Declare):
            return self._declare(move.numbers)
        raise TypeError(f"not a move: {move!r}")

    def _declare(self, numbers: Hand) -> "Position":
        sets = self.sets_of(self.turn)
        if not self.game.rules.declare or numbers not in sets:
            raise self._refusal(Declare(numbers))
        outcome = Outcome(self.turn, self.game.family(numbers), (numbers,))
        return self._replace(asking=False, outcome=outcome)

    def _refusal(self, move: Move) -> Illegal:
        """Why this move is not legal here, and what is."""
        if self.outcome is not None:
            return Illegal("game-over", "The game is over.")
        if isinstance(move, Declare):
            return self._bad_declaration(move.numbers)
        if self.asking:
            return Illegal("asked", "The question is still open.", "Declare a set, or pass.")
        advice = "Choose one of: " + " ".join(map(str, self.available))
        if isinstance(move, NoPick):
            return Illegal("no-pass", "Passing is not allowed.", advice)
        if move in self.game.bits:
            return Illegal("taken", f"{move} is already taken.", advice, number=move)
        return Illegal("not-in-pool", f"{move} is not in the pool.", advice, number=move)

    def _bad_declaration(self, numbers: Hand) -> Illegal:
        if not self.game.rules.declare:
            return Illegal("no-declaring", "There is nothing to declare: a win is seen at once.")
        shown = " ".join(map(str, numbers))
        strange = sorted(set(numbers) - set(self.hands[self.turn - 1]))
        if strange:
            return Illegal("not-in-hand", f"{strange[0]} is not one of your numbers.")
        if len(set(numbers)) < len(numbers):
            return Illegal("not-a-set", f"{shown} does not win: each number counts once.")
        reasons = {pattern.why_not(numbers): None for pattern in self.game.rules.wins}
        return Illegal("not-a-set", f"{shown} does not win: {' and '.join(reasons)}.")


def _relative(seat: int | None, turn: int) -> bool | None:
    """Whether this seat is the one to act; None for nobody."""
    return None if seat is None else seat == turn


_new = tuple.__new__
