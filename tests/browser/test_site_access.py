"""The site for everybody: axe finds nothing, the keyboard is enough, at any size and direction."""

import re
from collections.abc import Iterator

import pytest
from browser.looks import in_every_look, misfits, violations
from browser.site_playing import Tab, people, sit_down, take_turns
from browser.windows import Windows
from playwright.sync_api import Page, ViewportSize
from unit.web.server.live import live

pytestmark = pytest.mark.xdist_group("site-access")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with live(str(tmp_path_factory.mktemp("site") / "games.sqlite")) as port:
        yield f"http://127.0.0.1:{port}"


def check(page: Page) -> None:
    """Fail if axe finds anything on the screen as it is now."""
    assert violations(page) == []


@in_every_look
def test_axe_finds_nothing_on_any_screen(
    windows: Windows, site: str, viewport: ViewportSize, theme: str
) -> None:
    """The lobby, invitations, a game with all that can be open in it, its end, and its review."""
    # Axe itself is not part of the policy.
    options = {"viewport": viewport, "color_scheme": theme, "bypass_csp": True}
    with people(windows, site, "Ann", "Bob", **options) as (ann, bob):
        page = ann.tab.page
        ann.tab.open("/", ".new")
        check(page)
        page.select_option("#game", "sequence-builder")
        page.select_option("#clock", "other")
        page.select_option("#match", "other")
        check(page)
        game = ann.begin("magic-fifteen", opponent="anyone", game_time=36_000, wins=2)
        ann.tab.open(f"/game/{game}")
        bob.tab.open("/", ".challenges li")
        check(bob.tab.page)
        bob.tab.open(f"/game/{game}")
        for person in (ann, bob):
            for summary in person.tab.page.locator("summary").all():
                summary.click()
            check(person.tab.page)
        bob.tab.press("Join")
        take_turns((ann.tab, bob.tab), 5, 1)
        ann.tab.press("Read out the clocks")
        bob.tab.press("Undo")
        ann.tab.wait_for(".asked")
        check(page)
        ann.tab.press("Resign")
        ann.tab.wait_for("dialog[open]")
        check(page)
        ann.tab.press("No")
        take_turns((ann.tab, bob.tab), 2, 3, 8)
        ann.tab.expect(status="You win!")
        check(page)
        ann.context.set_offline(True)
        ann.tab.wait_for(".connection p")
        check(page)
        ann.context.set_offline(False)
        page.wait_for_selector(".connection p", state="detached")
        ann.tab.open(f"/game/{game}/review", ".verdicts")
        ann.tab.press("Next mistake")
        check(page)
        ann.tab.press("What was better")
        check(page)
        ann.tab.open("/", ".finished li")
        check(page)
        expected = ("WebSocket connection to",)
        ann.trouble[:] = [one for one in ann.trouble if not one.startswith(expected)]


def test_nothing_is_wider_than_the_screen_and_targets_are_large(
    windows: Windows, site: str
) -> None:
    """No scrolling to the side, and every target that is not in a sentence is 24 pixels or more."""
    with people(windows, site, "W" * 40, "Bob") as (ann, bob):
        ann.begin("sequence-builder", opponent="anyone", game_time=36_000, increment=90, wins=100)
        game = ann.begin("sequence-capture", game_time=36_000, time_limit=7_200)
        ann.tab.open(f"/game/{game}")
        assert misfits(ann.tab.page) == []
        bob.tab.open(f"/game/{game}")
        assert misfits(bob.tab.page) == []
        bob.tab.press("Join")
        take_turns((ann.tab, bob.tab), 1, 10, 2, 9, 3)
        assert misfits(ann.tab.page) == []
        bob.tab.press("Resign")
        assert misfits(bob.tab.page) == []
        bob.tab.press("Yes")
        ann.tab.expect(status="You win!")
        assert misfits(ann.tab.page) == []
        ann.tab.open(f"/game/{game}/review", ".verdicts")
        assert misfits(ann.tab.page) == []
        ann.tab.open("/", ".finished li")
        assert misfits(ann.tab.page) == []


def test_a_whole_game_by_keyboard_alone(windows: Windows, site: str) -> None:
    """From the form to the review with Tab, arrows, Enter and numbers; focus is never lost."""
    with people(windows, site, "Ann") as (ann,):
        tab, keys = ann.tab, ann.tab.page.keyboard
        tab.open("/", ".new")
        reach(tab, "Play", "button")
        keys.press("Enter")
        tab.expect(status="Your turn")
        reach(tab, "1")
        for turn in range(9):
            tab.page.wait_for_function(
                "() => /^(Your turn|.* wins?[.!]|The game is drawn.)$/"
                ".test(document.querySelector('.status').innerText)"
            )
            free = tab.see()["free"]
            if not free:
                break
            if turn % 2:
                reach(tab, "", "#number")
                keys.type(str(free[0]))
            else:
                reach(tab, "", ".tile")
                keys.press("Control+Home")
                for _ in range(free[0] - 1):
                    keys.press("ArrowRight")
                assert tab.see()["focus"] == str(free[0])
            keys.press("Enter")
            tab.page.wait_for_function(
                "(number) => !document.querySelector(`.free[data-number='${number}']`)",
                arg=free[0],
            )
            assert tab.page.evaluate("() => document.activeElement !== document.body")
        reach(tab, "Review")
        keys.press("Enter")
        tab.wait_for(".verdicts")
        keys.press("End")
        assert tab.see()["lit"] or "drawn" in tab.page.inner_text("#main")


def reach(tab: Tab, text: str, selector: str = "*") -> None:
    """Press Tab until something with this text, or of this kind, has the focus."""
    for _ in range(60):
        found = tab.page.evaluate(
            "([text, selector]) => document.activeElement.matches(selector)"
            " && (!text || document.activeElement.innerText.trim() === text)",
            [text, selector],
        )
        if found:
            return
        tab.page.keyboard.press("Tab")
    raise AssertionError(f"Tab never reaches {text or selector}")


def test_the_focus_goes_to_the_board_when_its_button_is_gone(windows: Windows, site: str) -> None:
    """Accept and Decline vanish with the answer, buttons of a turn with the turn."""
    with people(windows, site, "Ann", "Bob") as (ann, bob):
        sit_down(ann, bob, "magic-fifteen")
        take_turns((ann.tab, bob.tab), 5)
        ann.tab.press("Undo")
        bob.tab.wait_for(".asked")
        bob.tab.page.focus(".asked button >> nth=1")
        bob.tab.page.keyboard.press("Enter")
        bob.tab.expect(asked="", focus="1")


# Notes what each live region announces.
_LISTEN = """() => {
  window.heard = { log: [], status: [] };
  for (const region of document.querySelectorAll("[role=log], [role=status]")) {
    const note = (node) => node.textContent && heard[region.role].push(node.textContent);
    const listen = (changes) => changes.forEach((change) => change.addedNodes.forEach(note));
    new MutationObserver(listen).observe(region, { childList: true });
  }
}"""


def test_what_happens_is_announced_once(windows: Windows, site: str) -> None:
    """Moves by the log, refusals and the result by the message: each in one live region."""
    with people(windows, site, "Ann", "Bob") as (ann, bob):
        sit_down(ann, bob, "magic-fifteen")
        page = bob.tab.page
        page.evaluate(_LISTEN)
        take_turns((ann.tab, bob.tab), 5, 1, 4)
        bob.tab.expect(status="Your turn")
        bob.tab.take(5)
        taken = "5 is already taken. Choose one of: 2 3 6 7 8 9"
        bob.tab.expect(message=taken)
        bob.tab.take(2)
        take_turns((ann.tab, bob.tab), 6)
        bob.tab.expect(status="Ann wins.")
        end = "Ann holds 4 5 6: 4 + 5 + 6 = 15.\nAnn wins!"
        moves = ["Ann takes 5.", "You take 1.", "Ann takes 4.", "You take 2.", "Ann takes 6."]
        assert page.evaluate("() => window.heard") == {"log": moves, "status": [taken, end]}


def test_names_from_right_to_left_stay_whole(windows: Windows, site: str) -> None:
    """Each stands apart in a sentence, however it ends; markup in a name is only text."""
    names = ("עומר (2)", "<b>سلمى</b> 15")
    with people(windows, site, *names) as (one, two):
        game = sit_down(one, two, "magic-fifteen")
        one.tab.expect(status="Your turn", names=["You", names[1]])
        two.tab.expect(status=f"\u2068{names[0]}\u2069's turn", names=[names[0], "You"])
        assert two.tab.see()["log"] == [f"\u2068{names[0]}\u2069 goes first."]
        # In a sentence that is read from left to right, the name comes before the rest of it.
        places = two.tab.page.evaluate(
            """() => {
              const text = document.querySelector(".status").firstChild;
              return [[1, 8], [11, 16]].map(([from, to]) => {
                const range = document.createRange();
                range.setStart(text, from);
                range.setEnd(text, to);
                const { left, right } = range.getBoundingClientRect();
                return [left, right];
              });
            }"""
        )
        assert places[0][1] <= places[1][0]
        take_turns((one.tab, two.tab), 5)
        one.tab.press("Resign")
        one.tab.press("Yes")
        two.tab.expect(status="You win!")
        two.tab.open(f"/game/{game}/review", ".verdicts")
        assert two.tab.page.inner_text(".verdicts li").startswith(f"\u2068{names[0]}\u2069 took 5")
        two.tab.open("/", ".finished li")
        assert two.tab.page.inner_text(".finished .who") == names[0]


def test_on_paper_only_the_game_is_left(windows: Windows, site: str) -> None:
    """No links, buttons or fields; the players by their names, the board and every verdict."""
    with people(windows, site, "Ann", "Bob") as (ann, bob):
        game = sit_down(ann, bob, "magic-fifteen")
        take_turns((ann.tab, bob.tab), 5, 1, 2, 3, 8)
        ann.tab.expect(status="You win!")
        page = ann.tab.page
        ann.tab.open(f"/game/{game}/review", ".verdicts")
        assert page.inner_text(".verdicts li >> nth=0").startswith("You took 5")
        page.emulate_media(media="print")
        page.evaluate("() => dispatchEvent(new Event('beforeprint'))")
        ann.tab.expect(hands=["5 2 8", "1 3"], lit=[2, 5, 8])
        assert page.inner_text(".verdicts li >> nth=0").startswith("Ann took 5")
        assert not re.search(r"\byou\b", page.inner_text("#app"), re.IGNORECASE)
        assert not page.locator(":is(.controls, .top, .connection) >> visible=true").count()
        assert page.locator(".verdicts li >> visible=true").count() == 5
        assert "Ann and Bob" in page.inner_text(".about >> nth=0")
        page.evaluate("() => dispatchEvent(new Event('afterprint'))")
        ann.tab.expect(hands=["no numbers yet", "no numbers yet"])


def test_it_needs_no_storage(windows: Windows, site: str) -> None:
    """A browser that refuses to remember anything plays all the same."""
    with people(windows, site, "Ann") as (ann,):
        ann.context.add_init_script(
            "Object.defineProperty(window, 'localStorage', { get() { throw Error('refused'); } });"
        )
        ann.tab.open("/", ".new")
        ann.tab.press("Play")
        ann.tab.wait_for(".board")
        ann.context.close()  # nobody else can use it


def test_whatever_a_review_says_its_buttons_stay_in_view_and_in_place(
    windows: Windows, site: str
) -> None:
    """On a small laptop: whoever clicks through the moves need not aim again."""
    place = "() => document.querySelector('.stepper').getBoundingClientRect().bottom + scrollY"
    look = {"viewport": {"width": 1280, "height": 800}}
    with people(windows, site, "Ann", "Bob", **look) as (ann, bob):
        game = sit_down(ann, bob, "magic-fifteen")
        take_turns((ann.tab, bob.tab), 5, 1, 2, 3, 8)
        ann.tab.open(f"/game/{game}/review", ".verdicts")
        seen = set[float]()
        for at in range(1, 6):
            seen.add(ann.tab.page.evaluate(place))
            ann.tab.press("Forward")
            ann.tab.wait_for(f".verdicts li:nth-child({at}) [aria-current]")
        assert len(seen) == 1 and seen.pop() < 800


def test_an_address_without_a_page_leads_back(windows: Windows, site: str) -> None:
    """Whether the address or the game is unknown; trying again is offered only if it can help."""
    with people(windows, site, "Ann") as (ann,):
        for path in ("/nothing", "/game/nothing", "/game/nothing/review"):
            ann.tab.open(path, "main a.button")
            assert ann.tab.page.get_by_role("button", name="Try again").count() == 0
            assert ann.tab.page.get_attribute("main a.button", "href") == "/"
        ann.trouble.clear()  # the browser itself tells about what is missing


def test_a_long_name_stays_beside_its_marker(windows: Windows, site: str) -> None:
    """The longest one, without a place to break it, on a phone."""
    look = {"viewport": {"width": 320, "height": 640}}
    with people(windows, site, "W" * 40, "Bob", **look) as (long, bob):
        sit_down(long, bob, "magic-fifteen")
        box = "(element) => element.getBoundingClientRect()"
        marker, name = bob.tab.page.locator(".hand.seat1 :is(.chip, bdi)").all()
        assert name.evaluate(box)["top"] < marker.evaluate(box)["bottom"]


def test_the_link_to_the_content_moves_nothing(windows: Windows, site: str) -> None:
    """It appears with the focus, and goes with it."""
    left = "() => document.querySelector('.brand').getBoundingClientRect().left"
    with people(windows, site, "Ann") as (ann,):
        ann.tab.open("/", ".new")
        before = ann.tab.page.evaluate(left)
        ann.tab.page.keyboard.press("Tab")
        ann.tab.expect(focus="Skip to the content")
        assert ann.tab.page.evaluate(left) == before
