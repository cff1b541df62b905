"""Press random keys and click at random in the full-screen app, hundreds of thousands of times.

What must hold: no traceback, no hang, no position that the judge does not allow, and every record
replays. Each sitting has its own size, book, players and clock, and depends on its seed as far as
threads allow. Run it with how many keys and clicks, and a seed: ``python3 dev fuzz-app 200000 1``.
"""

import asyncio
import faulthandler
import inspect
import os
import random
import sys
import tempfile
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias
from unittest.mock import patch

from textual import events
from textual.drivers.headless_driver import HeadlessDriver
from textual.geometry import Size
from textual.keys import _character_to_key

from ninefold import books
from ninefold.coach.hint import hint_for
from ninefold.core.moves import format_move
from ninefold.core.rules import TIMEOUT_POLICIES
from ninefold.players import HUMAN
from ninefold.preferences import THEMES, TILES, Preferences
from ninefold.record.replay import Replay
from ninefold.record.store import Store
from ninefold.record.text import read_record
from ninefold.session import Session, new_settings
from ninefold.solver import is_small
from ninefold.tui.app import NinefoldApp
from ninefold.tui.base import Page
from ninefold.tui.game import GameScreen
from ninefold.tui.watch import screen_of
from tools.run_app import rest, running

GALLERY = Path(__file__).parents[1] / "docs" / "gallery"
PRESSES = 200_000
SITTING = 600  # keys and clicks, unless it is left before
SIZES = ((80, 24), (40, 12), (120, 40), (20, 6), (60, 15))
COMPUTERS = ("random", "greedy", "level:1", "level:2", "level:3", "perfect")
QUICK = ("random", "greedy")
MOVING = ("left", "right", "up", "down", "home", "end", "tab", "shift+tab", "pageup", "pagedown")
TYPING = "abcdefghijklmnopqrstuvwxyz0123456789 -?,./"
LEAVING = ("ctrl+c", "ctrl+d", "ctrl+q")
# Seconds without a single event after which something hangs.
HANGS = 120.0
REMEMBERED = 60


class Sitting(NamedTuple):
    """One run of the app: what is played, on which screen, and from which seed."""

    seed: int
    size: tuple[int, int]
    settings: Preferences
    session: Session | None

    def __str__(self) -> str:
        """What to know to see it again."""
        if self.session is None:
            return f"seed {self.seed}, {self.size}, Home"
        one = self.session.settings
        seats = f"{one.seat1} and {one.seat2}, {one.time_limit} seconds, first to {one.wins}"
        return f"seed {self.seed}, {self.size}, {one.game} {one.reading}, {seats}"


class Watchdog:
    """Ends the process, with what it was doing, when no event has been processed for long."""

    def __init__(self) -> None:
        self.recent: deque[str] = deque(maxlen=REMEMBERED)
        self.what = ""
        self._last = time.monotonic()
        self._over = threading.Event()
        threading.Thread(target=self._watch, daemon=True).start()

    def saw(self, event: str) -> None:
        """Remember an event."""
        self.recent.append(event)
        self._last = time.monotonic()

    def stop(self) -> None:
        """Watch no more."""
        self._over.set()

    def report(self) -> str:
        """The sitting and its last events."""
        return f"{self.what}\n{' | '.join(self.recent)}"

    def _watch(self) -> None:
        while not self._over.wait(1.0):
            if time.monotonic() - self._last > HANGS:
                print(f"It hangs: {self.report()}", file=sys.__stderr__, flush=True)
                faulthandler.dump_traceback(2)
                os._exit(1)


def make_sitting(seed: int, rule_books: list[tuple[str, str]]) -> Sitting:
    """A random sitting; every seventh begins at Home."""
    chance = random.Random(seed)
    settings = Preferences(
        theme=chance.choice(THEMES),
        tiles=chance.choice(TILES),
        animations=False,
        threats=chance.random() < 0.5,
    )
    size = chance.choice(SIZES)
    if seed % 7 == 0:
        return Sitting(seed, size, settings, None)
    book = books.load_book(*rule_books[seed % len(rule_books)])
    computers = COMPUTERS if is_small(book.game) else QUICK
    seats = [HUMAN, chance.choice((HUMAN, *computers))]
    if chance.random() < 0.05:
        seats[0] = chance.choice(computers)
    chance.shuffle(seats)
    clock = chance.choice((None, None, 5.0, 60.0))
    played = new_settings(
        book,
        seed,
        seat1=seats[0],
        seat2=seats[1],
        first=chance.choice((1, 2)),
        time_limit=clock,
        on_timeout=chance.choice(TIMEOUT_POLICIES) if clock else None,
        wins=chance.choice((None, None, 2)),
    )
    return Sitting(seed, size, settings, Session(book, played, Store(), _ignore))


def _ignore(_: str) -> None:
    pass


class KeptOpen(NinefoldApp):
    """The app that is seldom left, so that a sitting goes deep."""

    CSS_PATH = str(Path(inspect.getfile(NinefoldApp)).with_name("styles.tcss"))
    leave_now = False

    def exit(self, *arguments: Any, **options: Any) -> None:
        """Leave, if this sitting may end."""
        if self.leave_now:
            super().exit(*arguments, **options)


class Fingers:
    """Random keys and clicks on one running app."""

    def __init__(self, app: NinefoldApp, chance: random.Random, dog: Watchdog) -> None:
        self.app = app
        self.chance = chance
        self.dog = dog
        self.now = 0.0  # what the clocks of the games show
        self.sent = 0  # key presses and clicks
        kinds: dict[Callable[[], str], int] = {
            self.take: 30,
            self.move: 12,
            self.use_binding: 22,
            self.click: 16,
            self.click_widget: 8,
            self.type: 4,
            self.press_escape: 3,
            self.wait: 3,
            self.resize: 1,
            self.open_palette: 1,
        }
        self._kinds, self._weights = [*kinds], [*kinds.values()]

    async def act(self) -> None:
        """Do one thing, and let the app react for a moment."""
        (kind,) = self.chance.choices(self._kinds, self._weights)
        if not isinstance(self.app.screen, GameScreen) and self.chance.random() < 0.15:
            kind = self.press_escape  # sooner or later back to a game
        self.dog.saw(kind())
        for _ in range(self.chance.choice((0, 0, 1, 3, 20))):
            await asyncio.sleep(0)

    def press(self, key: str) -> str:
        """Press a key."""
        self.sent += 1
        name = _character_to_key(key) if len(key) == 1 else key
        character = {"enter": "\r", "tab": "\t", "space": " "}.get(key, key)
        self._send(events.Key(name, character if len(character) == 1 else None))
        return key

    def take(self) -> str:
        """Type a number and Enter, or mark it with Space."""
        screen = self.app.screen
        numbers = [1, 2, 3]
        if isinstance(screen, GameScreen):
            position = screen.game.position
            numbers = [*position.picks, *position.available] or numbers
        number = self.chance.choice(numbers)
        for character in str(number):
            self.press(character)
        return f"{number}{self.press(self.chance.choice(('enter', 'enter', 'enter', 'space')))}"

    def move(self) -> str:
        """Move the cursor or the focus, or press Enter or Space."""
        return self.press(self.chance.choice((*MOVING, "enter", "space")))

    def use_binding(self) -> str:
        """Press a key that means something here, seldom one that leaves the app."""
        known = [key for key in self.app.screen.active_bindings if key not in LEAVING]
        if self.chance.random() < 0.002:
            known = [*LEAVING]
        at_home = not isinstance(self.app.screen, GameScreen)
        useful = [key for key in known if not (at_home and key in ("q", "escape"))] or ["enter"]
        return self.press(self.chance.choice(useful))

    def press_escape(self) -> str:
        """One step back, but not out of the app."""
        return self.press("escape" if len(self.app.screen_stack) > 2 else "down")

    def type(self) -> str:
        """Any character."""
        character = self.chance.choice(TYPING)
        at_home = len(self.app.screen_stack) <= 2
        return self.press("enter" if at_home and character == "q" else character)

    def click(self) -> str:
        """Click anywhere."""
        width, height = self.app.size
        return self._click(
            self.chance.randrange(max(1, width)), self.chance.randrange(max(1, height))
        )

    def click_widget(self) -> str:
        """Click at a place of a widget that can be focused."""
        regions = [widget.region for widget in self.app.screen.focus_chain if widget.region.area]
        if not regions:
            return self.click()
        region = self.chance.choice(regions)
        x = region.x + self.chance.randrange(region.width)
        return self._click(x, region.y + self.chance.randrange(region.height))

    def wait(self) -> str:
        """Let the clocks of the games run."""
        seconds = self.chance.choice((0.1, 2.0, 6.0))
        self.now += seconds
        return f"{seconds} seconds"

    def resize(self) -> str:
        """Change the size of the terminal."""
        size = Size(*self.chance.choice((*SIZES, (self.chance.randint(1, 130), 10), (9, 3))))
        driver = self.app._driver
        assert isinstance(driver, HeadlessDriver)
        driver._size = size
        self._send(events.Resize(size, size))
        return f"resize {size}"

    def open_palette(self) -> str:
        """Run a command of the palette."""
        self.press("ctrl+p")
        for character in self.chance.choice(("hint", "un", "new", "rul", "res", "set", "")):
            self.press(character)
        return f"palette {self.press('enter')}"

    def _click(self, x: int, y: int) -> str:
        self.sent += 1
        for kind in (events.MouseMove, events.MouseDown, events.MouseUp):
            button = 0 if kind is events.MouseMove else 1
            self._send(kind(None, x, y, 0, 0, button, False, False, False, x, y))
        return f"click {x},{y}"

    def _send(self, event: events.Event) -> None:
        event.set_sender(self.app)
        self.app.post_message(event)


async def sit(sitting: Sitting, wanted: int, dog: Watchdog, tally: Counter[str]) -> int:
    """Play one sitting; how many keys and clicks it took. Raises what the app raises."""
    dog.what = str(sitting)
    dog.recent.clear()
    session = sitting.session

    def first() -> Page:
        assert session is not None, "this sitting begins with a game"
        return screen_of(session, 0.0)

    app = KeptOpen(first if session else None, sitting.settings, lambda: fingers.now)
    fingers = Fingers(app, random.Random(sitting.seed), dog)
    acts = 0
    async with running(app, sitting.size, notifications=True):
        app.leave_now = fingers.chance.random() < 0.1
        while fingers.sent < wanted and not app._exit and app.failure is None:
            tally[type(app.screen).__name__] += 1
            await fingers.act()
            acts += 1
            if acts % 40 == 0 and not app._exit:
                await rest(app)
                _check(app)
        app.leave_now = True
        app.exit()  # as a user leaves, with keys still on their way
    return fingers.sent


def _check(app: NinefoldApp) -> None:
    """What the board shows has been reached by legal moves."""
    for screen in app.screen_stack:
        if isinstance(screen, GameScreen):
            referee, game = screen.game.referee, screen.session.book.game
            moves = " ".join(map(format_move, referee.moves))
            again = game.play(moves, referee.settings.first)
            assert again == referee.position, f"{moves} does not lead to what is shown"


@contextmanager
def own_folder() -> Iterator[Path]:
    """A home of our own: records, settings and files that are written go there."""
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        own = dict.fromkeys(("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), folder)
        with patch.dict(os.environ, own):
            yield Path(folder)


def replay_records() -> int:
    """Judge every record again and remove it; how many there were."""
    store = Store()
    names = store.names()
    for name in names:
        Replay(read_record(store.path(name))).run()
        os.remove(store.path(name))
    return len(names)


Report: TypeAlias = tuple[int, int, Counter[str]]


def run(wanted: int, seed: int, say: Callable[[str], None] = _ignore) -> Report:
    """Press and click so often; how often it was, how many records replayed, on which screens."""
    built_in = [(book.id, reading) for book in books.load_all() for reading in book.readings]
    gallery = [(str(path), books.load_book(str(path)).reading) for path in GALLERY.glob("*.toml")]
    rule_books, dog, tally = sorted(built_in + gallery), Watchdog(), Counter[str]()
    done = records = 0
    # A large game would take seconds to look for each of thousands of hints.
    hasty = patch("ninefold.tui.game.hint_for", lambda position: hint_for(position, 0.02))
    with own_folder(), hasty, ExitStack() as at_the_end:
        at_the_end.callback(dog.stop)
        while done < wanted:
            sitting = make_sitting(seed, rule_books)
            try:
                done += asyncio.run(sit(sitting, min(SITTING, wanted - done), dog, tally))
                records += replay_records()
            except BaseException:
                print(f"Failed: {dog.report()}", file=sys.__stderr__)
                raise
            finally:
                if sitting.session is not None:
                    sitting.session.close()
            seed += 1
            say(f"{done} keys and clicks, next seed {seed}")
    return done, records, tally


if __name__ == "__main__":
    number = int(sys.argv[1]) if len(sys.argv) > 1 else PRESSES
    start = int(sys.argv[2]) if len(sys.argv) > 2 else time.time_ns() % 1_000_000
    print(f"first seed {start}", flush=True)
    presses, replayed, screens = run(number, start, lambda text: print(text, flush=True))
    where = ", ".join(f"{name} {count}" for name, count in screens.most_common())
    print(f"{presses} key presses and clicks, {replayed} records replayed; {where}")
