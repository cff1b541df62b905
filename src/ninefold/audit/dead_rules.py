"""Dead rules: which patterns, links and limits can never decide a game, and what shows it."""

from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from ninefold.audit import words
from ninefold.audit.best_play import is_endless
from ninefold.audit.claims.splits import TooManySteps, split_without_set
from ninefold.audit.clock import NO_TIME
from ninefold.audit.figures import LINK, OTHER, PATTERN, Decider, Deciding
from ninefold.audit.finding import RuleFinding
from ninefold.audit.limits import limit_shown
from ninefold.core.rules import Rules
from ninefold.core.text import listed, plural

if TYPE_CHECKING:
    from ninefold.audit.subject import Subject


def rule_findings(subject: "Subject") -> list[RuleFinding]:
    """Every pattern, every link of the ending, every limit, and every other way a game can end."""
    game, rules = subject.game, subject.game.rules
    found = []
    for at in range(len(rules.wins)):
        rule = RuleFinding("pattern", words.pattern_name(game, at), None, text=NO_TIME)
        found.append(subject.clock.in_time(partial(_pattern, subject, rule, at), rule))
    found += [_link(subject, at) for at in range(len(rules.ending))]
    for field in limits(rules):
        rule = RuleFinding("limit", _limit_name(rules, field), None, text=NO_TIME)
        found.append(subject.clock.in_time(partial(_limit, subject, rule, field), rule))
    others = [decider for decider in subject.figures.deciding if decider.kind == OTHER]
    return found + [_other(subject, decider) for decider in others]


def limits(rules: Rules) -> list[str]:
    """The fields in which these rules differ from the defaults."""
    plain = Rules._field_defaults
    fields = [field for field in Rules._fields if field not in ("pool", "wins", "ending")]
    return [field for field in fields if getattr(rules, field) != plain[field]]


def _pattern(subject: "Subject", rule: RuleFinding, at: int) -> RuleFinding:
    game = subject.game
    pattern = game.rules.wins[at]
    sets = sum(pattern in found for found in game.patterns.values())
    deciding = subject.figures.deciding.get(Decider(PATTERN, at), Deciding())
    if not sets and not deciding.finals and pattern not in game.whole:
        return _dead(rule, "no set of this pool matches it")
    text = f"{plural(sets, 'set')}; " if sets else ""
    found = _finding(subject, rule, deciding, text)
    if not _is_idle(subject, at, deciding):
        return found
    return found._replace(
        can_matter=False, text=f"{found.text} Whenever it decides, another pattern does too."
    )


def _is_idle(subject: "Subject", at: int, deciding: Deciding) -> bool:
    """Whether every game would go the same way without this pattern, though it decides some."""
    if not subject.figures.exact or not deciding.finals or deciding.alone:
        return False
    wins = subject.game.rules.wins
    without = subject.variant(wins=(*wins[:at], *wins[at + 1 :]))
    # Where wins are declared, the size of the smallest set decides when a player is first asked.
    return without is not None and without.game.smallest_set == subject.game.smallest_set


def _link(subject: "Subject", at: int) -> RuleFinding:
    game, rule = subject.game, RuleFinding("link", words.link_name(subject.game, at), None)
    deciding = subject.figures.deciding.get(Decider(LINK, at), Deciding())
    if not (deciding.finals or subject.figures.exact or limits(game.rules)):
        half = len(game.pool) // 2
        with suppress(TooManySteps):
            if split_without_set(game, (len(game.pool) - half, half)) is None:
                return _dead(rule, "every split of the pool gives somebody a set")
    return _finding(subject, rule, deciding)


def _other(subject: "Subject", decider: Decider) -> RuleFinding:
    rule, deciding = RuleFinding("outcome", decider.name, None), subject.figures.deciding[decider]
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
    shown = " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
    return name if value is True else f"{name} {shown}"


def _limit(subject: "Subject", rule: RuleFinding, field: str) -> RuleFinding:
    """A limit is dead if the game without it is the same."""
    without = subject.variant(**{field: Rules._field_defaults[field]})
    if without is None:
        return rule._replace(text="the game without it cannot be made.")
    counted = field == "otherwise" and subject.figures.exact
    decider = Decider(OTHER, 0, str(getattr(subject.game.rules, field)))
    deciding = subject.figures.deciding.get(decider, Deciding())
    if counted and not deciding.finals:
        return _finding(subject, rule, deciding)
    moves, differs = limit_shown(subject, without, field)
    if differs == "unknown" and counted:
        return _finding(subject, rule, deciding, "if nothing else decides, ")
    if differs == "unknown":
        return rule._replace(text="no difference was found in time.")
    if differs == "nothing":
        return rule._replace(can_matter=False, text="without it, every game goes the same way.")
    after = words.after_words(subject.show(moves))
    here, there = subject.show(moves).position, without.show(moves).position
    text, then = f"without it, {after} {words.outcome_words(there)}", ""
    if differs == "choices":
        choices = words.choices_words(here, there, ("with it", "without it"))
        text, then = f"{after}, {choices}", "without it, "
        moves = (*moves, *words.only_moves(here, there)[:1])
    if subject.is_settled and without.is_settled:
        text += f"; {then}{_effect(subject, without)}"
    return rule._replace(can_matter=True, text=f"{text}.", shown=subject.show(moves))


def _effect(subject: "Subject", without: "Subject") -> str:
    """Whether a limit changes who wins, or by which openings."""
    if subject.value.result != without.value.result:
        one, two = map(_result_words, (subject, without))
        return f"best play changes from {one} to {two}"
    good, other = (
        [words.move_words(item.move) for item in side.good_openings or ()]
        for side in (subject, without)
    )
    if good != other:
        return f"the good openings change from {listed(good)} to {listed(other)}"
    return "who wins and the good openings stay the same"


def _result_words(subject: "Subject") -> str:
    result = subject.value.result
    return words.result_words(result, None, result == "draw" and is_endless(subject))
