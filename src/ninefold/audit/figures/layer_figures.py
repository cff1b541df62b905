"""The figures of a game of alternating picks, from compiled loops over all its positions."""

import numpy

from ninefold.audit.figures import (
    LINK,
    LOSS,
    OTHER,
    STUCK,
    Chances,
    Decider,
    Deciding,
    Figures,
    Moves,
    Tell,
    patterns_of,
)
from ninefold.audit.figures import layer_loops as loops
from ninefold.audit.figures.layer_loops import FLAWLESS, REACHED
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.patterns import Pattern
from ninefold.core.picks import Seen
from ninefold.core.sets import Sets
from ninefold.solver.layer_kernels import ALL, KEEPING, KIND, hands
from ninefold.solver.layers import Array, Layers, shared_hands


def layer_figures(layers: Layers, tell: Tell) -> Figures:
    """The figures of a game that was solved in layers; raises OutOfBudget."""
    game, rules = layers.game, layers.game.rules
    tell("finding every reachable position")
    reached = layers.mark(REACHED, ALL)
    tell("following best play")
    layers.mark(FLAWLESS, KEEPING)
    counts = _counts(layers)
    winners = counts[-3:]
    rows = {
        **{each: each.at + 32 * (each.kind == LOSS) for each in patterns_of(game)},
        **{Decider(LINK, at): 64 + at for at in range(len(rules.ending))},
        Decider(OTHER, 0, rules.otherwise): 64 + len(rules.ending),
        STUCK: 65 + len(rules.ending),
    }
    deciding = {
        decider: _deciding(layers, counts[row])
        for decider, row in rows.items()
        if counts[row][0] or row < 64
    }
    finals = [_moves_to(layers, end[at], REACHED) or () for at in (3, 5) for end in winners]
    longest = max(finals, key=len)
    tell("counting what random players do")
    openings = _random(layers)
    tell("counting mistakes")
    blunders = _play(layers, 0)[1]
    tell("perfect play against random play")
    draw, first, second = (row[0] for row in winners)
    return Figures(
        exact=True,
        positions=reached - draw - first - second,
        results=(first, second, draw),
        deciding=deciding,
        shortest=min(len(moves) for moves in finals if moves),
        longest=len(longest),
        longest_game=longest,
        most_numbers=(len(longest) + 1) // 2,
        random=openings.pop(None),
        perfect=(_play(layers, 1)[0], _play(layers, 2)[0]),
        blunders=blunders,
        openings={move: found for move, found in openings.items() if move is not None},
    )


def _counts(layers: Layers) -> list[list[int]]:
    """How many final positions each decides, and each player wins: see ``tally``."""
    game = layers.game
    counts = numpy.zeros((69 + len(game.rules.ending), 6), numpy.int64)
    patterns, shared = numpy.zeros((2, 2, game.full + 1), numpy.int64)
    for lost, of in enumerate((game.wins, game.losses)):
        for at, pattern in enumerate(of.wanted):
            patterns[lost] |= _holding(game, of, pattern).astype(numpy.int64) << at
            if pattern.is_shared:
                shared[lost] |= shared_hands(game, of, [pattern]).astype(numpy.int64) << at
    for layer in layers.layers():
        positions = layers.shape, layer, layers.worth, layers.marks
        loops.tally(*positions, patterns, shared, counts)
    found: list[list[int]] = counts.tolist()
    return found


def _holding(game: Game, of: Sets, pattern: Pattern) -> Array:
    """Whether each hand holds a set of one pattern."""
    found = numpy.zeros(game.full + 1, bool)
    found[[line for numbers, line in of.lines.items() if pattern in of.patterns[numbers]]] = True
    for place in range(len(game.pool)):
        pairs = found.reshape(-1, 2, 1 << place)
        pairs[:, 1] |= pairs[:, 0]
    if pattern.is_whole_hand and not pattern.is_shared:
        masks = numpy.flatnonzero(numpy.frombuffer(of.table or b"", numpy.uint8)).tolist()
        found[[mask for mask in masks if of.matches(pattern, game.numbers(mask))]] = True
    return found


def _deciding(layers: Layers, row: list[int]) -> Deciding:
    """How often something decides, with a shortest game, and one without a mistake."""
    finals, alone, flawless, game, clean, _ = row
    games = _moves_to(layers, game, REACHED), _moves_to(layers, clean, FLAWLESS)
    return Deciding(finals, alone, flawless, *games)


def _moves_to(layers: Layers, place: int, mark: int) -> Moves | None:
    """A game to the position before this place, within what is marked; None for 0."""
    game, moves = layers.game, list[Move]()
    if not place:
        return None
    masks = [*map(int, hands(layers.shape, place - 1))]
    while any(masks):
        mover = 1 - sum(masks).bit_count() % 2
        for number in reversed(game.numbers(masks[mover])):
            bit = game.bits[number]
            masks[mover] ^= bit
            at = layers.find((masks[0], masks[1])) or 0
            open_ = layers.marks[at] & mark and not layers.marks[at] & KIND
            if open_ and bit & game.picks.allowed(Seen(masks[mover], masks[1 - mover])):
                moves.append(number)
                break
            masks[mover] ^= bit
    return tuple(reversed(moves))


def _random(layers: Layers) -> dict[Move | None, Chances]:
    """How random games end, and after each opening."""
    shape, later = layers.shape, numpy.zeros((1, 3))
    for layer in reversed([*layers.layers()]):
        now = numpy.empty((shape.first[layer + 1] - shape.first[layer], 3))
        loops.expect(shape, layer, layers.worth, layers.marks, later, now, layers.after)
        if layer == 1:
            first = now
        later = now
    found: dict[Move | None, Chances] = {None: _chances(*later[0].tolist())}
    for number in layers.game.start().picks:
        at = layers.find((layers.game.bits[number], 0))
        one, two, moves = first[(at or 0) - shape.first[1]].tolist()
        found[number] = _chances(one, two, moves + 1)
    return found


def _chances(first: float, second: float, moves: float) -> Chances:
    return Chances(first, second, max(0.0, 1 - first - second), moves)


def _play(layers: Layers, perfect: int) -> tuple[Chances, float | None]:
    """How games end if this player is perfect and others are random, and the share of blunders."""
    shape, now, sums = layers.shape, numpy.ones(1), numpy.zeros(6)
    room = [numpy.zeros(shape.size, numpy.int32) for _ in range(2)]
    for layer in layers.layers():
        after = min(layer + 2, len(shape.first) - 1)
        later = numpy.zeros(shape.first[after] - shape.first[layer + 1])
        positions = shape, layer, layers.worth, layers.marks
        loops.follow(*positions, now, later, perfect, sums, layers.after, *room)
        now = later
    draw, first, second, moves, at_stake, thrown = sums.tolist()
    return Chances(first, second, draw, moves), thrown / at_stake if at_stake else None
