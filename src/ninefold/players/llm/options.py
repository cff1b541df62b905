"""What follows ``llm:``: a model and the factors of an experiment, ``MODEL?legal=yes``."""

import re
from collections.abc import Callable
from typing import Any, NamedTuple, TypeAlias

from ninefold.core.text import shorten
from ninefold.llm_text.factors import FACTORS, Factors
from ninefold.llm_text.relabelling import KINDS
from ninefold.players import LLM, UnknownPlayer

MAX_SPEC = 400
_MODEL = re.compile(r"[!-%'->@-~]{1,200}\Z")  # visible ASCII, without ? and &
_WHOLE = re.compile(r"[0-9]{1,9}\Z")
_DECIMAL = re.compile(r"[0-9]{1,6}([.][0-9]{1,6})?\Z")
_PRICES = re.compile(r"([0-9.]{1,12})/([0-9.]{1,12})\Z")
Prices: TypeAlias = tuple[float, float]


class Options(NamedTuple):
    """A model and how it is asked; what is None is left to the endpoint."""

    model: str
    prompt: int = Factors().prompt
    rules: str = Factors().rules
    history: str = Factors().history
    legal: str = Factors().legal
    think: str = Factors().think
    format: str = Factors().format
    reader: str = "strict"
    retries: int = 2
    follow_up: str = "yes"
    reasoning: str | None = None
    temperature: float | None = None
    top_p: float | None = None
    max_tokens: int | None = None
    max_completion_tokens: int | None = None
    seed: int | None = None
    timeout: float = 120.0
    attempts: int = 6
    cache: str = "auto"
    prices: Prices | None = None
    relabel: int | None = None
    labels: str | None = None

    @property
    def factors(self) -> Factors:
        """Those that shape the prompt."""
        return Factors(*(getattr(self, name) for name in Factors._fields))

    @property
    def uses_cache(self) -> bool:
        """Whether answers are kept: by default only if the model is meant to repeat itself."""
        return self.cache == "yes" or (self.cache == "auto" and self.temperature == 0)


def _choice(*allowed: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in allowed:
            raise ValueError(" or ".join(allowed) if len(allowed) < 3 else ", ".join(allowed))
        return text

    return read


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not _WHOLE.match(text) or not low <= int(text) <= high:
            raise ValueError(f"a whole number from {low} to {high:,}")
        return int(text)

    return read


def _decimal(low: float, high: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        if not _DECIMAL.match(text) or not low <= float(text) <= high:
            raise ValueError(f"a number from {low:g} to {high:g}")
        return float(text)

    return read


def read_prices(text: str) -> Prices:
    """The prices of a million tokens of prompts and of answers, as in 2.5/10; raises ValueError."""
    found = _PRICES.match(text)
    try:
        return (float(found[1]), float(found[2])) if found else _refuse_prices()
    except ValueError:
        return _refuse_prices()


def _refuse_prices() -> Prices:
    raise ValueError("the prices of a million tokens of prompts and of answers, such as 2.5/10")


_MOST = 1_000_000
_READERS: dict[str, Callable[[str], Any]] = {
    **{name: _choice(*allowed) for name, allowed in FACTORS.items() if name != "prompt"},
    "prompt": _whole(1, len(FACTORS["prompt"])),
    "reader": _choice("strict", "lenient"),
    "retries": _whole(0, 20),
    "follow-up": _choice("yes", "no"),
    "reasoning": _choice("none", "minimal", "low", "medium", "high"),
    "temperature": _decimal(0, 2),
    "top-p": _decimal(0, 1),
    "max-tokens": _whole(1, _MOST),
    "max-completion-tokens": _whole(1, _MOST),
    "seed": _whole(0, 999_999_999),
    "timeout": _decimal(0.001, 86_400),
    "attempts": _whole(1, 100),
    "cache": _choice("auto", "yes", "no"),
    "prices": read_prices,
    "relabel": _whole(0, 999_999_999),
    "labels": _choice(*KINDS),
}
NAMES = tuple(field.replace("_", "-") for field in Options._fields[1:])
assert {*NAMES} == {*_READERS}, "every option has a reader"


def parse_options(spec: str) -> Options:
    """The options that follow ``llm:``; raises UnknownPlayer, which repeats no secret."""
    model, mark, rest = spec.partition("?")
    if len(spec) > MAX_SPEC or not _MODEL.match(model):
        reason = f"{shorten(LLM + model, 60)!r} does not name a model."
        advice = f"Write {LLM}MODEL, or with options '{LLM}MODEL?legal=yes&temperature=0'."
        raise UnknownPlayer("bad-model", reason, advice)
    given: dict[str, Any] = {}
    for pair in rest.split("&") if mark else ():
        name, equals, text = pair.partition("=")
        if name not in _READERS or not equals:
            raise _unknown(name)
        if name.replace("-", "_") in given:
            raise UnknownPlayer(
                "bad-option", f"{LLM} has the option {name} twice.", "Give it once."
            )
        try:
            given[name.replace("-", "_")] = _READERS[name](text)
        except ValueError as expected:
            reason = f"{LLM} {name} must be {expected}, not {shorten(text, 20)!r}."
            raise UnknownPlayer("bad-option", reason) from None
    return Options(model, **given)


def _unknown(name: str) -> UnknownPlayer:
    """What is wrong with this option; a key is not repeated."""
    if "key" in name.lower() or "token" in name.lower() or "url" in name.lower():
        reason = f"{LLM} takes neither a key nor an address as an option."
        advice = "Set NINEFOLD_LLM_KEY and NINEFOLD_LLM_URL in the environment."
        return UnknownPlayer("bad-option", reason, advice)
    reason = f"{LLM} has no option {shorten(name, 20)!r}."
    advice = f"Write name=value, and & between two of them; the names are {', '.join(NAMES)}."
    return UnknownPlayer("bad-option", reason, advice)


def format_options(options: Options) -> str:
    """The same as text, without what is usual, in a fixed order; ``parse_options`` reads it."""
    usual = Options("")
    pairs = []
    for field in Options._fields[1:]:
        value = getattr(options, field)
        if value != getattr(usual, field):
            shown = "/".join(map(_shown, value)) if field == "prices" else _shown(value)
            pairs.append(f"{field.replace('_', '-')}={shown}")
    return options.model + ("?" + "&".join(pairs) if pairs else "")


def _shown(value: object) -> str:
    return f"{value:f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
