"""Kill a game at a random moment, again and again, and resume it each time.

What must hold: every move that was shown is in the record, no record is corrupt, and the game
can be played on, also when its rule book was a file that is gone by then. Run it with the number
of kills: ``python3 dev kill 1000``.
"""

import os
import random
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import IO, NamedTuple

from ninefold.record.replay import Replay
from ninefold.record.text import read_record

OWN = '[rules]\npool = "1-9"\n[rules.wins.sum]\ncount = 3\nequals = 15\n'
SHOWN = re.compile(r"^(?:Player [12]) takes ([0-9])\.$", re.MULTILINE)


COMMAND = [sys.executable, "-m", "ninefold"]


class Tally(NamedTuple):
    """What a run has seen."""

    kills: int
    mid_game: int
    resumed: int
    shown: int


def play_and_kill(data: Path, arguments: list[str], chance: random.Random) -> str:
    """Play a few moves, then kill the program within milliseconds of the next; what it showed."""
    process = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "XDG_DATA_HOME": str(data)},
        bufsize=0,
    )
    assert process.stdin and process.stdout
    shown = b""
    try:
        for _ in range(chance.randint(0, 4)):
            shown += read_to_prompt(process.stdout)
            process.stdin.write(b"%d\n" % chance.randint(1, 9))
        time.sleep(chance.uniform(0, 0.006))
    except BrokenPipeError:
        pass  # the game was over before its time
    process.kill()
    shown += process.stdout.read()
    process.stdout.close()
    process.stdin.close()
    process.wait()
    return shown.decode()


def read_to_prompt(stream: IO[bytes]) -> bytes:
    """Everything up to the next prompt, or to the end."""
    shown = b""
    while not shown.endswith(b"number: ") and (chunk := stream.read(65_536)):
        shown += chunk
    return shown


def records(data: Path) -> list[Path]:
    """The record files of this data directory."""
    return sorted((data / "ninefold" / "games").glob("*.ninefold"))


def check(path: Path, before: list[int], shown: str) -> tuple[list[int], bool]:
    """The moves on record and whether the game is over; fails if a shown move is missing."""
    replay = Replay(read_record(str(path)))
    moves = [int(str(move)) for move in replay.run().moves]
    seen = before + [int(number) for number in SHOWN.findall(shown)]
    assert moves[: len(seen)] == seen, f"shown {seen}, but recorded {moves} in {path}"
    return moves, replay.referee.outcome is not None


def run(kills: int, seed: int) -> Tally:
    """Kill this many times; the tally."""
    chance = random.Random(seed)
    done = mid_game = resumed = total = 0
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        while done < kills:
            seats = chance.choice([["--p2", "random"], ["--p1", "random"], []])
            file = data / "own.toml"
            file.write_text(OWN)
            game = chance.choice(["magic-fifteen", str(file)])
            arguments = ["play", game, "--seed", str(chance.randrange(1000)), *seats]
            moves: list[int] = []
            known = set(records(data))
            while done < kills:
                shown = play_and_kill(data, arguments, chance)
                done += 1
                file.unlink(missing_ok=True)  # what was shown can be played on without it
                fresh = set(records(data)) - known
                if not fresh:
                    assert not SHOWN.search(shown), f"shown, but not recorded: {shown}"
                    break
                (path,) = fresh
                moves, over = check(path, moves, shown)
                total += len(SHOWN.findall(shown))
                if over:
                    break
                mid_game += 1
                resumed += arguments[0] == "resume"
                arguments = ["resume", path.stem]
        for path in records(data):
            Replay(read_record(str(path))).run()
    return Tally(done, mid_game, resumed, total)


if __name__ == "__main__":
    wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    tally = run(wanted, seed=int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns())
    print(
        f"{tally.kills} kills, {tally.mid_game} of them within a game, {tally.resumed} of resumed "
        f"games; {tally.shown} moves were shown, and all of them are on record."
    )
