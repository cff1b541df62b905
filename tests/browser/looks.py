"""How a page looks: at every size and in every theme, everybody can use it."""

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

# The narrow size every day, where ``violations`` also looks at the colours of the other theme; each
# size in each theme in the long run.
LOOKS = [
    pytest.param({"width": 320, "height": 700}, "light"),
    pytest.param({"width": 1280, "height": 900}, "dark", marks=pytest.mark.long),
    pytest.param({"width": 320, "height": 700}, "dark", marks=pytest.mark.long),
    pytest.param({"width": 1280, "height": 900}, "light", marks=pytest.mark.long),
]
WIDTHS = (320, 480, 800, 1920, 3840)
in_every_look = pytest.mark.parametrize(("viewport", "theme"), LOOKS)

_SMALL = """() =>
  [...document.querySelectorAll("button, select, input, summary, nav a, .button")]
  .map((one) => [one.innerText, one.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 24 || box.height < 24))
  .map(([text]) => text)"""


_OTHER_THEME = """() => {
  const root = document.documentElement, before = root.dataset.theme;
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = before === "auto" || !before ? (dark ? "dark" : "light") : before;
  root.dataset.theme = now === "dark" ? "light" : "dark";
  return before;
}"""
_THEME_AGAIN = """(theme) => {
  if (theme === undefined || theme === null) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}"""


def violations(page: Page) -> list[str]:
    """What axe finds wrong on the screen as it is now, also against its best practices.

    Only its colours depend on the theme, so they are looked at in the other theme, too.
    """
    axe = Axe("") if page.evaluate("'axe' in window") else Axe()  # it is there once per page
    found = [*axe.run(page).response["violations"]]
    theme = page.evaluate(_OTHER_THEME)
    found += Axe("").run(page, options={"runOnly": ["color-contrast"]}).response["violations"]
    page.evaluate(_THEME_AGAIN, theme)
    return [f"{item['id']}: {node['html']}" for item in found for node in item["nodes"]]


def misfits(page: Page, widths: tuple[int, ...] = WIDTHS) -> list[str]:
    """What does not fit screens of these widths: what makes them scroll, targets below 24 pixels.

    Targets in a sentence may be smaller. Afterwards, the screen is as wide as the last of them.
    """
    found = []
    for width in widths:
        page.set_viewport_size({"width": width, "height": 700})
        wide = page.evaluate("document.documentElement.scrollWidth")
        found += [f"{width}: the page is {wide} wide"] if wide > width else []
        found += [f"{width}: {text} is too small" for text in page.evaluate(_SMALL)]
    return found
