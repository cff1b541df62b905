"""``relabel``, ``fresh``, ``quiz``, ``export-eval`` and ``arena win-rate``, as a user runs them."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from e2e.program import Ninefold
from llm_server import LlmServer

from ninefold import books

SMALL = ("magic-fifteen", "--set", "pool=1-6", "--set", "wins.sum.equals=10")


def test_relabel_shows_and_proves(ninefold: Ninefold) -> None:
    """The rules in other words, and how many positions were compared."""
    result = ninefold.run("relabel", *SMALL, "--seed", "1", "--verify")
    assert "villages" in result.stdout and "number" not in result.stdout
    assert result.stdout.endswith("The same game: no differences in 264 positions.\n")
    data = ninefold.json("relabel", *SMALL, "--seed", "1")
    assert [*data["labels"]] == ["1", "2", "3", "4", "5", "6"]
    assert all(label in data["rules"] for label in data["labels"].values())


def test_relabel_writes_a_rule_book(ninefold: Ninefold, tmp_path: Path) -> None:
    """With other numbers it can be played; words cannot be numbers."""
    file = str(tmp_path / "other.toml")
    assert ninefold.run("relabel", *SMALL, "--labels", "numbers", "-o", file).returncode == 0
    assert ninefold.run("check", file).returncode == 0
    assert len(books.load_book(file).game.sets) == 3
    refused = ninefold.run("relabel", *SMALL, "--labels", "words", "-o", str(tmp_path / "x.toml"))
    assert refused.returncode == 2 and "Use --labels numbers" in refused.stderr
    assert not (tmp_path / "x.toml").exists()


@pytest.mark.slow
def test_fresh_writes_books_and_a_manifest(ninefold: Ninefold, tmp_path: Path) -> None:
    """Each book is valid, and the digests are those of the files."""
    folder = tmp_path / "new" / "books"
    run = ("fresh", "--seed", "tests", "--count", "1", "--decisions", "0.3", "-o", str(folder))
    assert ninefold.run(*run).returncode == 0
    manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
    assert (manifest["format"], manifest["seed"]) == ("ninefold-fresh-1", "tests")
    (entry,) = manifest["books"]
    file = folder / entry["file"]
    assert entry["sha256"] == sha256(file.read_bytes()).hexdigest()
    assert entry["rules"] == books.load_book(str(file)).game.fingerprint
    checked = ninefold.run("check", str(file))
    assert checked.returncode == 0 and "warning" not in checked.stdout
    again = ninefold.run(*run)
    assert again.returncode == 2 and "is not empty" in again.stderr


def test_quiz_prints_writes_and_asks(ninefold: Ninefold, tmp_path: Path) -> None:
    """Questions on their own, and the marks of a function."""
    printed = ninefold.run("quiz", "magic-fifteen", "--count", "6", "--seed", "4").stdout
    assert len(printed.splitlines()) == 6
    file = tmp_path / "questions.jsonl"
    told = ninefold.run("quiz", "magic-fifteen", "--count", "6", "--seed", "4", "-o", str(file))
    assert file.read_text("utf-8") == printed
    assert told.stdout == f"{file}: 6 questions\n"
    asked = ("quiz", "magic-fifteen", "--count", "8", "--player", "python:json:dumps")
    data = ninefold.json(*asked, "-o", str(file))
    assert data["marks"][-1]["unreadable"] == 8
    assert json.loads(file.read_text("utf-8").splitlines()[0])["answer"] is None
    refused = ninefold.run("quiz", "magic-fifteen", "--player", "perfect")
    assert refused.returncode == 2 and "llm:MODEL" in refused.stderr


def test_a_quiz_that_fails_says_why(ninefold: Ninefold, tmp_path: Path) -> None:
    """A function that breaks down shows no traceback; a file is tried before anybody is asked."""
    quiz = ("quiz", "magic-fifteen", "--count", "4", "--player")
    broken = ninefold.run(*quiz, "python:json:loads")
    assert broken.returncode == 2 and "The function failed: it raised JSON" in broken.stderr
    with LlmServer(books.load_book("magic-fifteen").game, says="yes") as server:
        here = {"NINEFOLD_LLM_URL": server.url, "NINEFOLD_LLM_TOKENS": "1"}
        refused = ninefold.run(*quiz, "llm:m", "-o", str(tmp_path / "no" / "x"), **here)
        assert refused.returncode == 2 and not server.requests
        spent = ninefold.run(*quiz, "llm:m", **here, NINEFOLD_LLM_CONCURRENCY="1")
    assert "tokens for language models is spent. Ask again from the beginning" in " ".join(
        spent.stderr.split()
    )


def test_quiz_asks_a_model(ninefold: Ninefold) -> None:
    """Over HTTP, several questions at a time; the strict reader decides."""
    with LlmServer(books.load_book("magic-fifteen").game, says="Answer: yes") as server:
        here = {"NINEFOLD_LLM_URL": server.url, "NINEFOLD_LLM_KEY": "none"}
        asked = ("quiz", "magic-fifteen", "--relabel", "2", "--count", "16", "--player", "llm:m")
        data = json.loads(ninefold.run(*asked, "--json", **here).stdout)
    marks = {mark["kind"]: mark for mark in data["marks"]}
    assert (marks["legal"]["right"], marks["legal"]["asked"]) == (2, 4)
    assert marks["winner"]["unreadable"] == 4
    assert len(server.requests) == 16


@pytest.mark.parametrize(
    ("kind", "files"),
    [
        ("jsonl", ["magic-fifteen-questions.jsonl"]),
        ("openai", ["magic-fifteen-questions.jsonl"]),
        (
            "lm-eval",
            [
                "magic-fifteen-questions.jsonl",
                "magic_fifteen_questions_choice.yaml",
                "magic_fifteen_questions_generate.yaml",
            ],
        ),
        ("huggingface", ["README.md", "data/test.jsonl"]),
    ],
)
def test_export_eval_writes_the_files_of_a_tool(
    ninefold: Ninefold, tmp_path: Path, kind: str, files: list[str]
) -> None:
    """And names them."""
    run = ("export-eval", "magic-fifteen", "--items", "questions", "--count", "4")
    result = ninefold.run(*run, "--format", kind, "-o", str(tmp_path))
    assert result.stdout.splitlines()[1:] == [str(tmp_path / file) for file in files]
    assert all((tmp_path / file).stat().st_size for file in files)


@pytest.mark.slow
def test_the_preset_runs_and_reports(ninefold: Ninefold, tmp_path: Path) -> None:
    """30 games of each game, and the win rate with its interval."""
    games = "magic-fifteen,sequence-duel-sum"
    run = ("arena", "run", "--preset", "gg-bench", "--players", "random", "--games", games)
    folder = str(tmp_path / "g")
    assert ninefold.json(*run, "-o", folder, "--workers", "1")["games"] == 60
    data = ninefold.json("arena", "win-rate", folder)
    assert data["opponent"] == "level:3"
    (player,) = data["players"]
    assert [sum(one[name] for name in ("wins", "losses", "draws")) for one in player["games"]] == [
        30,
        30,
    ]
    low, high = player["interval"]
    assert low <= player["win_rate"] == player["win_rate_of_all"] <= high
    assert "(gg-bench)" in ninefold.run("arena", "win-rate", folder).stdout
