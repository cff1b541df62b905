"""The coach: what to play and why, how well a game was played, puzzles and strategies.

>>> import ninefold
>>> from ninefold.coach import hint_for, sentence
>>> hint = hint_for(ninefold.load("sequence-duel-arithmetic").play("9 8"))
>>> hint.kind, hint.moves, hint.threats
('double-threat', (5,), (1, 7))
>>> sentence(hint, 3)
'After 5 you threaten 1 and 7; only one of them can be stopped.'
"""

from ninefold.coach.card import Card, Line, Proof
from ninefold.coach.defence import Defence
from ninefold.coach.hint import Hint, hint_for
from ninefold.coach.puzzle import Puzzle, puzzle_at, puzzles
from ninefold.coach.review import Judgement, Review, review_game
from ninefold.coach.strategy import strategy_for
from ninefold.coach.verify import BadCard, verify_card
from ninefold.coach.words import sentence

__all__ = [
    "BadCard",
    "Card",
    "Defence",
    "Hint",
    "Judgement",
    "Line",
    "Proof",
    "Puzzle",
    "Review",
    "hint_for",
    "puzzle_at",
    "puzzles",
    "review_game",
    "sentence",
    "strategy_for",
    "verify_card",
]
