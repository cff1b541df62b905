"""Reasons: which claim follows from which true statement."""

from collections.abc import Callable, Mapping

from ninefold.books.claims import Claim, fitting_reasons
from ninefold.core.game import Game

# The fields of a claim that are not part of its statement.
_BESIDE = ("says", "because", "readings")


def proves(game: Game, reason: Claim, claim: Claim) -> bool:
    """Whether this claim follows from this reason, if that is true."""
    if reason["kind"] == claim["kind"]:
        return _says_as_much(reason, claim)
    test = _ONLY_IF.get(reason["kind"])
    fits = reason["kind"] in fitting_reasons(claim)
    return fits and (test is None or test(game, reason, claim))


def _says_as_much(reason: Claim, claim: Claim) -> bool:
    """Whether a statement of the same kind says at least what the claim does."""
    if claim["kind"] == "at-least-moves":
        return bool(reason["moves"] >= claim["moves"])
    if claim["kind"] in ("at-most-moves", "at-most-numbers"):
        field = claim["kind"].removeprefix("at-most-")
        return bool(reason[field] <= claim[field])
    one, two = (
        {key: value for key, value in item.items() if key not in _BESIDE}
        for item in (reason, claim)
    )
    return one == two


def _whole_pool(game: Game, _: Claim, __: Claim) -> bool:
    """A split proves something only if all numbers get taken and a set ends the game at once."""
    rules = game.rules
    limited = rules.hand_limit is not None and 2 * rules.hand_limit < len(game.pool)
    return _at_once(game) and not limited and not rules.passing


def _large_hand(game: Game, reason: Claim, claim: Claim) -> bool:
    """A hand of that size proves something only if a player always reaches it, or never more."""
    size = reason["numbers"]
    if claim["kind"] == "at-most-numbers":
        return bool(size <= claim["numbers"]) and _at_once(game)
    return _whole_pool(game, reason, claim) and bool(2 * size <= len(game.pool) + 1)


def _few_numbers(game: Game, reason: Claim, claim: Claim) -> bool:
    """If every move takes a number, the moves are at most twice the numbers of one player."""
    rules = game.rules
    others = rules.has_turns or rules.declare or rules.invalid == "lose-turn"
    return not others and bool(2 * reason["numbers"] <= claim["moves"])


def _at_once(game: Game) -> bool:
    return not game.rules.declare and not game.rules.in_order


_ONLY_IF: Mapping[str, Callable[[Game, Claim, Claim], bool]] = {
    "any-split": _whole_pool,
    "any-hand": _large_hand,
    "at-most-numbers": _few_numbers,
    "best-openings": lambda _, reason, claim: {*claim["openings"]} <= {*reason["openings"]},
}
