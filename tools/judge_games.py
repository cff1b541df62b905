"""Random games through the vector environment and by states, judged again from their moves."""

from __future__ import annotations

import sys
from random import Random
from typing import Any

import numpy

from ninefold import books
from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.outcome import Outcome
from ninefold.envs.gym.vector import NinefoldVectorEnv

AT_ONCE = 4096
# Where turns can be lost for ever, a game by states stops here.
LONGEST = 36
# Pools too large for a table, without an ending and with one.
LARGE_POOLS = (
    ["pool=1-20"],
    ["pool=1-13", "wins.sum.equals=8", "ending=[{measure='hand-sum',prefer='lower'}]"],
)


def judge_games(book: str, reading: str | None, games: int, seed: int = 1, **settings: Any) -> int:
    """Play at least so many games to their end, and judge them; how many it were.

    Raises AssertionError for the first whose outcome is not what the judge says.
    """
    arguments = {"seat": "alternate", "record": True, **settings}
    env = NinefoldVectorEnv(min(AT_ONCE, games), book, reading, **arguments)
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


def judge_states(game: Game, games: int, seed: int = 1) -> None:
    """Play so many games by states, one after the other, and judge them from their moves.

    Raises AssertionError for the first whose outcome is not what the judge says.
    """
    chance = Random(seed)
    for _ in range(games):
        state, moves = game.state(), list[Move]()
        while not state.over and len(moves) < LONGEST:
            moves.append(state.legal[int(chance.random() * len(state.legal))])
            state = state.play(moves[-1])
        position = game.start()
        for move in moves:
            position = position.play(move)
        winner, reason = (position.outcome or Outcome(None, ""))[:2]
        assert (state.over, state.winner, state.reason) == (
            position.outcome is not None,
            winner,
            reason,
        ), moves


def main(games: int) -> None:
    """So many games for every book and reading, against every kind of opponent."""
    for changes in LARGE_POOLS:
        for opponent in ("self", "random"):
            judged = judge_games(
                "magic-fifteen", None, games // 4, opponent=opponent, changes=changes
            )
            print(f"magic-fifteen {' '.join(changes)} {opponent}: {judged:,} games", flush=True)
    for book in books.names():
        for reading in books.load_book(book).readings:
            for opponent in ("self", "random", "greedy", "perfect"):
                judged = judge_games(book, reading, games // 4, opponent=opponent)
                print(
                    f"{book} {reading} {opponent}: {judged:,} games, as the judge says", flush=True
                )
            judge_states(books.load_book(book, reading).game, games // 4)
            print(f"{book} {reading} by states: {games // 4:,} games", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400_000)
