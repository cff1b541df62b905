"""Random games through the vector environment, judged again from their recorded moves."""

from __future__ import annotations

import sys
from typing import Any

import numpy

from ninefold import books
from ninefold.envs.vector import NinefoldVectorEnv

AT_ONCE = 4096


def judge_games(book: str, reading: str | None, games: int, seed: int = 1, **settings: Any) -> int:
    """Play at least so many games to their end, and judge them; how many it were.

    Raises AssertionError for the first whose outcome is not what the judge says.
    """
    arguments = {"seat": "alternate", "record": True, **settings}
    env = NinefoldVectorEnv(AT_ONCE, book, reading, **arguments)
    env.reset(seed=seed)
    judged = 0
    while judged < games:
        _, rewards, terminated, truncated, _ = env.step(env.sample_actions())
        for at in numpy.flatnonzero(terminated | truncated).tolist():
            check(env, at, float(rewards[at]), bool(terminated[at]))
            judged += 1
    return judged


def check(env: NinefoldVectorEnv, at: int, reward: float, terminated: bool) -> None:
    """Play a recorded game again; the reward must be that of the judge's outcome."""
    position, mover = env.game.start(), 0
    moves = env.moves(at)
    for move in moves:
        assert position.outcome is None, (at, moves)
        mover = position.turn
        position = position.play(move)
    assert (position.outcome is not None) == terminated, (at, moves)
    if position.outcome is not None:
        viewer = mover if env.batch.settings.opponent == "self" else int(env.batch.agent[at])
        winner = position.outcome.winner
        assert reward == (0 if winner is None else 1 if winner == viewer else -1), (at, moves)
    else:
        assert reward == 0 and len(moves) == env.batch.settings.limit


def main(games: int) -> None:
    """So many games for every book and reading, against every kind of opponent."""
    for book in books.names():
        for reading in books.load(book).readings:
            for opponent in ("self", "random", "greedy", "perfect"):
                judged = judge_games(book, reading, games // 4, opponent=opponent)
                print(
                    f"{book} {reading} {opponent}: {judged:,} games, as the judge says", flush=True
                )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400_000)
