"""Streams that are closed end the program quietly."""

import re
import subprocess

import pytest
from e2e.program import COMMAND, Ninefold


def test_a_closed_pipe_ends_quietly(ninefold: Ninefold) -> None:
    """As with head: no traceback, and the game is on disk."""
    command = " ".join([*COMMAND, "play magic-fifteen --p1 random --p2 random --wins 300"])
    result = subprocess.run(
        ["sh", "-c", f"{command} | head -n 9"],
        capture_output=True,
        text=True,
        env=ninefold.environment,
        check=True,
    )
    assert result.stdout.startswith("Game 1, first to 300.")
    assert re.fullmatch("The game is saved. To resume it: ninefold resume .*\n", result.stderr)


@pytest.mark.parametrize("stream", ["<&-", ">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("command", ["", "list", "games", "play magic-fifteen", "referee x"])
def test_a_closed_standard_stream_is_no_crash(
    ninefold: Ninefold, command: str, stream: str
) -> None:
    """It is as if nothing came in, or nobody read what goes out."""
    result = subprocess.run(
        ["sh", "-c", f"{' '.join(COMMAND)} {command} {stream}"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        env=ninefold.environment,
        check=False,
    )
    assert result.returncode == (2 if command == "referee x" else 0)
    assert "Traceback" not in result.stderr
    if stream == "<&-" and command.startswith("play"):
        assert "No move was made, so there is nothing to resume." in result.stderr
