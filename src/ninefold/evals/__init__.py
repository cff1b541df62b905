"""Things to ask a language model about a game, with exact answers: moves and questions."""

from ninefold.evals.items import Item
from ninefold.evals.marks import Mark, ask_all
from ninefold.evals.moves import move_items
from ninefold.evals.questions import QUESTIONS, question_items

__all__ = ["QUESTIONS", "Item", "Mark", "ask_all", "move_items", "question_items"]
