"""Players: who sits in a seat, and how a computer chooses. Chance comes only from the seed."""

from collections.abc import Sequence

from ninefold.core.errors import NinefoldError
from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, Declare, Move
from ninefold.core.position import Position

HUMAN = "human"
PROGRAM = "program:"
# How many plies ahead each level sees wins and losses.
LEVELS = {1: 1, 2: 2, 3: 4, 4: 6, 5: 1_000}
KINDS = (HUMAN, "random", "greedy", *(f"level:{level}" for level in LEVELS), "perfect")


class UnknownPlayer(NinefoldError):
    """There is no such kind of player, or it does not play this game."""


class NoMove(NinefoldError):
    """A player chose nothing; ``code`` is ``resign`` or one of the referee's FORFEITS."""


class Chance:
    """Chance that depends on the seed and the moment alone, so a resumed game draws the same."""

    def __init__(self, seed: int, game_number: int = 1) -> None:
        self.seed = seed
        self.game_number = game_number

    def draw(self, numbers: Sequence[int], ply: int) -> int:
        """One of the numbers, for the decision at this ply."""
        from random import Random

        return Random(f"{self.seed}:{self.game_number}:{ply}").choice(numbers)

    def pick(self, moves: Sequence[Move], ply: int) -> Move:
        """One of the moves, for the decision at this ply."""
        return moves[self.draw(range(len(moves)), ply)]


class Player:
    """A computer player. Ours need nothing but the position; a program keeps a board of its own."""

    def begin(self, game: Game, limit: float | None) -> None:
        """Get ready for a game with so many seconds for each move; raises UnknownPlayer."""

    def follow(self, first: int, moves: Sequence[Move]) -> None:
        """Hear how the game has gone so far: told before each choice."""

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """A legal move for the player to act; a program may answer anything, or raise NoMove."""
        return chance.pick(self.candidates(position), ply)

    def candidates(self, position: Position) -> Sequence[Move]:
        """The moves that are alike to this player, one of which chance decides on."""
        raise NotImplementedError

    def close(self) -> None:
        """Leave the table for good."""


class RandomPlayer(Player):
    """Makes any move but losing its turn; declares whenever it is asked and holds a set."""

    def candidates(self, position: Position) -> list[Move]:
        """Every move but those two kinds; the answer to a question."""
        if position.asking:
            sets = position.sets_of(position.turn)
            return [Declare(sets[0]) if sets else PASS]
        moves = position.legal
        return [move for move in moves if move is not LOST and not isinstance(move, Declare)]


class GreedyPlayer(Player):
    """Wins if it can, blocks if it must; otherwise it picks any number.

    Where completing a set loses, it does so only if it must, and rather passes. It never swaps.
    """

    def candidates(self, position: Position) -> Sequence[Move]:
        """The numbers that win, or else those that block, or else all."""
        held = position.sets_of(position.turn) if position.game.rules.declare else ()
        if held:
            return [Declare(held[0])]
        if position.asking:
            return [PASS]
        wins, blocks = position.threats(position.turn), position.threats(3 - position.turn)
        if position.game.rules.misere:
            safe = [number for number in position.picks if number not in wins]
            if not safe and position.game.rules.passing:
                return [PASS]
            return safe or position.picks
        blocks = tuple(number for number in blocks if number in position.picks)
        return wins or blocks or position.picks


class PerfectPlayer(Player):
    """Never gives away what it has: wins as soon as it can, and lays traps when it is lost."""

    def candidates(self, position: Position) -> Sequence[Move]:
        """The quickest wins; else, of the moves that keep the value, those that lay most traps."""
        from ninefold.solver import solver_for

        return solver_for(position.game).perfect(position)


class LevelPlayer(Player):
    """Sees wins and losses up to so many plies ahead, exactly, and nothing beyond.

    Of what it sees it takes the quickest win and avoids every loss it can; moves that look alike
    to it are alike. Level 5 sees everything, so it loses only from lost positions.
    """

    def __init__(self, level: int) -> None:
        self.level = level

    def candidates(self, position: Position) -> list[Move]:
        """The moves that look best, and alike, to this level; chance decides between them."""
        from ninefold.solver import solver_for

        solver = solver_for(position.game)
        # Where wins are declared, a turn takes two plies, and so on for several picks.
        rules = position.game.rules
        sight = LEVELS[self.level] * (2 if rules.declare else 1) * rules.picks_per_turn
        seen = {move: solver.move_score(position, move, sight) for move in position.legal}
        best = max(seen.values())
        if self.level == max(LEVELS) and best > 0:
            return [move for move in seen if seen[move] > 0]
        return [move for move in seen if seen[move] == best]


def make(kind: str) -> Player | None:
    """The computer player of this kind; None for a person. Raises UnknownPlayer."""
    if kind == HUMAN:
        return None
    if is_program(kind):
        from ninefold.players.program import ProgramPlayer, split_command

        return ProgramPlayer(split_command(kind.removeprefix(PROGRAM)))
    players: dict[str, Player] = {
        "random": RandomPlayer(),
        "greedy": GreedyPlayer(),
        **{f"level:{level}": LevelPlayer(level) for level in LEVELS},
        "perfect": PerfectPlayer(),
    }
    if kind in players:
        return players[kind]
    raise UnknownPlayer(
        "unknown-player",
        f"There is no player {kind!r}; choose one of: {', '.join(KINDS)}, {PROGRAM}CMD",
    )


def is_program(kind: str) -> bool:
    """Whether somebody else's program sits here: ``program:CMD``."""
    return kind.startswith(PROGRAM)


def check(kind: str, game: Game) -> None:
    """Refuse a player that does not exist or cannot play this game; raises UnknownPlayer."""
    make(kind)
    if is_program(kind):
        from ninefold.players.process import find_program
        from ninefold.players.program import split_command

        find_program(split_command(kind.removeprefix(PROGRAM)))
        return
    from ninefold.solver import is_small, most_numbers

    if kind not in (HUMAN, "random", "greedy") and not is_small(game):
        most = most_numbers(game.rules)
        raise UnknownPlayer(
            "too-large",
            f"This game is too large for {kind}, who plays at most {most} numbers by these rules; "
            "greedy and random play any game.",
        )
