"""One game of a tournament, from its opening to its row.

It is played by the referee's rules. Legal moves follow edges that the judge made; whatever else a
player answers is put to the referee itself.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

from ninefold.arena.faults import fault, kind_of
from ninefold.arena.nodes import Edge, Node
from ninefold.arena.results import Heading, dumps, format_row
from ninefold.core.moves import LOST, PASS, Move, format_move
from ninefold.players import PYTHON, Chance, NoMove
from ninefold.referee import MAX_LAPSES, Referee
from ninefold.referee.events import Forfeited
from ninefold.referee.whole_game import settings_of

if TYPE_CHECKING:
    from ninefold.arena.seats import Seat


# Why a game ends without a result: nobody plays, or it takes too long.
UNFINISHED = SET_ASIDE, MOVE_LIMIT = "set-aside", "move-limit"


class Limits(NamedTuple):
    """What holds for every game: seconds per move, second tries per turn, moves per game."""

    time_limit: float | None = None
    retries: int = 0
    most_moves: int = 1_000
    folder: str = ""  # where language models keep what they say and spend; "": nowhere
    processes: int = 1  # that share what they may ask for at once


class Start(NamedTuple):
    """A game to play: what its row begins with, who plays, its opening and its random seed."""

    heading: Heading
    seats: tuple[int, int]  # which of the two players of the pairing sits where
    opening: str
    seed: int


class GameInProgress:
    """One game: the node it has reached, and the edges that led there."""

    __slots__ = (
        *("chance", "cost", "edges", "ending", "faults", "lapses", "limits", "node", "number"),
        *("opening", "players", "ply", "reported", "seconds", "start", "tokens"),
    )

    def __init__(
        self,
        start: Start,
        node: Node,
        seats: "tuple[Seat, Seat]",
        opening: tuple[Move, ...],
        limits: Limits,
    ) -> None:
        self.start, self.node, self.opening, self.limits = start, node, opening, limits
        self.players, self.chance, self.ply = seats, Chance(start.seed), len(opening)
        self.edges: list[Edge] = []
        self.lapses = self.number = 0
        self.ending: tuple[int | None, str] | None = None
        self.faults: list[dict[str, Any]] = []
        self.reported = ""  # what the player itself said is wrong with its last answer
        self.seconds, self.tokens, self.cost = [0.0, 0.0], [0, 0], [0.0, 0.0]
        self._check_end()

    @property
    def moves(self) -> list[Move]:
        """Every move so far, the opening first."""
        return [*self.opening, *(edge.move for edge in self.edges)]

    def follow(self, edge: Edge) -> None:
        """Make a legal move."""
        self.edges.append(edge)
        self.node = node = edge.to
        self.ply += 1
        if node.over:
            self.ending = node.winner, node.reason
        elif edge.move is LOST:
            self.lapses += 1
            if self.lapses >= MAX_LAPSES:
                self.ending = None, SET_ASIDE
        elif edge.move is not PASS:
            self.lapses = 0
        if self.ply >= self.limits.most_moves and self.ending is None:
            self.ending = None, MOVE_LIMIT

    def _check_end(self) -> None:
        if self.node.over:
            self.ending = self.node.winner, self.node.reason

    def forfeit(self, kind: str) -> None:
        """The player to act loses."""
        self.ending = 3 - self.node.turn, kind

    def row(self) -> str:
        """The finished game as a line of JSON."""
        assert self.ending is not None
        more = ""
        if any(self.tokens):
            more += f',"tokens":{dumps(self.tokens)}'
        if any(seat.is_timed for seat in self.players):
            one, two = self.seconds
            more += f',"seconds":[{one:.6f},{two:.6f}]'
        if any(self.cost):
            more += f',"cost":{dumps(self.cost)}'
        return format_row(self.start.heading, self.edges, self.ending, self.faults, more)


def settle(game: GameInProgress, decision: Move | NoMove, is_last_try: bool) -> bool:
    """Make the move, or note what is wrong with it; False if the player may try again."""
    failure = decision if isinstance(decision, NoMove) else _make(game, decision)
    if failure is None:
        return True
    code, seat = failure.code, game.node.turn
    kind = kind_of("resignation" if code == "resign" else code)
    if game.reported != kind:
        game.faults.append(fault(seat, game.ply, code, failure.reason))
    if is_last_try or kind == "resign":
        game.forfeit(kind)
        return True
    return False


def _make(game: GameInProgress, move: Move) -> NoMove | None:
    """Make a legal move, or let the referee judge it; what is wrong with it, if anything."""
    edge = game.node.edges.get(move)
    if edge is None:
        return _refusal(game, move)
    game.follow(edge)
    return None


def _refusal(game: GameInProgress, decision: Move) -> NoMove | None:
    """Why the referee refuses this move; None if it costs the turn, which is then lost."""
    rules, seat = game.node.position.game, game.node.turn
    who = f"{PYTHON}object"
    referee = Referee(rules, settings_of(rules, (who, who), game.start.seed, 1))
    for move in game.moves:
        referee.move(referee.position.turn, move, 0.0)
    event = referee.answer(seat, decision, 0.0)[0]
    if isinstance(event, Forfeited):
        return NoMove(event.reason, f"{format_move(decision)}: {event.detail}")
    lost = fault(seat, game.ply, "lost-turn", format_move(decision))
    if game.reported != lost["kind"]:
        game.faults.append(lost)
    game.follow(game.node.edges[LOST])
    return None
