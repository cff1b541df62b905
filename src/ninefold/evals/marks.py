"""What somebody answered: how often right, how often unreadable, with intervals."""

from collections.abc import Callable, Iterable
from typing import Any

from ninefold.core.text import NamedTuple
from ninefold.evals.items import Item
from ninefold.llm_text import UnreadableAnswer, read_choice
from ninefold.wilson import wilson

Ask = Callable[[str], str | None]


class Mark(NamedTuple):
    """How a kind of items was answered; ``chance`` is what a guess would score."""

    kind: str
    asked: int
    right: int
    unreadable: int
    chance: float

    @property
    def share(self) -> float:
        """The share of right answers; an unreadable one is not right."""
        return self.right / self.asked if self.asked else 0.0

    def as_data(self) -> dict[str, Any]:
        """The mark with its interval (Wilson, 95%)."""
        low, high = wilson(self.share, self.asked) if self.asked else (0.0, 1.0)
        return {**self._asdict(), "share": self.share, "interval": [low, high]}


class Asked(NamedTuple):
    """An item, what was answered, and what that means."""

    item: Item
    raw: str
    answer: str | UnreadableAnswer

    @property
    def is_right(self) -> bool:
        """Whether the answer is one of the right ones."""
        return self.answer in self.item.answers


def ask_all(items: Iterable[Item], ask: Ask, at_once: int = 1) -> list[Asked]:
    """The answers of somebody to all items; ``at_once`` are asked at a time, in threads."""
    from concurrent.futures import ThreadPoolExecutor

    def one(item: Item) -> Asked:
        raw = ask(item.prompt) or ""
        return Asked(item, raw, read_choice(raw, item.options))

    if at_once == 1:
        return [*map(one, items)]
    with ThreadPoolExecutor(at_once) as pool:
        return [*pool.map(one, items)]


def marks_of(asked: Iterable[Asked]) -> list[Mark]:
    """A mark for each kind, and one for everything, last."""
    every = [*asked]
    kinds = dict.fromkeys(one.item.kind for one in every)
    parts = {kind: [one for one in every if one.item.kind == kind] for kind in kinds}
    return [_mark(kind, part) for kind, part in {**parts, "all": every}.items()]


def _mark(kind: str, asked: list[Asked]) -> Mark:
    guesses = [len(one.item.answers) / len(one.item.options) for one in asked]
    return Mark(
        kind,
        len(asked),
        sum(one.is_right for one in asked),
        sum(isinstance(one.answer, UnreadableAnswer) for one in asked),
        sum(guesses) / len(guesses) if guesses else 0.0,
    )
