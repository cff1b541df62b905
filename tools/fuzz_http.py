"""Requests that the server's own document allows, or just does not, by people who play or watch."""

import json
import random
from collections.abc import Iterator, Mapping
from contextlib import suppress
from http.client import HTTPConnection
from ipaddress import IPv4Address
from itertools import count
from typing import Any, NamedTuple

import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Unsatisfiable
from schemathesis.checks import not_a_server_error
from schemathesis.core.result import Ok
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
_JSON = {"Content-Type": "application/json"}
# Everybody has an address of their own: no limit shall be met by chance.
_addresses = count(1)


class Person(NamedTuple):
    """Somebody who asks: what proves who that is."""

    port: int
    headers: Mapping[str, str]

    def ask(self, method: str, path: str, **body: object) -> Any:
        """The JSON in answer to this; nothing if it is empty."""
        status, _, found = request(self.port, method, path, body, self.headers)
        assert status < 500, f"{method} {path} answered {status}"
        return json.loads(found) if found else None


def request(
    port: int, method: str, path: str, body: object, headers: Mapping[str, str]
) -> tuple[int, Mapping[str, str], bytes]:
    """The answer to one request: status, headers and body."""
    connection = HTTPConnection("127.0.0.1", port, timeout=300)
    try:
        connection.request(method, path, json.dumps(body), {**_JSON, **headers})
        answer = connection.getresponse()
        return answer.status, dict(answer.getheaders()), answer.read()
    finally:
        connection.close()


def visitor(port: int, name: str) -> Person:
    """A new visitor."""
    address = {"X-Forwarded-For": str(IPv4Address("10.0.0.0") + next(_addresses))}
    _, headers, _ = request(port, "POST", "/api/me", {"name": name}, address)
    return Person(port, {**address, "Cookie": headers["set-cookie"].partition(";")[0]})


def bot(owner: Person, name: str) -> Person:
    """A new bot of this person."""
    token = owner.ask("POST", "/api/tokens", name=name)["token"]
    address = owner.headers["X-Forwarded-For"]
    return Person(owner.port, {"X-Forwarded-For": address, "Authorization": f"Bearer {token}"})


class World(NamedTuple):
    """People, and games in every state."""

    people: list[Person]
    games: list[str]


def new_world(port: int, chance: random.Random) -> World:
    """Two players, a stranger, a bot and nobody; an open, a running and a finished game."""
    ann, bob, eve = (visitor(port, f"{name} {chance.random()}") for name in ("Ann", "Bob", "Eve"))
    people = [ann, bob, eve, bot(ann, "Bot"), Person(port, {})]
    games = []
    for opponent in ("friend", "anyone", "friend", "random"):
        wanted = {"game": "magic-fifteen", "opponent": opponent}
        games.append(ann.ask("POST", "/api/games", **wanted)["id"])
    bob.ask("POST", f"/api/games/{games[2]}/join")
    ann.ask("POST", f"/api/games/{games[2]}/act", type="move", move="5")
    ann.ask("POST", f"/api/games/{games[3]}/act", type="resign")
    return World(people, games)


def operations(port: int) -> Iterator[Any]:
    """All operations of the document."""
    _, _, found = request(port, "GET", "/api/openapi.json", None, {})
    schema = schemathesis.openapi.from_dict(json.loads(found))
    for found_operation in schema.get_all_operations():
        assert isinstance(found_operation, Ok), "the document is sound"
        yield found_operation.ok()


def fuzz_http(port: int, examples: int, seed_: int) -> int:
    """Try so many requests of each kind on every operation; how many were made. May raise."""
    chance, made = random.Random(seed_), 0
    for operation in operations(port):
        for mode in schemathesis.GenerationMode:
            world = new_world(port, chance)
            made += _fuzz(operation, mode, world, examples, seed_)
    return made


def _fuzz(operation: Any, mode: Any, world: World, examples: int, seed_: int) -> int:
    made = 0

    @seed(seed_)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=[*HealthCheck],
    )
    @given(
        case=operation.as_strategy(generation_mode=mode),
        person=st.sampled_from(world.people),
        game=st.none() | st.sampled_from(world.games),
    )
    def attempt(case: Any, person: Person, game: str | None) -> None:
        nonlocal made
        made += 1
        if game and "game" in (case.path_parameters or {}):
            case.path_parameters["game"] = game
        headers = {**(case.headers or {}), **person.headers}
        answer = case.call(f"http://127.0.0.1:{person.port}", headers=headers, timeout=300)
        case.validate_response(answer, checks=CHECKS)

    with suppress(Unsatisfiable):  # what has no fields cannot be wrong
        attempt()
    return made
