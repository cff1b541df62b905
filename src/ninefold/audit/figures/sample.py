"""Random games, for pools too large to count: what was seen can happen, the rest is a guess."""

from collections.abc import Callable
from random import Random

from ninefold.audit.figures import Chances, Figures, Moves, Tell, deciding_of, results_of
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.players import RandomPlayer

TRIALS = 2_000
# At least this many, if there is no time for more.
FEW = 200
MOST_PLIES = 2_000


def sample_figures(
    game: Game, tell: Tell, seed: int, late: Callable[[], bool] = lambda: False
) -> Figures:
    """Figures from games at random: an estimate, and games that show what can happen."""
    tell(f"playing {TRIALS:,} games at random")
    random = Random(seed)
    played = [_play(game, random) for _ in range(FEW)]
    while len(played) < TRIALS and not late():
        played.append(_play(game, random))
    finished = sorted(
        (item for item in played if item[0].outcome is not None), key=lambda item: len(item[1])
    )
    longest = max((moves for _, moves in finished), key=len, default=())
    first_moves = {moves[0] for _, moves in finished}
    return Figures(
        exact=False,
        positions=0,
        results=results_of(end for end, _ in finished),
        deciding=deciding_of(game, [end for end, _ in finished], lambda at: finished[at][1]),
        shortest=len(finished[0][1]) if finished else 0,
        longest=len(longest),
        longest_game=longest,
        most_numbers=max((max(map(len, end.hands)) for end, _ in finished), default=0),
        random=_chances(finished),
        perfect=None,
        blunders=None,
        openings={
            move: _chances([item for item in finished if item[1][0] == move])
            for move in game.start().legal
            if move in first_moves
        },
    )


def _play(game: Game, random: Random) -> tuple[Position, Moves]:
    position, player = game.start(), RandomPlayer()
    moves: list[Move] = []
    while position.outcome is None and len(moves) < MOST_PLIES:
        moves.append(random.choice(player.candidates(position)))
        position = position.play(moves[-1])
    return position, tuple(moves)


def _chances(finished: list[tuple[Position, Moves]]) -> Chances:
    trials = len(finished) or 1
    one, two, draw = (count / trials for count in results_of(end for end, _ in finished))
    plies = sum(len(moves) for _, moves in finished) / trials
    return Chances(one, two, draw, plies if finished else None, trials)
