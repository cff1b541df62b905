"""Remarks written into a record as comments; the file is replaced in one step."""

import os
import re

from ninefold.record.parse import Record

_OWN = re.compile(r" ?\{review: [^{}]*\}")


def annotate(path: str, record: Record, remarks: list[str]) -> None:
    """Put a remark behind each recorded fact; raises OSError.

    Remarks of an earlier review are replaced; everything else stays as it is.
    """
    with open(path, encoding="utf-8", newline="\n") as file:
        lines = file.read().split("\n")[:-1]
    lines = [_OWN.sub("", line) for line in lines]
    for entry, remark in zip(record.entries, remarks, strict=True):
        if remark:
            lines[entry.line - 1] += f" {{review: {remark}}}"
    _replace(path, "".join(f"{line}\n" for line in lines))


def _replace(path: str, text: str) -> None:
    draft = f"{path}.{os.getpid()}.new"
    with open(draft, "w", encoding="utf-8", newline="\n") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)
