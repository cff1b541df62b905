"""A player that is loaded when its first game begins: naming it, as records do, runs nothing."""

from collections.abc import Callable, Mapping, Sequence

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.players import Chance, NoMove, Player, Report


class LazyPlayer(Player):
    """Does what the player does that ``load`` returns, which may raise UnknownPlayer."""

    def __init__(self, load: Callable[[], Player]) -> None:
        self._load = load
        self._loaded: Player | None = None

    def begin(self, game: Game, limit: float | None) -> None:
        """Load the player unless it has been, and begin; raises UnknownPlayer."""
        self._loaded = self._loaded or self._load()
        self._loaded.begin(game, limit)
        self.agent = self._loaded.agent

    def follow(self, first: int, moves: Sequence[Move]) -> None:
        """Take note of the moves so far."""
        if self._loaded is not None:
            self._loaded.follow(first, moves)

    def policy(self, position: Position, ply: int, chance: Chance) -> Mapping[Move, float]:
        """The policy of the player that was loaded."""
        return self._player().policy(position, ply, chance)

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """The move of the player that was loaded."""
        return self._player().choose(position, ply, chance)

    def take_report(self) -> Report:
        """The report of the player that was loaded."""
        return self._loaded.take_report() if self._loaded else Report()

    def close(self) -> None:
        """Leave for good."""
        if self._loaded is not None:
            self._loaded.close()

    def _player(self) -> Player:
        if self._loaded is None:  # nobody has agreed to load it
            raise NoMove("refusal", "it was not loaded.")
        return self._loaded
