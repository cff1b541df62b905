"""People on the pages for learning: a server, tabs, and what they do there."""

import re
from typing import Any

from playwright.sync_api import Page, expect
from processes import PATIENCE
from unit.web.server.live import Client

expect.set_options(timeout=1000 * PATIENCE)
MAGIC = "/learn/analysis?game=magic-fifteen"
OWN = """
title = "<b>Mine</b>"
[rules]
pool = "1-7"
wins.arithmetic = { length = 3 }
[readings.four]
rules.wins.arithmetic = { length = 4 }
"""


def tile(page: Page, number: object) -> Any:
    """The tile of a number."""
    return page.locator(f'.tile[data-number="{number}"]')


def press(page: Page, label: str) -> None:
    """Click a button."""
    page.get_by_role("button", name=label, exact=True).click()


def person(page: Page, port: int) -> Client:
    """The person in this tab, who also plays elsewhere."""
    expect(page.locator(".top bdi")).to_have_text(re.compile("Guest"))
    client = Client(port)
    client.cookie = "; ".join(f"{one['name']}={one['value']}" for one in page.context.cookies())
    return client


def saved(page: Page, port: int, text: str = OWN) -> str:
    """The id of a rule book that the person in this tab has saved."""
    return str(person(page, port).post("/api/books", text=text)["id"])
