"""Many games by bitboards: too many positions for a table, but simple rules."""

from itertools import product, zip_longest
from typing import Any

import numpy

from ninefold.core.game import Game
from ninefold.core.outcome import Outcome
from ninefold.core.position import Position
from ninefold.core.turns import SET, End, Fact, Phase
from ninefold.encoding import Array
from ninefold.envs.batch.base import Batch, BatchSettings
from ninefold.envs.batch.random_streams import Streams, draw_marked
from ninefold.envs.settings import SELF
from ninefold.state_table import OPEN

# The result of a game that ends without a line: the judge knows.
_ASK_JUDGE = 3
# The first byte of a word holds its lowest bits, on any machine.
_WORD = numpy.dtype("<u8")


def can_play(settings: BatchSettings) -> bool:
    """Whether the rules are simple enough for bitboards, and the opponent needs no solver."""
    game = settings.game
    simple = game.rules._replace(misere=False).is_ordinary and not game.whole
    simple = simple and len(game.pool) <= 8 * _WORD.itemsize
    easy = settings.outsider is not None or settings.opponent in (SELF, "random")
    return simple and easy and settings.illegal != "lose-turn"


class BitboardBatch(Batch):
    """Games whose hands are sets of bits; only for settings that ``can_play``."""

    def __init__(self, settings: BatchSettings, count: int) -> None:
        super().__init__(settings, count)
        self.hands: Streams = numpy.zeros((count, 2), _WORD)
        self._lines = _lines(settings.game)
        self._next_actor, self._after_pick = _after_pick(settings.game)

    def _set_up(self, which: Any) -> None:
        self.hands[which] = 0

    def _is_legal(self, at: Any, actions: Any) -> Any:
        taken = self.hands[at, 0] | self.hands[at, 1]
        return taken >> actions.astype(_WORD) & 1 == 0

    def _choose(self, at: Any, streams: Streams) -> Any:
        return draw_marked(streams, self._free(at))

    def _move(self, at: Any, chosen: Any) -> None:
        """Claim these numbers, and do what follows."""
        mover = self.actor[at]
        self.hands[at, mover - 1] |= numpy.uint64(1) << chosen.astype(_WORD)
        hand = self.hands[at, mover - 1]
        completed = numpy.zeros(len(at), bool)
        for lines in self._lines:
            line = lines.take(chosen)
            completed |= hand & line == line
        exhausted = self.hands[at, 0] | self.hands[at, 1] == self.settings.game.full
        facts = mover, completed.astype(numpy.int8), exhausted.astype(numpy.int8)
        self.actor[at], self._results[at] = self._next_actor[facts], self._after_pick[facts]
        for game in at[self._results[at] == _ASK_JUDGE].tolist():
            self._results[game] = self._judged(game).result_for(int(self.actor[game]))

    def _judged(self, at: int) -> Outcome:
        """The outcome of a game in which no number is left, according to the judge."""
        game, mover = self.settings.game, int(self.actor[at])
        end = game.turns.picked[_phase(game, mover)][Fact.EXHAUSTED]
        assert isinstance(end, End)
        one, two = map(int, self.hands[at])
        hands = game.numbers(one), game.numbers(two)
        return game.endings.decide(hands, (one, two), end)

    def _position(self, at: int) -> Position:
        one, two = map(self.settings.game.numbers, map(int, self.hands[at]))
        turns = zip_longest(one, two)
        return self.settings.game.play(
            [number for turn in turns for number in turn if number is not None]
        )

    def _reasons(self, at: Any) -> Any:
        return [self._code_of(self._reason(game)) for game in at.tolist()]

    def _reason(self, at: int) -> str:
        """The family of the smallest set that is held, or what decided without one."""
        game = self.settings.game
        for hand in map(int, self.hands[at]):
            if held := game.wins.held(hand, game.numbers(hand)):
                return game.wins.pattern(held[0], game.numbers(hand)).family
        return self._judged(at).reason

    def _observe(self, at: Any, views: Any, acting: Any) -> None:
        is_first = (self.actor[at] == 1) == acting
        one, two = self.hands[at].T
        planes = numpy.empty(views.shape[:2], _WORD)
        planes[:, 0], planes[:, 1] = numpy.where(is_first, (one, two), (two, one))
        planes[:, 2] = ~(one | two)
        planes[:, 3:] = numpy.where(is_first, ~numpy.uint64(0), 0)[:, None]  # began, if it is seen
        views[:] = self._bits(planes.ravel()).reshape(views.shape)

    def _mask(self, at: Any, masks: Any) -> None:
        masks[:] = self._free(at)
        masks[self._results[at] != OPEN] = 0

    def _free(self, at: Any) -> Array:
        return self._bits(~(self.hands[at, 0] | self.hands[at, 1]))

    def _bits(self, words: Any) -> Array:
        """The bits of each word, one per number of the pool."""
        size, parts = len(self.settings.game.pool), words.view(numpy.uint8).reshape(-1, 8)
        bits = numpy.unpackbits(parts, axis=1, count=size, bitorder="little")
        return bits.view(numpy.int8)


def _lines(game: Game) -> Streams:
    """A line through each number per row; where there are no more, one that no hand can hold."""
    through = [[line for line in game.lines.values() if line & bit] for bit in game.bits.values()]
    return numpy.array([*zip_longest(*through, fillvalue=(1 << 64) - 1)], _WORD)


def _after_pick(game: Game) -> tuple[Array, Array]:
    """Who acts next and the result, by who picks, whether that completes a line or is the last."""
    actors, results = numpy.zeros((2, 3, 2, 2), numpy.int8)
    for seat, completed, exhausted in product((1, 2), (0, 1), (0, 1)):
        facts = completed * Fact.COMPLETE | exhausted * Fact.EXHAUSTED
        to = game.turns.picked[_phase(game, seat)][facts]
        at = seat, completed, exhausted
        actors[at], results[at] = seat, _ASK_JUDGE  # at an end, the actor is who moved last
        if not isinstance(to, End):
            actors[at], results[at] = to.turn, OPEN
        elif to.by == SET:
            results[at] = 1 if game.turns.winner_by_set(to.turn) == seat else -1
    return actors, results


def _phase(game: Game, seat: int) -> Phase:
    """The phase in which this player is to act; simple rules have no other."""
    return game.turns.start()._replace(turn=seat)
