"""The pages for playing: the lobby, a game with everything around it, and its review."""

import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from browser.site_playing import Person, Tab, people, sit_down, take_turns
from browser.windows import Windows
from unit.web.server.live import Client, live, receive, send

pytestmark = pytest.mark.xdist_group("site-play")
Meet = Callable[..., tuple[Person, ...]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server."""
    with live(str(tmp_path_factory.mktemp("site") / "games.sqlite")) as port:
        yield f"http://127.0.0.1:{port}"


@pytest.fixture
def meet(windows: Windows, site: str) -> Iterator[Meet]:
    """People with these names, for whom nothing may go wrong."""
    with ExitStack() as stack:
        yield lambda *names, **options: stack.enter_context(
            people(windows, site, *names, **options)
        )


def test_from_the_lobby_by_a_link_to_a_rematch(meet: Meet) -> None:
    """The choices are remembered, the friend chooses a name and joins, and the loser asks again."""
    ann, bob = meet("Ann", "Guest")
    page = ann.tab.page
    ann.tab.open("/", ".new")
    page.select_option("#game", "sequence-builder")
    page.check("input[value=three-slots]")
    assert "At most three numbers each" in page.inner_text("fieldset >> nth=0")
    page.select_option("#game", "magic-fifteen")
    page.select_option("#opponent", "friend")
    assert page.inner_text("#opponent-about") == "You send them a link, and they join."
    page.select_option("#clock", "other")
    page.fill("#limit", "")
    page.fill("#minutes", "90")
    page.fill("#added", "0.5")
    page.select_option("#match", label="First to 2 wins")
    page.check("input[name=first][value='2']")
    ann.tab.press("Play")
    ann.tab.wait_for(".invitation")
    link = page.input_value("#link")
    assert link == page.url
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    ann.tab.press("Copy")
    ann.tab.wait_for("text=Copied.")
    assert page.evaluate("() => navigator.clipboard.readText()") == link
    invited = ["Magic Fifteen", "Your opponent goes first"]
    invited += ["90 minutes each, 0.5 seconds more per turn", "First to 2 wins"]
    assert page.locator(".terms dd").all_inner_texts() == invited
    bob.tab.open(link)
    assert bob.tab.see()["status"] == "Ann invites you to play."
    assert bob.tab.page.locator(".terms dd").all_inner_texts()[1] == "You go first"
    bob.tab.page.fill("#name", "Bob")
    bob.tab.press("Join")
    ann.tab.expect(status="Bob's turn", log=["Bob goes first."], scores=["0 wins", "0 wins"])
    bob.tab.expect(status="Your turn", log=["You go first."], scores=["0 wins", "0 wins"])
    assert page.inner_text(".hidden[role=status]") == "The game begins. Bob's turn."
    assert bob.tab.page.inner_text(".top nav a >> nth=-1") == "Account: Bob"
    take_turns((ann.tab, bob.tab), 5, 1, 4, 2, 6, first=2)
    ann.tab.expect(status="Bob wins.", scores=["0 wins", "1 win"])
    bob.tab.expect(status="You win!", message="Bob holds 4 5 6: 4 + 5 + 6 = 15.\nBob wins!")
    ann.tab.press("Next game")
    ann.tab.expect(tools=["Review", "Download the record"])
    assert ann.tab.see()["log"][-1] == "You are ready for the next game."
    bob.tab.press("Next game")
    for tab, status, begins in (
        (ann.tab, "Your turn", "You go first."),
        (bob.tab, "Ann's turn", "Ann goes first."),
    ):
        tab.expect(status=status, log=[begins], scores=["0 wins", "1 win"])
        assert tab.page.url != link
    ann.tab.open("/", ".new")
    chosen = {name: page.input_value(f"#{name}") for name in ("game", "opponent", "clock", "match")}
    assert chosen == {"game": "magic-fifteen", "opponent": "friend", "clock": "other", "match": "1"}
    assert (page.input_value("#minutes"), page.input_value("#added")) == ("90", "0.5")
    assert page.inner_text(".unfinished li").split("\n")[-1] == "Your turn"
    who, terms, end = page.inner_text(".finished li").split("\n")
    assert (who, end) == ("Bob", "\N{MINUS SIGN} Bob wins.")
    clock = "90 minutes each, 0.5 seconds more per turn"
    today = r"\w{3} \d{1,2}, \d{4}"
    assert re.fullmatch(f"Magic Fifteen · {clock} · First to 2 wins · {today}", terms)


def test_a_wrong_choice_is_explained_next_to_the_button(meet: Meet) -> None:
    """What the browser lets through, the server refuses; a name that nobody may have, too."""
    (ann,) = meet("Ann")
    page = ann.tab.page
    ann.tab.open("/", ".new")
    page.select_option("#clock", "other")
    page.evaluate("document.querySelector('.new').noValidate = true")
    page.fill("#limit", "0")
    ann.tab.press("Play")
    ann.tab.wait_for(".new [role=alert]")
    assert "time_limit must be a number from 1" in page.inner_text(".new [role=alert]")
    page.fill("#name", "You")
    page.click(".name button")
    ann.tab.wait_for(".name [role=alert]")
    assert "You is what everybody is called" in page.inner_text(".name [role=alert]")
    assert all("400" in one or "409" in one for one in ann.trouble)
    ann.trouble.clear()


def test_open_challenges_are_shown_at_once(meet: Meet) -> None:
    """To everybody in the lobby; one is withdrawn, the other accepted."""
    ann, bob = meet("Ann", "Bob")
    ann.tab.open("/", "text=Nobody is waiting.")
    bob.tab.open("/", ".new")
    bob.tab.page.select_option("#opponent", "anyone")
    bob.tab.page.select_option("#clock", label="30 seconds per turn")
    bob.tab.press("Play")
    bob.tab.wait_for("text=Your challenge is in the lobby.")
    ann.tab.wait_for(".challenges li")
    bob.tab.press("Withdraw")
    bob.tab.expect(status="This challenge was withdrawn.")
    ann.tab.wait_for("text=Nobody is waiting.")
    bob.tab.open("/", "text=Nobody is waiting.")
    game = bob.begin("sequence-capture", opponent="anyone", time_limit=86_400)
    seen = (
        (bob, "You", "You go first", "Withdraw"),
        (ann, "Bob", "Bob goes first", "Accept"),
    )
    for person, name, begins, label in seen:
        person.tab.wait_for(".challenges li")
        assert person.tab.page.inner_text(".challenges li").split("\n") == [
            name,
            f"Sequence Capture · {begins} · 1 day per turn · One game",
            label,
        ]
    ann.tab.press("Accept Bob, Sequence Capture")  # as a screen reader says it
    ann.tab.wait_for(".board")
    assert ann.tab.page.url.endswith(f"/game/{game}")
    bob.tab.wait_for("text=Nobody is waiting.")


def test_undo_needs_consent_and_resigning_a_confirmation(meet: Meet) -> None:
    """Asked, declined, asked, accepted; not resigned, then resigned. The reason is told."""
    ann, bob = meet("Ann", "Bob")
    sit_down(ann, bob, "magic-fifteen")
    ann.tab.expect(tools=["Resign"])
    take_turns((ann.tab, bob.tab), 5)
    ann.tab.expect(tools=["Undo", "Resign"])
    ann.tab.press("Undo")
    asked = "Ann asks to take back a move."
    bob.tab.expect(asked=asked)
    ann.tab.expect(
        asked="You asked to take back a move. Your opponent has to agree.", tools=["Resign"]
    )
    bob.tab.press("Decline")
    bob.tab.expect(asked="")
    ann.tab.expect(asked="", tools=["Undo", "Resign"], hands=["5", "no numbers yet"])
    ann.tab.press("Undo")
    bob.tab.expect(asked=asked)
    bob.tab.press("Accept")
    for tab in (ann.tab, bob.tab):
        tab.expect(hands=["no numbers yet", "no numbers yet"])
    assert bob.tab.see()["log"][-1] == "Undone: Ann chooses again."
    bob.tab.press("Resign")
    bob.tab.expect(question="Resign this game?")
    bob.tab.press("No")
    bob.tab.expect(question="", status="Ann's turn")
    bob.tab.press("Resign")
    bob.tab.press("Yes")
    ann.tab.expect(status="You win!", message="Bob resigns.\nAnn wins!")
    bob.tab.expect(status="Ann wins.", message="Bob resigns.\nAnn wins!")
    bob.tab.press("Rematch")
    ann.tab.expect(asked="Bob wants a rematch.")
    bob.tab.expect(asked="")


def test_refusals_are_told_again_each_time(meet: Meet) -> None:
    """By mouse or typed; the server's words. A repeat is a new element, so it is announced."""
    ann, bob = meet("Ann", "Bob")
    sit_down(ann, bob, "magic-fifteen")
    bob.tab.take(5)
    bob.tab.expect(message="It is not your turn. Choose one of: 1 2 3 4 5 6 7 8 9")
    ann.tab.type("5")
    bob.tab.expect(status="Your turn", message="")
    taken = "5 is already taken. Choose one of: 1 2 3 4 6 7 8 9"
    bob.tab.take(5)
    bob.tab.expect(message=taken)
    before = bob.tab.page.query_selector(".message p")
    bob.tab.take(5)
    bob.tab.page.wait_for_function(
        "(before) => document.querySelector('.message p') !== before", arg=before
    )
    bob.tab.expect(message=taken)
    bob.tab.type("77")
    bob.tab.expect(message="77 is not in the pool. Choose one of: 1 2 3 4 6 7 8 9")
    for text in ("five", "1 2", " "):
        bob.tab.type(text)
        bob.tab.expect(message="Type one number.")
    assert ann.tab.see()["log"] == ["You go first.", "You take 5."]


def test_a_number_that_costs_the_turn_is_asked_about(meet: Meet) -> None:
    """Also one that is not on the board; No leaves everything as it was."""
    ann, bob = meet("Ann", "Bob")
    sit_down(ann, bob, "sequence-duel-sum", reading="lose-turn")
    take_turns((ann.tab, bob.tab), 5)
    bob.tab.expect(status="Your turn")
    bob.tab.take(5)
    bob.tab.expect(question="5 cannot be taken. Choosing it costs your turn. Choose it?")
    bob.tab.press("No")
    bob.tab.expect(question="", status="Your turn")
    bob.tab.type("77")
    bob.tab.expect(question="77 cannot be taken. Choosing it costs your turn. Choose it?")
    bob.tab.press("Yes")
    ann.tab.expect(status="Your turn")
    assert ann.tab.see()["log"][-1] == "Invalid move; 77 is not available. Bob loses this turn."


def test_a_set_is_declared_by_choosing_its_numbers(meet: Meet) -> None:
    """A wrong one is explained; numbers can be typed; who holds none passes."""
    ann, bob = meet("Ann", "Bob")
    sit_down(ann, bob, "pattern-builder", reading="declare")
    for tab, number in ((ann.tab, 1), (bob.tab, 9), (ann.tab, 2), (bob.tab, 8)):
        tab.expect(status="Your turn")
        tab.take(number)
    ann.tab.expect(status="Your turn")
    ann.tab.take(5)
    choosing = "Your turn: choose the numbers of your set"
    how = (
        "Choose the numbers of your set on the board, then press “Declare a set”. Or press “Pass”."
    )
    ann.tab.expect(status=choosing, controls=["Declare a set", "Pass"], message=how)
    ann.tab.press("Declare a set")
    ann.tab.expect(message="Choose the numbers of your set on the board first.")
    for number in (1, 2, 9, 5):
        ann.tab.take(number)
    ann.tab.expect(chosen=[1, 2, 5], message="Your set: 1 2 5")
    ann.tab.press("Declare a set")
    reason = "1 2 5 does not win: its steps are 1, 3 and its factors are 2, 5/2."
    ann.tab.expect(message=f"{reason} Choose other numbers, or pass.")
    ann.tab.type("1 9")
    ann.tab.expect(message="9 is not one of your numbers. Choose other numbers, or pass.")
    ann.tab.press("Pass")
    bob.tab.expect(status="Your turn")
    bob.tab.press("Declare a set")
    bob.tab.expect(free=[], controls=["Declare a set", "Cancel"])
    bob.tab.press("Cancel")
    bob.tab.expect(free=[3, 4, 6, 7], controls=["Declare a set"])


def test_a_spectator_sees_everything_and_does_nothing(meet: Meet) -> None:
    """Both by their names; the board has no free numbers, and no buttons are there."""
    ann, bob, eve = meet("Ann", "Bob", "Eve")
    game = sit_down(ann, bob, "magic-fifteen")
    eve.tab.open(f"/game/{game}", ".board")
    take_turns((ann.tab, bob.tab), 5, 1)
    eve.tab.expect(
        status="Ann's turn",
        names=["Ann", "Bob"],
        hands=["5", "1"],
        log=["Ann goes first.", "Ann takes 5.", "Bob takes 1."],
        free=[],
        tools=[],
        controls=[],
    )
    assert "You are watching this game" in eve.tab.page.inner_text("#app")
    assert not eve.tab.page.query_selector("#number")
    eve.tab.take(3)
    eve.tab.expect(message="You are watching this game, not playing it.")
    ann.tab.press("Resign")
    ann.tab.press("Yes")
    eve.tab.expect(status="Bob wins.", tools=["Review", "Download the record"])


def test_clocks_are_text_and_bars_and_said_on_request(meet: Meet) -> None:
    """They are no live regions: nothing is announced every second."""
    ann, bob = meet("Ann", "Bob")
    sit_down(ann, bob, "magic-fifteen", game_time=36_000, time_limit=7_200)
    timers = ann.tab.page.locator("[role=timer]")
    assert re.fullmatch(
        r"(10:00:00|9:\d\d:\d\d) · [12]:\d\d:\d\d for this turn", timers.first.inner_text()
    )
    assert timers.last.inner_text() == "10:00:00 · 2:00:00 for this turn"
    bars = ann.tab.page.locator("progress").all()
    assert [bar.get_attribute("max") for bar in bars] == ["36000", "36000"]
    assert bars[1].get_attribute("value") == "36000"
    live = "[aria-live], [role=status], [role=alert], [role=log]"
    assert not ann.tab.page.query_selector(f":is({live}) [role=timer]")
    assert ann.tab.see()["message"] == ""
    ann.tab.press("Read out the clocks")
    ann.tab.wait_for(".message p")
    said = ann.tab.see()["message"]
    assert said.startswith("You: ") and said.endswith(" Bob: 10 hours left, 2 hours for this turn.")


def test_a_game_against_a_computer(meet: Meet) -> None:
    """It answers, does not mind an undo, and plays again at once; it has no clock."""
    (ann,) = meet("Ann")
    tab = ann.tab
    tab.open("/", ".new")
    tab.page.select_option("#game", "magic-fifteen")
    tab.page.select_option("#opponent", "level:2")
    tab.page.select_option("#clock", label="1 day per turn")
    tab.press("Play")
    tab.expect(status="Your turn")
    tab.take(5)
    tab.page.wait_for_function("() => document.querySelectorAll('.entries p').length === 3")
    tab.expect(status="Your turn")
    assert tab.page.locator("[role=timer]").count() == 1
    tab.press("Undo")
    tab.expect(hands=["no numbers yet", "no numbers yet"], status="Your turn")
    tab.press("Resign")
    tab.press("Yes")
    tab.expect(status="Level 2 wins.")
    before = tab.page.url
    tab.press("Rematch")
    tab.page.wait_for_url(lambda url: url != before)
    tab.page.wait_for_selector(".entries p >> text=Level 2 goes first.")
    tab.expect(scores=["0 wins", "1 win"])


def test_the_review_steps_by_keys_and_plays_on(meet: Meet) -> None:
    """To the mistake, what was better, and on from before it; a stranger reads both names."""
    ann, bob, eve = meet("Ann", "Bob", "Eve")
    game = sit_down(ann, bob, "magic-fifteen")
    bob.tab.open(f"/game/{game}/review", "text=This game is not over yet.")
    bob.trouble.clear()  # the server has said so
    bob.tab.page.click("text=Go to the game")
    bob.tab.wait_for(".board")
    take_turns((ann.tab, bob.tab), 5, 1, 2, 3, 8)
    bob.tab.expect(status="Ann wins.")
    bob.tab.page.click(".tools >> text=Review")
    bob.tab.wait_for(".verdicts")
    tab, keys = bob.tab, bob.tab.page.keyboard
    assert tab.see()["focus"] == "Review"
    keys.press("ArrowRight")
    tab.expect(message="Move 1 of 5. Ann took 5: kept the draw.", owned=[[5], []])
    keys.press("End")
    tab.expect(owned=[[2, 5, 8], [1, 3]], lit=[2, 5, 8])
    keys.press("ArrowRight")
    keys.press("Home")
    tab.expect(message="The start.", owned=[[], []])
    tab.press("Next mistake")
    said = "Move 2 of 5. You took 1: threw the draw away; better: 2, 4, 6 or 8. "
    assert tab.see()["message"].startswith(said)
    tab.press("What was better")
    tab.expect(message="1 of 8: you take 2", owned=[[5], [2]])
    keys.press("ArrowRight")
    tab.expect(owned=[[1, 5], [2]])
    tab.press("Return")
    tab.press("Back")
    tab.expect(owned=[[5], []])
    tab.press("Play on from here")
    tab.wait_for(".invitation")
    eve.tab.open(tab.page.url)
    eve.tab.press("Join")
    tab.expect(status="Your turn", names=["You", "Eve"], hands=["no numbers yet", "5"])
    eve.tab.open(f"/game/{game}/review", ".verdicts")
    assert eve.tab.page.inner_text(".verdicts li >> nth=1").startswith("Bob took 1:")
    eve.tab.press("Next mistake")
    link = eve.tab.page.get_attribute("text=Analyse this position", "href")
    assert link == "/learn/analysis?game=magic-fifteen&reading=default&moves=5.1"
    with eve.tab.page.expect_download() as download:
        eve.tab.page.click("text=Download the record")
    assert download.value.suggested_filename == f"{game}.ninefold"


def test_a_game_that_is_not_there(meet: Meet) -> None:
    """The page says so, and still leads elsewhere."""
    (person,) = meet("Ann")
    for path in ("/game/nowhere", "/game/nowhere/review"):
        person.tab.open(path, "[role=alert]")
        assert "There is no such game." in person.tab.page.inner_text("[role=alert]")
        assert person.tab.page.get_attribute(".top nav a >> nth=1", "href") == "/"
    assert all("404" in one for one in person.trouble)
    person.trouble.clear()


def test_a_link_that_somebody_else_was_faster_with(meet: Meet) -> None:
    """Whoever comes second watches."""
    ann, bob, eve = meet("Ann", "Bob", "Eve")
    game = ann.begin("magic-fifteen")
    eve.tab.open(f"/game/{game}", ".invitation")
    tabs = [eve.tab, Tab(eve.context.new_page())]
    bob.ask("POST", f"/api/games/{game}/join")
    for tab in tabs:
        if tab is not eve.tab:
            tab.open(f"/game/{game}", ".board")
        tab.expect(status="Ann's turn", names=["Ann", "Bob"], tools=[])


def test_bots_that_are_ready_are_offered(meet: Meet, site: str) -> None:
    """For the games they play; the game begins at once."""
    (ann,) = meet("Ann")
    port = int(site.rpartition(":")[2])
    owner, bot = Client(port), Client(port)
    token = owner.post("/api/tokens", name="Randy")["token"]
    bot.headers = {"Authorization": f"Bearer {token}"}
    with bot.open() as socket:
        send(socket, type="ready", games=["sequence-capture"])
        receive(socket, "ready")
        ann.tab.open("/", ".new")
        page = ann.tab.page
        page.select_option("#game", "magic-fifteen")
        assert "Randy" not in page.inner_text("#opponent")
        page.select_option("#game", "sequence-capture")
        page.select_option("#opponent", label="Randy")
        assert page.inner_text("#opponent-about") == "A program that somebody has connected."
        ann.tab.press("Play")
        ann.tab.expect(status="Your turn", names=["You", "Randy"])
