"""One thing to ask: a prompt, what can be answered, and what is right."""

from collections.abc import Iterator
from random import Random
from typing import Any

from ninefold.core.game import Game
from ninefold.core.moves import Move, format_move, parse_moves
from ninefold.core.position import Position
from ninefold.core.text import NamedTuple
from ninefold.players import random_choices

# So many random games are looked through for each item before the search is given up.
PATIENCE = 200


class Item(NamedTuple):
    """A prompt with its possible answers and the right ones among them.

    ``moves`` lead to the position, in the notation of the game as it was before any relabelling.
    ``kept`` is, for each option of a move, the share of what is at stake that it keeps.
    """

    id: str
    kind: str
    prompt: str
    options: tuple[str, ...]
    answers: tuple[str, ...]
    moves: str
    kept: tuple[float, ...] = ()

    def as_data(self) -> dict[str, Any]:
        """The item as it is written into files."""
        data = self._asdict()
        if not self.kept:
            del data["kept"]
        return data


class Reached(NamedTuple):
    """A position and the moves that led there."""

    position: Position
    moves: tuple[Move, ...]

    @property
    def notation(self) -> str:
        """The moves as they are written."""
        return " ".join(map(format_move, self.moves))


def replay(game: Game, moves: str) -> Position:
    """The position after the moves of an item, to the letter: no question is passed over."""
    position = game.start()
    for move in parse_moves(moves):
        position = position.play(move)
    return position


def random_game(game: Game, random: Random) -> list[Reached]:
    """All positions of one game between random players, the start first."""
    found = [Reached(game.start(), ())]
    while found[-1].position.outcome is None:
        position, moves = found[-1]
        move = random.choice(random_choices(position.legal, position.asking))
        found.append(Reached(position.play(move), (*moves, move)))
    return found


def random_positions(game: Game, random: Random) -> Iterator[Reached]:
    """Unfinished positions, each from the middle of another random game, without end."""
    while True:
        yield random.choice(random_game(game, random)[:-1])
