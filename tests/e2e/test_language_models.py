"""Language models at the terminal: they play, serve as an engine, are examined, and cost money."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from e2e.program import Ninefold
from llm_server import LlmServer

import ninefold as package

KEY = "sk-e2e-0123456789"
SMALL = ("magic-fifteen", "--set", "pool=3-7")


@pytest.fixture
def server(ninefold: Ninefold) -> Iterator[LlmServer]:
    """An endpoint that answers questions about magic-fifteen, named in the environment."""
    with LlmServer(package.load("magic-fifteen")) as server:
        ninefold.environment |= {"NINEFOLD_LLM_URL": server.url, "NINEFOLD_LLM_KEY": KEY}
        yield server


@pytest.mark.usefixtures("server")
def test_two_models_play_a_match(ninefold: Ninefold) -> None:
    """With their names; the record has the whole experiment, and no key."""
    seats = ("--p1", "llm:perfect?legal=yes&think=no", "--p2", "llm:random")
    result = ninefold.run("watch", "magic-fifteen", *seats, "--wins", "2", "--max-games", "3")
    assert (result.returncode, result.stderr) == (0, "")
    assert "perfect takes " in result.stdout and "random takes " in result.stdout
    text = ninefold.records()[0].read_text()
    assert "llm:perfect?legal=yes&think=no" in text and KEY not in text


@pytest.mark.usefixtures("server")
def test_a_model_is_an_engine(ninefold: Ninefold) -> None:
    """As any other player is; a spent budget is told in the protocol's way."""
    engine = ("gtp", "magic-fifteen", "--player", "llm:level:2")
    result = ninefold.run(*engine, typed="play b 5\ngenmove w\nquit\n")
    assert result.returncode == 0
    assert re.fullmatch("=\n\n= [0-9]\n\n=\n\n", result.stdout)
    typed = "genmove b\ngenmove w\ngenmove b\nquit\n"
    spent = ninefold.run(*engine, typed=typed, NINEFOLD_LLM_TOKENS="1")
    assert "? cannot move: The budget of 1 tokens" in spent.stdout


def test_a_model_can_be_examined(ninefold: Ninefold, tmp_path: Path) -> None:
    """Every position it can reach is put to it; one that varies its answers proves nothing."""
    game = package.load("magic-fifteen", changes="pool=3-7")
    with LlmServer(game) as server:
        own = {"NINEFOLD_LLM_URL": server.url, "NINEFOLD_LLM_CACHE": str(tmp_path / "cache")}
        ninefold.environment |= own
        exam = ninefold.run("exam", *SMALL, "--player", "llm:perfect?temperature=0")
        assert (exam.returncode, exam.stderr) == (0, "")
        assert len(server.requests) > 10
        fickle = ninefold.run("exam", *SMALL, "--player", "llm:random")
        assert fickle.returncode == 1 and "answers the same question differently" in fickle.stdout
        server.says = "no idea"
        lost = ninefold.run("exam", *SMALL, "--player", "llm:x?retries=0")
        assert lost.returncode == 2 and "is not a move" in lost.stderr


def test_a_model_plays_a_person_and_forfeits_in_words(
    ninefold: Ninefold, server: LlmServer
) -> None:
    """The record says why."""
    server.says = "I resign from this, it is 4 or so"
    played = ninefold.run("play", "magic-fifteen", "--p2", "llm:shy?retries=1", typed="5\n")
    assert played.returncode == 0
    assert "answered with something that is no move" in played.stdout
    assert "forfeit:2:unreadable-answer" in ninefold.records()[0].read_text()
    assert len(server.requests) == 2


def test_a_tournament_that_stops_says_why_and_how_to_resume(
    ninefold: Ninefold, tmp_path: Path, server: LlmServer
) -> None:
    """In that order; the command works as it is shown, and the report names the prompt."""
    folder, games = str(tmp_path / "r"), ("--games", "magic-fifteen", "--rounds", "1")
    words = ("arena", "run", "--players", "llm:random,random", *games, "-o", folder)
    spent = ninefold.run(*words, "--workers", "1", NINEFOLD_LLM_TOKENS="1")
    task = f"arena resume {folder} --run-programs"
    said = " ".join(spent.stderr.split())
    assert re.search(rf"is spent\. .* Resume with: ninefold {re.escape(task)}$", said)
    assert ninefold.run(*task.split(), "--workers", "1").returncode == 0
    shown = ninefold.run("arena", "show", folder).stdout
    assert "Prompt of llm:random: version 2, hash afa62af61bd6." in shown
    assert server.requests


def test_a_spent_budget_keeps_the_game_for_later(ninefold: Ninefold, server: LlmServer) -> None:
    """Nobody loses it, and it resumes with a larger one; resuming asks first, since it costs."""
    seats = ("--p1", "llm:perfect", "--p2", "llm:random")
    result = ninefold.run("watch", "magic-fifteen", *seats, NINEFOLD_LLM_TOKENS="300")
    said = " ".join(result.stderr.split())
    assert result.returncode == 2 and "The budget of 300 tokens" in said
    assert "raise NINEFOLD_LLM_TOKENS and resume" in said and "Traceback" not in said
    record = ninefold.records()[0].read_text()
    assert "forfeit" not in record
    before = len(server.requests)
    unasked = ninefold.run("resume")
    assert unasked.returncode == 2 and "would run: llm:perfect" in unasked.stderr
    assert len(server.requests) == before
    resumed = ninefold.run("resume", "--run-programs")
    assert resumed.returncode == 0 and len(server.requests) > before
    assert ninefold.records()[0].read_text().startswith(record.split("*")[0].rstrip())


@pytest.mark.parametrize(
    ("who", "environment", "said"),
    [
        ("llm:m", {"NINEFOLD_LLM_URL": ""}, "Set NINEFOLD_LLM_URL to the base URL"),
        ("llm:m?legal=5", {}, "legal must be no or yes, not '5'"),
        ("llm:", {}, "does not name a model"),
        ("llm:m?key=sk-secret", {}, "Set NINEFOLD_LLM_KEY"),
        ("llm:m", {"NINEFOLD_LLM_MONEY": "1"}, "needs the prices of the model"),
    ],
)
@pytest.mark.usefixtures("server")
def test_what_cannot_play_is_refused_before_the_game(
    ninefold: Ninefold, who: str, environment: dict[str, str], said: str
) -> None:
    """Exit code 2, one message, no traceback, no key."""
    result = ninefold.run("play", "magic-fifteen", "--p2", who, typed="5\n", **environment)
    assert result.returncode == 2
    assert said in " ".join(result.stderr.split())
    assert "Traceback" not in result.stderr and "sk-" not in result.stderr


def test_the_menu_offers_code_agents_and_models(ninefold: Ninefold, server: LlmServer) -> None:
    """Each is asked for by name, and what cannot play is refused with a second try."""
    typed = ["6", "11", "my agents", "back", "12", "nowhere.npz", "back", "13", "a model"]
    typed += ["perfect?legal=yes", "Ann", "", "", "", "5", "quit", "q"]
    result = ninefold.run("--line", typed="\n".join(typed))
    assert result.returncode == 0
    said = " ".join(result.stdout.split())
    assert "13. A language model: A model plays" in said
    for refusal in ("Write python:MODULE:NAME.", "there is no such file", "does not name a model"):
        assert refusal in said
    assert "perfect takes " in said and len(server.requests) >= 1
