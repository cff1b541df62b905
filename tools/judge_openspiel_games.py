"""Random games through OpenSpiel, judged again by the referee from their recorded moves."""

from __future__ import annotations

import json
import sys
from random import Random
from typing import Any

import pyspiel

import ninefold.envs.openspiel
from ninefold import books
from ninefold.cli.program_commands import judge_line


def judge_openspiel_games(name: str, games: int, seed: int = 1) -> int:
    """Play so many games of this name to their end, and judge them; how many it were.

    Raises AssertionError for the first whose outcome is not what the referee says.
    """
    ninefold.envs.openspiel.register()
    game, chance = pyspiel.load_game(name), Random(seed)
    for _ in range(games):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
        check(game, state)
    return games


def check(game: Any, state: Any) -> None:
    """Let the referee judge a finished game; the returns must be those of its verdict."""
    verdict = json.loads(judge_line(game.book.game, state.moves.encode(), 1))
    winner, returns = verdict["winner"], state.returns()
    if verdict["status"] == "unfinished":
        assert len(state.history()) == game.table.limit and returns == [0, 0], state.moves
    else:
        assert verdict["status"] in ("won", "drawn"), (state.moves, verdict)
        assert returns == {None: [0, 0], 1: [1, -1], 2: [-1, 1]}[winner], state.moves
        assert verdict["plies"] == len(state.history())


def main(games: int) -> None:
    """So many games for every book and reading."""
    for book in books.names():
        for reading in books.load_book(book).readings:
            judged = judge_openspiel_games(f"ninefold(book={book},reading={reading})", games)
            print(f"{book} {reading} OpenSpiel: {judged:,} games, as the referee says", flush=True)


if __name__ == "__main__":
    main((int(sys.argv[1]) if len(sys.argv) > 1 else 400_000) // 100)
