"""Tiles are readable and told apart in both themes, and with 16 colours."""

from itertools import combinations

import pytest
from rich.color import ColorSystem
from rich.color_triplet import ColorTriplet
from textual.pilot import Pilot
from unit.tui.driving import run

from ninefold.preferences import THEMES, Preferences
from ninefold.tui.board import Board
from ninefold.tui.settings import Settings

TAKEN = ("one", "two", "win", "chosen")


def luminance(colour: ColorTriplet) -> float:
    """How bright a colour is, as the W3C defines it."""
    parts = [
        part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
        for part in colour.normalized
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(one: ColorTriplet, two: ColorTriplet) -> float:
    """Their ratio of luminance; 4.5 is enough for text, 3 for large or bold text."""
    low, high = sorted((luminance(one), luminance(two)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES)
def test_tiles_are_readable_and_told_apart(theme: str) -> None:
    """Whoever holds a number, its text stands out, and no two kinds share a colour."""

    async def script(pilot: Pilot[None]) -> None:
        board = pilot.app.screen.query_one(Board)
        styles = {look: board.get_component_rich_style(f"board--{look}") for look in TAKEN}
        few = {}
        for look, style in styles.items():
            assert style.color is not None
            assert style.bgcolor is not None
            text, back = style.color.get_truecolor(), style.bgcolor.get_truecolor()
            assert contrast(text, back) >= 4.5, look
            few[look] = style.bgcolor.downgrade(ColorSystem.STANDARD).number
        assert len({*few.values()}) == len(TAKEN), few
        for one, two in combinations(("one", "two", "win"), 2):
            backs = [styles[look].bgcolor for look in (one, two)]
            assert backs[0] is not None
            assert backs[1] is not None
            shades = [luminance(back.get_truecolor()) for back in backs if back is not None]
            # Brightness tells them apart, too, for those who see no hues.
            assert abs(shades[0] - shades[1]) > 0.08, (one, two)

    run(script, Settings, settings=Preferences(theme=theme, animations=False))
