"""The verifier of certificates: it follows a strategy against every reply, and searches nothing.

It shares no code with the search. What it knows are the winning sets, the judge's word on a full
board, and, where the pool running out is a draw, three arguments it checks each time:

- pairs: each set the opponent can still complete holds both numbers of a pair;
- weight (Erdős and Selfridge): the sets the opponent can still complete, each 1/2 for every number
  it lacks, weigh less than 1 with the holder to act, or less than 1/2 with the opponent to act;
- idle numbers: a number in no set that anybody can still complete changes nothing, so the opponent
  gains nothing by taking it and the holder, for whom an extra number is never a burden, lets it go.
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.position import Position
from ninefold.core.turns import ENDING, End
from ninefold.solver.certificate import Answer, Certificate, Pairs, Strategy


class Refuted(NinefoldError):
    """The certificate does not show what it says."""


class Look(NamedTuple):
    """One position as its holder sees it."""

    completing: int  # numbers that complete a set for the holder
    threats: int  # numbers that complete one for the opponent
    weight: int  # of the sets the opponent can still complete
    open: int  # numbers in sets that somebody can still complete


def verify(
    game: Game,
    certificate: Certificate,
    progress: Callable[[int], object] = lambda _: None,
) -> int:
    """Check a certificate for this game; how many positions that took. Raises Refuted."""
    if certificate.rules != game.fingerprint:
        raise Refuted("other-rules", "It was made for other rules.")
    whole = any(pattern.is_whole_hand for pattern in game.rules.wins)
    if not game.rules.is_ordinary or whole or game.rules.otherwise != "draw":
        # The arguments about draws, pairs and extra numbers hold for no such rules.
        raise Refuted("special-rules", "There are no certificates for this reading.")
    position = game.play(certificate.moves, certificate.first)
    _check_goals(certificate, position)
    follower = _Follower(game, certificate.symmetries, progress)
    for strategy in certificate.strategies:
        follower.follow(strategy, position)
    return follower.positions


def _check_goals(certificate: Certificate, position: Position) -> None:
    """Whether the strategies, if they work, show the value that is claimed."""
    shown = {(strategy.holder, strategy.goal) for strategy in certificate.strategies}
    wanted = {
        "win": {(position.turn, "win")},
        "loss": {(3 - position.turn, "win")},
        "draw": {(1, "hold"), (2, "hold")},
    }[certificate.value]
    if position.outcome is not None:
        raise Refuted("game-over", "The game is over in this position.")
    if shown != wanted:
        raise Refuted("incomplete", f"Its strategies do not show a {certificate.value}.")


class _Follower:
    """Follows strategies in one game."""

    def __init__(
        self,
        game: Game,
        symmetries: tuple[tuple[int, ...], ...],
        progress: Callable[[int], object],
    ) -> None:
        self.game = game
        self.positions = 0
        self._lines = list(game.lines.values())
        self._draw = not game.rules.ending
        self._progress = progress
        self._images = [self._image_tables(images) for images in symmetries]
        self._unit = 1 << len(game.pool)  # a weight of 1: no set lacks more than the pool has

    def follow(self, strategy: Strategy, position: Position) -> None:
        """Follow one strategy against every reply; raises Refuted."""
        own, other = position.masks[:: 1 if strategy.holder == 1 else -1]
        if strategy.stealing:
            self._check_stealing(strategy, position)
            return
        mine = position.turn == strategy.holder
        seen: set[tuple[int, int]] = set()
        waiting = [(own, other)] if mine else list(self._replies(own, other, strategy))
        while waiting:
            at = self._canonical(*waiting.pop())
            if at not in seen:
                seen.add(at)
                self.positions += 1
                self._progress(self.positions)
                waiting += self._after_answer(*at, strategy)

    def _after_answer(self, own: int, other: int, strategy: Strategy) -> Iterator[tuple[int, int]]:
        """The positions after the holder's answer here and every reply to it."""
        look = self._look(own, other)
        holding = strategy.goal == "hold" and self._draw
        if look.completing or (holding and look.weight < self._unit and not look.threats):
            return
        answer = strategy.answers.find(own, other)
        bit = self._number(own, other, look.threats, answer)
        if answer.pairs is not None:
            self._check_pairs(own | bit, other, answer.pairs, strategy)
        elif own | bit | other == self.game.full:
            self._check_end(own | bit, other, strategy, last=strategy.holder)
        else:
            yield from self._replies(own | bit, other, strategy)

    def _number(self, own: int, other: int, threats: int, answer: Answer) -> int:
        """The bit of the number to take; none where pairs close the position as it is."""
        if threats & (threats - 1):
            raise self._refuted("two-threats", "two numbers complete a set", own, other)
        if threats:
            return threats
        if answer.number is None:
            if answer.pairs is None:
                raise self._refuted("no-answer", "there is no answer", own, other)
            return 0
        bit = self.game.bits.get(answer.number, 0)
        if not bit or bit & (own | other):
            raise self._refuted("illegal", f"{answer.number} is not available", own, other)
        return bit

    def _replies(self, own: int, other: int, strategy: Strategy) -> Iterator[tuple[int, int]]:
        """Every reply of the opponent that can matter, with what follows from it at once."""
        look = self._look(own, other)
        if look.threats:
            raise self._refuted("completes", "the opponent completes a set", own, other)
        rest = self.game.full & ~(own | other)
        if strategy.goal == "hold" and self._draw:
            rest = rest & look.open if 2 * look.weight >= self._unit else 0
        while rest:
            bit = rest & -rest
            rest ^= bit
            if own | other | bit == self.game.full:
                self._check_end(own, other | bit, strategy, last=3 - strategy.holder)
            else:
                yield own, other | bit

    def _look(self, own: int, other: int) -> Look:
        completing = threats = open_ = weight = 0
        for line in self._lines:
            if not line & own:
                lacking = line & ~other
                open_ |= line
                weight += self._unit >> lacking.bit_count()
                if not lacking & (lacking - 1):
                    threats |= lacking
            if not line & other:
                lacking = line & ~own
                open_ |= line
                if not lacking & (lacking - 1):
                    completing |= lacking
        return Look(completing, threats, weight, open_)

    def _check_pairs(self, own: int, other: int, pairs: Pairs, strategy: Strategy) -> None:
        """Whether these pairs stop every set the opponent can still complete."""
        used, masks = own | other, []
        for one, two in pairs:
            mask = self.game.bits.get(one, 0) | self.game.bits.get(two, 0)
            if mask.bit_count() != 2 or mask & used:
                raise self._refuted("bad-pair", f"{one} and {two} cannot be a pair", own, other)
            used |= mask
            masks.append(mask)
        open_lines = [line for line in self._lines if not line & own]
        if (
            strategy.goal != "hold"
            or not self._draw
            or not all(any(line & mask == mask for mask in masks) for line in open_lines)
        ):
            raise self._refuted("bad-pairs", "the pairs do not stop every set", own, other)

    def _check_stealing(self, strategy: Strategy, position: Position) -> None:
        begins = position.masks == (0, 0) and position.turn == strategy.holder
        if not begins or strategy.goal != "hold" or not self._draw:
            raise Refuted("no-stealing", "Only who begins on an empty board cannot lose anyway.")

    def _check_end(self, own: int, other: int, strategy: Strategy, last: int) -> None:
        """Whether the judge's word on a full board is good enough for the holder."""
        masks = (own, other) if strategy.holder == 1 else (other, own)
        hands = self.game.numbers(masks[0]), self.game.numbers(masks[1])
        winner = self.game.endings.decide(hands, masks, End(1, ENDING, last)).winner
        good = winner == strategy.holder or (strategy.goal == "hold" and winner is None)
        for line in self._lines if last != strategy.holder else ():
            good = good and line & other != line
        if not good:
            raise self._refuted("bad-end", "the pool runs out too early", own, other)

    def _canonical(self, own: int, other: int) -> tuple[int, int]:
        """The smallest image of a position under the renamings."""
        images = ((_renamed(own, tables), _renamed(other, tables)) for tables in self._images)
        return min([(own, other), *images])

    def _image_tables(self, images: tuple[int, ...]) -> list[list[int]]:
        """A renaming, as a table for every byte of a mask; raises Refuted if it loses a set."""
        places = range(len(self.game.pool))
        if sorted(images) != list(places) or not self._draw:
            raise Refuted("bad-symmetry", "One of its symmetries does not rename the pool.")
        tables = [
            [_rename(byte << low, images) for byte in range(256)]
            for low in range(0, len(images), 8)
        ]
        if {_renamed(line, tables) for line in self._lines} != set(self._lines):
            raise Refuted("bad-symmetry", "One of its symmetries does not keep the sets.")
        return tables

    def _refuted(self, code: str, what: str, own: int, other: int) -> Refuted:
        numbers = self.game.numbers
        hands = [" ".join(map(str, numbers(mask))) or "nothing" for mask in (own, other)]
        return Refuted(code, f"When the holder has {hands[0]} and the opponent {hands[1]}, {what}.")


def _rename(mask: int, images: tuple[int, ...]) -> int:
    return sum(1 << image for at, image in enumerate(images) if mask >> at & 1)


def _renamed(mask: int, tables: list[list[int]]) -> int:
    renamed = 0
    for table in tables:
        renamed |= table[mask & 255]
        mask >>= 8
    return renamed
