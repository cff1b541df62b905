"""The report: complete, safe whatever the rows say, and the same figures in every format."""

import json
import os
import re
from collections import Counter
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from unit.arena.rows import FIFTEEN, row, whole_game, write

from ninefold.arena import run_tournament
from ninefold.arena.report import KINDS, game_data, render, show_game
from ninefold.arena.results import GAMES, read_rows
from ninefold.core.errors import NinefoldError
from ninefold.require import MissingExtra

PLAYERS = {"random": "random", "run@1000": "level:1", "run@2000": "level:2", "best": "perfect"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small tournament with two checkpoints, and lines that do not belong there."""
    path = tmp_path_factory.mktemp("arena") / "cup"
    games = ["magic-fifteen", "sequence-duel-sum"]
    run_tournament(PLAYERS, games, path, rounds=4, seed=2)
    with open(path / GAMES, "a", encoding="utf-8") as file:
        file.write("garbage\n")
    return path


class Page(HTMLParser):
    """The anchors, links and elements of a page; raises if elements are not closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids, self.links, self.tags = Counter[str](), set[str](), Counter[str]()
        self._open = list[str]()
        self.feed(text)
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        values = dict(attrs)
        self.tags[tag] += 1
        self.ids[values.get("id") or ""] += 1
        if "href" in values:
            self.links.add(values["href"] or "")
        assert not [name for name in values if name.startswith("on")]
        if tag not in ("meta", "br", "link"):
            self._open.append(tag)

    def handle_startendtag(self, tag: str, _: list[tuple[str, str | None]]) -> None:
        """An element of a drawing without content."""
        self.tags[tag] += 1

    def handle_endtag(self, tag: str) -> None:
        """Elements are closed in order."""
        assert self._open.pop() == tag


def words_of(folder: Path) -> str:
    """The report on one line."""
    return " ".join(render(folder).split())


def test_an_unfinished_tournament_says_so(tmp_path: Path) -> None:
    """With how much is left, until it is over."""
    run_tournament(["random", "greedy"], ["magic-fifteen"], tmp_path, rounds=3)
    assert "Not finished" not in words_of(tmp_path)
    lines = (tmp_path / GAMES).read_text("utf-8").splitlines(keepends=True)
    (tmp_path / GAMES).write_text("".join(lines[:-1]), "utf-8")
    assert "Not finished: 5 of 6 games are played." in words_of(tmp_path)


def test_a_sequential_test_has_its_verdict(tmp_path: Path) -> None:
    """In the words of the command that played it, or that it is still open."""
    players, test = ["perfect", "random"], "sequential"
    run_tournament(players, ["magic-fifteen"], tmp_path, format=test, batch=8, elo1=200)
    said = words_of(tmp_path)
    assert "Sequential test: perfect is better than random." in said
    assert "Not finished" not in said
    lines = (tmp_path / GAMES).read_text("utf-8").splitlines(keepends=True)
    (tmp_path / GAMES).write_text("".join(lines[:4]), "utf-8")
    said = words_of(tmp_path)
    assert "It is not known yet" in said and "4 of at most 20,000 games" in said


def test_games_without_chance_are_named(tmp_path: Path) -> None:
    """They repeat themselves, so more rounds are no evidence; other pairings are not named."""
    players: dict[str, Any] = {
        "a": lambda one: one.picks[0],
        "b": lambda one: one.picks[-1],
        "random": "random",
    }
    run_tournament(players, ["magic-fifteen"], tmp_path, rounds=5)
    said = words_of(tmp_path)
    assert "again and again: a against b (2 different games of 10)." in said
    assert "against random (" not in said


def test_every_link_of_the_page_leads_somewhere(folder: Path) -> None:
    """Figures lead to lists of games; ids are unique, and nothing is loaded from elsewhere."""
    text = render(folder, "html")
    page = Page(text)
    del page.ids[""]
    assert {link[:1] for link in page.links} == {"#"}
    assert {link[1:] for link in page.links} <= page.ids.keys()
    assert page.ids.most_common(1)[0][1] == 1
    assert "default-src 'none'" in text
    assert (page.tags["script"], page.tags["style"], page.tags["img"]) == (1, 1, 0)
    assert len([name for name in page.ids if name.startswith("g-")]) == 96


def test_every_chart_can_be_read_without_seeing_it(folder: Path) -> None:
    """Four charts: each has a title, a description and its figures as a table."""
    text = render(folder, "html")
    charts = re.findall(r'<figure class="plot" id="([a-z-]+)">(.*?)</figure>', text, re.DOTALL)
    assert [name for name, _ in charts] == ["by-move", "by-depth", "only-by-depth", "checkpoints"]
    for _, chart in charts:
        assert re.search(r"<title id=[^>]*>[^<]+</title>\s*<desc id=[^>]*>[^<]+</desc>", chart)
        assert "<table>" in chart
    assert "run" in charts[-1][1] and ">1000<" in charts[-1][1] and ">2000<" in charts[-1][1]


def test_all_formats_say_the_same(folder: Path) -> None:
    """The figures of the data are in the text, in Markdown and on the page."""
    data = json.loads(render(folder, "json"))
    others = [render(folder, kind) for kind in KINDS if kind != "json"]
    assert data["games"] == 96
    assert {one["name"] for one in data["entrants"]} == {*PLAYERS}
    for one in data["entrants"]:
        kept = one["kept"]["both"]
        said = f"{kept['value']:.3f} ({kept['low']:.3f}-{kept['high']:.3f})"
        assert all(said in text for text in others)
    best = data["entrants"][0]
    assert (best["name"], best["kept"]["both"]["value"]) == ("best", 1.0)
    assert data["damaged"] == [{"line": 97, "reason": "it is not JSON"}]
    assert all("Line 97 is left out: it is not JSON." in text for text in others)


@pytest.mark.parametrize("width", [60, 80, 120])
def test_the_text_fits_the_terminal(folder: Path, width: int) -> None:
    """No line is wider than the terminal."""
    assert max(map(len, render(folder, "text", width).splitlines())) <= width


def test_blunders_are_refuted_in_words(folder: Path) -> None:
    """Each names its player, the drop, what was better, and who takes what; no notation."""
    data = json.loads(render(folder, "json"))
    assert data["blunders"]
    ids = {game["id"] for game in read_rows_of(folder)}
    for one in data["blunders"]:
        assert one["id"] in ids
        assert one["before"] != one["after"]
        assert re.match(r"Better: .* For example: (you|they) ", one["better"])
        assert re.match(r"(they|you) .*(win|drawn|lose)[a-z -]*\.$", one["refutation"])
        assert "declare:" not in one["refutation"] + one["better"]


def read_rows_of(folder: Path) -> list[dict[str, str]]:
    """The rows that are not damaged."""
    lines = (folder / GAMES).read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{")]


HOSTILE = '"><script>alert(1)</script>|`*_[x](y)&amp;'


def test_a_strangers_rows_cannot_add_markup(tmp_path: Path) -> None:
    """Names, ids, reasons and raw answers are shown as they are, in every format."""
    fault = {"seat": 1, "ply": 0, "kind": "unreadable", "code": "x", "raw": HOSTILE}
    moves = whole_game(FIFTEEN, (1, 5, 9, 2, 8, 7, 3, 4, 6))
    games = [
        {**row(FIFTEEN, (HOSTILE, "b"), moves, faults=[fault]), "id": f"{HOSTILE}1"},
        {**row(FIFTEEN, ("b", HOSTILE), moves, 1), "id": HOSTILE, "pair": HOSTILE},
        {
            **row(FIFTEEN, ("b", HOSTILE), "", 2, forfeit="resign"),
            "reason": HOSTILE,
            "book": HOSTILE,
        },
    ]
    write(tmp_path, games)
    text = render(tmp_path, "html")
    assert "<script>alert" not in text
    assert Page(text).tags["script"] == 1
    assert "<script>" not in render(tmp_path, "markdown")
    json.loads(render(tmp_path, "json"))
    assert "Fault: " in show_game(tmp_path, f"{HOSTILE}1")


def test_a_stranger_cannot_steer_the_terminal(tmp_path: Path) -> None:
    """Neither in settings nor in raw answers, in any format; and all of it can be encoded."""
    raw = "\x1b[31m\x9b2J\x7f\u202e\ud800"
    fault = {"seat": 1, "ply": 0, "kind": "unreadable", "code": "x", "raw": raw}
    game = {**row(FIFTEEN, ("a", "b"), "5", faults=[fault], forfeit="resign"), "reason": raw}
    write(tmp_path, [game])
    settings = r'version = "\u001b[31m"' + "\n" + r'format = "\u009b2J\u202e"' + "\n"
    (tmp_path / "tournament.toml").write_text(settings)
    texts = [render(tmp_path, kind) for kind in ("text", "html", "markdown", "json")]
    for text in (*texts, show_game(tmp_path, game["id"]), game_data(tmp_path, game["id"])):
        assert all(char.isprintable() or char == "\n" for char in text)


def test_one_game_says_who_forfeited_it_or_that_it_was_not_finished(tmp_path: Path) -> None:
    """The winner of such a game did nothing."""
    forfeited = row(FIFTEEN, ("one", "two"), "5 1", 0, forfeit="illegal")
    cut = row(FIFTEEN, ("one", "two"), "5 1 4", 2) | {"winner": None, "reason": "move-limit"}
    write(tmp_path, [forfeited, cut])
    assert "one forfeited the game (illegal)." in show_game(tmp_path, forfeited["id"])
    assert "The game was not finished (move-limit)." in show_game(tmp_path, cut["id"])


def test_one_game_is_shown_move_by_move(tmp_path: Path) -> None:
    """With the player, the value before and after, and what there is to say."""
    write(tmp_path, [row(FIFTEEN, ("a", "b"), [1, 9, 8, 6, 5, 2, 3])])
    (only,) = read_rows(tmp_path)
    text = show_game(tmp_path, only["id"])
    assert text == show_game(tmp_path, only["id"][:8])
    lines = [re.split(r"  +", line.strip()) for line in text.splitlines()]
    moves = [line for line in lines if line[0].isdigit()]
    assert [line[1:3] for line in moves] == [
        [("a", "b")[at % 2], move] for at, move in enumerate(only["moves"].split())
    ]
    words = {1: "win", 0: "draw", -1: "loss"}
    assert [line[4] for line in moves] == [words[value] for value in only["after"]]
    thrown = [at for at, line in enumerate(moves) if line[-1].startswith("blunder")]
    pairs = zip(only["before"], only["after"], strict=True)
    assert thrown == [at for at, (before, after) in enumerate(pairs) if after < before]
    with pytest.raises(NinefoldError, match="There is no game 'nothing' in this tournament"):
        show_game(tmp_path, "nothing")


def test_a_tournament_without_games_says_what_to_do(tmp_path: Path) -> None:
    """No traceback, but one line; damaged lines are named in it."""
    with pytest.raises(NinefoldError, match=r"no finished games.*1 line is damaged.*not JSON"):
        render(write(tmp_path, ["{\n"]))
    with pytest.raises(NinefoldError, match="Cannot read the games"):
        render(tmp_path / "nowhere")
    (tmp_path / "games.jsonl").unlink()
    (tmp_path / "games.jsonl").symlink_to(os.devnull)
    with pytest.raises(NinefoldError, match="is not a regular file"):
        render(tmp_path)


def test_a_missing_package_is_named_with_what_to_install(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The extra arena brings it."""
    monkeypatch.setattr("ninefold.require.find_spec", lambda _: None)
    with pytest.raises(MissingExtra, match=r"pip install 'ninefold\[arena\]'"):
        render(folder)
