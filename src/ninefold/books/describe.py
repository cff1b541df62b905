"""Rules in words: how a book's rules are shown, and a summary and text if it has none."""

from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ninefold.books.families import FAMILIES, MEASURES, count, shown_order
from ninefold.books.fields import attribute
from ninefold.books.language import RULES
from ninefold.books.ties import deciding
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.rules import Criterion, Rules
from ninefold.core.sets import Sets
from ninefold.core.text import listed

if TYPE_CHECKING:
    from ninefold.books.book import Book

# Up to this many listed sets are all shown.
MAX_SHOWN = 12


def pool_of(game: Game) -> str:
    """The numbers of the pool, shortened if they are a range."""
    pool = game.pool
    steps = {b - a for a, b in pairwise(pool)}
    if len(pool) > 3 and len(steps) == 1:
        if steps == {1}:
            return f"{pool[0]} to {pool[-1]}"
        return f"{pool[0]}, {pool[1]}, {pool[2]} and so on to {pool[-1]}"
    return " ".join(map(str, pool))


def summary_of(game: Game) -> str:
    """One line about the game."""
    rules = game.rules
    won, lost = _deeds(game.wins, plain=True), _deeds(game.losses, plain=True)
    if rules.misere:
        won, lost = [], won
    parts = []
    if won:
        said = ", or ".join(won)
        parts.append(_capital(said.replace(" ", " and declare ", 1) if rules.declare else said))
    if lost:
        parts.append(f"Do not be the first to {', or to '.join(lost)}")
    if not rules.wins and (rules.ending or rules.otherwise != "draw"):
        early = game.picks.can_stick or rules.passing
        when = "at the end, " if early else "when no number is left, "
        when = "" if rules.ending and _stuck_player(game, rules.ending[0]) else when
        winner = _criterion(game, 0) if rules.ending else _otherwise(game)
        parts.append(_capital(f"{when}{winner}"))
    parts = parts or ["Take numbers until none is left; nobody wins"]
    return f"{'. '.join(parts)}."


def text_of(game: Game) -> str:
    """The rules in a few paragraphs."""
    return "\n\n".join(filter(None, (_turns(game), _wins(game), _ending(game))))


class Paragraph(NamedTuple):
    """A paragraph of the rules on one line, not wrapped."""

    text: str
    is_heading: bool = False


def rules_of(book: "Book", option: str = "") -> list[Paragraph]:
    """The rules as they are played, the other variants, and remarks about the book.

    ``option`` stands before the name of another variant, where that is how to choose it.
    """
    several, chosen = len(book.readings) > 1, book.readings[book.reading]
    about = [*_heading(f"Rules variant: {book.reading}"), *_body(chosen.text or chosen.summary)]
    if book.changes:
        # The words of the variant are about the rules before the changes, like the remarks.
        variant = f" (rules variant: {book.reading})" * several
        changed = f"Changed here: {'; '.join(book.changes)}{variant}"
        about = [*_heading(changed), *_heading("The rules as played:")]
    elif not several:
        about = []
    text = _body(book.text)
    parts = [*about, *text] if book.generated else [*text, *about]
    if several:
        parts += _heading("Other variants:")
        for name, reading in book.readings.items():
            if name != book.reading:
                parts += _body(f"{option}{name}: {reading.summary}")
    if book.notes and not book.changes:
        parts += [*_heading("Remarks"), *_body(book.notes)]
    return parts


def _heading(text: str) -> list[Paragraph]:
    return [Paragraph(text, is_heading=True)]


def _body(text: str) -> list[Paragraph]:
    return [Paragraph(" ".join(block.split())) for block in text.split("\n\n")]


def _turns(game: Game) -> str:
    """What a turn is, and the sentences of the rules that are not at their defaults."""
    rules, defaults = game.rules, Rules._field_defaults
    takes = "one free number"
    if rules.picks_per_turn > 1:
        takes = f"{count(rules.picks_per_turn, 'free number')}, one after the other"
        takes = f"up to {takes}" if rules.passing else takes
    first = f"Two players share the numbers {pool_of(game)}. On your turn you take {takes}."
    sentences = [first, "Each number can be taken once."]
    for name, field in RULES.items():
        if field.sentence and getattr(rules, attribute(name)) != defaults[attribute(name)]:
            said = field.sentence
            sentences.append(said(rules) if callable(said) else said)
    if game.picks.can_stick and rules.stuck == "skip":
        sentences.append(
            "If you may take no number, you are skipped; if neither may, the game ends."
        )
    elif game.picks.can_stick:
        sentences.append("If you may take no number on your turn, the game ends.")
    return " ".join(sentences)


def _wins(game: Game) -> str:
    """What wins and what loses at once, and what counts for it."""
    rules, parts, deeds = game.rules, list[str](), _deeds(game.wins)
    won, lost = ", or ".join(deeds), ", or ".join(_deeds(game.losses))
    if not won and not lost:
        return "No set of numbers wins: only the end of the game decides."
    if rules.declare and won:
        sets = ", or ".join(deed.split(" ", 1)[1] for deed in deeds)
        parts.append(f"You win by declaring {sets}. Wins are not detected for you.")
    elif won:
        parts.append(f"You {'lose' if rules.misere else 'win'} as soon as you {won}.")
    if lost:
        parts.append(f"You lose as soon as you {lost}.")
    if won and lost:
        parts.append("A number that would do both loses.")
    if rules.in_order and won:
        parts.append(_order(game))
    elif any(len(numbers) > 1 for numbers in (*game.sets, *game.losses.sets)):
        parts.append("The order in which you took them does not matter.")
    if not rules.misere and any(one.is_whole_hand and not one.is_shared for one in rules.wins):
        parts.append("All your numbers count for a total, so one more can spoil it.")
    return " ".join(parts)


def _deeds(sets: Sets, plain: bool = False) -> list[str]:
    """What completes a set: to hold numbers, to reach a total; ``plain`` leaves examples out."""
    patterns = [*sets.wanted]
    parts = [pattern for pattern in patterns if not pattern.is_whole_hand]
    goals = [_goal(one) + ("" if plain else _aside(sets, one)) for one in parts]
    found = [f"hold {(' or ' if plain else ', or ').join(goals)}"] if goals else []
    for is_shared, whose in ((False, "your numbers"), (True, "numbers taken by both players")):
        totals = [one for one in patterns if one.is_whole_hand and one.is_shared == is_shared]
        if totals:
            found.append(f"reach {listed(map(_goal, totals), 'or')} with all {whose}")
    return found


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def _order(game: Game) -> str:
    """What the order means: a progression may also go down."""
    families = {pattern.family for pattern in game.rules.wins}
    parts = ["They count in the order in which you took them"]
    if families & {"arithmetic", "geometric", "consecutive"}:
        parts.append("going down counts as well as going up")
    if "sum-triple" in families:
        parts.append("the last must be the sum of the first two, or the first minus the second")
    return "; ".join(parts) + "."


def _ending(game: Game) -> str:
    rules = game.rules
    when = "When no more numbers can be taken" if rules.hand_limit else "When every number is taken"
    when = "When the game ends" if rules.passing or game.picks.can_stick else when
    won, lost = rules.wins and not rules.misere, rules.losses or (rules.wins and rules.misere)
    if won or lost:
        when += f" and nobody has {' or '.join(['won'] * bool(won) + ['lost'] * bool(lost))}"
    last = deciding(game)
    links = [_criterion(game, at) for at in range(len(rules.ending))]
    links = [*links, _otherwise(game)] if last is None else links[: last + 1]
    ties = [MEASURES[link.measure].tie or "nobody took a number" for link in rules.ending]
    rest = [f"If {tie}, {link}." for tie, link in zip(ties, links[1:], strict=False)]
    return " ".join([f"{when}, {links[0]}.", *rest])


def _otherwise(game: Game) -> str:
    if game.rules.otherwise == "draw":
        return "the game is drawn"
    who = "with the hand that" if game.rules.pie else "who"  # a swap takes the role along
    began = "began" if game.rules.otherwise == "first" else "did not begin"
    return f"the player {who} {began} wins"


def _criterion(game: Game, at: int) -> str:
    rules, link = game.rules, game.rules.ending[at]
    winner = _stuck_player(game, link) or MEASURES[link.measure].winner(link)
    # A player may reach the end without a number.
    skips = rules.passing or rules.invalid == "lose-turn" or game.picks.can_stick
    nothing = skips or rules.picks_per_turn >= len(game.pool)
    if link[:2] in (("lowest", "higher"), ("highest", "lower")) and nothing:
        return f"{winner}, and a player without numbers loses"
    if link.measure in ("run-start", "run-sum") and len(game.pool) > 2 and rules.hand_limit != 1:
        return f"{winner}; if a player has several longest runs, the {link.among} counts"
    beyond = link.measure == "distance" and not link.exceeding
    return f"{winner}, and a sum above it loses" if beyond else winner


def _stuck_player(game: Game, link: Criterion) -> str:
    """Who wins by the last pick, where the game ends with a player who has no legal pick."""
    rules = game.rules
    ends = game.picks.can_stick and rules.stuck == "end" and rules.hand_limit is None
    if link.measure != "last-pick" or not ends or rules.passing or rules.invalid == "lose-turn":
        return ""
    return f"whoever cannot take a number {'loses' if link.prefer == 'higher' else 'wins'}"


def _goal(pattern: Pattern) -> str:
    return FAMILIES[pattern.family].goal(dict(pattern.parameters))


def _aside(sets: Sets, pattern: Pattern) -> str:
    """How to recognise the pattern, with an example from this pool; a short list is shown whole."""
    if pattern.family == "sets":
        written = dict(pattern.parameters)["sets"]
        assert isinstance(written, tuple), "the reader of rule books makes sure of it"
        # Where order counts, they are shown as they are written.
        shown = {numbers if sets.in_order else tuple(sorted(numbers)) for numbers in written}
        if len(shown) <= MAX_SHOWN:
            return f" ({'; '.join(' '.join(map(str, numbers)) for numbers in sorted(shown))})"
        if sets.in_order:
            return f" (such as {' '.join(map(str, min(shown)))})"
    found = next((numbers for numbers in sets.sets if pattern in sets.patterns[numbers]), None)
    example = "but this pool has none"
    if found:
        example = "such as " + " ".join(map(str, shown_order(pattern, found)))
    aside = ", ".join(filter(None, (FAMILIES[pattern.family].aside, example)))
    return f" ({aside})"
