"""The page about me: a name, an account on two devices, bots, and my data."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser.looks import in_every_look, misfits, violations
from browser.site_playing import Person, people
from browser.windows import Windows
from playwright.sync_api import ViewportSize
from unit.web.server.live import Client, live

pytestmark = pytest.mark.xdist_group("site-play")
SECRET = "correct horse battery"


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server."""
    with live(str(tmp_path_factory.mktemp("account") / "games.sqlite")) as found:
        yield found


def fill(person: Person, button: str, **values: str) -> None:
    """Fill in a form, and send it."""
    for name, value in values.items():
        person.tab.page.fill(f"#{name.replace('_', '-')}", value)
    person.tab.page.get_by_role("button", name=button, exact=True).click()


def test_an_account_on_two_devices(windows: Windows, port: int) -> None:
    """Games come along, a wrong password is refused, and a new one ends the other devices."""
    with people(windows, f"http://127.0.0.1:{port}", "Ann", "Guest") as (ann, phone):
        ann.ask("POST", "/api/games", game="magic-fifteen", opponent="random")
        ann.tab.open("/account", "#account")
        fill(ann, "Create the account", account="Ann", password=SECRET)
        ann.tab.wait_for("text=You are signed in as Ann.")
        phone.tab.open("/account", "#account")
        phone.tab.page.get_by_role("button", name="I have an account").click()
        fill(phone, "Sign in", account="Ann", password="wrong horse")
        phone.tab.wait_for(".trouble >> text=Wrong name or password. Try again.")
        fill(phone, "Sign in", account="Ann", password=SECRET)
        phone.tab.wait_for("text=You are signed in as Ann.")
        assert len(phone.context.request.get("/api/games/mine").json()["games"]) == 1
        phone.tab.page.get_by_text("Change the password").click()
        fill(phone, "Change it", old=SECRET, new_password="another horse")
        phone.tab.wait_for("text=Your other devices are signed out.")
        ann.tab.open("/account", "#account")
        assert not ann.context.request.get("/api/me").json()["account"]
        phone.tab.page.get_by_role("button", name="Sign out", exact=True).click()
        phone.tab.wait_for("text=New account")
        # The browser itself tells about the refused request.
        phone.trouble[:] = [text for text in phone.trouble if "status of 403" not in text]


def test_a_bot_gets_a_token_once(windows: Windows, port: int) -> None:
    """The token works, and not after the bot is deleted."""
    with people(windows, f"http://127.0.0.1:{port}", "Ann") as (ann,):
        ann.tab.open("/account", "#bot")
        fill(ann, "New bot", bot="Beep")
        token = ann.tab.page.get_by_label("Token").input_value()
        bot = Client(port)
        bot.headers = {"Authorization": f"Bearer {token}"}
        assert bot.get("/api/me")["name"] == "Beep"
        ann.tab.wait_for('[aria-label="Delete Beep"]')
        ann.context.set_offline(True)
        ann.tab.press("Delete Beep")
        ann.tab.press("Yes")
        ann.tab.wait_for(".trouble >> text=The server does not answer.")
        ann.context.set_offline(False)
        ann.trouble.clear()  # the browser itself tells about the lost connection
        ann.tab.press("Delete Beep")
        ann.tab.press("Yes")
        ann.tab.page.wait_for_selector("text=Beep", state="detached")
        assert bot.ask("GET", "/api/me").status == 401


def test_my_data_is_downloaded_and_deleted(windows: Windows, port: int, tmp_path: Path) -> None:
    """The file has my games; afterwards I am somebody else."""
    with people(windows, f"http://127.0.0.1:{port}", "Dora") as (dora,):
        dora.context.request.post(
            "/api/games", data={"game": "sequence-capture", "opponent": "anyone"}
        )
        dora.tab.open("/account", "#data")
        with dora.tab.page.expect_download() as download:
            dora.tab.page.get_by_text("Download all of it").click()
        download.value.save_as(tmp_path / "data.json")
        data = json.loads((tmp_path / "data.json").read_text("utf-8"))
        assert data["name"] == "Dora" and len(data["games"]) == 1
        dora.tab.page.get_by_role("button", name="Delete all of it …").click()
        dora.tab.expect(focus="Cancel")
        dora.tab.press("Cancel")
        dora.tab.expect(focus="Delete all of it …")
        dora.tab.press("Delete all of it …")
        dora.tab.page.get_by_role("button", name="Delete everything now").click()
        dora.tab.page.wait_for_url("**/")
        assert dora.context.request.get("/api/me").json()["name"] != "Dora"
        assert dora.context.request.get("/api/games/mine").json()["games"] == []


@in_every_look
def test_everybody_can_use_it(
    windows: Windows, port: int, viewport: ViewportSize, theme: str
) -> None:
    """No violations of accessibility, and nothing is wider than the window."""
    # Axe itself is not part of the policy.
    look = {"viewport": viewport, "color_scheme": theme, "bypass_csp": True}
    with people(windows, f"http://127.0.0.1:{port}", "Ann", **look) as (ann,):
        ann.tab.open("/account", "#data")
        assert violations(ann.tab.page) == []
        assert misfits(ann.tab.page, (viewport["width"],)) == []
