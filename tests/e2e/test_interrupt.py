"""Ctrl-C ends a game at a terminal, whatever it was doing."""

import random
from pathlib import Path

import pytest

from tools.interrupt_prompts import press_ctrl_c


@pytest.mark.parametrize("tries", [10, pytest.param(500, marks=pytest.mark.long)])
def test_ctrl_c_is_never_lost(tmp_path: Path, tries: int) -> None:
    """Within milliseconds of other keys; ``python3 dev interrupt`` runs for longer."""
    chance = random.Random(3)
    assert [press_ctrl_c(str(tmp_path), chance) for _ in range(tries)] == [""] * tries
