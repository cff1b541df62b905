"""Golden transcripts: a comment, a command, what is typed, and what must appear, letter by letter.

A file holds ``#`` lines that say what it shows, ``$ ninefold …``, one ``< `` line for each line
typed, ``---``, and then standard output to the end of the file. Run this module to write the
output of all transcripts (or those named) anew, and read the difference before you keep it.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent
ROOT = FOLDER.parents[1]
GALLERY = ROOT / "docs" / "gallery"


class Transcript(NamedTuple):
    """One golden transcript, as its file states it."""

    comments: list[str]
    command: str
    typed: list[str]
    output: str

    def run(self) -> subprocess.CompletedProcess[str]:
        """Run the command on the typed lines, with records in a folder of their own."""
        program, *arguments = shlex.split(self.command)
        assert program == "ninefold"
        with tempfile.TemporaryDirectory() as data:
            return subprocess.run(
                [sys.executable, "-m", "ninefold", *arguments],
                input="".join(f"{line}\n" for line in self.typed),
                capture_output=True,
                text=True,
                check=False,
                cwd=ROOT,
                env={
                    **{key: value for key, value in os.environ.items() if "COLOR" not in key},
                    "XDG_DATA_HOME": data,
                    "PYTHONIOENCODING": "utf-8",
                },
            )


def paths() -> list[Path]:
    """Every transcript, in a stable order."""
    return [*sorted(FOLDER.glob("*/*.txt")), *sorted(GALLERY.glob("*.txt"))]


def load(path: Path) -> Transcript:
    """The transcript in this file."""
    head, _, output = path.read_text("utf-8").partition("---\n")
    lines = head.splitlines()
    return Transcript(
        [line for line in lines if line.startswith("#")],
        next(line.removeprefix("$ ") for line in lines if line.startswith("$ ")),
        [line[2:] for line in lines if line.startswith("<")],
        output,
    )


def dump(transcript: Transcript) -> str:
    """The text of a transcript's file."""
    typed = [f"< {line}" for line in transcript.typed]
    head = [*transcript.comments, f"$ {transcript.command}", *typed, "---"]
    return "\n".join(head) + "\n" + transcript.output


def update(names: list[str]) -> None:
    """Write the output of the named transcripts (all, if none is named) anew."""
    for path in [Path(name) for name in names] or paths():
        transcript = load(path)
        path.write_text(dump(transcript._replace(output=transcript.run().stdout)), "utf-8")


if __name__ == "__main__":
    update(sys.argv[1:])
