"""``llm:MODEL``: a language model behind any OpenAI-compatible endpoint plays."""

from ninefold.players.llm.options import Options, format_options, parse_options
from ninefold.players.llm.player import LlmPlayer

__all__ = ["LlmPlayer", "Options", "format_options", "parse_options"]
