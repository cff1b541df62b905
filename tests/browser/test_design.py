"""The pages for designers: a fault is marked at its line, and a book is played, audited, shared."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from browser.looks import in_every_look, misfits, violations
from playwright.sync_api import FilePayload, Page, ViewportSize, expect
from processes import PATIENCE
from unit.web.server.live import live

from ninefold.web.server.limits import Limits

pytestmark = pytest.mark.xdist_group("design")
OWN = """# My first game
id = "mine"
title = "<b>Mine</b>"

[rules]
pool = "1-6"
wins.arithmetic = { length = 3 }
"""
Open = Callable[..., Page]
expect.set_options(timeout=1000 * PATIENCE)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    limits = Limits(requests=10_000, saves=10_000)
    with live(str(tmp_path_factory.mktemp("server") / "games.sqlite"), limits) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def tab(open_tab: Open, site: str) -> Iterator[Page]:
    """A tab of somebody new at the site; nothing goes wrong in it that is not expected."""
    trouble = list[str]()
    yield open_tab(site, trouble.append, viewport={"width": 1280, "height": 900})
    assert trouble == []


def write(page: Page, text: str) -> None:
    """Write a text, and wait until it has been checked."""
    page.fill("#text", text)
    page.wait_for_function(
        "text => document.querySelector('#text').value === text"
        " && !document.querySelector('.stale')",
        arg=text,
    )


def file(name: str, text: str) -> FilePayload:
    """A file to open."""
    return {"name": name, "mimeType": "text/plain", "buffer": text.encode()}


def open_editor(page: Page) -> None:
    """Open the editor, and wait until what is in it has been checked."""
    page.goto("/design")
    expect(page.locator(".editor:not(.stale)")).to_be_visible()


def save(page: Page, text: str = OWN) -> str:
    """Save a text; the address of its page."""
    open_editor(page)
    write(page, text)
    page.get_by_role("button", name="Save").click()
    page.wait_for_url("**/book/*")
    expect(page.get_by_role("heading", level=1)).to_have_text("<b>Mine</b>")
    return page.url


def lines_marked(page: Page) -> list[str]:
    """The number of each line with a mark, as it is seen: what is on the same height."""
    found: list[str] = page.evaluate(
        """() => [...document.querySelectorAll(".mark")].map((mark) => {
          const box = mark.getBoundingClientRect();
          const text = document.querySelector("#text");
          const at = (box.top - text.getBoundingClientRect().top + text.scrollTop) / box.height;
          return `${Math.round(at + 0.5)}: ${mark.querySelector(".remark").innerText.trim()}`;
        })"""
    )
    return found


def test_a_fault_is_marked_at_its_line_until_it_is_fixed(tab: Page) -> None:
    """Beside the line, in the gutter, and in a list that leads to the line and column."""
    open_editor(tab)
    write(tab, OWN.replace("pool", "  pol"))
    message = "rules.pol: unknown field (did you mean pool?)"
    assert f"6: ✖ {message}" in lines_marked(tab)
    assert tab.locator(".flag.error").count() == 2
    expect(tab.locator("#verdict")).to_have_text("2 errors.")
    tab.get_by_role("button", name=f"Line 6: {message}").click()
    place = "() => { const text = document.querySelector('#text'); return text.selectionStart; }"
    assert tab.evaluate(place) == OWN.index("pool") + 2
    expect(tab.locator("#text")).to_be_focused()
    expect(tab.locator("#here")).to_have_text(f"Line 6: {message}")
    write(tab, OWN)
    assert lines_marked(tab) == []
    expect(tab.locator("#verdict")).to_have_text("No errors. It can be played.")
    expect(tab.locator(".summary h2")).to_have_text("<b>Mine</b>")


def test_marks_stay_beside_their_lines_in_a_long_text(tab: Page) -> None:
    """However far it is scrolled; F8 goes from error to error, and round again."""
    open_editor(tab)
    filler = "# a comment\n" * 300
    write(tab, f"typo = 1\n{filler}{OWN}{filler}wrong = 1\n")
    seen = []
    for key in ("F8", "F8", "F8", "Shift+F8"):
        tab.locator("#text").press(key)
        seen.append(tab.locator("#here").inner_text().partition(":")[0])
    assert seen == ["Line 1", "Line 609", "Line 1", "Line 609"]
    shown = tab.evaluate(
        """() => {
          const box = (one) => document.querySelector(one).getBoundingClientRect();
          const [mark, sheet] = [box(".mark:last-child"), box(".sheet")];
          return mark.top >= sheet.top && mark.bottom <= sheet.bottom;
        }"""
    )
    assert shown
    assert [one.partition(":")[0] for one in lines_marked(tab)] == ["1", "609"]


def test_a_text_with_errors_is_not_saved(tab: Page) -> None:
    """The first error has the focus instead."""
    open_editor(tab)
    write(tab, OWN.replace("1-6", "x"))
    tab.get_by_role("button", name="Save").click()
    expect(tab.get_by_role("alert")).to_have_text("Fix the errors first.")
    expect(tab.locator("#text")).to_be_focused()
    assert tab.url.endswith("/design")


def test_unsaved_text_is_kept_and_replaced_only_if_somebody_agrees(tab: Page) -> None:
    """After a reload, and when an example or a file is opened."""
    open_editor(tab)
    write(tab, OWN)
    tab.reload()
    expect(tab.locator("#text")).to_have_value(OWN)
    tab.select_option("#example", "magic-fifteen")
    tab.get_by_role("button", name="No").click()
    expect(tab.locator("#text")).to_have_value(OWN)
    tab.select_option("#example", "magic-fifteen")
    tab.get_by_role("button", name="Yes").click()
    expect(tab.locator(".summary h2")).to_have_text("Magic Fifteen")
    # Nobody has written in the example, so nothing is lost.
    tab.set_input_files("input[type=file]", file("mine.toml", OWN.replace("\n", "\r\n")))
    expect(tab.locator("#text")).to_have_value(OWN)
    expect(tab.locator(".summary h2")).to_have_text("<b>Mine</b>")
    tab.set_input_files("input[type=file]", file("large.toml", "#" * 300_000))
    expect(tab.get_by_role("alert")).to_contain_text("large.toml has more than")
    expect(tab.locator("#text")).to_have_value(OWN)


def test_every_example_is_without_errors(tab: Page) -> None:
    """The small one, the one with every field, and the built-in games."""
    open_editor(tab)
    titles = tab.locator("#example option").all_inner_texts()[1:]
    assert titles[:2] == ["A small game", "Every field, explained"]
    for title in titles[1:]:
        tab.select_option("#example", label=title)
        expect(tab.locator(".editor.stale")).to_have_count(0)
        expect(tab.locator("#verdict")).not_to_contain_text("error.")
        expect(tab.locator(".summary")).to_be_visible()


def test_a_saved_book_is_played_audited_and_shared(tab: Page, open_tab: Open, site: str) -> None:
    """A friend who has the link reads it, plays a move of it, and edits a copy."""
    link = save(tab)
    expect(tab.locator("#rules-title ~ p").first).to_contain_text("numbers 1 to 6")
    tab.get_by_role("button", name="Audit it").click()
    expect(tab.locator(".audit .verdict")).to_be_visible()
    expect(tab.locator(".audit li").first).to_contain_text("Best play:")
    tab.get_by_role("link", name="Read the whole report").click()
    expect(tab.get_by_role("heading", level=1)).to_have_text("<b>Mine</b>: an audit")
    tab.get_by_role("button", name="Back").first.click()
    expect(tab.locator("figure [aria-live]").first).to_contain_text(" of ")
    tab.get_by_role("link", name="Back to the rule book").click()
    expect(tab.locator(".audit .verdict")).to_be_visible()
    assert tab.url == link
    tab.get_by_role("link", name="Read the whole report").click()
    tab.wait_for_url("**/audit/*")
    tab.go_back()
    expect(tab.locator(".audit .verdict")).to_be_visible()
    expect(tab.get_by_role("button", name="Audit it")).to_have_count(0)

    friend = open_tab(site)
    friend.goto(link)
    friend.select_option("#opponent", "level:1")
    friend.get_by_role("button", name="Play").click()
    friend.wait_for_url("**/game/*")
    friend.locator('.tile[data-number="3"]').click()
    expect(friend.locator(".hand.seat1 dd")).to_have_text("3")
    expect(friend.locator(".tile")).to_have_count(6)
    friend.goto(link)
    friend.get_by_role("link", name="Edit a copy").click()
    expect(friend.locator("#text")).to_have_value(OWN)


def test_two_people_play_a_book_with_changes(tab: Page, open_tab: Open, site: str) -> None:
    """With a clock; the address names the changes, so the link is about the same game."""
    save(tab)
    tab.fill("#changes", "pool=1-8")
    tab.get_by_role("button", name="Apply").click()
    expect(tab.locator(".lead .about")).to_contain_text("Changed: pool=1-8 · Numbers: 1 to 8")
    assert tab.url.endswith("?changes=pool%3D1-8")
    tab.reload()
    expect(tab.locator("#link")).to_have_value(tab.url)
    tab.select_option("#opponent", "friend")
    tab.select_option("#clock", label="5 minutes each, 5 seconds more per turn")
    tab.get_by_role("button", name="Play").click()
    tab.wait_for_url("**/game/*")
    friend = open_tab(site)
    friend.goto(tab.url)
    friend.get_by_role("button", name="Join").click()
    expect(friend.locator(".clock").first).to_contain_text("5:00")
    tab.locator('.tile[data-number="8"]').click()
    expect(friend.locator(".hand.seat1 dd:not(.clock)")).to_have_text("8")


def test_a_wrong_change_is_explained(open_tab: Open, site: str) -> None:
    """The page stays as it was."""
    page = open_tab(site)
    page.goto("/book/magic-fifteen")
    page.fill("#changes", "pol=1-8")
    page.get_by_role("button", name="Apply").click()
    expect(page.get_by_role("alert")).to_contain_text("did you mean pool?")
    expect(page.get_by_role("heading", name="Rules", exact=True)).to_be_visible()


def test_a_built_in_book_has_a_page_with_its_variants(tab: Page) -> None:
    """Choosing one shows its rules, and the address names it."""
    tab.goto("/book/sequence-builder")
    tab.select_option("#reading", "three-slots")
    expect(tab.locator(".words h3").first).to_have_text("Rules variant: three-slots")
    assert tab.url.endswith("?reading=three-slots")


def test_a_book_that_does_not_exist(open_tab: Open, site: str) -> None:
    """The page says so."""
    page = open_tab(site)
    page.goto("/book/none")
    expect(page.get_by_role("alert")).to_contain_text("There is no such rule book.")


def test_an_audit_can_be_cancelled(tab: Page) -> None:
    """The server is told, and it can be begun again."""
    tab.goto("/book/sequence-capture?changes=pool%3D1-60")
    tab.get_by_role("button", name="Audit it").click()
    with tab.expect_request(lambda one: one.method == "DELETE"):
        tab.get_by_role("button", name="Cancel").click()
    expect(tab.get_by_role("button", name="Audit it")).to_be_visible()


def test_own_books_are_listed_and_deleted(tab: Page) -> None:
    """After a question."""
    link = save(tab)
    tab.goto("/design")
    expect(tab.locator(".own a")).to_have_attribute("href", link[link.index("/book/") :])
    tab.get_by_role("button", name="Delete <b>Mine</b>").click()
    tab.get_by_role("button", name="Yes").click()
    expect(tab.locator(".own li")).to_have_count(0)


def test_keys_before_the_next_paint_go_on_from_the_last_one(tab: Page) -> None:
    """F8 twice within one frame is at the second error."""
    open_editor(tab)
    tab.locator("#text").fill(OWN.replace("pool", "pol"))
    expect(tab.locator("#verdict")).to_have_text("2 errors.")
    tab.locator("#text").evaluate(
        """async (field) => {
            field.setSelectionRange(0, 0);
            const press = () => field.dispatchEvent(
                new KeyboardEvent("keydown", { key: "F8", bubbles: true, cancelable: true }));
            press();
            await null;
            await null;
            press();
        }"""
    )
    expect(tab.locator("#here")).to_contain_text("rules.pol:")


def test_everything_works_with_the_keyboard_alone(tab: Page) -> None:
    """Write, go to the error, fix it, save, and audit."""
    open_editor(tab)
    tab.keyboard.press("Tab")
    tab.keyboard.press("Enter")  # skip to the content
    tab.locator("#text").focus()
    tab.keyboard.press("Control+A")
    tab.keyboard.insert_text(OWN.replace("pool", "pol"))
    expect(tab.locator("#verdict")).to_have_text("2 errors.")
    tab.keyboard.press("Control+Home")
    tab.keyboard.press("F8")
    tab.keyboard.press("F8")
    expect(tab.locator("#here")).to_contain_text("rules.pol:")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.press("ArrowRight")
    tab.keyboard.insert_text("o")
    expect(tab.locator("#verdict")).to_have_text("No errors. It can be played.")
    tab.keyboard.press("Tab")
    expect(tab.get_by_role("button", name="Save")).to_be_focused()
    tab.keyboard.press("Enter")
    tab.wait_for_url("**/book/*")
    tab.get_by_role("button", name="Audit it").press("Enter")
    expect(tab.locator(".audit .verdict")).to_be_visible()


@in_every_look
def test_axe_finds_nothing(open_tab: Open, site: str, viewport: ViewportSize, theme: str) -> None:
    """On the editor with errors and without, on a book, and on a report."""
    # Axe itself is not part of the policy.
    page = open_tab(site, viewport=viewport, color_scheme=theme, bypass_csp=True)
    open_editor(page)
    write(page, OWN.replace("pool", "pol"))
    page.locator("#text").press("F8")
    assert violations(page) == []
    link = save(page)
    page.get_by_role("button", name="Audit it").click()
    expect(page.locator(".audit .verdict")).to_be_visible()
    page.locator(".source summary").click()
    assert violations(page) == []
    assert misfits(page, (viewport["width"],)) == []
    page.get_by_role("link", name="Read the whole report").click()
    page.wait_for_selector("figure .controls")
    assert violations(page) == []
    page.goto("/design")
    expect(page.locator(".own li")).to_have_count(1)
    assert violations(page) == []
    page.get_by_role("button", name="Delete").click()
    assert violations(page) == []
    assert link


def test_nothing_is_wider_than_the_screen_and_targets_are_large(tab: Page) -> None:
    """No scrolling to the side but in the text; every target has at least 24 pixels."""
    link = save(tab)
    for address in ("/design", link):
        tab.goto(address)
        tab.wait_for_selector("button.big")
        assert misfits(tab) == []


def test_hostile_texts_do_no_harm_to_the_page(tab: Page) -> None:
    """Markup is shown as text, wherever a book's words appear."""
    attack = "<img src=x onerror=alert(1)>"
    text = OWN.replace("<b>Mine</b>", attack) + f'\n[words]\nprompt = "{attack}"\n'
    open_editor(tab)
    write(tab, text)
    expect(tab.locator(".summary h2")).to_have_text(attack)
    write(tab, f"{text}\n'{attack}' = 1\n")
    expect(tab.locator(".findings li").first).to_contain_text("unknown field")
    assert tab.locator("img").count() == 0


def test_the_text_of_a_draft_stays_in_the_browser(tab: Page, tmp_path: Path) -> None:
    """A check is no save: the server keeps nothing of it."""
    open_editor(tab)
    write(tab, OWN)
    kept = json.loads(tab.evaluate("localStorage.getItem('ninefold-design')"))
    assert kept == {"text": OWN, "isOwn": True}
    expect(tab.locator(".own li")).to_have_count(0)
    assert not any(tmp_path.iterdir())
