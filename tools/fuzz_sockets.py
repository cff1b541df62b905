"""Random frames over WebSockets, bytes that are not HTTP, and strangers who play in others' games.

Whoever sends frames that are wrong is refused, one by one; only a frame that breaks the protocol or
is too large ends the connection. No move is made by anybody but the player whose turn it is.
"""

import asyncio
import json
import random
from collections.abc import Mapping
from typing import Any, NamedTuple

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from ninefold.record.replay import Replay
from ninefold.record.text import parse_record
from ninefold.web.server.connection import ENDED
from ninefold.web.server.requests import MESSAGE
from tools.fuzz_http import Person, World, new_world, request

MAX_MESSAGE = 16_384
_PATIENCE = 300.0
_WORDS = (
    "",
    "a",
    "4",
    "pass",
    "lost",
    "swap",
    "declare:1:2:3",
    "\0",
    "\ud800",
    "🂡" * 70,
    "-1",
    "9" * 300,
)
_ODD: tuple[Any, ...] = (None, True, False, 0, 1, -1, 1.5, 1e308, 10**30, [], {}, [[]], *_WORDS)


def open_socket(port: int, headers: Mapping[str, str], **more: Any) -> connect:
    """A WebSocket of somebody."""
    url = f"ws://127.0.0.1:{port}/ws"
    return connect(url, additional_headers=headers, max_size=None, proxy=None, **more)


# Frames


def random_message(chance: random.Random, games: list[str]) -> dict[str, Any]:
    """A message with some of the fields that there are, each right or wrong."""
    types = MESSAGE["type"].schema["enum"]
    right: dict[str, Any] = {
        "type": chance.choice(types),
        "game": chance.choice(games),
        "move": str(chance.randrange(12)),
        "after": chance.randrange(9),
        "from": chance.randrange(9),
        "key": f"k{chance.randrange(20)}",
        "games": ["magic-fifteen"],
    }
    message = {name: value for name, value in right.items() if chance.random() < 0.7}
    message["type"] = right["type"]
    for name in [*MESSAGE, "other"]:
        if chance.random() < 0.1:
            message[name] = chance.choice(_ODD)
    return message


def random_frame(chance: random.Random, games: list[str]) -> str | bytes:
    """A frame: mostly a message, sometimes text or bytes that are none."""
    kind = chance.randrange(10)
    if kind == 0:
        return chance.randbytes(chance.randrange(200))
    if kind == 1:
        letters = (chr(chance.randrange(1, 0x800)) for _ in range(chance.randrange(60)))
        return "".join(letters)
    if kind == 2:
        depth = chance.randrange(8_000)
        return chance.choice(("[", '{"a":')) * (depth // 5)
    if kind == 3:
        text = json.dumps(random_message(chance, games))
        at = chance.randrange(len(text))
        return text[:at] + chance.choice(("", "}", "\\", '"', "NaN", "\u2028")) + text[at + 1 :]
    if kind == 4:
        return json.dumps({**random_message(chance, games), "key": "k" * chance.randrange(15_000)})
    return json.dumps(random_message(chance, games))


async def fuzz_frames(port: int, frames: int, seed: int) -> int:
    """Send so many frames as everybody; after each few, the server still answers. May raise."""
    chance = random.Random(seed)
    world, sent = await asyncio.to_thread(new_world, port, chance), 0
    while sent < frames:
        person, count = chance.choice(world.people), chance.randrange(1, 60)
        try:
            async with open_socket(port, person.headers) as socket:
                await _send_frames(socket, chance, world.games, count)
        except InvalidHandshake:  # its bot was deleted
            world = await asyncio.to_thread(new_world, port, chance)
        except ConnectionClosed as error:
            # Word of an earlier sign-out may arrive late; clients connect again.
            if error.rcvd is None or error.rcvd.code != ENDED:
                raise
        sent += count
    return sent


async def _send_frames(
    socket: ClientConnection, chance: random.Random, games: list[str], count: int
) -> None:
    for _ in range(count):
        await socket.send(random_frame(chance, games))
    if chance.random() < 0.1:
        await socket.send("x" * (MAX_MESSAGE + chance.randrange(1_000_000)))
        await _expect_end(socket)
    elif chance.random() < 0.8:  # others leave without a word
        key = f"last {chance.random()}"
        await socket.send(json.dumps({"type": "ping", "key": key}))
        while (message := json.loads(await _receive(socket))).get("key") != key:
            assert message.get("code") != "internal-error", message
        assert message["type"] == "pong", message


async def _receive(socket: ClientConnection) -> str | bytes:
    async with asyncio.timeout(_PATIENCE):
        return await socket.recv()


async def _expect_end(socket: ClientConnection) -> None:
    try:
        while True:
            await _receive(socket)
    except ConnectionClosed as error:
        assert error.rcvd is None or error.rcvd.code in (1009, 1013, ENDED), error


# Bytes


async def fuzz_bytes(port: int, streams: int, seed: int) -> int:
    """Send so many streams of bytes that are not quite HTTP; no answer is a 5xx. May raise."""
    chance, limit = random.Random(seed), asyncio.Semaphore(20)

    async def answer_to(data: bytes, is_slow: bool) -> bytes:
        async with limit:
            return await _answer_to(port, data, is_slow)

    found = [answer_to(_random_bytes(chance), chance.random() < 0.3) for _ in range(streams)]
    for answer in await asyncio.gather(*found):
        statuses = [line for line in answer.split(b"\n") if line.startswith(b"HTTP/1.1 ")]
        assert all(line[9:10] in b"1234" for line in statuses), answer[:400]
    return streams


def _random_bytes(chance: random.Random) -> bytes:
    """A request with something wrong: in its first line, a header, its length or its body."""
    method = chance.choice(
        (b"GET", b"POST", b"PUT", b"DELETE", b"OPTIONS", b"TRACE", b"get", b"\0")
    )
    paths = (
        b"/api/me",
        b"/api/games/%00",
        b"/api/games/\xff",
        b"//",
        b"*",
        b"/ws",
        b"http://x/",
        b"/%",
    )
    version = chance.choice((b"HTTP/1.1", b"HTTP/1.0", b"HTTP/9.9", b""))
    head = [b" ".join((method, chance.choice(paths), version)), b"Host: localhost"]
    head += [b"Connection: close"] * (chance.random() < 0.8)
    headers = (
        b"Content-Length: -1",
        b"Content-Length: 5",
        b"Content-Length: 99999999999999999999",
        b"Transfer-Encoding: chunked",
        b"Transfer-Encoding: gzip, chunked",
        b"Content-Type: application/json",
        b"Content-Type: application/json; charset=utf-7",
        b"Host: other.example",
        b"Host: [",
        b"Origin: http://[",
        b"Origin: http://evil.example",
        b"Cookie: ninefold=" + chance.randbytes(20).hex().encode() + b"." + b"0" * 64,
        b"Cookie: ninefold=\xff\xfe.x",
        b"Authorization: Bearer \xff",
        b"Authorization: Bearer " + b"x" * 5_000,
        b"Upgrade: websocket\r\nConnection: Upgrade",
        b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
        b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        b"Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings",
        b"Expect: 100-continue",
        b"X-Forwarded-For: " + chance.randbytes(8).hex().encode(),
        b"X-Forwarded-Proto: \xff",
        b": nothing",
        b" folded",
        b"X\0: y",
    )
    head += chance.sample(headers, chance.randrange(6))
    bodies = (
        b"",
        b"{}",
        b'{"name":"x"}',
        b"5\r\n{}\r\n0\r\n\r\n",
        b"\xff" * 40,
        b"ffffffff\r\n",
        b"[" * 5_000,
    )
    data = b"\r\n".join(head) + b"\r\n\r\n" + chance.choice(bodies)
    if chance.random() < 0.3:
        at = chance.randrange(len(data))
        data = data[:at] + chance.randbytes(chance.randrange(4)) + data[at + 1 :]
    return data


async def _answer_to(port: int, data: bytes, is_slow: bool) -> bytes:
    """What is answered to these bytes, which may come a few at a time."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    try:
        for at in range(0, len(data), 7) if is_slow else [0]:
            writer.write(data[at : at + 7] if is_slow else data)
            await writer.drain()
            await asyncio.sleep(0)
        async with asyncio.timeout(1):  # the server may wait for the rest of a body
            while chunk := await reader.read(65_536):
                answer += chunk
    except (OSError, TimeoutError):
        pass
    finally:
        writer.close()
    return answer


# Seats


class Attempt(NamedTuple):
    """Something that somebody tried in a game, and what was answered."""

    person: int
    key: str | None
    seq: int


async def fuzz_seats(port: int, actions: int, seed: int) -> int:
    """Let players and strangers act at random in games, with each other's keys. May raise."""
    chance, made = random.Random(seed), 0
    while made < actions:
        world = await asyncio.to_thread(new_world, port, chance)
        count = min(200, actions - made)
        made += count
        await _play_at_random(world, world.games[2], chance, count)
    return made


async def _play_at_random(world: World, game: str, chance: random.Random, count: int) -> None:
    """Ann is 1 and Bob is 2; the others are nobody here, whatever they send."""
    done = [Attempt(0, None, 2)]  # the first move has been made
    for _ in range(count):
        number = chance.randrange(len(world.people))
        action = _random_action(chance)
        answer = await _act(world.people[number], game, action, chance.random() < 0.5)
        if "seq" in answer:
            assert number < 2, f"a stranger acted: {action}"
            done.append(Attempt(number, action.get("key"), answer["seq"]))
        assert answer.get("code") != "internal-error", answer
    await asyncio.to_thread(_check_game, world.people[0], game, done)


def _random_action(chance: random.Random) -> dict[str, Any]:
    kinds = ("move",) * 12 + ("undo", "accept-undo", "decline-undo", "rematch")
    action: dict[str, Any] = {
        "type": chance.choice((*kinds, *("resign",) * (chance.random() < 0.05)))
    }
    if action["type"] == "move":
        action["move"] = str(chance.randrange(1, 10))
    if chance.random() < 0.7:
        action["key"] = f"k{chance.randrange(30)}"
    if chance.random() < 0.3:
        action["after"] = chance.randrange(20)
    return action


async def _act(person: Person, game: str, action: dict[str, Any], over_http: bool) -> Any:
    if over_http:
        path = f"/api/games/{game}/act"
        answer = await asyncio.to_thread(request, person.port, "POST", path, action, person.headers)
        return json.loads(answer[2])
    async with open_socket(person.port, person.headers) as socket:
        await socket.send(json.dumps({**action, "game": game}))
        return json.loads(await _receive(socket))


def _check_game(reader: Person, game: str, done: list[Attempt]) -> None:
    """Everything in the log was done by whose seat it names; the same key did one thing only."""
    log = reader.ask("GET", f"/api/games/{game}")["events"]
    by = {one.seq: one.person + 1 for one in reversed(done)}
    for entry in log:
        if entry["kind"] not in ("begun", "next"):
            assert entry["seq"] in by, f"nobody did this: {entry}"
            assert entry["seat"] in (0, by[entry["seq"]]), f"{by[entry['seq']]} did this: {entry}"
    keys: dict[tuple[int, str | None], int] = {}
    for one in done:
        if one.key is not None:
            assert keys.setdefault((one.person, one.key), one.seq) == one.seq, f"done twice: {one}"
    text = request(reader.port, "GET", f"/api/games/{game}/record", None, {})[2]
    Replay(parse_record(text, "the game")).run()
