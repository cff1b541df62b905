"""Programs that speak the Go Text Protocol, for the tests that run them."""

import sys
from pathlib import Path

import bots.faulty
from e2e.program import Ninefold
from e2e.test_docs import ROOT, block

BOT = f"{sys.executable} {bots.faulty.__file__}"
ENGINE = f"{sys.executable} -m ninefold gtp magic-fifteen"
PAGE = (ROOT / "docs" / "gtp.md").read_text("utf-8")
EXAMPLE = block(PAGE, "import random, sys")


def left(ninefold: Ninefold) -> Path:
    """The record of an unfinished game against a program that leaves a mark when it runs."""
    seats = ["--p2", f"program:{BOT}"]
    ninefold.run("play", "magic-fifteen", *seats, typed="5\n")
    return ninefold.records()[0]
