"""An endpoint for language models on this machine, backed by Ninefold's players, with faults.

The name of the model is that of the player who answers. It reads the position from the prompt, as
a model does. Each request may meet a planted fault; the server counts them.
"""

import json
import re
import socket
from collections import Counter
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from threading import Event, Lock, Thread
from types import TracebackType
from typing import Any, Self

from ninefold.core.game import Game
from ninefold.core.moves import LOST, PASS, SWAP, Move, declare
from ninefold.core.position import Position
from ninefold.llm_text import format_answer
from ninefold.players import Chance, make

HUGE = 5_000_000
# The faults of the way to the model, and those of its answers.
OF_THE_WAY = ("429", "500", "dropped", "slow", "not-json", "huge")
OF_ANSWERS = ("truncated", "garbage", "illegal", "prose", "bold", "wrong-json")
_DID = re.compile(r"player ([12]) (?:took (-?[0-9]+)|declared ([0-9 -]+)|(passed|swapped|lost))")
_WORDS = {"passed": PASS, "swapped": SWAP, "lost": LOST}


def position_in(prompt: str, game: Game) -> Position:
    """The position that a prompt describes: by its history, or else by the hands."""
    seat = int(re.findall("You are player ([12])", prompt)[0])
    if "Moves so far: " in prompt:
        return _replayed(re.findall("(?m)^Moves so far: (.*)$", prompt)[0], game, seat)
    own, other = (
        [*map(int, re.findall("-?[0-9]+", re.findall(f"(?m)^{whose}[^:]*: (.*)$", prompt)[0]))]
        for whose in ("Your numbers", "Your opponent's numbers")
    )
    hands = {seat: own, 3 - seat: other}
    position = game.start(seat if len(own) == len(other) else 3 - seat)
    while any(hands.values()):
        position = position.play(hands[position.turn].pop(0))
    return position


def _replayed(history: str, game: Game, seat: int) -> Position:
    moves = _DID.findall(history)
    position = game.start(int(moves[0][0]) if moves else seat)
    for _, number, declared, word in moves:
        move: Move = int(number) if number else _WORDS.get(word, PASS)
        if declared:
            move = declare(map(int, declared.split()))
        position = position.play(move)
    return position


class LlmServer:
    """A server on a free port of this machine; use it in a ``with`` statement.

    ``rates`` says how often each fault happens; ``script`` are the faults of the first requests,
    where an empty one is none. With ``only``, other models have none. ``says`` is the answer
    instead of a player's.
    """

    def __init__(
        self,
        game: Game,
        rates: Mapping[str, float] = {},
        seed: int = 0,
        script: tuple[str, ...] = (),
        says: str | None = None,
        retry_after: str = "7",
        only: str = "",
    ) -> None:
        self.game, self.says, self.retry_after = game, says, retry_after
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.counts: Counter[str] = Counter()
        self.most_at_once = self._now = 0
        self._rates, self._script, self._only = dict(rates), [*script], only
        self._chance, self._lock, self.over = Random(seed), Lock(), Event()
        self.open = Event()  # clear it, and every request waits until it is set
        self.open.set()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._server.daemon_threads = True
        self._thread = Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        self.over.set()
        self.open.set()
        self._server.shutdown()
        self._server.server_close()

    def next_fault(self, body: dict[str, Any], headers: Mapping[str, str]) -> tuple[str, int]:
        """The fault of this request, and a seed for its answer."""
        with self._lock:
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            self.requests.append(body)
            self.headers.append({name.lower(): value for name, value in headers.items()})
            fault, drawn = "", self._chance.random()
            rates = self._rates if self._only in ("", body["model"]) else {}
            for name, rate in rates.items():
                if 0 <= drawn < rate:
                    fault = name
                drawn -= rate
            if self._script:
                fault = self._script.pop(0)
            self.counts[fault] += 1
            return fault, self._chance.randrange(1 << 30)

    def done(self) -> None:
        """A request is answered."""
        with self._lock:
            self._now -= 1

    def response(self, body: dict[str, Any], fault: str, seed: int) -> dict[str, Any]:
        """What a model would answer."""
        prompt = body["messages"][0]["content"]
        if self.says is None:
            position = position_in(prompt, self.game)
            player = make(body["model"], self.game)
            assert player is not None
            move = player.choose(position, 0, Chance(seed))
            if fault == "illegal":
                taken = [number for hand in position.hands for number in hand]
                move = taken[0] if taken else max(self.game.pool) + 1
            text = format_answer(move)
        else:
            text = self.says
        message: dict[str, Any] = {"role": "assistant", "content": _said(text, fault, body)}
        if "tools" in body and fault not in ("garbage", "prose", "truncated", "wrong-json"):
            call = {"name": "play", "arguments": json.dumps(_fields(text, body))}
            calls = [{"id": f"call_{seed}", "type": "function", "function": call}]
            message = {"role": "assistant", "content": None, "tool_calls": calls}
        finish = "length" if fault == "truncated" else "stop"
        usage = {"prompt_tokens": len(prompt) // 4, "completion_tokens": 10}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return {"id": f"chat-{seed}", "choices": [choice], "usage": usage}


def _fields(text: str, body: dict[str, Any]) -> dict[str, str]:
    """The fields that the schema of a request asks for."""
    if "tools" in body:
        shape = body["tools"][0]["function"]["parameters"]
    else:
        shape = body["response_format"]["json_schema"]["schema"]
    return {name: text if name == "move" else "So it is." for name in shape["required"]}


def _said(text: str, fault: str, body: dict[str, Any]) -> str:
    if fault == "truncated":
        return "Let me think about this. If I take"
    if fault == "garbage":
        return "\u2603 I am a snowman."
    if fault == "prose":
        return f"I think I will take {text} because it blocks."
    if fault == "wrong-json":
        return f'{{"move": {text}'
    if fault == "bold":
        return f"**{text}**"
    return json.dumps(_fields(text, body)) if "response_format" in body else text


def _handler(server: LlmServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1  # one packet for a response, else the system waits for more

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            fault, seed = server.next_fault(body, dict(self.headers))
            server.open.wait(600)
            try:
                self._answer(body, fault, seed)
            except OSError:  # the client left
                self.close_connection = True
            finally:
                server.done()

        def _answer(self, body: dict[str, Any], fault: str, seed: int) -> None:
            if self.path != "/v1/chat/completions":
                self._send(404, b'{"error": {"message": "no such page"}}')
            elif fault == "dropped":
                self.close_connection = True
                self.connection.shutdown(socket.SHUT_RDWR)
            elif fault in ("429", "500", "401", "400"):
                said = f"fault {fault} for {self.headers.get('Authorization')}"
                data = json.dumps({"error": {"message": said}}).encode()
                more = {"Retry-After": server.retry_after} if fault == "429" else {}
                self._send(int(fault), data, more)
            elif fault == "not-json":
                self._send(200, b"<html>Bad gateway</html>")
            elif fault == "huge":
                self._send(200, b" " * HUGE + b"{}")
            else:
                if fault == "slow":
                    server.over.wait(600)
                self._send(200, json.dumps(server.response(body, fault, seed)).encode())

        def _send(self, status: int, data: bytes, more: Mapping[str, str] = {}) -> None:
            self.send_response(status)
            headers = {"Content-Type": "application/json", "Content-Length": str(len(data)), **more}
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_: object) -> None:
            """Nothing."""

    return Handler
