"""Audits that run beside the server: whoever asks for the same one shares it and its result."""

import asyncio
import json
import logging
from base64 import urlsafe_b64encode
from collections import OrderedDict
from hashlib import sha256
from typing import Any

from ninefold import __version__
from ninefold.core.errors import NinefoldError
from ninefold.core.text import NamedTuple
from ninefold.web.server.book_store import MAX_RESULT, BookStore
from ninefold.web.server.store import wall_time
from ninefold.web.server.view import Json
from ninefold.web.server.work.given import BookSpec
from ninefold.web.server.work.pool import Workers

log = logging.getLogger("ninefold.server")
MAX_FAILED = 200
_TOO_LONG = "The whole report is too long to be shown here. At the terminal, it is not."


class Wanted(NamedTuple):
    """An audit: the id of a book, how a worker gets it, and whether of all its readings."""

    book: str
    spec: BookSpec
    all_readings: bool

    @property
    def id(self) -> str:
        """The same for the same audit by the same version of Ninefold."""
        text = json.dumps([__version__, self.spec, self.all_readings], sort_keys=True)
        return urlsafe_b64encode(sha256(text.encode()).digest()[:15]).decode()


class _Running:
    """An audit that is being made, and who waits for it."""

    def __init__(self) -> None:
        self.task: asyncio.Task[None] | None = None
        self.step = ""
        self.steps = 0
        self.wanted_by: set[str] = set()

    def note(self, step: str) -> None:
        """Remember what is being done."""
        self.step = step
        self.steps += 1


class Audits:
    """The audits of this process; their results are in the database."""

    def __init__(self, store: BookStore, workers: Workers) -> None:
        self._store = store
        self._workers = workers
        self._running: dict[str, _Running] = {}
        self._failed: OrderedDict[str, NinefoldError] = OrderedDict()

    async def start(self, wanted: Wanted, who: str, client: str) -> Json:
        """Make an audit for somebody at this address, unless it is known; how it stands."""
        audit = wanted.id
        self._failed.pop(audit, None)
        if audit not in self._running and await self._store.audit(audit) is None:
            # Somebody else may have asked for it meanwhile.
            running = self._running.setdefault(audit, _Running())
            if running.task is None:
                running.task = asyncio.create_task(self._make(running, wanted, client))
        if audit in self._running:
            self._running[audit].wanted_by.add(who)
        return await self.state(audit)

    async def state(self, audit: str) -> Json:
        """How an audit stands, without its report; raises NinefoldError if it failed."""
        state: Json = {"id": audit, "state": "running", "step": "", "steps": 0, "result": None}
        if running := self._running.get(audit):
            return {**state, "step": running.step, "steps": running.steps}
        if failed := self._failed.get(audit):
            raise failed
        result = await self.result(audit)
        return {**state, "state": "done", "result": {**result, "html": bool(result["html"])}}

    async def result(self, audit: str) -> dict[str, Any]:
        """The result of an audit with its report as HTML; raises NinefoldError."""
        text = await self._store.audit(audit)
        if text is None:
            reason = "There is no such audit, or it was made too long ago."
            raise NinefoldError("no-such-audit", reason, "Audit the rule book again.")
        found: dict[str, Any] = json.loads(text)
        return found

    def cancel(self, audit: str, who: str) -> None:
        """Somebody no longer wants an audit; it ends if nobody else does."""
        running = self._running.get(audit)
        if running is not None and who in running.wanted_by:
            running.wanted_by.remove(who)
            if not running.wanted_by:
                del self._running[audit]
                _cancel(running)

    async def close(self) -> None:
        """End all audits."""
        tasks = [_cancel(running) for running in self._running.values()]
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _make(self, running: _Running, wanted: Wanted, client: str) -> None:
        audit = wanted.id
        arguments = {"book": wanted.spec, "all_readings": wanted.all_readings}
        try:
            found = await self._workers.run("audit", arguments, client, running.note)
            spec = {name: wanted.spec.get(name) for name in ("reading", "changes")}
            found |= {"book": wanted.book, "all_readings": wanted.all_readings, **spec}
            await self._store.add_audit(audit, _bounded(found), wall_time())
        except NinefoldError as error:
            self._failed[audit] = error
            while len(self._failed) > MAX_FAILED:
                self._failed.popitem(last=False)
        except Exception:
            log.exception("An audit failed")
            self._failed[audit] = NinefoldError("failed", "Something went wrong on the server.")
        finally:
            if self._running.get(audit) is running:
                del self._running[audit]


def _cancel(running: _Running) -> "asyncio.Task[None]":
    assert running.task is not None, "it is set as soon as the audit is known"
    running.task.cancel()
    return running.task


def _bounded(result: dict[str, Any]) -> str:
    """The result as text, without the report if that is too long."""
    text = json.dumps(result)
    if len(text) > MAX_RESULT:
        text = json.dumps({**result, "html": "", "summary": [*result["summary"], _TOO_LONG]})
    return text
