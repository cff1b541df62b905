"""The audit as a document: sections with items and tables, for every format the same."""

from typing import Literal, NamedTuple, TypeAlias

from ninefold.audit.fairness import change_lines, fairness_lines
from ninefold.audit.finding import (
    VERDICTS,
    ClaimFinding,
    Evidence,
    ExampleFinding,
    ReadingRow,
    RuleFinding,
)
from ninefold.audit.report import Audit, Report
from ninefold.audit.words import listed, name_of, percent, plural, pool_name, result_words
from ninefold.core.game import Game

_BY_CHANCE = Evidence(
    "By chance: the first player's share of the points if both then play at random."
)

Status: TypeAlias = Literal["good", "bad", "open", "note"]


class Item(NamedTuple):
    """A finding: how it stands, in one word and in colour, what it is about, and the evidence."""

    status: Status
    mark: str
    head: str
    lines: tuple[Evidence, ...] = ()


class Table(NamedTuple):
    """Rows under headings."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class Section(NamedTuple):
    """A part of the document; ``key`` names it for links and drawings."""

    key: str
    title: str
    lines: tuple[Evidence, ...] = ()
    items: tuple[Item, ...] = ()
    table: Table | None = None


class Document(NamedTuple):
    """One audit, ready to be written: a title, a summary, and its sections."""

    title: str
    summary: tuple[str, ...]
    sections: tuple[Section, ...]
    audit: Audit | None = None


def documents(report: Report) -> list[Document]:
    """A document for each audit, and one that compares the readings."""
    found = [_document(audit) for audit in report.audits]
    return [*found, _comparison(report)] if report.readings else found


def _document(audit: Audit) -> Document:
    sections = [
        _claims(audit.claims),
        _examples(audit.examples),
        _rules(audit),
        Section("fairness", "Is it fair?", tuple(fairness_lines(audit))),
        Section("openings", "Openings", (_BY_CHANCE,), table=_openings(audit)),
        Section("changes", "What would change it", tuple(change_lines(audit))),
    ]
    kept = tuple(section for section in sections if section is not None)
    return Document(f"{audit.book.title}: {audit.book.label}", _summary(audit), kept, audit)


def _summary(audit: Audit) -> tuple[str, ...]:
    figures, game = audit.figures, audit.book.game
    pool = f"Pool: {pool_name(game.pool)}; {_sets(game)}."
    if figures.exact:
        looked = (
            f"Every one of {plural(figures.positions, 'position')} and "
            f"{plural(figures.finals, 'final position')} was looked at."
        )
    else:
        games = plural(figures.random.trials, "random game")
        looked = (
            "There are too many positions to look at them all: what is not proved is "
            f"not settled, and figures are estimates from {games}."
        )
    return (pool, looked, _count(audit))


def _sets(game: Game) -> str:
    whole = ["the whole hand counts"] * bool(game.whole)
    if not game.rules.wins:
        return "no set wins, only the ending counts"
    if game.whole and not game.sets:
        return whole[0]
    return " and ".join([plural(len(game.sets), "winning set"), *whole])


def _count(audit: Audit) -> str:
    verdicts = [VERDICTS[claim.verdict] for claim in audit.claims]
    counted = [
        f"{verdicts.count(name)} {name}" for name in VERDICTS.values() if verdicts.count(name)
    ]
    claims = f"Claims: {'; '.join(counted) or 'none'}."
    wrong, right = audit.false_examples, len(audit.examples) - audit.false_examples
    dead = sum(rule.alive is False for rule in audit.rules)
    unused = f"{plural(dead, 'rule')} can never matter" if dead else "no rule is known to be idle"
    return f"{claims} Examples: {right} right, {wrong} wrong. Rules: {unused}."


def _claims(claims: tuple[ClaimFinding, ...]) -> Section | None:
    return Section("claims", "Claims", items=tuple(map(_claim, claims))) if claims else None


def _claim(claim: ClaimFinding) -> Item:
    statuses: dict[str, Status] = {"proved": "good", "refuted": "bad", "not-settled": "open"}
    lines = list(claim.evidence)
    if claim.because:
        lines.append(Evidence(f"The reason given: {claim.because}"))
    if claim.reason is not None:
        lines += _reason(claim)
    mark = VERDICTS[claim.verdict]
    return Item(statuses.get(claim.verdict, "note"), mark, claim.says, tuple(lines))


def _reason(claim: ClaimFinding) -> list[Evidence]:
    assert claim.reason is not None
    heads = {True: "It is true", False: "It does not hold", None: "It is not settled"}
    first, *rest = claim.reason.evidence
    return [Evidence(f"{heads[claim.reason.holds]}: {first.text}", first.shown), *rest]


def _examples(examples: tuple[ExampleFinding, ...]) -> Section | None:
    items = tuple(map(_example, examples))
    return Section("examples", "Examples", items=items) if items else None


def _example(found: ExampleFinding) -> Item:
    if found.right:
        truth = f"{found.truth[:1].upper()}{found.truth[1:]}."
        return Item("good", "right", found.name, (Evidence(truth, found.shown),))
    after = f"After {found.shown.line}" if found.shown.moves else "At the start"
    return Item(
        "bad",
        "wrong",
        found.name,
        (
            Evidence(f"{after}, the book says: {found.told}."),
            Evidence(f"In truth: {found.truth}", found.shown),
        ),
    )


def _rules(audit: Audit) -> Section:
    return Section("rules", "Is every rule alive?", items=tuple(map(_rule, audit.rules)))


def _rule(rule: RuleFinding) -> Item:
    marks: dict[bool | None, tuple[Status, str]] = {
        True: ("good", "alive"),
        False: ("bad", "dead"),
        None: ("open", "not settled"),
    }
    status, mark = marks[rule.alive]
    if rule.kind == "outcome":
        status, mark = "note", "can happen"
    text = f"{rule.text[:1].upper()}{rule.text[1:]}"
    lines = [Evidence(text)]
    shown, best = rule.shown, rule.flawless_shown
    if shown is not None and shown.moves:
        same = best is not None and best.moves == shown.moves
        label = "A shortest game, without a mistake" if same else "A shortest game"
        if rule.flawless is None and rule.kind != "limit":
            label = "A game that shows it"  # the shortest of those at random
        lines.append(Evidence(f"{label}: {shown.line}", shown))
        if best is not None and not same:
            lines.append(Evidence(f"Without a mistake: {best.line}", best))
    return Item(status, mark, rule.name, tuple(lines))


def _openings(audit: Audit) -> Table:
    rows = tuple(
        (
            name_of(opening.move),
            _result(opening.result, opening.plies),
            "-" if opening.share is None else percent(opening.share, opening.trials),
        )
        for opening in audit.openings
    )
    return Table(("opening", "best play", "by chance"), rows)


def _result(result: str, plies: int | None) -> str:
    names = {"win": "wins", "loss": "loses", "draw": "draws", "unknown": "not settled"}
    return names[result] + ("" if plies is None or result == "draw" else f" in {plies}")


def _comparison(report: Report) -> Document:
    rows = report.readings
    table = Table(
        ("reading", "best play", "good openings"),
        tuple((row.reading, _short(row), _good(row)) for row in rows),
    )
    lines = tuple(map(Evidence, comparison_lines(report)))
    return Document("The readings side by side", (), (Section("readings", "", lines, (), table),))


def comparison_lines(report: Report) -> list[str]:
    """What each reading changes, compared with the first one."""
    base, *others = report.readings
    lines = []
    for row in others:
        if "unknown" in (row.result, base.result) or row.good is None or base.good is None:
            lines.append(f"{row.reading} beside {base.reading}: not settled.")
        elif row.result != base.result:
            now = result_words(row.result, None)
            lines.append(f"{row.reading} changes who wins under best play: {now}.")
        elif row.good != base.good:
            lines.append(
                f"{row.reading} does not change who wins, but the good openings: "
                f"{_changed(base, row)}."
            )
        else:
            lines.append(f"{row.reading} changes neither who wins nor which openings are good.")
    return lines


def _changed(base: ReadingRow, row: ReadingRow) -> str:
    assert base.good is not None and row.good is not None
    lost = [move for move in base.good if move not in row.good]
    new = [move for move in row.good if move not in base.good]
    parts = [f"{listed([*map(name_of, lost)])} no longer"] if lost else []
    parts += [f"{listed([*map(name_of, new)])} as well"] if new else []
    return ", ".join(parts)


def _short(row: ReadingRow) -> str:
    return result_words(row.result, row.plies)


def _good(row: ReadingRow) -> str:
    return "not settled" if row.good is None else listed([*map(name_of, row.good)])
