"""The audit as a document: sections with items and tables, the same for every format."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import get_args

from ninefold.audit import finding
from ninefold.audit.fairness import change_lines, fairness_lines, result_lines
from ninefold.audit.finding import VERDICTS, Verdict
from ninefold.audit.report import Audit, Report
from ninefold.audit.words import MANY, after_words, move_names, pool_name, result_words
from ninefold.coach.words import value_words
from ninefold.core.game import Game
from ninefold.core.text import listed, plural
from ninefold.pages.document import Document, Item, Section, Status
from ninefold.pages.shown import Evidence
from ninefold.pages.tables import PageTable
from ninefold.pages.words import move_words, percent, sentence
from ninefold.solver.compiled import COMPILED

# An estimate from fewer random games says nothing about an opening.
LEAST_TRIALS = 50
_HAPPENS = "can happen"

# What is false comes first, what is as the book says comes last.
_STATUSES: Mapping[Verdict, Status] = {
    "refuted": "bad",
    "contradiction": "bad",
    "other-reason": "note",
    "not-settled": "open",
    "agreement": "good",
    "proved": "good",
}


def documents(report: Report) -> list[Document]:
    """The report: readings side by side, play in each of them, and then the book itself."""
    book = report.audits[0].book
    if len(report.audits) == 1:
        (audit,) = report.audits
        title = f"{book.title}: {book.label}"
        sections = (*_play(audit), *_book(report.audits), _scope(audit))
        found = [Document(title, sections, audit)]
        return [*found, _comparison(report)] if report.readings else found
    about = Document("What the book says", _book(report.audits))
    return [_comparison(report), *_readings(report.audits), about]


def _readings(audits: Sequence[Audit]) -> list[Document]:
    """One document for each reading; a section that was there before is not repeated."""
    found = []
    before: dict[Section, str] = {}
    for audit in audits:
        name, sections = audit.book.reading, []
        for section in (*_play(audit), _scope(audit)):
            # The games shown are of another reading, but the words may be the same.
            words = section._replace(lines=tuple(Evidence(line.text) for line in section.lines))
            first = before.setdefault(words, name)
            line = Evidence(f"The same as in the reading {first}.")
            same = Section(section.key, section.title, (line,), same_as=first)
            sections.append(section if first == name else same)
        found.append(Document(f"{audit.book.title}: {audit.book.label}", tuple(sections), audit))
    return found


def _play(audit: Audit) -> tuple[Section, ...]:
    """Who wins and how, how fair that is, and what would change it."""
    by_chance = "By chance: the first player's share of the points if both then play at random."
    if _chances_are_unknown(audit):
        by_chance = "By chance: too few random games were played to tell openings apart."
    return (
        Section("result", "Who wins?", tuple(result_lines(audit))),
        Section("fairness", "Is it fair?", tuple(fairness_lines(audit))),
        Section("openings", "Openings", (Evidence(by_chance),), table=_openings(audit)),
        Section("changes", "What would change it?", tuple(change_lines(audit))),
    )


def _book(audits: Sequence[Audit]) -> tuple[Section, ...]:
    """What became of the claims, the examples and the rules, in all readings together."""
    read = {audit.book.reading: audit for audit in audits}
    claims = {name: [*map(_claim, sorted(audit.claims, key=_rank))] for name, audit in read.items()}
    examples = {name: [*map(_example, audit.examples)] for name, audit in read.items()}
    rules = {name: [*map(_rule, audit.rules)] for name, audit in read.items()}
    sections = (
        Section("claims", "Claims", items=_merged(claims)),
        Section("examples", "Examples", items=_merged(examples)),
        Section("rules", "Can every rule matter?", items=_merged(rules)),
    )
    return tuple(section for section in sections if section.items)


def _rank(claim: finding.ClaimFinding) -> tuple[int, bool]:
    """What is false first; that some set can win is hardly news."""
    return [*_STATUSES].index(claim.verdict), claim.kind == "set-can-happen"


def _merged(found: Mapping[str, Sequence[Item]]) -> tuple[Item, ...]:
    """The items of all readings, each once; what differs between readings is labelled."""
    same: dict[tuple[str, str], dict[str, Item]] = {}
    for reading, items in found.items():
        for item in items:
            same.setdefault((item.head, item.mark), {})[reading] = item
    merged = []
    for items_of in same.values():
        lines = _merged_lines({reading: item.lines for reading, item in items_of.items()})
        first = next(iter(items_of.values()))
        readings = () if len(items_of) == len(found) else tuple(items_of)
        merged.append(first._replace(lines=lines, readings=readings))
    order = get_args(Status)
    return tuple(sorted(merged, key=lambda item: (item.mark == _HAPPENS, order.index(item.status))))


def _merged_lines(found: Mapping[str, Iterable[Evidence]]) -> tuple[Evidence, ...]:
    """The lines of several readings in their order, each once, with the readings that have it."""
    order: list[tuple[str, str]] = []
    shown: dict[tuple[str, str], dict[str, Evidence]] = {}
    for reading, lines in found.items():
        own = {(line.text, line.shown.line if line.shown else ""): line for line in lines}
        at = 0
        for key, line in own.items():
            if key not in shown:
                while at < len(order) and order[at] not in own:
                    at += 1
                order.insert(at, key)
            at = order.index(key) + 1
            shown.setdefault(key, {})[reading] = line
    merged = []
    for having in (shown[key] for key in order):
        line = next(iter(having.values()))
        label = "" if len(having) == len(found) else f"{', '.join(having)}: "
        merged.append(Evidence(label + line.text, line.shown))
    return tuple(merged)


def _scope(audit: Audit) -> Section:
    """What the audit looked at, and what it found, in numbers."""
    figures, game = audit.figures, audit.book.game
    pool = f"Pool: {pool_name(game.pool)}; {_sets(game)}."
    if figures.exact:
        looked = (
            f"All {plural(figures.positions, 'position')} and "
            f"{plural(figures.finals, 'final position')} were checked."
        )
    else:
        games = plural(figures.random.trials, "random game")
        looked = (
            f"Not every position was checked: {figures.why_not_exact}. What is not proved is "
            f"not settled, and figures are estimates from {games}."
        )
        from ninefold.solver.layers import fits_in_layers

        if not COMPILED and fits_in_layers(game):
            looked += " Install the extra fast for exact figures: pip install 'ninefold[fast]'."
    lines = (pool, looked, _count(audit))
    return Section("scope", "What was checked", tuple(map(Evidence, lines)))


def _sets(game: Game) -> str:
    losing = [plural(len(game.losses.sets), "losing set")] if game.losses.sets else []
    if not game.rules.wins and not game.rules.losses:
        return "no set wins, only the ending counts"
    parts = [plural(len(game.sets), "winning set")] if game.sets or not game.whole else []
    whole = (*game.whole, *game.losses.whole)
    shared = any(pattern.is_shared for pattern in whole)
    own = any(not pattern.is_shared for pattern in whole)
    parts += losing + ["the whole hand counts"] * own + ["both hands count together"] * shared
    return " and ".join(parts)


def _count(audit: Audit) -> str:
    verdicts = Counter(claim.verdict for claim in audit.claims)
    counts = (
        plural(count, name) if key == "contradiction" else f"{count} {name}"
        for key, name in VERDICTS.items()
        if (count := verdicts[key])
    )
    claims = "; ".join(counts) or "none"
    matter = Counter(rule.can_matter for rule in audit.rules)
    rules = "no dead rule was found" if matter[None] else "every rule can matter"
    if matter[False]:
        rules = f"{plural(matter[False], 'rule')} {'is' if matter[False] == 1 else 'are'} dead"
    found = Counter(example.right for example in audit.examples)
    examples = f"{found[True]} right, {found[False]} wrong"
    examples += f", {found[None]} not settled" if found[None] else ""
    return f"Claims: {claims}. Examples: {examples}. Rules: {rules}."


def _claim(claim: finding.ClaimFinding) -> Item:
    lines = list(claim.evidence)
    if claim.because:
        lines.append(Evidence(f"The reason given: {claim.because}"))
    if claim.reason is not None:
        heads = {True: "It is true", False: "It does not hold", None: "It is not settled"}
        first, *rest = claim.reason.evidence
        lines += [Evidence(f"{heads[claim.reason.holds]}: {first.text}", first.shown), *rest]
    status, mark = _STATUSES[claim.verdict], VERDICTS[claim.verdict]
    return Item(status, mark, claim.says, tuple(lines))


def _example(found: finding.ExampleFinding) -> Item:
    if found.right:
        line = Evidence(f"{sentence(found.truth)}.", found.shown)
        return Item("good", "right", found.name, (line,))
    if found.right is None:
        line = Evidence(f"The book says: {found.said}. {sentence(found.truth)}")
        return Item("open", VERDICTS["not-settled"], found.name, (line,))
    return Item("bad", "wrong", found.name, tuple(map(_fault, found.faults)))


def _fault(fault: finding.ExampleFault) -> Evidence:
    when = sentence(after_words(fault.shown))
    if fault.after > len(fault.shown.moves):  # the book went on after the game was over
        when = f"By move {fault.after}"
    return Evidence(f"{when}, the book says: {fault.said}. In fact, {fault.truth}", fault.shown)


def _rule(rule: finding.RuleFinding) -> Item:
    marks: dict[bool | None, tuple[Status, str]] = {
        True: ("good", "can matter"),
        False: ("bad", "dead"),
        None: ("open", "not settled"),
    }
    status, mark = marks[rule.can_matter]
    if rule.kind == "outcome":
        status, mark = "note", _HAPPENS
    lines = [Evidence(sentence(rule.text))]
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


def _openings(audit: Audit) -> PageTable:
    """Every opening; many of them share a row with those that are worth the same."""
    same: dict[tuple[str, ...], list[str]] = {}
    shared = len(audit.openings) > MANY or _chances_are_unknown(audit)
    for opening in audit.openings:
        worth = value_words(opening.result, opening.plies)
        key = ("" if shared else opening.move, worth, _chance(opening))
        same.setdefault(key, []).append(opening.move)
    rows = ((listed(move_names(moves)), *key[1:]) for key, moves in same.items())
    return PageTable(("opening", "best play", "by chance"), tuple(rows))


def _chances_are_unknown(audit: Audit) -> bool:
    return all(_chance(opening) == "-" for opening in audit.openings)


def _chance(opening: finding.OpeningFinding) -> str:
    """The first player's share of the points, unless too few games were played to say it."""
    few = 0 < opening.trials < LEAST_TRIALS
    return "-" if opening.share is None or few else percent(opening.share, opening.trials)


def _comparison(report: Report) -> Document:
    """The readings in a table; those with the same results share a row."""
    same: dict[tuple[str, ...], list[str]] = {}
    for row in report.readings:
        good = "not settled" if row.good is None else listed([*map(move_words, row.good)])
        results = (result_words(row.result, row.plies, row.endless), row.how or "-", good)
        same.setdefault(results, []).append(row.reading)
    table = PageTable(
        ("reading", "best play", "how", "good openings"),
        tuple((", ".join(names), *results) for results, names in same.items()),
    )
    lines = tuple(map(Evidence, comparison_lines(report)))
    title = "The readings side by side"
    if len(report.audits) > 1:
        title = f"{report.audits[0].book.title}: the readings side by side"
    return Document(title, (Section("readings", "", lines, (), table),))


def comparison_lines(report: Report) -> list[str]:
    """What each reading changes, compared with the first one."""
    lines = []
    for row in report.readings[1:]:
        base = report.readings[0]
        if "unknown" in (row.result, base.result) or row.good is None or base.good is None:
            lines.append(f"{row.reading}, compared with {base.reading}: not settled.")
        elif (row.result, row.endless) != (base.result, base.endless):
            now = result_words(row.result, None, row.endless)
            lines.append(f"{row.reading}: best play changes, {now}.")
        elif row.good != base.good:
            lines.append(f"{row.reading}: same winner, but {_changed(base.good, row.good)}.")
        else:
            lines.append(f"{row.reading}: same winner, same good openings.")
    return lines + [f"{name} is left out: {why}." for name, why in report.left_out]


def _changed(before: Sequence[str], now: Sequence[str]) -> str:
    """Which openings are good no longer, or only now."""
    lost = [move_words(move) for move in before if move not in now]
    new = [move_words(move) for move in now if move not in before]
    parts = []
    for moves, when in ((lost, "no longer"), (new, "now")):
        if len(moves) == 1:
            parts.append(f"{moves[0]} is {when} a good opening")
        elif moves:
            parts.append(f"{listed(moves)} are {when} good openings")
    return " and ".join(parts)
