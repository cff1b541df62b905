"""Who can answer questions in words: a language model, or a function from text to text."""

from collections.abc import Callable
from typing import Any, NamedTuple

from ninefold.core.errors import NinefoldError
from ninefold.evals.marks import Ask
from ninefold.players import LLM, PYTHON, NoMove

FORMS = (f"{LLM}MODEL", f"{PYTHON}MODULE:NAME")


class Answerer(NamedTuple):
    """Somebody to ask, how many questions at once, and what to do in the end."""

    ask: Ask
    at_once: int = 1
    close: Callable[[], None] = lambda: None


def find_answerer(who: str) -> Answerer:
    """Who has this name; raises NinefoldError."""
    if who.startswith(LLM):
        from ninefold.players.llm import LlmPlayer

        player = LlmPlayer(who.removeprefix(LLM))

        def ask(text: str) -> str:
            try:
                return player.answer(text)
            except NoMove:
                return ""  # it was asked often enough

        return Answerer(ask, player.concurrency, player.close)
    if who.startswith(PYTHON):
        from ninefold.players.python import check_spec, find

        check_spec(who.removeprefix(PYTHON))
        return Answerer(find(who.removeprefix(PYTHON), _checked))
    reason = f"{who!r} cannot answer questions in words."
    raise NinefoldError("bad-player", reason, f"Use one of: {', '.join(FORMS)}.")


def _checked(function: Any) -> Ask:
    from ninefold.players.python import crash

    if not callable(function):
        raise TypeError("not a function from text to text")

    def ask(text: str) -> str | None:
        try:
            answer = function(text)
        except Exception as error:
            said = f"The function failed: it raised {crash(error)}"
            advice = "It must take the text of a question and return the text of an answer."
            raise NinefoldError("crash", said, advice) from error
        if answer is not None and not isinstance(answer, str):
            said = f"The function must return text, not {type(answer).__name__}."
            raise NinefoldError("wrong-answer", said)
        return answer

    return ask
