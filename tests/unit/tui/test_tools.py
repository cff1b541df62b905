"""The tools of the app: random keys and clicks, and the pictures in the documentation."""

import asyncio

import pytest
from effort import examples

from ninefold.preferences import Preferences
from ninefold.tui.app import NinefoldApp
from tools import fuzz_app, write_screenshots
from tools.run_app import rest, running


@pytest.mark.slow
@pytest.mark.parametrize("seed", [7, 50])
def test_random_keys_and_clicks_break_nothing(seed: int) -> None:
    """No traceback, no hang, no illegal position, and every record replays."""
    done, _, screens = fuzz_app.run(examples(250), seed)
    assert done >= 250
    assert len(screens) > 3


@pytest.mark.slow
def test_the_pictures_are_up_to_date() -> None:
    """They show the program as it is; python3 dev screenshots writes them."""
    kept = {path.name: path.read_text("utf-8") for path in write_screenshots.SCREENS.iterdir()}
    assert write_screenshots.pictures() == kept


def test_a_picture_needs_no_other_host() -> None:
    """Textual's names a font on a server; ours do not."""
    fonts = 'a@font-face {\n src: url("https://host/x.woff2");\n}b'
    assert write_screenshots.settle(fonts) == "ab\n"
    for path in write_screenshots.SCREENS.glob("*.svg"):
        assert "https://" not in path.read_text("utf-8")


def test_an_app_that_was_left_is_at_rest() -> None:
    """Though it never shows anything again."""

    async def main() -> None:
        app = NinefoldApp(settings=Preferences())
        async with running(app, (80, 24)):
            app.exit()
            await rest(app)
            assert app._batch_count

    asyncio.run(main())
