"""Dead rules: which patterns, links and limits can never decide a game, and what shows it."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Any

from ninefold.audit import words
from ninefold.audit.best_play import is_endless
from ninefold.audit.claims.splits import split_without_set
from ninefold.audit.clock import NO_TIME
from ninefold.audit.figures import (
    LINK,
    LOSS,
    OTHER,
    PATTERN,
    STUCK,
    Decider,
    Deciding,
    Moves,
    patterns_of,
)
from ninefold.audit.finding import RuleFinding
from ninefold.audit.limits import difference, difference_by_chance, limits
from ninefold.books.language import NEEDS_BY
from ninefold.core.errors import RulesError
from ninefold.core.game import Game
from ninefold.core.rules import Restriction, Rules
from ninefold.core.text import listed, plural
from ninefold.pages.shown import Shown
from ninefold.pages.words import move_words, numbers, outcome_words
from ninefold.solver.breadth_first import TooLarge

if TYPE_CHECKING:
    from ninefold.audit.subject import Subject


def rule_findings(subject: "Subject") -> list[RuleFinding]:
    """Every pattern, every link of the ending, every limit, and every other way a game can end."""
    game, rules = subject.game, subject.game.rules
    found = []
    for decider in patterns_of(game):
        rule = RuleFinding(decider.kind, words.decider_name(game, decider), None, text=NO_TIME)
        found.append(subject.clock.in_time(partial(_pattern, subject, rule, decider), rule))
    found += [_link(subject, at) for at in range(len(rules.ending))]
    for name, field, without in _limits_one_by_one(rules):
        rule = RuleFinding("limit", name, None, text=NO_TIME)
        test = partial(_limit, subject, rule, field, without)
        result = subject.clock.in_time(test, rule)
        found.append(_by_chance(subject, rule, field, without) if result is rule else result)
    deciding = subject.figures.deciding
    others = [decider for decider in deciding if decider.kind in (OTHER, STUCK.kind)]
    return found + [_other(subject, decider) for decider in others]


def _limits_one_by_one(rules: Rules) -> Iterator[tuple[str, str, object]]:
    """Every limit with its name, its field, and that field without it."""
    for field in limits(rules):
        value: Any = getattr(rules, field)
        if field in _ENTRY_NAMES:
            for at, entry in enumerate(value):
                yield _ENTRY_NAMES[field](entry), field, (*value[:at], *value[at + 1 :])
        elif field != "losses":  # they are patterns
            yield _limit_name(rules, field), field, Rules._field_defaults[field]


def _restriction_name(rule: Restriction) -> str:
    """As books write it: must-not difference 3 (compared-with own)."""
    by = f" {rule.by}" if rule.relation in NEEDS_BY else ""
    must = "must" if rule.must else "must-not"
    return f"{must} {rule.relation}{by} (compared-with {rule.compared_with})"


_ENTRY_NAMES: Mapping[str, Callable[[Any], str]] = {
    "restrictions": _restriction_name,
    "caps": lambda cap: f"cap {cap.total} (of {cap.of}, at-most {cap.at_most})",
    "values": lambda entry: f"value {entry[1]} of {entry[0]}",
}


def _pattern(subject: "Subject", rule: RuleFinding, decider: Decider) -> RuleFinding:
    game, at = subject.game, decider.at
    of, field = (game.losses, "losses") if decider.kind == LOSS else (game.wins, "wins")
    pattern = getattr(game.rules, field)[at]
    sets = sum(pattern in found for found in of.patterns.values())
    deciding = subject.figures.deciding.get(decider, Deciding())
    if not sets and not deciding.finals and pattern not in of.whole:
        return _dead(rule, "no set of this pool matches it")
    text = f"{plural(sets, 'set')}; " if sets else ""
    found = _finding(subject, rule, deciding, text)
    if not _is_idle(subject, field, at, deciding):
        return found
    return found._replace(
        can_matter=False, text=f"{found.text} Whenever it decides, another pattern does too."
    )


def _is_idle(subject: "Subject", field: str, at: int, deciding: Deciding) -> bool:
    """Whether every game would go the same way without this pattern, though it decides some."""
    if not subject.figures.exact or not deciding.finals or deciding.alone:
        return False
    patterns = getattr(subject.game.rules, field)
    without = subject.variant(**{field: (*patterns[:at], *patterns[at + 1 :])})
    # Where wins are declared, the size of the smallest set decides when a player is first asked.
    return without is not None and without.game.smallest_set == subject.game.smallest_set


def _link(subject: "Subject", at: int) -> RuleFinding:
    game, rule = subject.game, RuleFinding("link", words.link_name(subject.game, at), None)
    deciding = subject.figures.deciding.get(Decider(LINK, at), Deciding())
    if not (deciding.finals or subject.figures.exact or limits(game.rules)):
        half = len(game.pool) // 2
        with suppress(TooLarge):
            if split_without_set(game, (len(game.pool) - half, half)) is None:
                return _dead(rule, "every split of the pool gives somebody a set")
    return _finding(subject, rule, deciding)


def _other(subject: "Subject", decider: Decider) -> RuleFinding:
    rule, deciding = RuleFinding("outcome", decider.name, None), subject.figures.deciding[decider]
    if decider == STUCK:
        form = "in {some} numbers are left, but the player to act may take none of them"
        return _finding(subject, rule, deciding, form=form)
    if decider.name == "draw":
        undecided = "the ending can leave a game undecided: "
        return _finding(subject, rule, deciding, undecided, "{some} {are} drawn")
    return _finding(subject, rule, deciding, "if nothing else decides, ")


def _dead(rule: RuleFinding, text: str) -> RuleFinding:
    return rule._replace(can_matter=False, finals=0, alone=0, flawless=0, text=f"{text}.")


def _finding(
    subject: "Subject",
    rule: RuleFinding,
    deciding: Deciding,
    text: str = "",
    form: str = "it {decides} {some}",
) -> RuleFinding:
    """What is known about a rule that decides games, or might."""
    if deciding.finals:
        best = deciding.flawless_game
        return rule._replace(
            can_matter=True,
            finals=deciding.finals,
            alone=deciding.alone,
            flawless=deciding.flawless if subject.figures.exact else None,
            text=text + _how_often(subject, deciding, form),
            shown=None if deciding.game is None else subject.show(deciding.game),
            flawless_shown=None if best is None else subject.show(best),
        )
    if subject.figures.exact:
        count = plural(subject.figures.finals, "final position")
        return _dead(rule, f"{text}it decides none of {count}")
    seen = plural(subject.figures.random.trials, "random game")
    return rule._replace(text=f"{text}it decided none of {seen}, which proves nothing.")


def _how_often(subject: "Subject", deciding: Deciding, form: str) -> str:
    """How many final positions it decides, or how many random games it decided."""
    figures = subject.figures
    if not figures.exact:
        some = f"{deciding.finals:,} of {plural(figures.random.trials, 'random game')}"
        return form.format(some=some, decides="decided", are="were") + "."
    some = f"{deciding.finals:,} of {plural(figures.finals, 'final position')}"
    text = form.format(some=some, decides="decides", are="are")
    if deciding.alone < deciding.finals:
        text += f" ({deciding.alone:,} of them alone)"
    if not deciding.flawless:
        return f"{text}, all of them only after a mistake."
    return f"{text}, {deciding.flawless:,} of them without a mistake."


def _limit_name(rules: Rules, field: str) -> str:
    """A limit as books name it, with its value: hand-limit 3."""
    value, name = getattr(rules, field), field.replace("_", "-")
    shown = numbers(value) if isinstance(value, tuple) else str(value)
    return name if value is True else f"{name} {shown}"


def _limit(subject: "Subject", rule: RuleFinding, field: str, changed: object) -> RuleFinding:
    """A limit is dead if the game without it is the same."""
    changes: dict[str, Any] = {field: changed}
    without = subject.variant(**changes)
    if without is None and _cannot_begin(subject.game.rules._replace(**changes)):
        return rule._replace(can_matter=True, text="without it, no number may be taken first.")
    if without is None:
        return rule._replace(text="the game without it cannot be made.")
    counted = field == "otherwise" and subject.figures.exact
    decider = Decider(OTHER, 0, str(getattr(subject.game.rules, field)))
    deciding = subject.figures.deciding.get(decider, Deciding())
    if counted and not deciding.finals:
        return _finding(subject, rule, deciding)
    moves, differs = difference(subject.game, without.game)
    detected = subject.figures.exact and not subject.game.rules.declare
    if differs == "unknown" and field == "misere" and detected:
        # Whatever set ends a game first, the other player wins without it.
        games = [item.game for by, item in subject.figures.deciding.items() if by.kind == PATTERN]
        moves = min(filter(None, games), key=len, default=())
        differs = "outcome" if moves else "nothing"
    if differs == "unknown" and counted:
        return _finding(subject, rule, deciding, "if nothing else decides, ")
    if differs == "unknown":
        unseen = rule._replace(text="no difference was found in time.")
        return _by_chance(subject, unseen, field, changed)
    if differs == "nothing":
        return rule._replace(can_matter=False, text="without it, every game goes the same way.")
    found, then = _differing(subject, without.game, rule, moves, differs), ""
    if subject.is_settled and without.is_settled:
        then = "without it, " if differs == "choices" else ""
        then = f"; {then}{_effect(subject, without)}"
    return found._replace(text=f"{found.text}{then}.")


def _by_chance(subject: "Subject", rule: RuleFinding, field: str, changed: object) -> RuleFinding:
    """A limit that was not settled in time: a random game may show that it matters."""
    changes: dict[str, Any] = {field: changed}
    try:
        without = Game(subject.game.rules._replace(**changes), subject.game.name)
    except (RulesError, ValueError):
        return rule
    moves, differs = difference_by_chance(subject.game, without, subject.seed)
    if differs == "unknown":
        return rule
    # Its game need not be the shortest, and is named in the text.
    found = _differing(subject, without, rule, moves, differs)
    return found._replace(text=f"{found.text}.", shown=None)


def _differing(
    subject: "Subject", without: Game, rule: RuleFinding, moves: Moves, differs: str
) -> RuleFinding:
    """A limit that matters after these moves; its text is still to be ended."""
    here = subject.show(moves)
    after, there = words.after_words(here), Shown(without, moves).position
    text = f"without it, {after} {outcome_words(there)}"
    if differs == "choices":
        choices = words.choices_words(here.position, there, ("with it", "without it"))
        text = f"{after}, {choices}"
        here = subject.show((*moves, *words.only_moves(here.position, there)[:1]))
    return rule._replace(can_matter=True, text=text, shown=here)


def _cannot_begin(rules: Rules) -> bool:
    """Whether there is no game by these rules because no number may be the first."""
    try:
        Game(rules)
    except RulesError as error:
        return error.code == "no-first-number"
    return False


def _effect(subject: "Subject", without: "Subject") -> str:
    """Whether a limit changes who wins, or by which openings."""
    sides = (subject, without)
    if subject.value.result != without.value.result:
        one, two = (words.result_words(side.value.result, None, is_endless(side)) for side in sides)
        return f"best play changes from {one} to {two}"
    good, other = ([move_words(item.move) for item in side.good_openings or ()] for side in sides)
    if good != other:
        return f"the good openings change from {listed(good)} to {listed(other)}"
    return "who wins and the good openings stay the same"
