"""A position and the one judge: nothing else decides what is legal or who has won."""

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from ninefold.core.endings import decide
from ninefold.core.errors import Illegal
from ninefold.core.moves import LOST, PASS, SWAP, Declare, Move, SpecialMove
from ninefold.core.outcome import Outcome

if TYPE_CHECKING:
    from ninefold.core.game import Game

Hand: TypeAlias = tuple[int, ...]


class Memory(NamedTuple):
    """What only the rarer rules ask about: passing, several picks a turn, swapping, who began."""

    began: int  # a swap takes this along with the hand
    picked: int = 0  # numbers taken so far in this turn
    passed: bool = False  # whether the turn before this one was passed
    swap: bool = False  # whether the player to act may swap


class Position(NamedTuple):
    """A frozen moment of a game. Playing a move returns a new position.

    ``hands`` are in the order picked; ``turn`` is the player to act, 1 or 2; ``asking`` is true
    while that player is asked for a declaration after a pick. ``memory`` is there only in games
    whose rules ask for it.
    """

    game: "Game"
    hands: tuple[Hand, Hand]
    masks: tuple[int, int]
    turn: int
    asking: bool = False
    last_picker: int | None = None
    first_complete: int | None = None
    outcome: Outcome | None = None
    memory: Memory | None = None

    def __repr__(self) -> str:
        state = str(self.outcome) if self.outcome else f"player {self.turn} to act"
        return f"<{self.game.name}: {list(self.hands[0])} {list(self.hands[1])}, {state}>"

    @property
    def available(self) -> Hand:
        """The unclaimed numbers, in ascending order."""
        return self.game.numbers(self.game.full ^ (self.masks[0] | self.masks[1]))

    @property
    def picks(self) -> Hand:
        """The numbers that may be claimed next, in ascending order: the opening may be limited."""
        opening = self.game.opening
        return self.game.numbers(opening) if opening and not any(self.masks) else self.available

    @property
    def legal(self) -> list[Move]:
        """Every move the player to act may choose; empty when the game is over."""
        if self.outcome is not None:
            return []
        rules = self.game.rules
        moves: list[Move] = [PASS] if self.asking else [*self.picks]
        if rules.declare:
            moves += [Declare(numbers) for numbers in self.sets_of(self.turn)]
        if not self.asking:
            moves += [PASS] * rules.passing + [SWAP] * self.may_swap
            moves += [LOST] * (rules.invalid == "lose-turn")
        return moves

    @property
    def may_swap(self) -> bool:
        """Whether the hands may change owners now: in answer to the turn of the first number."""
        return self.memory is not None and self.memory.swap and self.outcome is None

    @property
    def picks_left(self) -> int:
        """How many numbers the player to act may still claim in this turn."""
        picked = 0 if self.memory is None else self.memory.picked
        return self.game.rules.picks_per_turn - picked

    @property
    def began(self) -> int:
        """The player who began, or who has swapped for that hand; raises ValueError if unknown."""
        if self.memory is None:
            raise ValueError("these rules do not ask who began")
        return self.memory.began

    @property
    def key(self) -> tuple[object, ...]:
        """All of this position that can still matter, as seen by the player to act.

        Two positions with equal keys have the same future; hands are masks unless order counts.
        """
        hands: tuple[object, object] = self.masks
        if self.game.rules.in_order:
            hands = self.order_of(1) or self.masks[0], self.order_of(2) or self.masks[1]
        own, other = hands if self.turn == 1 else hands[::-1]
        if self.outcome is not None:
            return own, other, self.outcome.reason, _relative(self.outcome.winner, self.turn)
        if self.game.rules.declare:
            asked = self.asking, _relative(self.first_complete, self.turn)
            return own, other, *asked, *self.remembered
        return (own, other) if self.memory is None else (own, other, *self.remembered)

    def order_of(self, seat: int) -> Hand:
        """A hand in the order picked, as long as that can matter: of a full one it is past."""
        hand, rules = self.hands[seat - 1], self.game.rules
        full = len(hand) == rules.hand_limit and not rules.declare
        return hand if rules.in_order and not full else ()

    @property
    def remembered(self) -> tuple[object, ...]:
        """As much of the memory as these rules can ask about."""
        memory, asked = self.memory, self.game.asked
        if memory is None:
            return ()
        told = list[object]()
        if "picked" in asked:
            told.append(memory.picked)
        if "swap" in asked:
            told.append(memory.swap)
        if "began" in asked:
            told.append(memory.began == self.turn)
        if "passed" in asked:
            told.append(memory.passed)
        if "last-pick" in asked:
            told.append(_relative(self.last_picker, self.turn))
        return tuple(told)

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
            for number in (self.picks if seat == self.turn else self.available)
            if game.holds_set(mask | game.bits[number], (*hand, number))
        )

    def play(self, move: Move) -> "Position":
        """The position after this move of the player to act; raises Illegal.

        A turn can be lost on the clock in any book, so ``LOST`` is always playable; ``legal`` lists
        it where a player may choose it.
        """
        if type(move) is not int:
            return self._play_other(move)
        game, hands, (one, two), turn, asking, _, first_complete, outcome, memory = self
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
        if plain is not None:
            # By far the most frequent cases, kept short: an ordinary book, and nothing happens,
            # or somebody completes a set.
            if plain[mask]:
                end = game.completed(mask, turn)
                return _new(
                    Position, (game, hands, (one, two), turn, False, turn, None, end, memory)
                )
            if one | two != game.full:
                return _new(
                    Position, (game, hands, (one, two), 3 - turn, False, turn, None, None, memory)
                )
        if game.opening and one | two == bit and not bit & game.opening:
            raise self._refusal(move)
        if memory is not None:
            memory = Memory(memory.began, memory.picked + 1)
        after: Position = _new(
            Position, (game, hands, (one, two), turn, False, turn, first_complete, None, memory)
        )
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
            return after if after.asking else after._pick_over()
        if complete:
            sets = self.sets_of(self.turn)
            winner = 3 - self.turn if game.rules.misere else self.turn
            return self._replace(outcome=Outcome(winner, game.family(sets[0], hand), sets))
        return self._pick_over()

    def attempt(self, number: int) -> Move:
        """The move that choosing this number amounts to under the book's policy.

        Where an unavailable number loses the turn, choosing one is the move ``lost``.
        """
        playable = not self.asking and self.outcome is None
        if playable and self.game.rules.invalid == "lose-turn" and number not in self.picks:
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
        if isinstance(move, SpecialMove):
            return (self._passed() if move is SWAP else self).play(move)
        position = self._passed()
        return position.play(position.attempt(move))

    def settled(self) -> "Position":
        """The end of a written list: the question after the very last number is passed."""
        return self if self.available else self._passed()

    def _passed(self) -> "Position":
        return self.play(PASS) if self.asking else self

    def _pick_over(self) -> "Position":
        """Go on with the turn while it has picks left and they can be made; else hand it on."""
        if self.memory is not None and self.picks_left > 0:
            limit = self.game.rules.hand_limit
            has_room = limit is None or len(self.hands[self.turn - 1]) < limit
            if has_room and self.masks[0] | self.masks[1] != self.game.full:
                return self._replace(asking=False)
        return self._turn_over()

    def _turn_over(self, passed: bool = False) -> "Position":
        """Hand the turn on, past a full hand; if nobody can claim a number, decide the game.

        Two turns in a row that were passed end the game as well.
        """
        game, hands, masks, turn, _, last, first_complete, _, memory = self
        limit = game.rules.hand_limit
        over = masks[0] | masks[1] == game.full
        if limit is None or len(hands[2 - turn]) < limit:
            turn = 3 - turn
        elif len(hands[turn - 1]) >= limit:
            over = True
        if memory is not None:
            over = over or (passed and memory.passed)
            memory = Memory(memory.began, 0, passed, self._is_pie())
        what = (game, hands, masks, turn, False, last, first_complete)
        after: Position = _new(Position, (*what, None, memory))
        return _new(Position, (*what, decide(after), memory)) if over else after

    def _is_pie(self) -> bool:
        """Whether this turn, which is over, took the first numbers of the game."""
        own, other = self.hands[:: 1 if self.turn == 1 else -1]
        picked = self.memory.picked if self.memory else 0
        return self.game.rules.pie and not other and 0 < len(own) == picked

    def _play_other(self, move: Move) -> "Position":
        if self.outcome is not None:
            raise self._refusal(move)
        if isinstance(move, SpecialMove):
            return self._play_without_pick(move)
        if isinstance(move, Declare):
            return self._declare(move.numbers)
        raise TypeError(f"not a move: {move!r}")

    def _play_without_pick(self, move: SpecialMove) -> "Position":
        if self.asking and move is PASS:
            return self._pick_over()
        if self.asking:
            raise self._refusal(move)
        if move is PASS and self.game.rules.passing:
            return self._turn_over(passed=self.picks_left == self.game.rules.picks_per_turn)
        if move is SWAP and self.may_swap:
            return self._swapped()
        if move is not LOST:
            raise self._refusal(move)
        return self._turn_over()

    def _swapped(self) -> "Position":
        """The hands change owners, with all that goes with them; the other player is to act."""
        last, complete = (seat and 3 - seat for seat in (self.last_picker, self.first_complete))
        return self._replace(
            hands=self.hands[::-1],
            masks=self.masks[::-1],
            turn=3 - self.turn,
            last_picker=last,
            first_complete=complete,
            memory=Memory(3 - self.began),
        )

    def _declare(self, numbers: Hand) -> "Position":
        sets = self.sets_of(self.turn)
        if not self.game.rules.declare or numbers not in sets:
            raise self._refusal(Declare(numbers))
        family = self.game.family(numbers, self.hands[self.turn - 1])
        outcome = Outcome(self.turn, family, (numbers,))
        return self._replace(asking=False, outcome=outcome)

    def _refusal(self, move: Move) -> Illegal:
        """Why this move is not legal here, and what is."""
        if self.outcome is not None:
            return Illegal("game-over", "The game is over.")
        if isinstance(move, Declare):
            return self._bad_declaration(move.numbers)
        if self.asking:
            return Illegal("asked", "The question is still open.", "Declare a set, or pass.")
        advice = "Choose one of: " + " ".join(map(str, self.picks))
        if move is SWAP:
            return Illegal("no-swap", self._why_no_swap(), advice)
        if isinstance(move, SpecialMove):
            return Illegal("no-pass", "Passing is not allowed.", advice)
        if move in self.available:
            reason = f"{move} is not allowed as the first number."
            return Illegal("opening", reason, advice, number=move)
        if move in self.game.bits:
            return Illegal("taken", f"{move} is already taken.", advice, number=move)
        return Illegal("not-in-pool", f"{move} is not in the pool.", advice, number=move)

    def _why_no_swap(self) -> str:
        if not self.game.rules.pie:
            return "Hands are not swapped in this game."
        return "Hands are swapped only in answer to the turn of the first number."

    def _bad_declaration(self, numbers: Hand) -> Illegal:
        if not self.game.rules.declare:
            return Illegal("no-declaring", "There is nothing to declare: a win is seen at once.")
        shown = " ".join(map(str, numbers))
        strange = sorted(set(numbers) - set(self.hands[self.turn - 1]))
        if strange:
            return Illegal("not-in-hand", f"{strange[0]} is not one of your numbers.")
        if len(set(numbers)) < len(numbers):
            return Illegal("not-a-set", f"{shown} does not win: each number counts once.")
        return Illegal("not-a-set", f"{shown} does not win: {self._why_no_set(numbers)}.")

    def _why_no_set(self, numbers: Hand) -> str:
        """What keeps these numbers from being a set of any pattern; the sizes are told at once."""
        wins = self.game.rules.wins
        sized = [pattern for pattern in wins if pattern.sizes and len(numbers) not in pattern.sizes]
        reasons = {pattern.why_not(numbers): None for pattern in wins if pattern not in sized}
        if sized:
            sizes = sorted({size for pattern in sized for size in pattern.sizes})
            noun = "number" if sizes == [1] else "numbers"
            reasons[f"it takes exactly {' or '.join(map(str, sizes))} {noun}"] = None
        return " and ".join(reasons)


def _relative(seat: int | None, turn: int) -> bool | None:
    """Whether this seat is the one to act; None for nobody."""
    return None if seat is None else seat == turn


_new = tuple.__new__
