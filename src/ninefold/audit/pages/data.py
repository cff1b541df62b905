"""The audit as data, for programs: plain lists, tables and numbers."""

from typing import Any

from ninefold.audit.figures import Chances
from ninefold.audit.finding import PieFinding
from ninefold.audit.pages.document import comparison_lines
from ninefold.audit.report import Audit, Report
from ninefold.core.moves import format_move
from ninefold.pages.shown import Shown
from ninefold.wilson import wilson

# The names of two fields in the data are older than those in Python, and stay as they are.
_KEYS = {"said": "told", "can_matter": "alive"}


def as_data(report: Report) -> dict[str, Any]:
    """The whole report."""
    return {
        "false": report.is_false,
        "audits": [_audit(audit) for audit in report.audits],
        "readings": _plain(report.readings),
        "comparison": comparison_lines(report),
    }


def _audit(audit: Audit) -> dict[str, Any]:
    book, figures = audit.book, audit.figures
    first, second = figures.perfect or (None, None)
    return {
        "game": book.id,
        "title": book.title,
        "reading": book.reading,
        "changes": list(book.changes),
        "exact": figures.exact,
        "positions": figures.positions if figures.exact else None,
        "finals": figures.finals if figures.exact else None,
        "claims": _plain(audit.claims),
        "examples": _plain(audit.examples),
        "rules": _plain(audit.rules),
        "fairness": {
            "value": audit.value.result,
            "plies": audit.value.plies,
            "openings": [
                {**opening._asdict(), "interval": _interval(opening.share, opening.trials)}
                for opening in audit.openings
            ],
            "best_play": _plain(audit.best_play),
            "pie": _plain(audit.pie),
            "shortest": figures.shortest,
            "longest": figures.longest,
            "longest_game": [format_move(move) for move in figures.longest_game],
            "random": _plain(figures.random),
            "perfect_first": _plain(first),
            "perfect_second": _plain(second),
            "blunders": figures.blunders,
        },
    }


def _plain(value: Any) -> Any:
    """A finding as data: its fields by their names, with what programs need beside them."""
    if isinstance(value, Shown):
        return _shown(value)
    if isinstance(value, tuple) and hasattr(value, "_asdict"):
        fields = {_KEYS.get(key, key): _plain(item) for key, item in value._asdict().items()}
        if isinstance(value, Chances):
            shares = ("first", "second", "draw")
            intervals = {name: _interval(fields[name], value.trials) for name in shares}
            fields["intervals"] = intervals if value.trials else None
        if isinstance(value, PieFinding):
            names = ("move", "result", "plies")
            fields["openings"] = [dict(zip(names, item, strict=True)) for item in value.openings]
        return fields
    return [_plain(item) for item in value] if isinstance(value, tuple) else value


def _interval(share: float | None, trials: int) -> list[float] | None:
    return None if share is None or not trials else list(wilson(share, trials))


def _shown(shown: Shown) -> dict[str, Any]:
    """A game as anybody can replay it."""
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
