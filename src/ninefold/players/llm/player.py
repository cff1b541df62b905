"""The player: asks a model for each move, tells it what was wrong, and keeps count."""

import os
import time
from collections.abc import Mapping, Sequence
from typing import Any

from ninefold.core.game import Game
from ninefold.core.moves import Move
from ninefold.core.position import Position
from ninefold.llm_text import IllegalAnswer, LegalAnswer, prompt_hash, relabel
from ninefold.llm_text.prompts import book_text
from ninefold.players import LLM, Chance, Fault, NoMove, Player, Report, UnknownPlayer
from ninefold.players.llm.conversation import Heard, content_of, continued, hear, request
from ninefold.players.llm.endpoint import Endpoint, shared_endpoint
from ninefold.players.llm.ledger import SPENT
from ninefold.players.llm.options import Options, format_options, parse_options
from ninefold.players.llm.transcript import Transcript, new_path

# How a game is forfeited by each kind of fault.
_FORFEITS = {
    "unreadable": "unreadable-answer",
    "illegal": "illegal-answer",
    "truncated": "truncated-answer",
}


class LlmPlayer(Player):
    """Plays what a model answers; a move is never invented. Raises UnknownPlayer for its options.

    An endpoint of your own can be given instead of the one in the environment.
    """

    def __init__(self, options: str | Options, endpoint: Endpoint | None = None) -> None:
        self.options = parse_options(options) if isinstance(options, str) else options
        self._endpoint = endpoint
        self._is_open = False
        self._first, self._moves = 1, tuple[Move, ...]()
        self._limit: float | None = None
        self._transcript = Transcript(None, {})
        self._report, self._faults = Report(), list[Fault]()

    @property
    def spec(self) -> str:
        """Its whole name, in a fixed form."""
        return LLM + format_options(self.options)

    @property
    def concurrency(self) -> int:  # type: ignore[override]
        """How many games it can play at the same time."""
        return self._found().settings.concurrency

    @property
    def about(self) -> dict[str, Any]:
        """The model, the factors, and the hash of the words they give: for reports."""
        factors = self.options.factors
        return {
            "model": self.options.model,
            "spec": self.spec,
            "prompt_hash": prompt_hash(factors),
            **factors._asdict(),
            "reader": self.options.reader,
            "retries": self.options.retries,
            "follow_up": self.options.follow_up,
            "relabel": self.options.relabel,
            "labels": self.options.labels,
        }

    def enter(self, folder: str, processes: int) -> None:
        """Share the limits of the environment with all processes of a tournament."""
        if self._endpoint is None:
            self._endpoint = shared_endpoint(os.path.join(folder, SPENT), processes)

    def begin(self, game: Game, limit: float | None) -> None:
        """Look for the endpoint and begin a transcript; raises UnknownPlayer, MissingExtra."""
        endpoint, options = self._found(), self.options
        if options.rules == "book":
            book_text(
                relabel(game, options.relabel, options.labels).game
            )  # refuse a game that has no words of its own
        if endpoint.settings.money is not None and not (options.prices or endpoint.settings.prices):
            reason = "A budget in money needs the prices of the model."
            advice = f"Add an option such as '{LLM}{options.model}?prices=2.5/10'."
            raise UnknownPlayer("no-prices", reason, advice)
        self._open()
        self._limit, self._report, self._faults = limit, Report(), []
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        path = self.transcript or new_path(endpoint.settings.transcripts, game.name, stamp)
        about = {"game": game.name, "rules": game.fingerprint, "date": stamp, **self.about}
        self._transcript = Transcript(path, about | {"endpoint": endpoint.settings.shown_url})

    def follow(self, first: int, moves: Sequence[Move]) -> None:
        """Take note of the moves so far."""
        self._first, self._moves = first, tuple(moves)

    def choose(self, position: Position, ply: int, chance: Chance) -> Move:
        """The model's move, or one that costs its turn by the rules; raises NoMove, PlayStopped."""
        options = self.options
        sample = f"{chance.seed}:{chance.game_number}:{ply}"
        shown = relabel(position.game, options.relabel, options.labels)
        text = shown.prompt_for(position, options.factors, self._moves, self._first)
        messages: list[dict[str, Any]] = [{"role": "user", "content": text}]
        for number in range(options.retries + 1):
            where = {"ply": ply, "seat": position.turn, "follow_up": number}
            again = "" if options.follow_up == "yes" or not number else f":{number}"
            data = self._ask(messages, sample + again, where)
            heard = hear(data, options, position, shown)
            self._note(heard)
            if isinstance(heard.answer, LegalAnswer):
                return heard.answer.move
            if isinstance(heard.answer, IllegalAnswer) and heard.answer.loses_turn:
                return heard.answer.move
            if options.follow_up == "yes":
                messages = continued(messages, data, heard, options, position, shown)
        tries = f" ({options.retries + 1} answers)" if options.retries else ""
        raise NoMove(_FORFEITS[heard.kind], f"{heard.reason.rstrip('.')}{tries}.")

    def answer(self, text: str) -> str:
        """What the model says to any text; raises NoMove, PlayStopped, MissingExtra."""
        self._open()
        options = self.options._replace(format="text")
        body = request(options, [{"role": "user", "content": text}])
        reply = self._found().ask(body, options, None, "", lambda _: None, lambda _: None)
        return content_of(reply.data["choices"][0]["message"])

    def take_report(self) -> Report:
        """Faults, tokens and cost since the last report."""
        report = self._report._replace(faults=tuple(self._faults))
        self._report, self._faults = Report(), []
        return report

    def close(self) -> None:
        """Let the connections go; it can begin again."""
        if self._is_open and self._endpoint is not None:
            self._is_open = False
            self._endpoint.close()

    def _open(self) -> None:
        if not self._is_open:
            self._found().open()
            self._is_open = True

    def _found(self) -> Endpoint:
        if self._endpoint is None:
            self._endpoint = shared_endpoint()
        return self._endpoint

    def _ask(
        self, messages: list[dict[str, Any]], sample: str, where: Mapping[str, Any]
    ) -> dict[str, Any]:
        """The response to a conversation; raises NoMove, PlayStopped."""
        body = request(self.options, messages)

        def note(entry: Mapping[str, Any]) -> None:
            self._transcript.write({"request": body, **where, **entry})

        self._report = self._report._replace(asked=self._report.asked + 1)
        fail = self._faults.append
        reply = self._found().ask(body, self.options, self._limit, sample, note, fail)
        report = self._report
        self._report = report._replace(
            tokens=report.tokens + reply.usage.tokens,
            cost=report.cost + reply.cost,
            cached=report.cached + reply.cached,
        )
        return reply.data

    def _note(self, heard: Heard) -> None:
        """Count what was wrong with an answer, or repaired."""
        if heard.repairs:
            self._faults.append(Fault("repaired", "+".join(heard.repairs), heard.raw))
        if heard.kind != "legal":
            self._faults.append(Fault(heard.kind, heard.code, heard.raw))
