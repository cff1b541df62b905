"""Answers the requests of ``ninefold conform``, and isolates the environment."""

from __future__ import annotations

import importlib
import io
import json
import os
import sys
from typing import Any

from .adapters import Adapter, adapt
from .isolation import end_with_parent, limit, take_streams
from .plain import MAX_TEXT, Unusable, last_line
from .replay import Replayer


class Printed(io.TextIOBase):
    """Replaces standard output: keeps the first line and drops the rest."""

    encoding = "utf-8"
    head = ""

    def write(self, text: str) -> int:
        """Keep the text if it belongs to the first line."""
        if len(self.head) < MAX_TEXT and "\n" not in self.head.lstrip():
            self.head += str(text)
        return len(text)

    def fileno(self) -> int:
        """The descriptor of standard output, which is /dev/null now."""
        return 1


def serve() -> None:
    """Answer requests until there are no more; one JSON value per line in both directions."""
    requests, answers = take_streams()
    printed = Printed()
    sys.stdout = printed
    end_with_parent()
    settings = json.loads(requests.readline())
    token = settings.pop("token")
    limited = limit("RLIMIT_AS", settings["memory"], for_good=True)
    stage: list[str] = ["import"]
    try:
        replayer = Replayer(_maker(settings, stage), settings["seed"])
        opening = {**replayer.describe(), "limited": limited}
    except BaseException as error:
        refused = "kind" if isinstance(error, Unusable) else stage[0]
        opening = {"refused": refused, "why": last_line(error)}
    # Each answer is marked with our token: the environment could write to the same pipe.
    print(token, json.dumps(opening), file=answers, flush=True)
    if "refused" not in opening:
        for line in requests:
            for path, tries, fresh in json.loads(line):
                answer = replayer.examine(path, tries, fresh)
                answer["printed"] = printed.head.strip().partition("\n")[0].rstrip()[:MAX_TEXT]
                print(token, json.dumps(answer), file=answers, flush=True)
    os._exit(0)  # without the environment's threads, atexit functions and destructors


def _maker(settings: dict[str, Any], stage: list[str]) -> Any:
    """A function that makes the environment; ``stage`` says how far it got."""
    module_name, _, name = settings["env"].partition(":")
    place: Any = importlib.import_module(module_name)
    stage[0] = "name"
    for part in name.split("."):
        place = getattr(place, part)
    hints = {"legal": settings["legal"], "turn": settings["turn"]}

    def make() -> Adapter:
        stage[0] = "make"
        env = place(**settings["kwargs"])
        stage[0] = "reset"
        return adapt(env, hints)

    return make
