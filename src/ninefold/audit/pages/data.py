"""The audit as data, for programs: plain lists, tables and numbers."""

from typing import Any

from ninefold.audit.figures import Chances
from ninefold.audit.figures.sample import wilson
from ninefold.audit.finding import Answer, BestPlay, Evidence, ExampleFinding, PieFinding, Shown
from ninefold.audit.pages.document import comparison_lines
from ninefold.audit.report import Audit, Report
from ninefold.core.moves import format_move


def as_data(report: Report) -> dict[str, Any]:
    """The whole report."""
    return {
        "false": report.is_false,
        "audits": [_audit(audit) for audit in report.audits],
        "readings": [row._asdict() for row in report.readings],
        "comparison": comparison_lines(report) if report.readings else [],
    }


def _audit(audit: Audit) -> dict[str, Any]:
    book, figures = audit.book, audit.figures
    return {
        "game": book.id,
        "title": book.title,
        "reading": book.reading,
        "changes": list(book.changes),
        "exact": figures.exact,
        "positions": figures.positions if figures.exact else None,
        "finals": figures.finals if figures.exact else None,
        "claims": [
            {
                "kind": claim.kind,
                "says": claim.says,
                "because": claim.because or None,
                "verdict": claim.verdict,
                "evidence": list(map(_evidence, claim.evidence)),
                "reason": None if claim.reason is None else _answer(claim.reason),
            }
            for claim in audit.claims
        ],
        "examples": [_example(found) for found in audit.examples],
        "rules": [
            {
                **rule._asdict(),
                "shown": _shown(rule.shown),
                "flawless_shown": _shown(rule.flawless_shown),
            }
            for rule in audit.rules
        ],
        "fairness": _fairness(audit),
    }


def _example(found: ExampleFinding) -> dict[str, Any]:
    faults = [{**fault._asdict(), "shown": _shown(fault.shown)} for fault in found.faults]
    return {**found._asdict(), "shown": _shown(found.shown), "faults": faults}


def _best_play(found: BestPlay) -> dict[str, Any]:
    return {
        **found._asdict(),
        "rules": [rule._asdict() for rule in found.rules],
        "shown": _shown(found.shown),
    }


def _pie(found: PieFinding) -> dict[str, Any]:
    fields = ("move", "result", "plies")
    openings = [dict(zip(fields, opening, strict=True)) for opening in found.openings]
    return {**found._asdict(), "openings": openings}


def _fairness(audit: Audit) -> dict[str, Any]:
    figures = audit.figures
    perfect = figures.perfect
    return {
        "value": audit.value.result,
        "plies": audit.value.plies,
        "openings": [
            {**opening._asdict(), "interval": _interval(opening.share, opening.trials)}
            for opening in audit.openings
        ],
        "best_play": None if audit.best_play is None else _best_play(audit.best_play),
        "pie": None if audit.pie is None else _pie(audit.pie),
        "shortest": figures.shortest,
        "longest": figures.longest,
        "longest_game": [format_move(move) for move in figures.longest_game],
        "random": _chances(figures.random),
        "perfect_first": None if perfect is None else _chances(perfect[0]),
        "perfect_second": None if perfect is None else _chances(perfect[1]),
        "blunders": figures.blunders,
    }


def _chances(chances: Chances) -> dict[str, Any]:
    """An estimate comes with the number of games, and an interval for each share."""
    return {
        **chances._asdict(),
        "intervals": {
            name: _interval(getattr(chances, name), chances.trials)
            for name in ("first", "second", "draw")
        }
        if chances.trials
        else None,
    }


def _interval(share: float | None, trials: int) -> list[float] | None:
    return None if share is None or not trials else list(wilson(share, trials))


def _answer(found: Answer) -> dict[str, Any]:
    return {"holds": found.holds, "evidence": list(map(_evidence, found.evidence))}


def _evidence(evidence: Evidence) -> dict[str, Any]:
    return {"text": evidence.text, "shown": _shown(evidence.shown)}


def _shown(shown: Shown | None) -> dict[str, Any] | None:
    """A game as anybody can replay it."""
    if shown is None:
        return None
    position = shown.position
    outcome = position.outcome
    return {
        "pool": list(shown.game.pool),
        "first": shown.first,
        "moves": [format_move(move) for move in shown.moves],
        "hands": [list(hand) for hand in position.hands],
        "winner": outcome.winner if outcome else None,
        "reason": outcome.reason if outcome else None,
        "sets": [list(numbers) for numbers in outcome.sets] if outcome else [],
    }
