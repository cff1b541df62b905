"""The games of OpenSpiel that its tests here are about, and some of their states."""

from __future__ import annotations

import os
from random import Random
from typing import Any

import pytest
from effort import Effort

from contract.test_encoding import GALLERY
from ninefold import books

pytest.importorskip("pyspiel")

import pyspiel

import ninefold.envs.openspiel  # noqa: F401 - registers the games

READINGS = [
    f"ninefold(book={name.replace('-', '_')},reading={reading.replace('-', '_')})"
    for name in books.names()
    for reading in books.load_book(name).readings
]
ON_FEW_NUMBERS = [
    f"ninefold(book={name.replace('-', '_')}{'' if Effort.is_long else ',changes=pool:1-7'})"
    for name in books.names()
]
# Rules that no book here has: several picks, the pie rule, passing, who began, misère.
RARE = [
    "ninefold(book=magic_fifteen,changes=pool:1-7;picks-per-turn:2;passing:true)",
    "ninefold(book=magic_fifteen,changes=pool:1-6;pie:true;passing:true;otherwise:'second')",
    "ninefold(book=sequence_builder,changes=pool:1-6;hand-limit:3;in-order:true;misere:true)",
    "ninefold(book=pattern_builder,reading=declare,changes=pool:1-6;picks-per-turn:2;passing:true)",
    "ninefold(book=sequence_duel_sum,reading=lose_turn,max_plies=6)",
]
FILES = [f"ninefold(book={os.path.relpath(path)})" for path in GALLERY]
EVERY = [*READINGS, *RARE, *FILES]


def random_states(name: str, games: int) -> list[Any]:
    """Every state of some random games."""
    game, chance, found = pyspiel.load_game(name), Random(5), []
    for _ in range(games):
        state = game.new_initial_state()
        found.append(state.clone())
        while not state.is_terminal():
            state.apply_action(chance.choice(state.legal_actions()))
            found.append(state.clone())
    return found
