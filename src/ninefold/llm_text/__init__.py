"""Text for language models: prompts for them, and readers of their answers."""

from ninefold.llm_text.answers import (
    Answer,
    IllegalAnswer,
    LegalAnswer,
    UnreadableAnswer,
    format_answer,
    read_answer,
    read_choice,
)
from ninefold.llm_text.factors import FACTORS, Factors
from ninefold.llm_text.formats import read_format
from ninefold.llm_text.lenient import REPAIRS, read_leniently
from ninefold.llm_text.prompts import (
    NoOwnWords,
    WrongHistory,
    book_text,
    follow_up,
    prompt,
    prompt_for,
    prompt_hash,
    rules_text,
)
from ninefold.llm_text.relabelling import KINDS, Relabelling, relabel

__all__ = [
    "FACTORS",
    "KINDS",
    "REPAIRS",
    "Answer",
    "Factors",
    "IllegalAnswer",
    "LegalAnswer",
    "NoOwnWords",
    "Relabelling",
    "UnreadableAnswer",
    "WrongHistory",
    "book_text",
    "follow_up",
    "format_answer",
    "prompt",
    "prompt_for",
    "prompt_hash",
    "read_answer",
    "read_choice",
    "read_format",
    "read_leniently",
    "relabel",
    "rules_text",
]
