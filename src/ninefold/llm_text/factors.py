"""How a language model is asked: the factors of an experiment."""

from typing import NamedTuple

# The allowed values of each factor, the usual one first (of the prompt, the newest is usual).
FACTORS: dict[str, tuple[str, ...]] = {
    "prompt": ("1", "2"),
    "rules": ("made", "book"),
    "history": ("auto", "yes", "no"),
    "legal": ("no", "yes"),
    "think": ("free", "yes", "no"),
    "format": ("text", "json", "tool"),
}


class Factors(NamedTuple):
    """What shapes a prompt.

    ``prompt`` is the version of the words. ``rules`` says whose words the rules are in: made from
    the rules in force, or the book's own. ``history`` lists the moves (``auto``: where the
    position alone would hide something from the player), ``legal`` the legal answers. ``think``
    asks for thoughts before the answer, forbids them, or leaves it free. ``format`` is how the
    answer is written.
    """

    prompt: int = 2
    rules: str = "made"
    history: str = "auto"
    legal: str = "no"
    think: str = "free"
    format: str = "text"
