"""A report as a document: sections with items and tables, the same for every format."""

from typing import Literal, NamedTuple, TypeAlias

from ninefold.pages.charts import Chart
from ninefold.pages.shown import Evidence
from ninefold.pages.tables import PageTable
from ninefold.pages.words import sentence

Status: TypeAlias = Literal["bad", "note", "open", "good"]


class Item(NamedTuple):
    """A finding: its status in one word and in colour, what it is about, and the evidence."""

    status: Status
    mark: str
    head: str
    lines: tuple[Evidence, ...] = ()
    readings: tuple[str, ...] = ()  # those it is about, if that is not all of them

    @property
    def label(self) -> str:
        """The mark with a capital letter, and the readings: Refuted (open-hand)."""
        where = f" ({', '.join(self.readings)})" if self.readings else ""
        return f"{sentence(self.mark)}{where}"

    @property
    def texts(self) -> list[tuple[str, str]]:
        """Every line with the moves of its game, unless they were named before."""
        found, seen = [], ""
        for text, shown in self.lines:
            seen += text
            named = shown is None or shown.line in seen or shown.words in seen
            moves = shown.line if shown and not named else ""
            seen += moves
            found.append((text, moves))
        return found


class Section(NamedTuple):
    """A part of the document; ``key`` names it for links and drawings."""

    key: str
    title: str
    lines: tuple[Evidence, ...] = ()
    items: tuple[Item, ...] = ()
    table: PageTable | None = None
    charts: tuple[Chart, ...] = ()
    tables: tuple[PageTable, ...] = ()  # more of them
    same_as: str = ""  # an earlier reading in which this section is the same


class Document(NamedTuple):
    """A part of a report, ready to be written; ``about`` is what a page draws beside it, if any."""

    title: str
    sections: tuple[Section, ...]
    about: object = None
