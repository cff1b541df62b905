"""A budget of tokens and money for all requests of a process, or of a tournament."""

from threading import Lock
from typing import Any, NamedTuple

from ninefold.players import PlayStopped
from ninefold.players.llm.ledger import Ledger
from ninefold.players.llm.options import Prices

MILLION = 1_000_000
# Where an endpoint does not say how many tokens it took, about so many characters are one.
CHARACTERS = 4


class OutOfBudget(PlayStopped):
    """The tokens or the money that the user allowed are spent."""


class Usage(NamedTuple):
    """The tokens of one answer; ``estimated`` if the endpoint did not say."""

    prompt: int
    answer: int
    estimated: bool = False

    @property
    def tokens(self) -> int:
        """All of them."""
        return self.prompt + self.answer

    def cost(self, prices: Prices | None) -> float:
        """What they cost; nothing if there are no prices."""
        if prices is None:
            return 0.0
        return (self.prompt * prices[0] + self.answer * prices[1]) / MILLION


def usage_of(data: Any, asked: str, answered: str) -> Usage:
    """What the endpoint says that it took, or an estimate from the lengths of the texts."""
    found = data.get("usage") if isinstance(data, dict) else None
    counts = [found.get(name) for name in _NAMES] if isinstance(found, dict) else []
    known = [count for count in counts if type(count) is int and 0 <= count < 10**12]
    if len(known) == len(_NAMES):
        return Usage(known[0], known[1])
    return Usage(-(-len(asked) // CHARACTERS), -(-len(answered) // CHARACTERS), estimated=True)


_NAMES = ("prompt_tokens", "completion_tokens")


class Budget:
    """What is spent and what may be; requests already on their way may exceed it.

    With a ledger, it counts what others have entered there as well.
    """

    def __init__(
        self, tokens: int | None = None, money: float | None = None, ledger: Ledger | None = None
    ) -> None:
        self.limits = tokens, money
        self.tokens, self.money = 0, 0.0
        self._lock, self._ledger = Lock(), ledger

    def check(self) -> None:
        """Allow one more request; raises OutOfBudget."""
        if self._ledger is not None:
            with self._lock:
                self._ledger.catch_up()
                self.tokens, self.money = self._ledger.tokens, self._ledger.money
        tokens, money = self.limits
        if tokens is not None and self.tokens >= tokens:
            raise OutOfBudget(
                "budget",
                f"The budget of {tokens:,} tokens for language models is spent.",
                "Nothing is lost: raise NINEFOLD_LLM_TOKENS and resume.",
            )
        if money is not None and self.money >= money:
            raise OutOfBudget(
                "budget",
                f"The budget of {money:g} for language models is spent.",
                "Nothing is lost: raise NINEFOLD_LLM_MONEY and resume.",
            )

    def charge(self, usage: Usage, prices: Prices | None) -> None:
        """Count what one answer took."""
        if self._ledger is not None:
            self._ledger.add(usage.tokens, usage.cost(prices))
            return
        with self._lock:
            self.tokens += usage.tokens
            self.money += usage.cost(prices)
