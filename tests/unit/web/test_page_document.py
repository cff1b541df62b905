"""One file with everything inside: what its policy allows, and which games it refuses."""

import re
from base64 import b64encode
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import pytest
from web_pages import TableReader, book_of, page_of

from ninefold import books
from ninefold.core.errors import NinefoldError
from ninefold.narration import View
from ninefold.web.page import states
from ninefold.web.page.document import join_modules, page
from ninefold.web.page.texts import Texts, numbers_as_bytes

pytestmark = pytest.mark.xdist_group("magic-fifteen-default")


@pytest.fixture
def html(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The page of magic-fifteen."""
    return page_of(tmp_path_factory, "magic-fifteen", "default").read_text("utf-8")


class _Elements(HTMLParser):
    """Every element with its attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))


@pytest.mark.slow
def test_the_policy_allows_this_script_and_this_style_and_nothing_else(html: str) -> None:
    """The digests are those of what the file contains."""
    script = re.findall(r"<script>(.*?)</script>", html, re.S)
    style = re.findall(r"<style>(.*?)</style>", html, re.S)
    hashes = [b64encode(sha256(text.encode()).digest()).decode() for text in (script[0], style[0])]
    assert len(script) == len(style) == 1
    assert (
        f"default-src 'none'; script-src 'sha256-{hashes[0]}'; style-src 'sha256-{hashes[1]}'; "
        "img-src data:; base-uri 'none'; form-action 'none'"
    ) in html


@pytest.mark.slow
def test_nothing_is_loaded_and_no_attribute_has_style_or_script(html: str) -> None:
    """The policy would block it, and the page would not work."""
    for tag, attributes in _Elements(html).found:
        assert "src" not in attributes
        assert attributes.get("href", "data:,") == "data:,", tag
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]


def test_the_script_names_no_other_host_and_makes_no_request() -> None:
    """The name of a namespace is not an address."""
    script = join_modules("page.js").replace("http://www.w3.org/2000/svg", "")
    for word in ("http:", "https:", "fetch(", "XMLHttpRequest", "WebSocket", "import(", "</script"):
        assert word not in script
    assert not re.search(r"^(import|export)\b", script, re.M)


@pytest.mark.slow
def test_the_title_of_a_hostile_book_is_text(tmp_path: Path) -> None:
    """A book cannot add an element to its page."""
    file = tmp_path / "hostile.toml"
    file.write_text(
        'title = "</title><script>alert(1)</script>"\n'
        'summary = "</script><img src=x onerror=alert(1)>"\n'
        '[rules]\npool = "1-3"\n[rules.wins.sum]\ncount = 2\nequals = 4\n'
    )
    html = page(books.load_book(str(file)))
    tags = [tag for tag, _ in _Elements(html).found]
    assert tags.count("script") == 2
    assert "img" not in tags
    assert TableReader(html).header["title"] == "</title><script>alert(1)</script>"


def test_a_game_with_too_many_positions_is_refused_with_its_size() -> None:
    """More numbers than the table can hold are not even counted."""
    with pytest.raises(NinefoldError, match=r"too large for a page: it has 40 numbers"):
        page(books.load_book("magic-fifteen", None, ("pool=1-40",)))


def test_words_that_no_state_can_tell_are_refused(tmp_path: Path) -> None:
    """The states of a page do not keep the order of picks unless the rules look at it."""
    file = tmp_path / "ascents.toml"
    file.write_text(
        '[rules]\npool = "1-4"\n[rules.wins.sum]\ncount = 2\nequals = 5\n'
        '[words.ended]\ndraw = ["Ascents: {ascent1} and {ascent2}."]\n'
    )
    with pytest.raises(NinefoldError, match="remove them from the words"):
        page(books.load_book(str(file)))


@pytest.mark.slow
def test_the_size_of_a_refused_game_is_in_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal names the limit and the alternative."""
    assert states.MOST_POSITIONS == 60_000
    monkeypatch.setattr(states, "MOST_POSITIONS", 2_000)
    with pytest.raises(NinefoldError) as refused:
        page(books.load_book("magic-fifteen"))
    assert refused.value.code == "too-large"
    assert "it has more than 2,000 positions." in refused.value.message
    assert "ninefold serve" in refused.value.message


def test_words_are_told_apart_by_reader() -> None:
    """A word that differs is stored once, in three forms."""
    texts = Texts()
    names = {None: "{1} takes 5.", 1: "You take 5.", 2: "{1} takes 5."}
    assert texts.add_for_readers(names.__getitem__) == 1
    assert texts.add("") == 0
    words, data = texts.encode()
    assert words == [("{1}", "You", "{1}"), ("takes", "take", "takes"), "5."]
    assert data == bytes([0, 3, 0, 1, 2])


def test_numbers_take_seven_bits_a_byte() -> None:
    """The lowest bits come first."""
    assert numbers_as_bytes([0, 127, 128, 300]) == bytes([0, 127, 128, 1, 172, 2])


def test_the_tie_break_names_the_set_that_was_first() -> None:
    """It used to say: Ann held  first."""
    book = book_of("pattern-builder", "declare")
    position = book.game.play("1 9 2 8 3 pass 7 pass 5 pass 6 pass 4 pass")
    assert position.outcome is not None
    view = View(book, ("Ann", "Bob"), (True, True))
    held = "Tie-break: whoever completed a set first wins. Ann held 1, 2, 3 first."
    assert view.tie_break(position) == held
