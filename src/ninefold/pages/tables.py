"""Tables of text, and cells that lead to another part of a page."""

from typing import NamedTuple


class Link(str):
    """Words that lead to the part of the page with this anchor; elsewhere they are plain text."""

    __slots__ = ("to",)
    to: str

    def __new__(cls, words: str, to: str) -> "Link":
        """Make these words a link."""
        made = super().__new__(cls, words)
        made.to = to
        return made


class PageTable(NamedTuple):
    """Rows under headings."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    caption: str = ""
