"""The report as one HTML file with everything inside, in the look of the audit's."""

from html import escape

from ninefold.arena.report.document import document, headline, title_of
from ninefold.arena.report.listing import Meeting, meetings
from ninefold.arena.report.played import PlayedTournament
from ninefold.core.text import plural
from ninefold.invocation import command
from ninefold.pages import html as parts

_TERMS = (
    "Every value is the solver's: proved, not estimated. Figures in brackets are 95% intervals. "
    "Each figure is a link to the games it is computed from."
)


def html(played: PlayedTournament) -> str:
    """The report as a page of its own."""
    made = document(played)
    titles = {part.key: part.title for part in made.sections}
    titles["all-games"] = "Games"
    body = "".join(
        parts.section(part.key, part.title, parts.section_body(part, 3)) for part in made.sections
    )
    body += parts.section("all-games", "Games", _games(played))
    title = title_of(played)
    page = (
        f'<header id="top" class="wide"><h1>{escape(title)}</h1>'
        f'<p class="verdict">{escape(headline(played))}</p>'
        f"{parts.nav('Contents', parts.links(titles))}"
        f'<p class="key">{escape(_TERMS)}</p></header>\n'
        f'<main class="wide">\n{body}</main>\n'
        '<footer class="wide"><p>Made with <code>ninefold arena report</code>. '
        f"{parts.DRAWING_KEY}</p></footer>\n"
    )
    return parts.whole(title, page)


def _games(played: PlayedTournament) -> str:
    """The games of each entrant and of each pairing, those in which most was lost first."""
    found, written = meetings(played), ""
    for player in played.scores.entrants:
        links = {
            f"met-{one.one}-{one.two}": f"{played.name(_other(one, player))} ({one.games:,})"
            for one in found
            if player in (one.one, one.two)
        }
        written += (
            f'<div class="pair"><h3 id="entrant-{player}">{escape(played.name(player))} played</h3>'
            f"{parts.nav(f'Games of {played.name(player)}', parts.links(links))}</div>\n"
        )
    return written + "".join(_meeting(played, one) for one in found)


def _other(one: Meeting, player: int) -> int:
    return one.two if player == one.one else one.one


def _meeting(played: PlayedTournament, one: Meeting) -> str:
    names = " and ".join(played.name(player) for player in dict.fromkeys((one.one, one.two)))
    rest = ""
    if one.games > len(one.listed):
        show = command(f"arena show {played.folder} --game ID")
        rest = (
            f"<p>Listed: {len(one.listed)} of {plural(one.games, 'game')}, those in which most was "
            f"lost. The others are in games.jsonl; <code>{escape(show)}</code> shows one.</p>"
        )
    items = "".join(
        f'<li id="g-{escape(game.id)}"><code>{escape(game.id)}</code> {escape(game.about)}'
        f"<br>{escape(game.moves)}</li>"
        for game in one.listed
    )
    return (
        f'<details class="games" open><summary id="met-{one.one}-{one.two}">{escape(names)}: '
        f"{plural(one.games, 'game')}</summary>{rest}<ol>{items}</ol></details>\n"
    )
