"""Text for language models: prompts for them, and a strict reader of their answers."""

from ninefold.llm_text.answers import (
    Answer,
    IllegalAnswer,
    LegalAnswer,
    UnreadableAnswer,
    format_answer,
    read_answer,
)
from ninefold.llm_text.prompts import WrongHistory, prompt, rules_text

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
