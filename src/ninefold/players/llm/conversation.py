"""What is sent to a model for one move, and what its responses mean."""

from typing import Any, NamedTuple

from ninefold.core.position import Position
from ninefold.llm_text import (
    Answer,
    IllegalAnswer,
    Relabelling,
    UnreadableAnswer,
    follow_up,
    read_format,
    read_leniently,
    relabel,
)
from ninefold.llm_text.answers import reason_alone
from ninefold.llm_text.formats import TOOL, schema
from ninefold.players.llm.options import Options

# A model is not shown more of its own answer than this.
MAX_ECHO = 20_000
MAX_RAW = 2_000
_PASSED_ON = ("temperature", "top_p", "max_tokens", "max_completion_tokens", "seed")


class Heard(NamedTuple):
    """An answer: its ``kind`` (legal, or a kind of fault), a code and the reason, and the text."""

    kind: str
    code: str
    reason: str
    raw: str
    answer: Answer | None = None
    repairs: tuple[str, ...] = ()


def request(options: Options, messages: list[dict[str, Any]]) -> dict[str, Any]:
    """The body of a request."""
    body: dict[str, Any] = {"model": options.model, "messages": messages}
    for name in _PASSED_ON:
        if (value := getattr(options, name)) is not None:
            body[name] = value
    if options.reasoning is not None:
        body["reasoning_effort"] = options.reasoning
    shape = schema(options.factors)
    if options.format == "json":
        body["response_format"] = {
            "type": "json_schema",
            "json_schema": {"name": "move", "strict": True, "schema": shape},
        }
    elif options.format == "tool":
        function = {"name": TOOL, "description": "Make your move.", "parameters": shape}
        body["tools"] = [{"type": "function", "function": function}]
        body["tool_choice"] = {"type": "function", "function": {"name": TOOL}}
    return body


def hear(
    data: dict[str, Any], options: Options, position: Position, shown: Relabelling | None = None
) -> Heard:
    """The meaning of a response in this position, as it is shown to the model."""
    choice = data["choices"][0]
    message, cut = choice["message"], choice.get("finish_reason") == "length"
    calls = _calls(message) if options.format == "tool" else []
    text = content_of(message)
    raw = _clean("\n".join(calls) if calls else text)
    if cut:
        return Heard("truncated", "length", "the answer was cut off.", raw)
    shown = shown or relabel(position.game, None)
    there = shown.position(position)
    answer, repairs = _read(shown.hear(text), [*map(shown.hear, calls)], options, there)
    if isinstance(answer, UnreadableAnswer):
        return Heard("unreadable", answer.code, shown.say(answer.reason), raw, answer)
    if isinstance(answer, IllegalAnswer):
        listed = options.legal == "yes"
        reason = shown.say(answer.reason if listed else reason_alone(answer, there))
        return Heard("illegal", answer.code, reason, raw, shown.original_answer(answer), repairs)
    return Heard("legal", "", "", raw, shown.original_answer(answer), repairs)


def continued(
    messages: list[dict[str, Any]],
    data: dict[str, Any],
    heard: Heard,
    options: Options,
    position: Position,
    shown: Relabelling | None = None,
) -> list[dict[str, Any]]:
    """The conversation with the model's answer, and what is wrong with it."""
    shown = shown or relabel(position.game, None)
    there = shown.position(position)
    said = shown.say(follow_up(heard.kind, heard.reason, there, options.factors))
    message = data["choices"][0]["message"]
    answer: dict[str, Any] = {"role": "assistant", "content": content_of(message)[:MAX_ECHO]}
    calls = message.get("tool_calls")
    if options.format != "tool" or not _are_calls(calls) or len(str(calls)) > MAX_ECHO:
        return [*messages, answer, {"role": "user", "content": said}]
    answer["tool_calls"] = calls
    replies = [
        {"role": "tool", "tool_call_id": str(call.get("id", "")), "content": said} for call in calls
    ]
    return [*messages, answer, *replies]


def _read(
    text: str, calls: list[str], options: Options, position: Position
) -> tuple[Answer, tuple[str, ...]]:
    factors, lenient = options.factors, options.reader == "lenient"
    if options.format != "tool":
        return read_format(text, position, factors, lenient)
    if not calls:
        answer, repairs = read_leniently(text, position)
        if lenient and not isinstance(answer, UnreadableAnswer):
            return answer, (*repairs, "no-tool")
        return UnreadableAnswer("no-tool-call", f'The tool "{TOOL}" was not called.'), ()
    if len({*calls}) > 1 or (len(calls) > 1 and not lenient):
        return UnreadableAnswer("several-calls", f'The tool "{TOOL}" was called twice.'), ()
    answer, repairs = read_format(calls[0], position, factors, lenient)
    repeated = ("repeated",) if len(calls) > 1 else ()
    return answer, () if isinstance(answer, UnreadableAnswer) else (*repairs, *repeated)


def _are_calls(calls: Any) -> bool:
    return isinstance(calls, list) and bool(calls) and all(isinstance(one, dict) for one in calls)


def _calls(message: dict[str, Any]) -> list[str]:
    """The arguments of every tool call as text."""
    calls: Any = message.get("tool_calls")
    functions = [one.get("function") for one in calls] if _are_calls(calls) else []
    given = [one.get("arguments") if isinstance(one, dict) else None for one in functions]
    return [text if isinstance(text, str) else "" for text in given]


def content_of(message: dict[str, Any]) -> str:
    """The text of a message, which may come in parts; a refusal is a text, too."""
    content = message.get("content") or message.get("refusal") or ""
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else None for part in content]
        content = "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def _clean(text: str) -> str:
    """The raw answer for a report: not endless, and text in every encoding."""
    return text[:MAX_RAW].encode("utf-8", "replace").decode()
