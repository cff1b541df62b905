"""Whether a relabelled game is the same: both are played, and every position is compared."""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from random import Random
from typing import NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import Declare, Move, SpecialMove, format_move
from ninefold.core.position import Position
from ninefold.llm_text import IllegalAnswer, LegalAnswer, read_answer
from ninefold.llm_text.relabelling import Relabelling
from ninefold.solver import solver_for
from ninefold.solver.breadth_first import BreadthFirst, position_key
from ninefold.solver.graph import Graph

_LISTED = "Legal answers: "


class NotTheSame(NinefoldError):
    """Two games that should be the same differ; ``moves`` lead to the difference."""

    def __init__(self, moves: tuple[Move, ...], what: str) -> None:
        self.moves = moves
        played = " ".join(map(format_move, moves)) or "no moves"
        super().__init__("not-the-same", f"The games differ after {played}: {what}.")


class Pair(NamedTuple):
    """The same moment of both games."""

    one: Position
    two: Position


def verify(relabelling: Relabelling, *, games: int | None = None, seed: int = 0) -> int:
    """How many positions of both games were compared; raises NotTheSame at the first difference.

    The relabelled game is played through its own prompts and its own reader of answers. Legal
    moves, what other answers mean, outcomes and exact values must be the same. Every position is
    compared, so that a difference is shown by a shortest game, or those of some random games.
    """
    pairs = _Pairs(relabelling)
    if games is None:
        walk = BreadthFirst(pairs.start, pairs.steps, lambda pair: position_key(pair.one))
        for at in walk:
            pairs.compare(walk.nodes[at], walk.path(at))
        return len(walk.nodes)
    random, compared = Random(f"verify {seed}"), 0
    for _ in range(games):
        pair, moves = pairs.start, tuple[Move, ...]()
        while True:
            pairs.compare(pair, moves)
            compared += 1
            steps = [] if len(moves) > 100 else pairs.steps(pair)
            if not steps:
                break
            move, pair = random.choice(steps)
            moves = (*moves, move)
    return compared


class _Pairs:
    """Steps through both games at once: the second one hears only answers in labels."""

    def __init__(self, relabelling: Relabelling) -> None:
        self._of = relabelling
        self.start = Pair(relabelling.original.start(), relabelling.game.start())
        self._scores = [solver_for(one.game).score for one in self.start]
        words = [SpecialMove(word) for word in ("pass", "swap", "lost")]
        self._tried: list[Move] = [*relabelling.original.pool, *words]

    def steps(self, pair: Pair) -> list[tuple[Move, Pair]]:
        """Where each legal move leads in both games, as far as both accept it."""
        return [
            (move, Pair(pair.one.play(move), self._answer(pair, move))) for move in pair.one.legal
        ]

    def _answer(self, pair: Pair, move: Move) -> Position:
        """The second game after the answer that means this move."""
        text = self._of.hear(self._of.format_answer(move))
        answer = read_answer(text, pair.two)
        assert isinstance(answer, LegalAnswer), "they were compared before"
        return pair.two.play(answer.move)

    def compare(self, pair: Pair, moves: tuple[Move, ...]) -> None:
        """Raises NotTheSame unless everything is the same here."""
        for what in self._differences(pair):
            raise NotTheSame(moves, what)

    def _differences(self, pair: Pair) -> Iterator[str]:
        one, two = pair
        if self._of.position(one).key != two.key or one.turn != two.turn:
            yield f"the position is {two} instead of {one}"
        if one.outcome is not None or two.outcome is not None:
            wanted = one.outcome and self._of.outcome(one.outcome)
            if wanted != two.outcome:
                yield f"the outcome is {two.outcome} instead of {wanted}"
            return
        yield from self._differences_of_moves(pair)
        values = [score(position) for score, position in zip(self._scores, pair, strict=True)]
        if values[0] != values[1]:
            yield f"the value is {values[1]} instead of {values[0]}"

    def _differences_of_moves(self, pair: Pair) -> Iterator[str]:
        one, two = pair
        said = self._of.prompt(one, rules=False, legal=True)
        listed = next(line for line in said.splitlines() if line.startswith(_LISTED))
        answers = listed.removeprefix(_LISTED).split(", ")
        # Prompts need not list declarations, because that would give sets away.
        answers = [answer for answer in answers if not answer.startswith("declare")]
        declared = [move for move in one.legal if isinstance(move, Declare)]
        answers += map(self._of.format_answer, declared)
        heard = [self._of.read(answer, one) for answer in answers]
        legal = {answer.move for answer in heard if isinstance(answer, LegalAnswer)}
        if legal != {*one.legal} or {len(answers), len(two.legal)} != {len(one.legal)}:
            yield f"the legal moves are {answers} instead of {one.legal}"
        for move in self._tried:
            expected = read_answer(format_move(move), one)
            text = self._of.format_answer(move)
            found = read_answer(self._of.hear(text), two)
            codes = [
                each.code if isinstance(each, IllegalAnswer) else type(each).__name__
                for each in (expected, found)
            ]
            if codes[0] != codes[1]:
                yield f"the answer {text!r} is {codes[1]} instead of {codes[0]}"


def tree_digest(game: Game, most: int = 350_000) -> str:
    """A digest of the game tree that no renaming changes: equal for games that are the same.

    A position is who is to act or who has won, and what can follow, in no order. Raises
    ``breadth_first.TooLarge``.
    """
    graph = Graph(game.start(), most)
    colours = [
        f"-{node.turn}" if node.outcome is None else f"{node.outcome.winner or 0}"
        for node in graph.nodes
    ]
    order = _children_first(graph.children)
    if len(order) < len(colours):
        return _refined(colours, graph.children)
    for at in order:
        colours[at] = _colour(colours, at, graph.children[at])
    return colours[0]


def _children_first(children: Sequence[Sequence[int]]) -> list[int]:
    """The positions, each after all that follow from it; those on cycles are missing."""
    parents: list[list[int]] = [[] for _ in children]
    for at, after in enumerate(children):
        for to in after:
            parents[to].append(at)
    waiting = [*map(len, children)]
    order = [at for at, many in enumerate(waiting) if not many]
    for at in order:  # it grows on the way
        for parent in parents[at]:
            waiting[parent] -= 1
            if not waiting[parent]:
                order.append(parent)
    return order


def _refined(colours: list[str], children: Sequence[Sequence[int]]) -> str:
    """The digest of an endless game: positions are split until no split adds a new class."""
    different, rounds = 0, 0
    while different != (different := len({*colours})):
        rounds += 1
        colours = [_colour(colours, at, after) for at, after in enumerate(children)]
    return sha256(f"{rounds} {different} {colours[0]}".encode()).hexdigest()[:32]


def _colour(colours: Sequence[str], at: int, children: Sequence[int]) -> str:
    text = colours[at] + "".join(sorted([colours[to] for to in children]))
    return sha256(text.encode()).hexdigest()[:32]
