"""Parses the answers of an environment's process, and refuses everything else."""

import json
import sys
from collections.abc import Sequence
from typing import Any, TypeAlias

from ninefold.conform.host.plain import MAX_ACTION

Answer: TypeAlias = dict[str, Any]
# The step at which an environment failed to start.
REFUSALS = ("import", "name", "make", "reset", "kind")
ENDS = ("", "terminated", "truncated")


def parse_answer(line: bytes, token: str, tries: Sequence[object] | None) -> Answer:
    """The answer to these tries, or the introduction if they are None; raises ValueError."""
    start = token.encode() + b" "  # the environment may write to our pipe, but does not know it
    if not line.startswith(start):
        raise ValueError("no token")
    try:
        answer: Answer = json.loads(line[len(start) :])
    except RecursionError:
        raise ValueError("nested too deeply") from None
    if not (_is_hello(answer) if tries is None else _is_answer(answer, len(tries))):
        raise ValueError("not an answer")
    return answer


def _is_hello(answer: Any) -> bool:
    if type(answer) is not dict:
        return False
    if "refused" in answer:
        return answer["refused"] in REFUSALS and type(answer.get("why")) is str
    return (
        (answer.get("actions") is None or _is_action(answer["actions"]))
        and _is_action(answer.get("start"))
        and _is_list_of(str, answer.get("sources"))
        and type(answer.get("turn")) in (str, type(None))
        and type(answer.get("opponent")) is str
        and type(answer.get("limited")) is bool
        and _is_state(answer.get("at"))
    )


def _is_answer(answer: Any, count: int) -> bool:
    if type(answer) is not dict or type(answer.get("printed")) is not str:
        return False
    if "broken" in answer:
        return type(answer["broken"]) is str
    tries = answer.get("tries")
    if type(tries) is not list or len(tries) != count:
        return False
    return _is_state(answer.get("at")) and all(map(_is_try, tries))


def _is_try(answer: Any) -> bool:
    """The result of one action: played, raised, or never reached."""
    if type(answer) is not dict or "failed" in answer:
        return False
    if "broken" in answer:
        return type(answer["broken"]) is str
    if "raised" in answer:
        valid = type(answer["raised"]) is str
    else:
        valid = _is_reward(answer.get("reward")) and answer.get("ended") in ENDS
    return valid and _is_state(answer) and ("then" not in answer or _is_try(answer["then"]))


def _is_state(state: Any) -> bool:
    """What it says about a position; after the end, only the observation."""
    if type(state) is not dict or type(state.get("digest", "")) not in (int, type(None)):
        return False
    legal = state.get("legal", [])
    return (
        type(state.get("turn")) in (int, str, type(None))
        and type(legal) is list
        and all(type(each) is str or _is_list_of(int, each) for each in legal)
    )


def _is_list_of(kind: type, value: Any) -> bool:
    return type(value) is list and all(type(item) is kind for item in value)


def _is_action(value: Any) -> bool:
    return type(value) is int and -MAX_ACTION <= value <= MAX_ACTION


def _is_reward(value: Any) -> bool:
    """A finite number, a pair of them, or text for anything else."""
    if type(value) is list:
        return len(value) == 2 and all(map(_is_number, value))
    return type(value) is str or _is_number(value)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max
