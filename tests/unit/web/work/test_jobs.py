"""The jobs in real worker processes: the same results, and hostile books do no harm."""

import asyncio
import json
from collections import Counter
from importlib import import_module
from random import Random
from typing import Any

import pytest
from unit.record.records import settings_of

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.record.text import format_settings
from ninefold.web.server.work.pool import JOBS, Workers
from tools import fuzz_books

MAGIC = {"game": "magic-fifteen"}
PUZZLE = {"book": MAGIC, "moves": ["1", "2", "6", "5"]}
RECORD = format_settings(settings_of(books.load_book("magic-fifteen"))) + "1. 5\n2. 2\n3. 1\n"
THINKING = (
    format_settings(settings_of(books.load_book("magic-fifteen"), seat2="perfect")) + "1. 5\n"
)
ARGUMENTS: dict[str, dict[str, Any]] = {
    "check": {"text": "[rules]\npool = 3"},
    "describe": {"book": {"text": 'extends = "magic-fifteen"\ntitle = "A"'}},
    "audit": {"book": MAGIC},
    "analyse": {"book": MAGIC, "moves": ["5", "2"]},
    "about": {"book": MAGIC},
    "line": {"book": MAGIC, "moves": ["5"], "line": ["2", "3"]},
    "review": {"game": {"record": RECORD}},
    "think": {"game": {"record": THINKING}},
    "daily": {"day": "2026-11-17"},
    "puzzles": {"book": MAGIC, "rating": 3},
    "answer": {"puzzle": PUZZLE, "move": "8"},
    "help": {"puzzle": PUZZLE, "step": 1},
    "lessons": {"games": [{"name": "g", "seat": 1, "record": RECORD}]},
}


@pytest.mark.slow
def test_every_job_is_the_function_of_its_name() -> None:
    """What comes back from another process is what the function returns, and its progress."""
    assert ARGUMENTS.keys() == JOBS.keys()

    async def test() -> None:
        workers = Workers(1)
        for name, arguments in ARGUMENTS.items():
            steps: list[object] = []
            reported: list[object] = []
            module, _, function = JOBS[name].call.partition(":")
            expected = getattr(import_module(module), function)(**arguments, progress=steps.append)
            found = await workers.run(name, arguments, "me", reported.append)
            expected, found = (_without_moment(json.dumps(one)) for one in (expected, found))
            assert found == expected
            assert json.dumps(reported) == json.dumps(steps)
        await workers.close()

    asyncio.run(test())


def _without_moment(data: str) -> Any:
    found = json.loads(data)
    if isinstance(found, dict) and found.get("log"):
        found["log"] = found["log"].partition(" ")[2]
    return found


async def _survive(workers: Workers, text: str, seen: Counter[str]) -> None:
    """Check a text as a stranger would; if it is a book, do everything with it."""
    spec = {"text": text}
    jobs: list[tuple[str, dict[str, Any]]] = [("check", {"text": text})]
    jobs += [("describe", {"book": spec}), ("analyse", {"book": spec, "seconds": 0.1})]
    jobs += [("puzzles", {"book": spec, "count": 1}), ("audit", {"book": spec, "seconds": 0.1})]
    for name, arguments in jobs:
        try:
            found = await workers.run(name, arguments, text[:9])
            seen[f"{name} done"] += 1
            if name == "check" and not found["valid"]:
                return
        except NinefoldError as error:
            seen[error.code] += 1
            assert error.code != "failed", (error.message, text[:500])
            if name == "check":
                return


@pytest.mark.slow
def test_hostile_books_are_refused_in_words() -> None:
    """Damaged, random and hostile ones; the workers go on."""
    random, seen = Random(20_261), Counter[str]()
    kinds = [*fuzz_books.KINDS * 3, *[fuzz_books.hostile] * 15, *[fuzz_books.revalued] * 10]
    texts = [kind(random).decode("utf-8", "surrogateescape") for kind in kinds]

    async def test() -> None:
        workers = Workers(2)
        await asyncio.gather(*(_survive(workers, text, seen) for text in texts))
        assert (await workers.run("check", ARGUMENTS["check"]))["valid"] is False
        await workers.close()

    asyncio.run(test())
    assert seen["check done"] + seen["no-such-file"] + seen["took-too-long"] >= len(texts)
    assert seen["audit done"]
