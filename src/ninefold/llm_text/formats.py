"""Answers as a JSON object or as a tool call: what is asked for, and how it is read."""

import json
from typing import Any

from ninefold.core.position import Position
from ninefold.llm_text.answers import MAX_CHARACTERS, Answer, UnreadableAnswer, read_answer
from ninefold.llm_text.factors import Factors
from ninefold.llm_text.lenient import read_leniently

TOOL = "play"
_FENCE = "```"


def schema(factors: Factors) -> dict[str, Any]:
    """The JSON schema of an answer: the move, after thoughts if they are asked for."""
    fields = {"thoughts": "What you think, step by step."} if factors.think == "yes" else {}
    fields["move"] = "Your move, such as 4."
    properties = {name: {"type": "string", "description": said} for name, said in fields.items()}
    return {
        "type": "object",
        "properties": properties,
        "required": [*properties],
        "additionalProperties": False,
    }


def read_format(
    text: str | None, position: Position, factors: Factors, lenient: bool = False
) -> tuple[Answer, tuple[str, ...]]:
    """The meaning of an answer in the format that was asked for, and the repairs it took."""
    if factors.format == "text":
        return read_leniently(text, position) if lenient else (read_answer(text, position), ())
    text, repairs = (text or "").strip(), list[str]()
    if len(text) > MAX_CHARACTERS:
        return read_answer(text, position), ()
    if lenient and text.startswith(_FENCE) and text.endswith(_FENCE) and "\n" in text:
        text, repairs = text.partition("\n")[2].removesuffix(_FENCE), ["fence"]
    try:
        move = _move_in(text, factors, lenient)
    except ValueError as wrong:
        return UnreadableAnswer("wrong-json", str(wrong)), ()
    if isinstance(move, int):
        repairs.append("number")
    answer, more = read_format(str(move), position, factors._replace(format="text"), lenient)
    if isinstance(answer, UnreadableAnswer):
        return answer, ()
    return answer, tuple(dict.fromkeys((*repairs, *more)))


def _move_in(text: str, factors: Factors, lenient: bool) -> str | int:
    """The move in a JSON object as the schema wants it; raises ValueError."""
    try:
        found = json.loads(text, object_pairs_hook=_once)
    except (ValueError, RecursionError):
        raise ValueError("The answer is not a JSON object with each name once.") from None
    wanted = schema(factors)["required"]
    if not isinstance(found, dict) or "move" not in found:
        raise ValueError('The answer is not a JSON object with a "move".')
    if not lenient and {*found} != {*wanted}:
        names = " and ".join(f'"{name}"' for name in wanted)
        raise ValueError(f"The JSON object must have {names} and nothing else.")
    move: object = found["move"]
    if isinstance(move, str) or (lenient and type(move) is int and abs(move) < 10**18):
        return move
    raise ValueError('The "move" must be text, such as "4".')


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object, unless a name is there twice; raises ValueError."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("twice")
    return found
