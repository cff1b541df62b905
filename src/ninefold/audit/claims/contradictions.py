"""Two statements of a book that contradict each other: each implies a game, and they differ."""

from collections.abc import Mapping
from typing import Any

from ninefold.audit.finding import Answer, Evidence, Shown
from ninefold.audit.limits import difference
from ninefold.audit.words import after_words, choices_words, outcome_words
from ninefold.books.claims import changed_rules
from ninefold.core.errors import RulesError
from ninefold.core.game import Game


def contradiction(game: Game, claim: Mapping[str, Any], games: Mapping[str, Game]) -> Answer:
    """Whether the two statements lead to different games, shown by a shortest difference."""
    said = (
        Evidence(f"The book says: {claim['one']}"),
        Evidence(f"The book also says: {claim['two']}"),
    )
    try:
        one, two = (_implied(game, claim, side, games) for side in ("one", "two"))
    except RulesError as error:
        return Answer(None, (*said, Evidence(error.message)))
    moves, differs = difference(one, two)
    if differs == "unknown":
        return Answer(None, (*said, Evidence("No difference was found in time.")))
    if differs == "nothing":
        return Answer(False, (*said, Evidence("They agree: every game goes the same way.")))
    when = after_words(moves)
    first, second = (Shown(item, moves).position for item in (one, two))
    if differs == "choices":
        what = choices_words(
            first, second, ("under the first statement", "under the second statement")
        )
    else:
        one_says, two_says = outcome_words(first), outcome_words(second)
        what = f"under the first statement {one_says}; under the second {two_says}"
    shown = Shown(one, moves) if moves else None
    return Answer(True, (*said, Evidence(f"They lead to different games: {when}, {what}.", shown)))


def _implied(game: Game, claim: Mapping[str, Any], side: str, games: Mapping[str, Game]) -> Game:
    """The game that one of the statements implies."""
    reading, change = claim.get(f"{side}-reading"), claim.get(f"{side}-rules")
    base = game if reading is None else games[reading]
    return base if change is None else Game(changed_rules(base.rules, change), base.name)
