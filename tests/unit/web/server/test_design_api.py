"""Rule books over the network: checked, saved, shared, audited and played; hostile ones, too."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from processes import wait_until
from unit.web.server.live import Client, Reply, live

from ninefold import books
from ninefold.books.sources import MAX_BYTES
from ninefold.record.text import parse_record
from ninefold.web.server.limits import Limits
from tools import fuzz_books

pytestmark = pytest.mark.slow

OWN = """# My first game
id = "mine"
title = "Mine <b>"

[rules]
pool = "1-6"
wins.arithmetic = { length = 3 }

[readings.four]
rules.wins.arithmetic = { length = 4 }
"""


@pytest.fixture(scope="module")
def port(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of a server; its workers are warm after the first test."""
    limits = Limits(requests=10_000, saves=10_000)
    with live(str(tmp_path_factory.mktemp("server") / "games.sqlite"), limits) as found:
        yield found


def saved(client: Client, text: str = OWN) -> str:
    """The id of a book that is now saved."""
    return str(client.post("/api/books", text=text)["id"])


def sent(client: Client, path: str, text: object) -> Reply:
    """The answer to a text."""
    return client.ask("POST", path, json.dumps({"text": text}).encode())


def test_faults_are_told_with_their_lines(port: int) -> None:
    """As `ninefold check` does, and what can be played is said."""
    found = Client(port).post("/api/books/check", text=OWN.replace("pool", "pol"))
    assert [(one["line"], one["column"]) for one in found["faults"]] == [(5, 1), (6, 1), (10, 1)]
    assert found["faults"][1]["message"] == "rules.pol: unknown field (did you mean pool?)"
    assert (found["valid"], found["verdict"]) == (False, "3 errors.")
    good = Client(port).post("/api/books/check", text=OWN)
    assert (good["valid"], good["book"]["title"]) == (True, "Mine <b>")
    assert [*good["book"]["readings"]] == ["default", "four"]


def test_a_saved_book_is_found_through_its_link(port: int) -> None:
    """By whoever has it; the same text has the same id; with a fault it is not saved."""
    ann, bob = Client(port), Client(port)
    book = saved(ann)
    assert saved(bob, "\ufeff" + OWN.replace("\n", "\r\n")) == book
    shown = Client(port).get(f"/api/books/{book}")
    assert (shown["text"], shown["built_in"]) == (OWN, False)
    assert shown["about"]["readings"] == {
        "default": "The book as it stands.",
        "four": "Changes rules.wins.",
    }
    rules = " ".join(part["text"] for part in shown["about"]["rules"])
    four = Client(port).get(f"/api/books/{book}?reading=four&changes=pool%3D1-9")["about"]
    assert "three" in rules or "3" in rules
    assert (four["reading"], four["changes"]) == ("four", ["pool=1-9"])
    assert [one["title"] for one in ann.get("/api/books/mine")["books"]] == ["Mine <b>"]
    assert Client(port).get("/api/books/mine") == {"books": []}
    refused = sent(ann, "/api/books", OWN.replace("1-6", "x"))
    assert (refused.status, refused.json["code"]) == (409, "bad-book")


def test_a_book_is_gone_when_nobody_has_it_any_more(port: int) -> None:
    """Not before: neither by somebody who never saved it, nor while a game is played by it."""
    text = OWN.replace("mine", "to-delete")
    ann, bob, eve = (Client(port) for _ in range(3))
    book = saved(ann, text)
    saved(bob, text)
    for client in (eve, ann):
        assert client.ask("DELETE", f"/api/books/{book}").status == 204
        assert Client(port).ask("GET", f"/api/books/{book}").status == 200
    game = eve.post("/api/games", book=book)["id"]
    assert bob.ask("DELETE", f"/api/books/{book}").status == 204
    assert Client(port).get(f"/api/books/{book}")["text"] == text
    assert eve.get(f"/api/games/{game}")["state"] == "open"
    unused = saved(ann, text + "\n")
    ann.ask("DELETE", f"/api/books/{unused}")
    assert Client(port).ask("GET", f"/api/books/{unused}").json["code"] == "no-such-book"


@pytest.mark.parametrize("name", books.names())
def test_built_in_books_are_examples(port: int, name: str) -> None:
    """Their text can be read, and is a book without faults."""
    shown = Client(port).get(f"/api/books/{name}")
    assert shown["built_in"]
    assert shown["about"]["title"] == books.load_book(name).title
    assert Client(port).post("/api/books/check", text=shown["text"])["valid"]
    file = Client(port).ask("GET", f"/api/books/{name}/file")
    assert file.body.decode() == shown["text"]
    assert file.headers["content-disposition"] == f'attachment; filename="{name}.toml"'


def test_an_audit_runs_beside_the_server_and_is_kept(port: int) -> None:
    """Its report is a page that the policy of the site allows, or one file."""
    client = Client(port)
    book = saved(client)
    begun = client.post("/api/audits", book=book, all_readings=True)
    audit = begun["id"]
    found: list[dict[str, Any]] = []

    def is_done() -> bool:
        found.append(client.get(f"/api/audits/{audit}"))
        return bool(found[-1]["state"] == "done")

    wait_until(is_done)
    result = found[-1]["result"]
    assert (result["book"], result["title"], result["html"]) == (book, "Mine <b>", True)
    assert result["summary"] and result["verdict"] not in result["summary"]
    again = Client(port).post("/api/audits", book=book, all_readings=True)
    assert again == found[-1]
    page = client.ask("GET", f"/audit/{audit}")
    assert page.headers["content-type"].startswith("text/html")
    text = page.body.decode()
    assert "Mine &lt;b&gt;: an audit" in text and f'href="/book/{book}"' in text
    assert not any(part in text for part in ("<b>", "<script>", "<style", "style=", "http"))
    for part in text.split('="/static/')[1:]:
        assert client.ask("GET", "/static/" + part.partition('"')[0]).status == 200
    file = client.ask("GET", f"/api/audits/{audit}/file")
    assert file.headers["content-disposition"] == f'attachment; filename="{book}-audit.html"'
    assert b"<style>" in file.body
    missing = client.ask("GET", "/audit/none")
    assert missing.status == 404 and b"Audit the rule book again." in missing.body
    assert client.ask("GET", "/api/audits/none").json["code"] == "no-such-audit"


def test_an_audit_ends_when_nobody_wants_it(port: int) -> None:
    """A stranger cannot end it; one of two who wait cannot, either."""
    ann, bob, eve = (Client(port) for _ in range(3))
    wanted = {"book": "sequence-capture", "changes": ["pool=1-60"]}
    audit = ann.post("/api/audits", **wanted)["id"]
    assert bob.post("/api/audits", **wanted)["id"] == audit
    for client in (eve, ann):
        assert client.ask("DELETE", f"/api/audits/{audit}").status == 204
        assert eve.get(f"/api/audits/{audit}")["state"] == "running"
    bob.ask("DELETE", f"/api/audits/{audit}")
    assert eve.ask("GET", f"/api/audits/{audit}").status == 404


def test_a_failed_audit_says_why(port: int) -> None:
    """And it can be tried again."""
    client = Client(port)
    audit = client.post("/api/audits", book="magic-fifteen", changes=["pool=x"])["id"]
    wait_until(lambda: client.ask("GET", f"/api/audits/{audit}").status != 200)
    failed = client.ask("GET", f"/api/audits/{audit}")
    assert (failed.status, failed.json["code"]) == (409, "bad-book")
    assert client.post("/api/audits", book="magic-fifteen", changes=["pool=x"])["id"] == audit


@pytest.mark.parametrize(
    ("wanted", "code"),
    [
        ({"book": "none"}, "no-such-book"),
        ({"book": "../etc"}, "bad-request"),
        ({}, "no-game"),
        ({"game": "magic-fifteen", "book": "none"}, "no-game"),
        ({"game": "magic-fifteen", "changes": ["pool=x"]}, "bad-book"),
        ({"game": "magic-fifteen", "changes": ["pool"]}, "bad-book"),
        ({"game": "magic-fifteen", "changes": ["pool=1-9"] * 21}, "bad-request"),
        ({"game": "magic-fifteen", "changes": "pool=1-9"}, "bad-request"),
        ({"game": "magic-fifteen", "changes": ["pool=1-64", "wins.sum.count=5",
          "wins.sum.equals=165"]}, "too-many-sets"),
    ],
)  # fmt: skip
def test_a_game_by_an_impossible_book_is_refused(
    port: int, wanted: dict[str, object], code: str
) -> None:
    """With the reason."""
    answer = Client(port).ask("POST", "/api/games", json.dumps(wanted).encode())
    assert (answer.json["code"], answer.status < 500) == (code, True)


def test_a_game_by_somebodys_book_against_a_computer(port: int) -> None:
    """It plays by the rules of the book; its record names the file."""
    client = Client(port)
    book = saved(client)
    wanted = {"book": book, "reading": "four", "changes": ["pool=1-5"], "opponent": "perfect"}
    begun = client.post("/api/games", **wanted)
    assert begun["title"] == "Mine <b> · four · pool=1-5"
    path = f"/api/games/{begun['id']}"
    assert client.post(f"{path}/act", type="move", move="3") == {"seq": 2}
    wait_until(lambda: client.get(path)["seq"] == 3)
    view = client.get(path)["view"]
    assert [tile["number"] for tile in view["tiles"]] == [1, 2, 3, 4, 5]
    assert len(view["hands"][1]) == 1
    settings = parse_record(client.ask("GET", f"{path}/record").body, "test").settings
    assert (settings.game, settings.file, settings.changes) == ("mine", "mine.toml", "pool=1-5")
    (mine,) = client.get("/api/games/mine")["games"]
    assert {name: mine[name] for name in begun} == begun


def test_a_game_with_changes_is_no_new_book(port: int) -> None:
    """As with `--set`: the record names the game and the changes."""
    client = Client(port)
    begun = client.post("/api/games", game="magic-fifteen", changes=["pool=1-12"])
    assert begun["title"] == "Magic Fifteen · pool=1-12"
    record = client.ask("GET", f"/api/games/{begun['id']}/record").body
    settings = parse_record(record, "test").settings
    assert (settings.game, settings.changes, settings.file) == ("magic-fifteen", "pool=1-12", None)
    same = client.post("/api/games", game="magic-fifteen", changes=["pool=1-9"])
    assert same["title"] == "Magic Fifteen"


BOMBS = [
    "a." * 40_000 + "a = 1",
    "a = " + "[" * 40_000,
    "a = " + "{a=" * 40_000,
    "".join(f"a{at} = 1\n" for at in range(20_000)),
    "[[examples]]\n" * 4_000,
    "words.won = [" + '"{x}",' * 8_000 + "]",
    "title = '''" + "a" * 200_000 + "'''\nrules.pool = '1-9'",
    'title = "' + "\u0301" * 40_000 + '"\nrules.pool = "1-9"',
    'rules.pool = "1-64"\nrules.wins.sum = { count = 32, equals = 1040 }',
    'rules.pool = "1-64"\nrules.wins.sum = { count = 5, equals = 165 }',
    'title = "\\u001b[2J"\nrules.pool = "1-9"',
    'extends = "/etc/passwd"',
    "#" * MAX_BYTES,
    "\0\ud800",
    "",
]


@pytest.mark.parametrize("text", BOMBS, ids=range(len(BOMBS)))
def test_bombs_are_refused_or_played(port: int, text: str) -> None:
    """Never an error of the server, on any address that takes a text."""
    client = Client(port)
    checked = sent(client, "/api/books/check", text)
    stored = sent(client, "/api/books", text)
    assert (checked.status < 500, stored.status < 500) == (True, True)
    assert (stored.status == 201) == (checked.status == 200 and checked.json["valid"])
    if stored.status == 201:
        game = client.ask("POST", "/api/games", json.dumps({"book": stored.json["id"]}).encode())
        assert game.status in (201, 409)
        assert Client(port).ask("GET", f"/api/books/{stored.json['id']}").status == 200


def test_fuzzed_books_are_refused_or_played(port: int) -> None:
    """The samples that the loader is fuzzed with."""
    random, client = Random(14), Client(port)
    for number in range(60):
        kind = fuzz_books.KINDS[number % len(fuzz_books.KINDS)]
        text = kind(random).decode("utf-8", "surrogateescape")
        checked = sent(client, "/api/books/check", text)
        assert checked.status < 500, text
        if checked.status == 200 and checked.json["valid"]:
            book = saved(client, text)
            game = client.post("/api/games", book=book, opponent="level:1")
            assert game.get("code") in (None, "too-many-sets"), game
            for job, more in (("about", {}), ("analysis", {"seconds": 0.1}), ("puzzles", {})):
                found = client.post(f"/api/learn/{job}", game=book, **more)
                refused = found.get("code")
                assert refused in (None, "too-large", "took-too-long", "no-puzzle"), found


def test_a_text_is_no_longer_than_a_file_may_be(port: int) -> None:
    """Nor is the request, whatever it contains."""
    client = Client(port)
    longer = sent(client, "/api/books/check", "#" * (MAX_BYTES + 1))
    assert (longer.status, longer.json["code"]) == (400, "bad-request")
    assert client.ask("POST", "/api/books", b" " * (1 << 20)).status == 413
    assert client.ask("POST", "/api/games", b" " * 70_000).status == 413
    wrong = sent(client, "/api/books/check", 5)
    assert (wrong.status, wrong.json["code"]) == (400, "bad-request")


def test_one_address_cannot_fill_the_database(tmp_path: Path) -> None:
    """Saving long texts is limited, whoever the visitor says to be."""
    with live(str(tmp_path / "games.sqlite"), Limits(requests=10_000)) as port:
        text = OWN + "#" * 200_000
        answers = [sent(Client(port), "/api/books", text + str(at)) for at in range(4)]
        assert [one.status for one in answers] == [201, 201, 429, 429]
        assert "Wait" in answers[-1].json["message"]
