"""The way to a model: rate limits, server errors, dropped connections, slow and huge responses."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from threading import Thread

import pytest
from llm_server import LlmServer
from processes import wait_until

import ninefold
from ninefold.core.errors import NinefoldError
from ninefold.players import Chance, NoMove, PlayStopped, Report
from ninefold.players.llm import LlmPlayer
from ninefold.players.llm.budget import Budget, OutOfBudget, Usage, usage_of
from ninefold.players.llm.endpoint import FIRST_PAUSE, LONGEST_PAUSE, Endpoint, _pause_in
from ninefold.players.llm.settings import Secret, Settings
from ninefold.require import MissingExtra

GAME = ninefold.load("magic-fifteen")
KEY = "sk-test-0123456789"


class Pauses(list[float]):
    """Instead of waiting: the pauses that were asked for."""

    def __call__(self, seconds: float) -> None:
        """Note a pause."""
        self.append(seconds)


@contextmanager
def playing(
    server: LlmServer, spec: str, pauses: Pauses | None = None, **more: object
) -> Iterator[LlmPlayer]:
    """A player at this server that has begun, and waits for nothing."""
    settings = Settings(server.url, Secret(KEY))._replace(**more)  # type: ignore[arg-type]
    endpoint = Endpoint(settings, pause=Pauses() if pauses is None else pauses, chance=Random(1))
    player = LlmPlayer(spec, endpoint)
    player.begin(GAME, None)
    try:
        yield player
    finally:
        player.close()


def choose(player: LlmPlayer, moves: str = "5 3") -> tuple[object, Report]:
    """The move after these, or the error, and the report."""
    position = GAME.play(moves)
    try:
        chosen: object = player.choose(position, len(moves.split()), Chance(1))
    except NinefoldError as error:
        chosen = error
    return chosen, player.take_report()


@pytest.mark.parametrize(
    ("fault", "kind", "code"),
    [
        ("429", "error", "http-429"),
        ("500", "error", "http-500"),
        ("dropped", "error", "connection"),
        ("not-json", "error", "bad-body"),
        ("huge", "error", "huge-body"),
    ],
)
def test_what_may_pass_is_tried_again(fault: str, kind: str, code: str) -> None:
    """After a pause; the report names every failure, and the move is played."""
    pauses = Pauses()
    with (
        LlmServer(GAME, script=(fault, fault)) as server,
        playing(server, "perfect", pauses) as one,
    ):
        move, report = choose(one)
    assert move in GAME.play("5 3").legal
    assert [(found.kind, found.code) for found in report.faults] == [(kind, code)] * 2
    assert report.asked == 1 and report.tokens > 0
    assert len(pauses) == 2 and len(server.requests) == 3


def test_pauses_grow_and_are_never_the_same_for_all() -> None:
    """Twice as long each time, up to a limit, less up to half of it by chance."""
    pauses = Pauses()
    script = ("500",) * 9
    with (
        LlmServer(GAME, script=script) as server,
        playing(server, "perfect?attempts=10", pauses) as player,
    ):
        choose(player)
    longest = [min(LONGEST_PAUSE, FIRST_PAUSE * 2.0**at) for at in range(9)]
    assert all(most / 2 <= pause <= most for pause, most in zip(pauses, longest, strict=True))
    assert len({pause / most for pause, most in zip(pauses, longest, strict=True)}) == 9


def test_an_endpoint_says_how_long_to_wait() -> None:
    """In seconds or as a date; who would have to wait for long resumes later."""
    pauses = Pauses()
    with LlmServer(GAME, script=("429",)) as server, playing(server, "perfect", pauses) as player:
        choose(player)
    assert pauses == [7.0]
    with (
        LlmServer(GAME, script=("429",), retry_after="90000") as server,
        playing(server, "perfect", pauses) as player,
    ):
        stopped, _ = choose(player)
    assert isinstance(stopped, PlayStopped) and "asks to wait 90,000 seconds" in stopped.message
    assert _pause_in({"retry-after": "Wed, 21 Oct 2099 07:28:00 GMT"}) > 1e6
    assert _pause_in({"retry-after": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0
    assert _pause_in({"retry-after": "soon"}) == _pause_in({}) == 0


@pytest.mark.parametrize("fault", ["429", "500", "dropped"])
def test_nobody_loses_because_the_endpoint_is_gone(fault: str) -> None:
    """Play stops, to be resumed; the message shows no key, though the endpoint repeats it."""
    with LlmServer(GAME, {fault: 1.0}) as server, playing(server, "perfect?attempts=3") as player:
        stopped, report = choose(player)
    assert isinstance(stopped, PlayStopped)
    assert "does not answer after 3 attempts" in stopped.message
    assert "resume later" in stopped.message and KEY not in stopped.message
    assert len(report.faults) == 3 and KEY not in str([*map(tuple, report.faults)])


@pytest.mark.parametrize(
    ("fault", "said"),
    [("401", "Set NINEFOLD_LLM_KEY"), ("400", "Check the options of the model")],
)
def test_what_can_never_work_is_not_tried_again(fault: str, said: str) -> None:
    """It stops at once, and says what to do."""
    with LlmServer(GAME, {fault: 1.0}) as server, playing(server, "perfect") as player:
        stopped, _ = choose(player)
    assert isinstance(stopped, PlayStopped) and said in stopped.message
    assert f"fault {fault} for Bearer [key]" in stopped.message
    assert len(server.requests) == 1


def test_an_unknown_address_says_so() -> None:
    """As a browser would."""
    with LlmServer(GAME) as server:
        server.url += "/nowhere"
        with playing(server, "perfect") as player:
            stopped, _ = choose(player)
    assert isinstance(stopped, PlayStopped)
    assert "(404)" in stopped.message and "Check the name of the model" in stopped.message


@pytest.mark.parametrize(
    ("fault", "options", "code", "kind"),
    [
        ("slow", "timeout=0.05&attempts=2", "no-answer", "timeout"),
        ("not-json", "attempts=2", "refusal", "error"),
        ("huge", "attempts=1", "refusal", "error"),
    ],
)
def test_a_model_that_gives_no_answer_forfeits(
    fault: str, options: str, code: str, kind: str
) -> None:
    """Too slow every time, or no response at all: that is its own failure."""
    with LlmServer(GAME, {fault: 1.0}) as server, playing(server, f"perfect?{options}") as player:
        failure, report = choose(player)
    assert isinstance(failure, NoMove) and failure.code == code
    assert {found.kind for found in report.faults} == {kind}


def test_a_budget_stops_play_and_forfeits_nothing() -> None:
    """In tokens or in money; what was spent is in the reports."""
    with LlmServer(GAME) as server:
        with playing(server, "perfect", tokens=200) as player:
            results = [choose(player) for _ in range(3)]
        assert isinstance(results[-1][0], OutOfBudget)
        assert "raise NINEFOLD_LLM_TOKENS and resume" in str(results[-1][0])
        assert len(server.requests) == 2 and results[-1][1].tokens == 0
        with playing(server, "perfect?prices=1000/2000", money=0.2) as player:
            found = choose(player)
            assert found[1].cost == pytest.approx((found[1].tokens - 10) / 1000 + 10 / 500)
            while not isinstance(found[0], NinefoldError):
                found = choose(player)
        assert isinstance(found[0], OutOfBudget) and "The budget of 0.2" in str(found[0])
        priceless = playing(server, "perfect", money=1.0)
        with pytest.raises(NinefoldError, match="needs the prices of the model"), priceless:
            pass


def test_a_game_out_of_budget_is_not_forfeited() -> None:
    """The referee lets the game stop where it is."""
    with (
        LlmServer(GAME) as server,
        playing(server, "perfect", tokens=1) as player,
        pytest.raises(OutOfBudget),
    ):
        ninefold.play_game(GAME, player, "random")


def test_tokens_are_estimated_where_the_endpoint_does_not_count() -> None:
    """From the lengths of the texts."""
    assert usage_of({"usage": {"prompt_tokens": 7, "completion_tokens": 2}}, "", "") == Usage(7, 2)
    for data in ({}, {"usage": None}, {"usage": {"prompt_tokens": "7"}}, {"usage": [1]}):
        assert usage_of(data, "a" * 9, "b" * 4) == Usage(3, 1, estimated=True)
    budget = Budget(10)
    budget.charge(Usage(5, 4), (1.0, 1.0))
    budget.check()


def test_a_missing_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, with the command that installs it; naming a model needs nothing."""
    monkeypatch.setattr("ninefold.require.is_installed", lambda _: False)
    player = LlmPlayer("any", Endpoint(Settings("http://localhost:1/v1", Secret())))
    with pytest.raises(MissingExtra, match=r"pip install 'ninefold\[llm\]'"):
        player.begin(GAME, None)


def test_no_more_requests_at_once_than_allowed() -> None:
    """Whatever the number of games."""
    with LlmServer(GAME) as server:
        settings = Settings(server.url, Secret(), concurrency=2)
        endpoint = Endpoint(settings)
        players = [LlmPlayer("random", endpoint) for _ in range(6)]
        threads = [
            Thread(target=lambda one=one: ninefold.play_game(GAME, one, "random"))
            for one in players
        ]
        server.open.clear()
        for thread in threads:
            thread.start()
        wait_until(lambda: server.most_at_once >= 2)
        assert not endpoint._slots.acquire(blocking=False)
        server.open.set()
        for thread in threads:
            thread.join()
        assert server.most_at_once == 2
        assert endpoint._client is None  # the last player closed the connections
        assert players[0].concurrency == 2


def test_answers_are_kept_only_where_the_model_repeats_itself(tmp_path: Path) -> None:
    """Or where the user asks for it: then each game has its own, also when it is played again."""
    with LlmServer(GAME) as server:

        def asked(spec: str, seed: int = 1) -> tuple[int, int]:
            with playing(server, spec, cache=str(tmp_path)) as player:
                before = len(server.requests)
                for _ in range(2):
                    player.choose(GAME.play("5 3"), 2, Chance(seed))
                return len(server.requests) - before, player.take_report().cached

        assert asked("random") == asked("random?temperature=0.5") == (2, 0)
        assert not [*tmp_path.iterdir()]
        assert asked("random?temperature=0") == (1, 1)
        assert asked("random?temperature=0", seed=2) == (0, 2)
        assert asked("random?temperature=0&cache=no") == (2, 0)
        assert asked("random?cache=yes") == (1, 1)
        assert asked("random?cache=yes", seed=2) == (1, 1)
        assert asked("random?cache=yes&legal=yes") == (1, 1)
        # The disk was full once, and somebody else wrote there.
        for damage in ('{"choices": [', '{"choices": []}', '{"choices": {"0": 1}}', '{"other": 1}'):
            for file in tmp_path.rglob("*.json"):
                file.write_text(damage)
            assert asked("random?temperature=0") == (1, 1)
        assert not [*tmp_path.rglob("*.new")]
        os.chmod(tmp_path, 0o500)
        try:
            assert asked("random?temperature=0&seed=5")[0] >= 1
        finally:
            os.chmod(tmp_path, 0o700)
