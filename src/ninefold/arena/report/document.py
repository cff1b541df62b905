"""The report as a document: the same sections in every format."""

import re
from collections.abc import Callable, Iterable, Mapping

from ninefold import __version__
from ninefold.arena.faults import KNOWN
from ninefold.arena.report.blunders import RESULTS, Blunder
from ninefold.arena.report.course import describe_course
from ninefold.arena.report.played import PlayedTournament
from ninefold.arena.scores import MOST_COMPARED
from ninefold.arena.scores.compare import Comparison
from ninefold.arena.scores.figures import MOST_DEPTH, Figures
from ninefold.arena.statistics.estimates import Estimate
from ninefold.arena.statistics.ratings import Rating, Ratings
from ninefold.coach.words import describe_turn
from ninefold.core.text import listed, plural, shorten
from ninefold.pages.charts import Chart, Point, Series
from ninefold.pages.document import Document, Item, Section
from ninefold.pages.shown import Evidence
from ninefold.pages.tables import Link, PageTable

NONE = "-"
KEPT = ("entrant", "value kept", "moving first", "moving second")
_CHECKPOINT = re.compile(r"(.*)@([0-9]{1,12})\Z", re.DOTALL)
_COSTS = {"tokens": "{:,.0f}", "seconds": "{:,.1f}", "cost": "{:,.4f}"}
# With more lines, a chart is hard to read.
MOST_LINES = 6


def document(played: PlayedTournament) -> Document:
    """The whole report."""
    parts = (
        _about(played),
        _skill(played),
        _by_game(played),
        _results(played),
        _ratings(played),
        _comparisons(played),
        _faults(played),
        _charts(played),
        _blunders(played),
    )
    return Document(title_of(played), tuple(part for part in parts if part is not None))


def title_of(played: PlayedTournament) -> str:
    """The title of the report."""
    return f"Tournament {shorten(played.folder.resolve().name, 60)}"


def headline(played: PlayedTournament) -> str:
    """The result in one sentence."""
    scores = played.scores
    best = scores.entrants[0]
    kept = scores.figures[best].kept.both
    if kept is None:
        return "Nothing was ever at stake in a position of known value."
    tied = [
        player
        for player in scores.entrants
        if (other := scores.figures[player].kept.both) and other.value == kept.value
    ]
    names = listed(played.name(player) for player in tied[:5])
    return f"{names} kept the most value: {with_interval(kept)}."


def with_interval(found: Estimate | None, digits: int = 3) -> str:
    """A figure with its interval: 0.741 (0.709-0.772)."""
    if found is None:
        return NONE
    return f"{found.value:.{digits}f} ({found.low:.{digits}f}-{found.high:.{digits}f})"


def percentage(found: Estimate | None) -> str:
    """A rate with its interval: 20.1% (17.6-22.8)."""
    if found is None:
        return NONE
    return f"{100 * found.value:.1f}% ({100 * found.low:.1f}-{100 * found.high:.1f})"


def _lines(*texts: str) -> tuple[Evidence, ...]:
    return tuple(Evidence(text) for text in texts if text)


def _rows(
    played: PlayedTournament,
    cells: Callable[[Figures], Iterable[str]],
    figures: Mapping[int, Figures] | None = None,
) -> tuple[tuple[str, ...], ...]:
    """A row for each entrant; every figure leads to its games."""
    found = played.scores.figures if figures is None else figures
    return tuple(
        tuple(_linked(cell, player) for cell in (played.name(player), *cells(found[player])))
        for player in played.scores.entrants
        if player in found
    )


def _linked(words: str, player: int) -> str:
    """A figure that leads to the games of an entrant."""
    return words if words == NONE else Link(words, f"entrant-{player}")


def _about(played: PlayedTournament) -> Section:
    scores, settings = played.scores, played.settings
    table = scores.table
    games = len(table.games["cell"])
    whole = (
        f"{plural(len(scores.entrants), 'entrant')}, {plural(games, 'game')} in "
        f"{plural(table.pairs, 'pair')}. The games of a pair have the same opening, "
        "with the seats exchanged."
    )
    rows = [
        (
            cell.label,
            f"{int((table.games['cell'] == at).sum()):,}",
            f"{table.openings[at]:,}",
            cell.rules,
        )
        for at, cell in enumerate(table.cells)
        if at in scores.cells
    ]
    names = ("format", "openings", "opening-moves", "rounds", "seed", "retries", "time-limit")
    shown = settings | ({} if settings.get("rounds") else {"rounds": "one per opening"})
    said = [f"{name} {shorten(str(shown[name]), 40)}" for name in names if name in settings]
    how = f"Settings: {', '.join(said)}." if said else "The settings of the tournament are missing."
    written = shorten(str(settings.get("version", "no version")), 40)
    version = f"Report by Ninefold {__version__}; rows of {written}."
    course = describe_course(played.folder, settings)
    known = _known(played), *_damage(played)
    lines = _lines(whole, *course, _entrants(played), how, version, *known)
    heads = ("game", "games", "openings", "rules")
    return Section("about", "What was played", lines, table=PageTable(heads, tuple(rows)))


def _entrants(played: PlayedTournament) -> str:
    """Who the entrants are, if their names do not say it."""
    players = played.settings.get("players", [])
    found = [one for one in players if isinstance(one, dict)] if isinstance(players, list) else []
    named = [
        f"{shorten(str(one.get('name')), 80)} is {shorten(str(one.get('player')), 120)}"
        for one in found
        if one.get("name") != one.get("player")
    ]
    return f"Entrants: {'; '.join(named)}." if named else ""


def _known(played: PlayedTournament) -> str:
    """How much of the play could be judged."""
    figures = played.scores.figures.values()
    known, unknown = sum(one.decisions for one in figures), sum(one.unknown for one in figures)
    if not unknown:
        return f"The exact value of all {known:,} decisions is known."
    share = unknown / (known + unknown)
    return (
        f"The value of {unknown:,} of {known + unknown:,} decisions ({share:.1%}) is unknown: the "
        "game is too large to solve there. Figures of skill leave them out."
    )


def _damage(played: PlayedTournament) -> list[str]:
    """What could not be read or judged."""
    table, found = played.scores.table, list[str]()
    for cell, why in table.unjudged.items():
        if cell in played.scores.cells:
            label = table.cells[cell].label
            found.append(f"The play of {label} cannot be judged: {why}. Its results count.")
    found += [f"Line {number} is left out: {why}." for number, why in table.damaged]
    if more := table.damaged_count - len(table.damaged):
        found.append(f"{plural(more, 'more damaged line')} left out.")
    if table.doubled:
        found.append(f"{plural(table.doubled, 'game')} in the file twice, counted once.")
    return found


def _skill(played: PlayedTournament) -> Section:
    kept = PageTable(KEPT, _rows(played, lambda one: map(with_interval, one.kept)))
    mistakes = PageTable(
        ("entrant", "regret", "blunders", "at stake"),
        _rows(
            played,
            lambda one: (with_interval(one.regret), _counted(one.blunders), f"{one.at_stake:,}"),
        ),
        "Mistakes",
    )
    only = PageTable(
        ("entrant", "only win found", "only draw found"),
        _rows(played, lambda one: map(_counted, (one.only_wins, one.only_draws))),
        "Only moves",
    )
    lines = _lines(
        "Value kept: the share of what was at stake, where legal moves differ in result. 1 is "
        "perfect play, 0 is the worst move every time. A win is worth 1, a draw 1/2.",
        "Regret: value lost per decision at stake.",
        "Blunders: moves that throw a win or a draw away, out of all moves in positions that are "
        "not lost. This is how the audit counts random moves.",
        "Only win found: how often the single winning move was played, where there is just one; "
        "likewise for draws.",
        "In brackets: 95% intervals. For value kept and regret, they come from a bootstrap over "
        "pairs of games; for rates, from Wilson's formula, widened as far as pairs are alike.",
    )
    return Section("skill", "How well they played", lines, table=kept, tables=(mistakes, only))


def _counted(found: Estimate | None) -> str:
    return NONE if found is None else f"{percentage(found)} of {found.n:,}"


def _by_game(played: PlayedTournament) -> Section | None:
    """The same for each game, if there are several."""
    scores, tables = played.scores, list[PageTable]()
    for cell in scores.cells * bool(scores.by_cell):
        found = {
            player: scores.by_cell[player, cell]
            for player in scores.entrants
            if (player, cell) in scores.by_cell
        }
        kept = _rows(played, lambda one: map(with_interval, one.kept), found)
        rest = _rows(
            played,
            lambda one: (with_interval(one.regret), percentage(one.blunders), _score(one)),
            found,
        )
        label = played.label(cell)
        tables.append(PageTable(KEPT, kept, f"{label}: value kept"))
        heads = ("entrant", "regret", "blunders", "score")
        tables.append(PageTable(heads, rest, f"{label}: mistakes and score"))
    return Section("games", "Game by game", tables=tuple(tables)) if tables else None


def _score(one: Figures) -> str:
    return with_interval(one.results.score)


def _results(played: PlayedTournament) -> Section:
    heads = ("entrant", "score", "wins", "draws", "losses", "games")
    rows = _rows(
        played,
        lambda one: (_score(one), *map(_rounded, one.results[1:4]), f"{one.games:,}"),
    )
    lines = _lines("Score: points per game, against the entrants of this tournament.")
    return Section("results", "Results", lines, table=PageTable(heads, rows))


def _rounded(found: Estimate | None) -> str:
    """A rate in whole percents: 86% (82-89)."""
    if found is None:
        return NONE
    return f"{100 * found.value:.0f}% ({100 * found.low:.0f}-{100 * found.high:.0f})"


def _ratings(played: PlayedTournament) -> Section:
    scores = played.scores
    ratings, without = scores.ratings, scores.ratings_without_forfeits
    order = sorted(scores.entrants, key=lambda player: -_height(ratings.entrants[player]))
    heads = ("entrant", "rating", *(("without forfeits",) if without else ()), "games")
    rows = tuple(
        (
            _linked(played.name(player), player),
            _linked(rating_words(ratings.entrants[player]), player),
            *((rating_words(without.entrants[player]),) if without else ()),
            f"{ratings.entrants[player].games:,}",
        )
        for player in order
    )
    base = "all entrants"
    if len(ratings.base) < len(scores.entrants):
        base = listed(played.name(player) for player in ratings.base[:20])
    lines = _lines(
        f"Bradley-Terry ratings on the Elo scale, with draws (Davidson) and an advantage of the "
        f"first move for each game. 0 is the average of {base}.",
        _advantages(played, ratings),
        "Intervals respect pairs of games (sandwich). An entrant with only wins or only losses "
        "against the others has a bound instead of a rating."
        if any(ratings.entrants[player].kind != "estimate" for player in order)
        else "Intervals respect pairs of games (sandwich).",
        "A forfeit counts as a loss here; the last column leaves forfeited games out."
        if without
        else "",
    )
    return Section("ratings", "Ratings", lines, table=PageTable(heads, rows))


def _height(rating: Rating) -> float:
    """Where an entrant stands in the table."""
    known = [one for one in (rating.value, rating.low, rating.high) if one is not None]
    shift = {"at-least": 1e6, "at-most": -1e6}.get(rating.kind, 0.0)
    return shift + (known[0] if known else 0.0)


def rating_words(rating: Rating) -> str:
    """A rating with its interval, or its bound."""
    if rating.value is not None and rating.low is not None and rating.high is not None:
        return f"{rating.value:+.0f} ({rating.low:+.0f} to {rating.high:+.0f})"
    if rating.kind == "at-least":
        return f"at least {rating.low:+.0f}"
    if rating.kind == "at-most":
        return f"at most {rating.high:+.0f}"
    return "not determined"


def _advantages(played: PlayedTournament, ratings: Ratings) -> str:
    found = [
        f"{played.label(cell)} {value:+.0f}"
        for cell in played.scores.cells
        if (value := ratings.first_move[cell]) is not None
    ]
    return f"To move first is worth: {', '.join(found)}." if found else ""


def _comparisons(played: PlayedTournament) -> Section | None:
    scores = played.scores
    if len(scores.entrants) < 2:
        return None
    if not scores.comparisons:
        said = f"There are more than {MOST_COMPARED} entrants: too many to compare every two."
        return Section("comparisons", "Head to head", _lines(said))
    scores_rows = tuple(_met(played, one) for one in scores.comparisons if one.score)
    kept_rows = tuple(_more_kept(played, one) for one in scores.comparisons if one.kept)
    lines = _lines(
        "Score: points per game of the first against the second. Value kept: by how much more of "
        "what was at stake the first kept than the second, over all games of both.",
        "p: how likely chance alone makes two equal entrants differ as much. It is corrected by "
        "Holm's method for all comparisons of its table. Score: exact test on pairs of games; "
        "value kept: score test on pairs of games.",
    )
    tables = [
        PageTable(("pairing", "score", "games", "p"), scores_rows, "Score"),
        PageTable(("pairing", "difference", "p"), kept_rows, "Value kept"),
    ]
    shown = tuple(table for table in tables if table.rows)
    return Section("comparisons", "Head to head", lines, tables=shown)


def _met(played: PlayedTournament, one: Comparison) -> tuple[str, ...]:
    """The games of two entrants against each other."""
    to = "met-{}-{}".format(*sorted((one.one, one.two)))
    score, games = with_interval(one.score), f"{one.games:,}"
    p = NONE if one.score_corrected is None else p_words(one.score_corrected)
    return Link(_pairing(played, one), to), Link(score, to), Link(games, to), p


def _more_kept(played: PlayedTournament, one: Comparison) -> tuple[str, ...]:
    assert one.kept is not None
    found, name = one.kept.estimate, Link(_pairing(played, one), f"entrant-{one.one}")
    words = f"{found.value:+.3f} ({found.low:+.3f} to {found.high:+.3f})"
    return name, words, p_words(one.kept.corrected)


def _pairing(played: PlayedTournament, one: Comparison) -> str:
    return f"{played.name(one.one)} against {played.name(one.two)}"


def p_words(value: float) -> str:
    """A p-value."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}"


def _faults(played: PlayedTournament) -> Section:
    """Faults by kind, and what the entrants used: nothing of this is part of their skill."""
    figures = played.scores.figures
    kinds = [
        kind
        for kind in KNOWN
        if any(kind in one.faults and one.faults[kind].value > 0 for one in figures.values())
    ]
    ended = [one.results.forfeits for one in figures.values()]
    forfeits = any(found is not None and found.value > 0 for found in ended)
    used = any(any(one.costs) for one in figures.values())
    if not kinds and not forfeits and not used:
        said = "No answer was unreadable, illegal, late or missing, and no game was forfeited."
        return Section("faults", "Faults", _lines(said))
    costs = [name for name in _COSTS if any(getattr(one.costs, name) for one in figures.values())]
    heads = ("entrant", *kinds, "games forfeited", *costs)
    rows = _rows(
        played,
        lambda one: (
            *(percentage(one.faults.get(kind)) for kind in kinds),
            percentage(one.results.forfeits),
            *(_COSTS[name].format(getattr(one.costs, name)) for name in costs),
        ),
    )
    lines = _lines(
        "The share of decisions with a fault of each kind, and of games that ended by forfeit. "
        "Faults do not change value kept, regret or blunders; only moves that were made do.",
        f"{listed(costs).capitalize()}: totals. Built-in players are not measured."
        if costs
        else "",
    )
    return Section("faults", "Faults and costs", lines, table=PageTable(heads, rows))


def _charts(played: PlayedTournament) -> Section | None:
    by_move = _chart(
        played,
        "by-move",
        "Regret by move number.",
        "Value lost per decision at stake.",
        "move",
        lambda one: one.regret_by_move,
    )
    longest = f" {MOST_DEPTH} stands for {MOST_DEPTH} or more." * any(
        MOST_DEPTH in one.regret_by_depth for one in played.scores.figures.values()
    )
    by_depth = _chart(
        played,
        "by-depth",
        "Regret in won positions, by depth of the win.",
        f"Depth: how many moves the win takes under best play.{longest}",
        "depth",
        lambda one: one.regret_by_depth,
    )
    only = _chart(
        played,
        "only-by-depth",
        "Only winning moves found, by depth of the win.",
        "The share of positions with a single winning move in which it was played.",
        "depth",
        lambda one: one.only_wins_by_depth,
        "share found",
    )
    charts = [chart for chart in (by_move, by_depth, only, *_checkpoints(played)) if chart.series]
    if not charts:
        return None
    note = ""
    if len(played.scores.entrants) > MOST_LINES:
        note = f"The charts show the first {MOST_LINES} entrants of the tables; the data has all."
    return Section("charts", "Where value was lost", _lines(note), charts=tuple(charts))


def _chart(
    played: PlayedTournament,
    key: str,
    title: str,
    about: str,
    across: str,
    figure: Callable[[Figures], Mapping[int, Estimate]],
    up: str = "regret",
) -> Chart:
    series = []
    for player in played.scores.entrants[:MOST_LINES]:
        points = _points(figure(played.scores.figures[player]))
        if points:
            series.append(Series(Link(played.name(player), f"entrant-{player}"), points))
    return Chart(key, title, about, across, up, tuple(series))


def _checkpoints(played: PlayedTournament) -> list[Chart]:
    """The course of training, if entrants are named like run@1000."""
    runs: dict[str, dict[int, Estimate]] = {}
    for player in played.scores.entrants:
        found = _CHECKPOINT.match(played.name(player))
        kept = played.scores.figures[player].kept.both
        if found and kept is not None:
            runs.setdefault(found[1], {})[int(found[2])] = kept
    series = tuple(
        Series(name, _points(dict(sorted(run.items()))))
        for name, run in [*runs.items()][:MOST_LINES]
        if len(run) > 1
    )
    title = "Value kept over checkpoints."
    about = "Entrants whose names end in @ and a number, such as run@1000, are one line."
    return [Chart("checkpoints", title, about, "checkpoint", "value kept", series)]


def _points(found: Mapping[int, Estimate]) -> tuple[Point, ...]:
    return tuple(Point(at, one.value, one.low, one.high, one.n) for at, one in found.items())


def _blunders(played: PlayedTournament) -> Section | None:
    if not played.blunders:
        return Section("blunders", "Worst blunders", _lines("Nobody made one."))
    items = tuple(_blunder(played, one) for one in played.blunders)
    said = 'The worst of each entrant. In these lines, "you" made the blunder.'
    return Section("blunders", "Worst blunders", _lines(said), items)


def _blunder(played: PlayedTournament, one: Blunder) -> Item:
    won = f" in {one.depth}" if one.depth is not None else ""
    mark = f"{RESULTS[one.before]} to {RESULTS[one.after]}"
    made = describe_turn(played.name(one.player), [one.move])
    head = f"{made} on move {one.ply} of {played.label(one.cell)}, as Player {one.seat}"
    had = f"A {RESULTS[one.before]}{won} became a {RESULTS[one.after]}."
    lines = (
        Evidence(had, one.shown),
        *_lines(f"The refutation: {one.refutation}" if one.refutation else "", one.better),
        Evidence(Link(f"Game {one.game}", f"g-{one.game}")),
    )
    return Item("bad" if one.before - one.after == 2 else "note", mark, head, lines)
