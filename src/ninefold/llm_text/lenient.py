"""Reads answers as people write them: a marked or decorated move, with every repair counted.

No move is picked out of prose: it must be all of the answer, or be marked as the answer. If two
marks disagree, or one of them is not a move, the answer stays unreadable.
"""

import re

from ninefold.core.position import Position
from ninefold.llm_text.answers import MAX_CHARACTERS, Answer, UnreadableAnswer, read_answer

# What is repaired, by name.
REPAIRS = {
    "thoughts": "thoughts between <think> and </think> before the answer",
    "period": "a full stop after the move: 4.",
    "emphasis": "stars, underscores or a heading around the move or its mark: **4**",
    "quotes": "quotation marks or backticks around the move: `4`",
    "boxed": "a box around the move: \\boxed{4}",
    "tag": "tags around the move: <answer>4</answer>",
    "fence": "a fenced block at the end that is only the move",
    "not-last": 'something after the line that begins with "Answer:"',
    "repeated": "the same answer several times",
    "number": "a number where the format asks for text",
    "no-tool": "an answer in words where a tool should be called",
}
_BLANK = " \t\r\n"
_MARK = re.compile(r"([#>]{0,6}[ \t]?)([*_]{0,3})answer([*_]{0,3}):", re.IGNORECASE)
_PAIRS = (("**", "emphasis"), ("__", "emphasis"), ("*", "emphasis"), ("_", "emphasis"))
_QUOTES = tuple((mark, "quotes") for mark in ("`", '"', "'"))
# The longest text around a move that is still taken for a mark; a declaration is not longer.
_MOST = 1_000
# So many decorations may be around one move, and so many marks in one answer.
_DEPTH, _MARKS = 6, 20
_OPEN, _CLOSE, _BOX, _FENCE = "<answer>", "</answer>", "\\boxed{", "```"
_THINK, _THOUGHT = "<think>", "</think>"


def read_leniently(text: str | None, position: Position) -> tuple[Answer, tuple[str, ...]]:
    """The meaning of an answer and the repairs it took, in linear time; none if it is strict."""
    strict = read_answer(text, position)
    if not isinstance(strict, UnreadableAnswer) or strict.code in ("empty", "too-long"):
        return strict, ()
    body, repairs = (text or "").strip(_BLANK), set[str]()
    if body.startswith(_THINK) and _THOUGHT in body:
        body, repairs = body.rpartition(_THOUGHT)[2].strip(_BLANK), {"thoughts"}
    found: list[Answer] = []
    candidates = _candidates(body, position)
    for candidate, needed in candidates if len(candidates) <= _MARKS else ():
        answer, undone = _undecorated(candidate, position)
        if isinstance(answer, UnreadableAnswer):
            return strict, ()
        found.append(answer)
        repairs |= needed | undone
    if not found or any(answer != found[0] for answer in found):
        return strict, ()
    if len(found) > 1:
        repairs.add("repeated")
    return found[0], tuple(name for name in REPAIRS if name in repairs)


def _candidates(body: str, position: Position) -> list[tuple[str, set[str]]]:
    """Every text that is marked as the answer, and the repairs of its mark; else all of it."""
    found = [(inside, {"tag"}) for inside in _between(body, _OPEN, _CLOSE)]
    found += [(inside, {"boxed"}) for inside in _between(body, _BOX, "}")]
    lines = (_blanked(body) if found else body).rstrip(_BLANK).split("\n")
    for at, line in enumerate(lines):
        if mark := _MARK.match(line.strip(_BLANK)):
            rest = _behind(mark, line.strip(_BLANK))
            if rest or not found:  # else the answer is in its box or its tag
                needed = {"emphasis"} if any(mark.groups()) else set[str]()
                found.append((rest, needed | ({"not-last"} if at < len(lines) - 1 else set())))
    blocks = body.split(_FENCE)
    # Words that follow a block may say anything about it, so it is not the answer.
    is_last = len(blocks) % 2 and not blocks[-1].strip(_BLANK)
    for block in blocks[1:-1:2] if is_last and len(blocks) < 10 * _MARKS else ():
        inside = block.partition("\n")[2] if "\n" in block else block
        if not isinstance(_read(inside, position), UnreadableAnswer):  # else it is code
            found.append((inside, {"fence"}))
    return found or [(body, set())]


def _behind(mark: re.Match[str], line: str) -> str:
    """What follows a mark; emphasis that began before it ends behind it, or behind the move."""
    rest, stars = line[mark.end() :].strip(_BLANK), mark[2] if not mark[3] else ""
    if stars and rest.startswith(stars):
        rest = rest.removeprefix(stars)
    elif stars:
        rest = rest.removesuffix(stars)
    return rest.strip(_BLANK)


def _blanked(body: str) -> str:
    """The text without its boxes and tags, which have been read."""
    for start, end in ((_OPEN, _CLOSE), (_BOX, "}")):
        parts = _split(body, start)
        body = parts[0] + "".join(part.partition(end)[2] for part in parts[1:])
    return body


def _between(body: str, start: str, end: str) -> list[str]:
    """What stands between each start and the next end; a start without an end is no move."""
    parts = (part.lower().partition(end) for part in _split(body, start)[1:])
    return [inside if closed else start for inside, closed, _ in parts]


def _split(body: str, start: str) -> list[str]:
    return re.split(re.escape(start), body, flags=re.IGNORECASE)


def _undecorated(text: str, position: Position) -> tuple[Answer, set[str]]:
    """The move without what is around it, and what that was."""
    undone = set[str]()
    for _ in range(_DEPTH):
        answer = _read(text, position)
        if not isinstance(answer, UnreadableAnswer):
            return answer, undone
        text = text.strip(_BLANK)
        around = next(
            (pair for pair in (*_PAIRS, *_QUOTES) if _is_around(text, pair[0])), ("", "period")
        )
        if around[0]:
            text = text[len(around[0]) : -len(around[0])]
        elif text.endswith("."):
            text = text[:-1]
        else:
            break
        undone.add(around[1])
    return _read(text, position), undone


def _is_around(text: str, mark: str) -> bool:
    return len(text) > 2 * len(mark) and text.startswith(mark) and text.endswith(mark)


def _read(text: str, position: Position) -> Answer:
    """A short text as a move by the strict grammar, without a mark before it."""
    if len(text) > _MOST or _MARK.match(text.strip(_BLANK)):
        return UnreadableAnswer("not-a-move", "This is more than a move.")
    return read_answer(text, position)


assert _MOST < MAX_CHARACTERS
