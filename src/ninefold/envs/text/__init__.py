"""Text for language models: what is asked of them, and what is read from their answers."""

from ninefold.envs.text.answer import (
    Answer,
    IllegalAnswer,
    LegalAnswer,
    UnreadableAnswer,
    format_answer,
    read_answer,
)
from ninefold.envs.text.question import WrongHistory, prompt, rules_text

__all__ = [
    "Answer",
    "IllegalAnswer",
    "LegalAnswer",
    "UnreadableAnswer",
    "WrongHistory",
    "format_answer",
    "prompt",
    "read_answer",
    "rules_text",
]
