"""The ids of the Gymnasium environments: importing this module registers them.

>>> import gymnasium
>>> import ninefold.envs.gym
>>> env = gymnasium.make("ninefold/SequenceCapture-v0", opponent="perfect")
"""

from collections.abc import Iterator

from ninefold import books
from ninefold.envs.encoding import VERSION
from ninefold.envs.extras import require

require("gymnasium", "gym")

import gymnasium  # noqa: E402 - only after a helpful line where it is missing

NAMESPACE = "ninefold"
ANY_BOOK = f"{NAMESPACE}/RuleBook-v{VERSION}"
_SINGLE = "ninefold.envs.single:NinefoldEnv"
_VECTOR = "ninefold.envs.vector:NinefoldVectorEnv"


def environment_id(book: str, reading: str | None = None) -> str:
    """The id of a book's environment; without a reading, that of the default reading."""
    words = [_camel(book)] + ([_camel(reading)] if reading else [])
    return f"{NAMESPACE}/{'-'.join(words)}-v{VERSION}"


def _camel(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("-"))


def games() -> Iterator[tuple[str, str, str | None]]:
    """Each id with its book and reading: every book, and every reading by name."""
    for name in books.names():
        yield environment_id(name), name, None
        for reading in books.load(name).readings:
            yield environment_id(name, reading), name, reading


def register() -> None:
    """Make every environment known to Gymnasium; what is known already stays."""
    found = {name: {"book": book, "reading": reading} for name, book, reading in games()}
    for name, arguments in {ANY_BOOK: {}, **found}.items():
        if name not in gymnasium.registry:
            gymnasium.register(
                name, entry_point=_SINGLE, vector_entry_point=_VECTOR, kwargs=arguments
            )


register()
