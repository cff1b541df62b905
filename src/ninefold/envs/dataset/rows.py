"""The rows of a dataset, and what their columns mean."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move
from ninefold.core.position import Position
from ninefold.envs.dataset.walk import MAX_ROWS, Key, Step, Tell, Walk, after
from ninefold.solver import Solver
from ninefold.solver.scores import plies_of, score_of_child, sign_of

Kind: TypeAlias = Literal[
    "flag", "int8", "int16", "int64 list", "int8 list", "int16 list", "text", "text list", "real"
]


class Column(NamedTuple):
    """A column: the type of its values, and what they mean."""

    kind: Kind
    meaning: str


COLUMNS: Mapping[str, Column] = {
    "ply": Column("int16", "the fewest moves that lead to the position"),
    "moves": Column("text", "such moves, in the notation of `ninefold referee`"),
    "player": Column("int8", "1 or 2: who is to act; at the end, who made the last move"),
    "over": Column("flag", "whether the game is over"),
    "hand_1": Column(
        "int64 list", "player 1's numbers, ascending; in the order picked as long as that counts"
    ),
    "hand_2": Column("int64 list", "player 2's numbers, likewise"),
    "observation": Column("int8 list", "what `player` observes: all planes, one after the other"),
    "legal": Column("int16 list", "the actions that are legal"),
    "value": Column("int8", "1, 0 or -1: a win, a draw or a loss for `player` under best play"),
    "distance": Column("int16", "moves to the end under best play; nothing: it need never end"),
    "optimal": Column("int16 list", "the actions that win soonest, hold the draw or lose latest"),
    "optimal_moves": Column("text list", "the same as moves; of declarations, the smallest set"),
    "visit_probability": Column("real", "how likely two random players are to come here"),
    "visit_fraction": Column("text", "the same, exactly"),
    "winner": Column("int8", "at the end: 1, 2, or 0 for a draw"),
    "reason": Column("text", "at the end: why"),
}


class Row(NamedTuple):
    """One position; the fields are the columns."""

    ply: int
    moves: str
    player: int
    over: bool
    hand_1: tuple[int, ...]
    hand_2: tuple[int, ...]
    observation: list[int]
    legal: list[int]
    value: int
    distance: int | None
    optimal: list[int]
    optimal_moves: list[str]
    visit_probability: float
    visit_fraction: str
    winner: int | None
    reason: str | None


class Rows:
    """All rows of a game, in an order that is always the same."""

    def __init__(self, game: Game, most: int = MAX_ROWS, tell: Tell = lambda _: None) -> None:
        self.walk = Walk(game, most, tell)
        self.layout = self.walk.layout
        self._tell = tell
        self._solver = Solver(game)
        self._draws: dict[Key, int | None] = {}

    def __iter__(self) -> Iterator[Row]:
        """Raises TooManyRows, before the first row or in between."""
        visits, count = self.walk.visits(), 0
        never = Fraction(0)
        for ply, layer in enumerate(self.walk.layers()):
            for at, step in enumerate(layer):
                if not at % 1000:
                    self._tell(f"ply {ply}, rows so far: {count + at:,}")
                chance = visits.get(self.walk.key(step.seen), never)
                yield self._row(ply, step, chance)
            count += len(layer)

    def _row(self, ply: int, step: Step, chance: Fraction) -> Row:
        (position, player), moves = step
        legal = self.layout.moves(position)
        best, distance, optimal = self._best(position, legal)
        winner = None
        if position.outcome is not None:
            winner = position.outcome.winner or 0
            best = 0 if not winner else 1 if winner == player else -1
        numbers = self.walk.game.numbers
        one, two = (position.order_of(seat) or numbers(position.masks[seat - 1]) for seat in (1, 2))
        return Row(
            ply=ply,
            moves=" ".join(map(format_move, moves)),
            player=player,
            over=position.outcome is not None,
            hand_1=one,
            hand_2=two,
            observation=self.layout.flat(position, player),
            legal=list(legal),
            value=sign_of(best),
            distance=distance,
            optimal=optimal,
            optimal_moves=[format_move(legal[action]) for action in optimal],
            visit_probability=float(chance),
            visit_fraction=str(chance),
            winner=winner,
            reason=None if position.outcome is None else position.outcome.reason,
        )

    def _best(
        self, position: Position, legal: Mapping[int, Move]
    ) -> tuple[int, int | None, list[int]]:
        """The score of a position, how far its end is, and the actions that are best."""
        if not legal:
            return 0, 0, []
        scores = {action: self._score(position, move) for action, move in legal.items()}
        best = max(scores.values())
        distance = plies_of(best) if best else self._draw_plies(position)
        return best, distance, [action for action in scores if scores[action] == best]

    def _score(self, position: Position, move: Move) -> int:
        return score_of_child(position, position.play(move), self._solver.score)

    def _draw_plies(self, position: Position) -> int | None:
        """How long a draw takes if both take the first move that holds it; None for ever.

        The solver says the same; here, what was found on the way is kept.
        """
        way: dict[Key, None] = {}
        plies: int | None = 0
        while position.outcome is None:
            if position.key in self._draws or position.key in way:
                plies = self._draws.get(position.key)
                break
            way[position.key] = None
            moves = self.layout.moves(position).values()
            holding = next(move for move in moves if not self._score(position, move))
            position = after(position, holding).position
        for key in reversed(way):
            plies = self._draws[key] = None if plies is None else plies + 1
        return self._draws[next(iter(way))] if way else plies
