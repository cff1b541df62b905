"""An OpenAI-compatible endpoint: one request at a time per slot, tried again when that may help.

Rate limits, server errors, dropped connections and timeouts are tried again after a growing pause,
or after the one that the endpoint asks for. What is left when the attempts run out is either the
model's failure (it answers too slowly, or with something that is no response) or nobody's (the
endpoint is not there): then play stops, to be resumed later.
"""

import json
import os
from collections.abc import Callable, Mapping
from random import Random
from threading import BoundedSemaphore, Lock
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ninefold.core.text import shorten
from ninefold.players import Fault, NoMove, PlayStopped
from ninefold.players.llm.budget import Budget, Usage, usage_of
from ninefold.players.llm.cache import Cache, usual_folder
from ninefold.players.llm.ledger import Ledger
from ninefold.players.llm.options import Options, Prices
from ninefold.players.llm.settings import KEY, PREFIX, URL, Settings, settings_from
from ninefold.require import require_package

if TYPE_CHECKING:
    import httpx

Json: TypeAlias = dict[str, Any]
Note: TypeAlias = Callable[[Json], None]
# A larger response is not read.
MAX_BODY = 1 << 22
# The pause after the first failure, and the longest, in seconds.
FIRST_PAUSE, LONGEST_PAUSE = 1.0, 60.0
# Who is asked to wait longer than this should resume later.
MOST_PATIENCE = 600.0
_AGAIN = (408, 409, 425, 429)


class Trouble(NamedTuple):
    """Why a request gave no answer: a timeout or an error, what exactly, and what was heard."""

    kind: str
    code: str
    raw: str = ""
    pause: float = 0.0  # what the endpoint asks for

    @property
    def is_of_the_model(self) -> bool:
        """Whether the model's own answer is at fault, and not the way to it."""
        return self.kind == "timeout" or self.code in ("bad-body", "huge-body")


class Reply(NamedTuple):
    """A response of the endpoint, and what it took."""

    data: Json
    usage: Usage
    cost: float
    cached: bool


class Endpoint:
    """Sends requests within a budget, with a limited number at the same time."""

    def __init__(
        self,
        settings: Settings,
        clock: Callable[[], float] = monotonic,
        pause: Callable[[float], None] = sleep,
        chance: Random | None = None,
        ledger: Ledger | None = None,
    ) -> None:
        self.settings = settings
        self.budget = Budget(settings.tokens, settings.money, ledger)
        self.cache = Cache(settings.cache or usual_folder())
        self._clock, self._pause, self._chance = clock, pause, chance or Random()
        self._slots = BoundedSemaphore(settings.concurrency)
        self._lock = Lock()
        self._client: httpx.Client | None = None
        self._users = 0

    def open(self) -> None:
        """Somebody uses it; raises MissingExtra."""
        require_package("httpx", "llm")
        with self._lock:
            self._users += 1

    def close(self) -> None:
        """Somebody uses it no more; the last one closes the connections."""
        with self._lock:
            self._users -= 1
            if self._users <= 0 and self._client is not None:
                self._client.close()
                self._client = None

    def ask(
        self,
        body: Json,
        options: Options,
        limit: float | None,
        sample: str,
        note: Note,
        fail: Callable[[Fault], None],
    ) -> Reply:
        """The response to a request; raises NoMove, PlayStopped.

        An answer may take ``limit`` seconds, if there is a limit, and else what the options say;
        ``note`` is told of every attempt, ``fail`` of those that failed.
        """
        prices = options.prices or self.settings.prices
        key = Cache.key(self.settings.url, body, "" if options.temperature == 0 else sample)
        if options.uses_cache and (kept := self.cache.find(key)) and _has_answer(kept):
            note({"attempt": 0, "cached": True, "response": kept})
            return Reply(kept, Usage(0, 0), 0.0, True)
        troubles = list[Trouble]()
        while True:
            self.budget.check()
            found = self._attempt(body, limit or options.timeout, len(troubles) + 1, prices, note)
            if isinstance(found, Reply):
                if options.uses_cache:
                    self.cache.keep(key, found.data)
                return found
            troubles.append(found)
            fail(Fault(found.kind, found.code, found.raw))
            if len(troubles) >= options.attempts:
                raise self._give_up(troubles)
            self._wait(found, len(troubles))

    def _attempt(
        self, body: Json, seconds: float, number: int, prices: Prices | None, note: Note
    ) -> Reply | Trouble:
        """Send a request once; raises PlayStopped if no second try can help."""
        with self._slots:
            began = self._clock()
            status, text, trouble = self._post(body, seconds)
            took = round(self._clock() - began, 3)
        data = _read(text) if trouble is None and status == 200 else None
        if trouble is None and data is None:
            trouble = self._trouble(status, text)
        hide = self.settings.secret.hide
        entry: Json = {"attempt": number, "seconds": took, "status": status}
        if trouble is not None:
            note(entry | {"trouble": trouble.code, "response": hide(text)[:MAX_NOTED]})
            if trouble.code == "http-refused":
                raise self._refused(status, text)
            return trouble
        assert data is not None
        usage = usage_of(data, json.dumps(body["messages"]), text)
        self.budget.charge(usage, prices)
        data = hide(data)  # nobody hears it, whatever the endpoint repeats
        note(entry | {"response": data, "usage": usage._asdict(), "cost": usage.cost(prices)})
        return Reply(data, usage, usage.cost(prices), False)

    def _post(self, body: Json, seconds: float) -> tuple[int, str, Trouble | None]:
        """The status and the text of a response, or what went wrong."""
        import httpx

        end = self._clock() + seconds
        address = f"{self.settings.url}/chat/completions"
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        status, parts, size = 0, list[bytes](), 0
        try:
            with self._connection().stream(
                "POST",
                address,
                content=json.dumps(body).encode(),
                headers=headers | self.settings.secret.headers,
                timeout=seconds,
            ) as response:
                status = response.status_code
                for part in response.iter_bytes():
                    parts.append(part)
                    size += len(part)
                    if size > MAX_BODY:
                        return status, _text(parts), Trouble("error", "huge-body")
                    if self._clock() > end:
                        return status, _text(parts), Trouble("timeout", "timeout")
                if status != 200:
                    pause = _pause_in(response.headers)
                    return status, _text(parts), self._trouble(status, _text(parts), pause)
        except httpx.TimeoutException:
            return status, _text(parts), Trouble("timeout", "timeout")
        except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
            said = shorten(self.settings.secret.hide(f"{type(error).__name__}: {error}"), 200)
            return status, said, Trouble("error", "connection", said)
        return status, _text(parts), None

    def _trouble(self, status: int, text: str, pause: float = 0.0) -> Trouble:
        said = self.settings.secret.hide(text)[:MAX_NOTED]  # a key that is cut is still a key
        if status == 200:
            return Trouble("error", "bad-body", said)
        if status in _AGAIN or status >= 500:
            return Trouble("error", f"http-{status}", said, pause)
        return Trouble("error", "http-refused", said)

    def _wait(self, trouble: Trouble, failures: int) -> None:
        """Pause before the next attempt; raises PlayStopped if the endpoint asks for too long."""
        if trouble.pause > MOST_PATIENCE:
            raise PlayStopped(
                "endpoint",
                f"The endpoint asks to wait {trouble.pause:,.0f} seconds.",
                "Nothing is lost: resume later.",
            )
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * 2.0 ** (failures - 1))
        # Requests that failed together must not come back together.
        self._pause(max(trouble.pause, pause * self._chance.uniform(0.5, 1.0)))

    def _give_up(self, troubles: list[Trouble]) -> NoMove | PlayStopped:
        """Whose failure it is that no attempt worked."""
        last, count = troubles[-1], len(troubles)
        if last.kind == "timeout":
            return NoMove("no-answer", f"no answer in time, {count} times.")
        if last.is_of_the_model:
            return NoMove("refusal", f"no valid response, {count} times ({last.code}).")
        where = self.settings.shown_url
        said = f": {shorten(last.raw, 200)}" if last.raw else ""
        return PlayStopped(
            "endpoint",
            f"{where} does not answer after {count} attempts ({last.code}){said.rstrip('.')}.",
            "Nothing is lost: resume later.",
        )

    def _refused(self, status: int, text: str) -> PlayStopped:
        """What to do about a request that the endpoint will never accept."""
        advice = {
            401: f"Set {KEY[0]} to its key.",
            403: f"Check the key in {KEY[0]}, and what it may use.",
            404: f"Check the name of the model, and the base URL in {URL[0]}.",
        }.get(status, "Check the options of the model: the endpoint may not know them all.")
        said = self.settings.secret.hide(_message(text))
        reason = f"{self.settings.shown_url} refused the request ({status}): {shorten(said, 300)}"
        return PlayStopped("endpoint", f"{reason.rstrip('.: ')}.", advice)

    def _connection(self) -> "httpx.Client":
        import httpx

        with self._lock:
            if self._client is None:
                # How many there are at once is up to the slots: waiting for one is no timeout.
                most = self.settings.concurrency
                limits = httpx.Limits(max_connections=None, max_keepalive_connections=most)
                # Loading certificates takes longer than an answer from this machine.
                secure = self.settings.url.startswith("https:")
                self._client = httpx.Client(limits=limits, verify=secure)
            return self._client


MAX_NOTED = 10_000


def _read(text: str) -> Json | None:
    """A response with an answer; None if it is anything else."""
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return data if _has_answer(data) else None


def _has_answer(data: Any) -> bool:
    try:
        return isinstance(data, dict) and isinstance(data["choices"][0]["message"], dict)
    except (KeyError, IndexError, TypeError):
        return False


def _text(parts: list[bytes]) -> str:
    return b"".join(parts).decode("utf-8", "replace")


def _message(text: str) -> str:
    """What an error response says for people."""
    try:
        return str(json.loads(text)["error"]["message"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return text


def _pause_in(headers: Mapping[str, str]) -> float:
    """The seconds that Retry-After asks for, also as a date; 0 if it does not."""
    said = headers.get("retry-after", "").strip()
    try:
        return max(0.0, min(float(said), 1e9))
    except ValueError:
        pass
    from datetime import UTC, datetime
    from email.utils import parsedate_to_datetime

    try:
        return max(0.0, (parsedate_to_datetime(said) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return 0.0


_endpoints: dict[tuple[object, ...], Endpoint] = {}
_lock = Lock()


def shared_endpoint(ledger: str = "", processes: int = 1) -> Endpoint:
    """The endpoint that the environment names; all players of a process share its limits.

    Several processes share the number of requests at once, and count together in a ledger.
    """
    names = (*URL, *KEY, *sorted(name for name in os.environ if name.startswith(PREFIX)))
    key = (os.getpid(), ledger, processes, *((name, os.environ.get(name)) for name in names))
    with _lock:
        if key not in _endpoints:
            settings = settings_from()
            at_once = max(1, settings.concurrency // processes)
            kept = Ledger(ledger) if ledger else None
            _endpoints[key] = Endpoint(settings._replace(concurrency=at_once), ledger=kept)
        return _endpoints[key]
