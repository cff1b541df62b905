"""Remarks written into a record as comments; the file is replaced in one step."""

import os

from ninefold.record.format import UNFINISHED, format_fact, format_header, format_result
from ninefold.record.parse import Record
from ninefold.record.replay import Replay
from ninefold.referee.events import FACTS


def annotate(path: str, record: Record, remarks: list[str]) -> None:
    """Rewrite a record with a remark behind each fact; raises RecordError, OSError.

    Remarks of an earlier time are replaced. What the record says does not change.
    """
    replay = Replay(record)
    lines = [format_header(record.header)]
    for events, remark, entry in zip(replay.steps(), remarks, record.entries, strict=True):
        fact = events[0]
        assert isinstance(fact, FACTS), "replaying a fact begins with that fact"
        line = format_fact(fact, entry.ply)
        lines.append(f"{line[:-1]} {{{remark}}}\n" if remark else line)
    outcome = replay.referee.outcome
    lines.append(f"{UNFINISHED}\n" if outcome is None else format_result(outcome))
    _replace(path, "".join(lines))


def _replace(path: str, text: str) -> None:
    draft = f"{path}.{os.getpid()}.new"
    with open(draft, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
