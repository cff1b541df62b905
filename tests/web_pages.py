"""Pages of games, each written once per run, and a reader of their tables that shares nothing."""

import json
import re
import zlib
from base64 import b64decode
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock

from ninefold import books
from ninefold.books import Book
from ninefold.web.page.document import page

PAIRS = [(book.id, reading) for book in books.load_all() for reading in book.readings]


def on_pages(*pairs: tuple[str, str], group: str = "") -> pytest.MarkDecorator:
    """Run a test with each of these books and readings: ``name`` and ``reading``, or ``file``.

    One worker runs all tests of a page, or of a group, so that it is read and walked once.
    """
    groups = [pytest.mark.xdist_group(group or "-".join(pair)) for pair in pairs]
    params = [pytest.param(*pair, marks=mark) for pair, mark in zip(pairs, groups, strict=True)]
    return pytest.mark.parametrize(("name", "reading"), params)


def page_of(folder: pytest.TempPathFactory, name: str, reading: str) -> Path:
    """The file of this page; the first test that asks for it writes it, for all workers."""
    root = folder.getbasetemp()
    shared = root.parent if root.name.startswith("popen-") else root
    file = shared / f"{name}-{reading}.html"
    with FileLock(f"{file}.lock"):
        if not file.exists():
            file.write_text(page(book_of(name, reading)), "utf-8")
    return file


@cache
def book_of(name: str, reading: str) -> Book:
    """The book, one game for all tests of a worker."""
    return books.load_book(name, reading)


class TableReader:
    """The table of a page, read as docs/page.md describes it."""

    def __init__(self, html: str) -> None:
        found = re.search(r'<script id="table"[^>]*>([^<]*)</script>', html)
        assert found
        data = zlib.decompress(b64decode(found[1]), wbits=-15)
        size = int.from_bytes(data[:4], "little")
        self.header: dict[str, Any] = json.loads(data[4 : 4 + size])
        self.columns: dict[str, list[int]] = {}
        at = 4 + size
        for name, length in self.header["columns"]:
            self.columns[name] = [*_numbers(data[at : at + length])]
            at += length
        assert at == len(data)
        self._read_targets()
        self.first_step = [0]
        for count in self.columns["steps"]:
            self.first_step.append(self.first_step[-1] + count)
        self._read_texts()

    def _read_targets(self) -> None:
        expected, targets = dict[int, int](), []
        for move, code in zip(self.columns["move"], self.columns["to"], strict=True):
            difference = -(code + 1) // 2 if code & 1 else code // 2
            targets.append(expected.get(move, 0) + difference)
            expected[move] = targets[-1] + 1
        self.columns["to"] = targets

    def _read_texts(self) -> None:
        numbers, self._texts, at = self.columns["texts"], list[list[int]](), 0
        while at < len(numbers):
            self._texts.append(numbers[at + 1 : at + 1 + numbers[at]])
            at += 1 + numbers[at]

    def text(self, number: int, reader: int = 0) -> str:
        """A text as this reader reads it, with its places."""
        words = [self.header["words"][at] for at in self._texts[number]]
        return " ".join(word if isinstance(word, str) else word[reader] for word in words)

    def steps(self, at: int) -> list[dict[str, int]]:
        """The legal moves of a state."""
        names = ("move", "to", "chosen", "marks", "made", "row", "more")
        places = range(self.first_step[at], self.first_step[at + 1])
        return [{name: self.columns[name][place] for name in names} for place in places]

    def numbers(self, mask: int) -> list[int]:
        """The numbers of the pool with these bits."""
        return [number for at, number in enumerate(self.header["pool"]) if mask >> at & 1]


def _numbers(data: bytes) -> Iterator[int]:
    number = shift = 0
    for byte in data:
        number |= (byte & 127) << shift
        shift += 7
        if not byte & 128:
            yield number
            number = shift = 0
