"""Whole games on the site between two browsers, checked move by move against the judge."""

from collections.abc import Iterator
from random import Random

import pytest
from browser.site_playing import Person, Tab, people
from browser.windows import Windows
from effort import Effort
from unit.web.server.live import live
from web_pages import PAIRS, book_of

from ninefold.board_words import deed_text, names_seen, opening_text, turn_text, winner_text
from ninefold.books import Book
from ninefold.coach.review_words import voices_for
from ninefold.core.moves import LOST, Declare, Move
from ninefold.core.position import Position
from ninefold.narration import View

# One server and two browsers for all games, so one worker plays them all.
pytestmark = pytest.mark.xdist_group("site-games")
NAMES = ("Ann", "Bob")
# A pair for each set of buttons, and for hands in order: the server is the same for all games.
EVERY_DAY = [
    ("magic-fifteen", "default"),
    ("pattern-builder", "declare"),
    ("sequence-duel-sum", "lose-turn"),
    ("sequence-builder", "three-slots-in-order"),
]


@pytest.fixture(scope="module")
def players(
    windows: Windows, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Person, ...]]:
    """Two people at one server."""
    with (
        live(str(tmp_path_factory.mktemp("site") / "games.sqlite")) as port,
        people(windows, f"http://127.0.0.1:{port}", *NAMES) as found,
    ):
        yield found


def make(tab: Tab, position: Position, move: Move) -> None:
    """Make a move with the mouse."""
    if isinstance(move, int):
        tab.take(move)
    elif isinstance(move, Declare):
        if not position.asking:
            tab.press("Declare a set")
        for number in move.numbers:
            tab.take(number)
        tab.expect(chosen=[*move.numbers])
        tab.press("Declare a set")
    elif move is LOST:
        tab.press("Give up your turn")
        tab.expect(question="Give up your turn?")
        tab.press("Yes")
    else:
        tab.press("Pass")


def check(tab: Tab, seat: int, book: Book, position: Position, log: list[str]) -> None:
    """Wait until a player's screen shows what the engine says, in words for this player."""
    outcome, names = position.outcome, names_seen(NAMES, seat)
    mine = outcome is None and position.turn == seat
    wanted: dict[str, object] = {
        "log": log,
        "names": [*names],
        "hands": [" ".join(map(str, hand)) or "no numbers yet" for hand in position.hands],
        "owned": [sorted(hand) for hand in position.hands],
        "lit": sorted(book.game.deciding_numbers(position)),
        "free": [*position.picks] if mine and not position.asking else [],
    }
    if outcome is None:
        wanted["status"] = turn_text(position, names, is_choosing=mine and position.asking)
    else:
        wanted["status"] = winner_text(outcome, names)
        wanted["message"] = View(book, NAMES, (True, True)).result(outcome, position)
    tab.expect(**wanted)


@pytest.mark.parametrize(("name", "reading"), PAIRS if Effort.is_long else EVERY_DAY)
def test_a_whole_game_between_two_browsers(
    players: tuple[Person, ...], name: str, reading: str
) -> None:
    """Every move with the mouse, shown to both, judged and told as by the engine."""
    book, chance = book_of(name, reading), Random(f"{name} {reading}")
    one, two = players
    game = one.begin(name, reading=reading)
    for person in players:
        person.tab.open(f"/game/{game}")
    two.tab.page.get_by_role("button", name="Join").click()
    position = book.game.start()
    logs = [[opening_text(1, NAMES, seat)] for seat in (1, 2)]
    while True:
        for seat, person in enumerate(players, 1):
            check(person.tab, seat, book, position, logs[seat - 1])
        if position.outcome is not None:
            break
        usual = [move for move in position.legal if move is not LOST]
        move = chance.choice(position.legal if chance.random() < 0.2 else usual)
        make(players[position.turn - 1].tab, position, move)
        for seat, log in enumerate(logs, 1):
            log.append(deed_text(voices_for(NAMES, seat)[position.turn - 1], move))
        position = position.play(move)
    assert one.tab.see()["tools"] == ["Review", "Rematch", "Download the record"]
