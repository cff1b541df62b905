"""The result of a comparison, as text and as JSON."""

from typing import Any, NamedTuple

from ninefold.conform.actions import Actions
from ninefold.conform.comparison import FINAL
from ninefold.conform.explore import Case

MAX_SHOWN = 12
ADVICE = {
    "legal": "If its actions are other numbers: --offset or --actions. If the legal actions are "
    "elsewhere: --legal NAME, or --legal none.",
    "turn": "If that value does not say whose turn it is: --turn NAME, or --turn none.",
    "reward": "If that is its convention: --rewards win=…,draw=…,loss=…, or --reward-to player1.",
    "step-reward": "If that is its convention: --rewards step=VALUE, or step=any.",
    "illegal": "Say which treatment is right: --illegal raise, lose or refuse.",
    "illegal-reward": "If that is its convention: --rewards illegal=VALUE.",
    "truncated": "In Gymnasium, truncated is for limits that are not part of the game.",
    "repeat": "Either it makes random moves, which cannot be compared, or reset() leaves "
    "something behind.",
}


class Report(NamedTuple):
    """The result; ``complete`` means that every action was tried in every position."""

    game: str
    reading: str
    changes: tuple[str, ...]
    env: str
    differences: tuple[Case, ...]
    complete: bool
    positions: int
    games: int
    tries: int
    seconds: float
    notes: tuple[str, ...]
    actions: Actions

    def as_data(self) -> dict[str, Any]:
        """The report as data for JSON."""
        data = self._asdict()
        del data["actions"], data["differences"]
        data["seconds"] = round(self.seconds, 3)
        found = [self._data(case) for case in self.differences]
        return {"same": not found, **data, "differences": found}

    def lines(self) -> list[str]:
        """The report as lines of text."""
        count = len(self.differences)
        if self.complete:
            cut = any(case.finding.kind in FINAL for case in self.differences)
            reachable = "reachable " * cut
            seen = f"{'all' if count else 'any of'} {self.positions:,} {reachable}positions"
        else:
            seen = f"the first {self.positions:,} positions" if self.positions else ""
        games = f"{self.games:,} random games" if self.games else ""
        where = (" and " if count else " or ").join(filter(None, (seen, games))) or "the start"
        title = f"{self.env} and {self.game} ({'; '.join((self.reading, *self.changes))})"
        noun = "difference" if count == 1 else "differences"
        lines = [f"{title}: {count or 'no'} {noun} in {where}."]
        for at, case in enumerate(self.differences[:MAX_SHOWN], 1):
            lines += ["", *self._lines(at, case)]
        if count > MAX_SHOWN:
            lines += ["", f"… and {count - MAX_SHOWN} more (--json lists all)."]
        notes = [f"Note: {note}" for note in self.notes]
        return [*lines, *([""] if notes else []), *notes]

    def _lines(self, at: int, case: Case) -> list[str]:
        finding = case.finding
        times = "" if case.times == 1 else f" ({case.times:,} times)"
        lines = [
            f"{at}. {finding.kind}{times}",
            f"   game:         {self._game(case)}",
            f"   judge:        {finding.judge}",
            f"   environment:  {finding.environment}",
        ]
        advice = ADVICE.get(finding.kind)
        return [*lines, *([f"   {advice}"] if advice else [])]

    def _game(self, case: Case) -> str:
        words = [self.actions.word(action) for action in case.steps]
        if not case.legal:
            words[len(case.path)] += " (illegal)"
        return " ".join(words) or "before the first move"

    def _data(self, case: Case) -> dict[str, Any]:
        finding = case.finding
        return {
            "kind": finding.kind,
            "game": self._game(case),
            "actions": case.steps,
            "illegal": None if case.legal else len(case.path),
            "judge": finding.judge,
            "environment": finding.environment,
            "count": case.times,
            "advice": ADVICE.get(finding.kind),
        }
