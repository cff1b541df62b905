"""States: positions with the judge's answers kept, for many games played one after the other."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar

from ninefold.core.moves import AnyMove, Move, as_move
from ninefold.core.position import Position

if TYPE_CHECKING:
    from ninefold.core.game import Game

# A state takes about a kilobyte; past this many, the judge is asked each time again.
MOST_STATES = 1 << 16


class State:
    """A moment of a game, frozen like a position: playing a move returns another state.

    ``play`` returns the state after a move of the player to act, and raises Illegal; ``turn`` is
    that player, ``legal`` holds every move there is; once the game is ``over``, ``winner`` is 1, 2
    or None for a draw, and ``reason`` says why. ``position`` is one with the same future: its hands
    may have been picked in another order, unless order counts.
    """

    __slots__ = ("kept", "legal", "over", "play", "position", "reason", "turn", "winner")
    legal: tuple[Move, ...]
    play: Callable[[AnyMove], Self]

    def __init__(self, position: Position, states: "States[Any]") -> None:
        self.position, self.turn = position, position.turn
        outcome = position.outcome
        self.over = outcome is not None
        self.kept = False
        self.winner = None if outcome is None else outcome.winner
        self.reason = "" if outcome is None else outcome.reason
        # Looking up in a dictionary of its own is all that playing costs.
        self.play = _After(position, states).__getitem__

    def __getattr__(self, name: str) -> Any:
        """What is left out at first, because it is not always asked for."""
        if name != "legal":
            raise AttributeError(f"a state has no attribute {name!r}")
        self.legal = tuple(self.position.legal)
        return self.legal

    def __copy__(self) -> Self:
        return self

    def __deepcopy__(self, memo: object) -> Self:
        # Behind it are all states that were seen from here, and they never change.
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        # For the same reason, only the position is written down.
        return _read_back, (self.position,)

    def __repr__(self) -> str:
        return f"<State of {self.position!r}>"


Kind = TypeVar("Kind", bound=State)


class States(Generic[Kind]):
    """The states of one game seen so far, each kept once, up to a bound."""

    def __init__(self, game: "Game", kind: type[Kind], most: int = MOST_STATES) -> None:
        self.game, self.most, self._kind = game, most, kind
        self._known: dict[object, Kind] = {}
        self._starts = {first: self.of(game.start(first)) for first in (1, 2)}

    def __len__(self) -> int:
        return len(self._known)

    def start(self, first: int = 1) -> Kind:
        """The state before the first move, with player 1 or 2 to move."""
        if first not in self._starts:
            raise ValueError(f"first must be 1 or 2, not {first!r}")
        return self._starts[first]

    def of(self, position: Position) -> Kind:
        """The state of a position."""
        # Equal for positions that nobody can tell apart, now or later, but for sets and order.
        key = position.turn, position.key, position.phase if position.outcome else None
        state = self._known.get(key)
        if state is None:
            state = self._kind(position, self)
            state.kept = len(self._known) < self.most
            if state.kept:
                self._known[key] = state
        return state


class _After(dict[AnyMove, Any]):
    """The states after each move that was played from a position."""

    __slots__ = ("position", "states")

    def __init__(self, position: Position, states: States[Any]) -> None:
        super().__init__()
        self.position, self.states = position, states

    def __missing__(self, move: AnyMove) -> Any:
        """Ask the judge, and keep the answer; raises Illegal."""
        position, states = self.position, self.states
        # Whatever equals a legal move is found once it was played, so it is one before that, too.
        played = next((legal for legal in position.legal if legal == move), None)
        if played is None:
            played = as_move(move)
            if played in self:
                return self[played]
        after = states.of(position.play(played))
        if after.kept:
            self[played] = after
        return after


def _read_back(position: Position) -> State:
    """The state of a position that was read from somewhere."""
    return position.game.states.of(position)
