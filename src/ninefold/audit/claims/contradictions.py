"""Two statements of a book that contradict each other: each implies a game, and they differ."""

from collections.abc import Mapping

from ninefold.audit.finding import Answer, Evidence, Shown
from ninefold.audit.limits import difference
from ninefold.audit.words import after_words, choices_words, outcome_words
from ninefold.books.claims import Claim, changed_rules
from ninefold.core.errors import RulesError
from ninefold.core.game import Game


def contradiction(game: Game, claim: Claim, games: Mapping[str, Game]) -> Answer:
    """Whether the two statements lead to different games, shown by a shortest difference."""

    def found(holds: bool | None, text: str, shown: Shown | None = None) -> Answer:
        said = f"The book says: {claim['one']}", f"The book also says: {claim['two']}"
        return Answer(holds, (*map(Evidence, said), Evidence(text, shown)))

    try:
        one, two = (_implied(game, claim, side, games) for side in ("one", "two"))
    except RulesError as error:
        return found(None, error.message)
    moves, differs = difference(one, two)
    if differs == "unknown":
        return found(None, "No difference was found in time.")
    if differs == "nothing":
        return found(False, "They agree: every game goes the same way.")
    first, second = (Shown(item, moves).position for item in (one, two))
    where = "under the first statement", "under the second"
    if differs == "choices":
        what = choices_words(first, second, (where[0], f"{where[1]} statement"))
    else:
        what = f"{where[0]} {outcome_words(first)}; {where[1]} {outcome_words(second)}"
    text = f"They lead to different games: {after_words(moves)}, {what}."
    return found(True, text, Shown(one, moves) if moves else None)


def _implied(game: Game, claim: Claim, side: str, games: Mapping[str, Game]) -> Game:
    """The game that one of the statements implies."""
    reading, change = claim.get(f"{side}-reading"), claim.get(f"{side}-rules")
    base = game if reading is None else games[reading]
    return base if change is None else Game(changed_rules(base.rules, change), base.name)
