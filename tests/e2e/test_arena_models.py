"""Language models in tournaments: planted strengths and faults are found, and nobody pays twice."""

import json
import os
import re
import shlex
import signal
import subprocess
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from e2e.program import COMMAND, Ninefold
from llm_server import LlmServer
from processes import PATIENCE, wait_until

import ninefold as package
from ninefold.arena.nodes import Node, move_scores, nodes_for, values_of
from ninefold.arena.results import GAMES, read_rows
from ninefold.arena.scores import score
from ninefold.audit import audit
from ninefold.players.llm.ledger import SPENT
from ninefold.solver.scores import sign_of

KEY = "sk-arena-0123456789"
RUN = ("arena", "run", "--games", "magic-fifteen")
FIFTEEN = package.load("magic-fifteen")
# How often an answer of the faulty model is of each kind, and what the arena calls it.
PLANTED = {"garbage": 0.10, "illegal": 0.08, "truncated": 0.06}
NAMES = {"garbage": "unreadable", "illegal": "illegal", "truncated": "truncated"}
RETRIES = 2


def serve(ninefold: Ninefold, server: LlmServer, concurrency: int = 1) -> None:
    """Name the endpoint in the environment; one request at a time has the same faults each time."""
    ninefold.environment |= {
        "NINEFOLD_LLM_URL": server.url,
        "NINEFOLD_LLM_KEY": KEY,
        "NINEFOLD_LLM_CONCURRENCY": str(concurrency),
    }


@pytest.fixture
def server(ninefold: Ninefold) -> Iterator[LlmServer]:
    """An endpoint without faults, asked four times at once."""
    with LlmServer(FIFTEEN) as server:
        serve(ninefold, server, 4)
        yield server


def begin(ninefold: Ninefold, *words: str, **environment: str) -> "subprocess.Popen[bytes]":
    """Start the program, which will be disturbed."""
    own = {**ninefold.environment, **environment}
    pipe = subprocess.PIPE
    return subprocess.Popen([*COMMAND, *words], stdout=pipe, stderr=pipe, env=own, process_group=0)


def rate_of(kind: str) -> float:
    """How often a decision meets a fault: at the first answer, or after others of another kind."""
    others = sum(PLANTED.values()) - PLANTED[kind]
    return PLANTED[kind] * sum(others**at for at in range(RETRIES + 1))


def test_planted_strengths_and_faults_are_recovered(ninefold: Ninefold, tmp_path: Path) -> None:
    """Within their intervals, and every single fault is in a row; perfect play is exactly 1.000."""
    faulty = f"faulty=llm:level:2?retries={RETRIES}&prices=2/8"
    with LlmServer(FIFTEEN, PLANTED, seed=5, only="level:2") as server:
        serve(ninefold, server)
        words = ("--players", f"clean=llm:perfect,{faulty},random", "--rounds", "10")
        result = ninefold.run(*RUN, *words, "-o", str(tmp_path / "r"), "--workers", "1")
        assert (result.returncode, result.stderr) == (0, "")
        rows, scores = [*read_rows(tmp_path / "r")], score(tmp_path / "r")
    names = scores.table.names
    clean, faulty_, random = (
        scores.figures[names.index(one)] for one in ("clean", "faulty", "random")
    )
    assert clean.kept.both is not None and clean.kept.both.value == 1.0
    assert {kind for kind, one in clean.faults.items() if one.value} == set()
    for kind, planted in PLANTED.items():
        found = faulty_.faults[NAMES[kind]]
        assert found.low <= rate_of(kind) <= found.high, (kind, planted, found)
    seen = Counter(fault["kind"] for row in rows for fault in row["faults"])
    assert seen == {NAMES[kind]: server.counts[kind] for kind in PLANTED}
    ratings = (scores.ratings_without_forfeits or scores.ratings).entrants
    strength = [ratings[names.index(one)].value or 0 for one in ("clean", "faulty", "random")]
    assert strength == sorted(strength, reverse=True)
    assert faulty_.kept.both and random.kept.both
    assert faulty_.kept.both.low > random.kept.both.high
    assert (clean.costs.cost, random.costs.tokens) == (0, 0) and faulty_.costs.cost > 0
    check_files(tmp_path / "r", rows, {"clean", "faulty"})


def check_files(folder: Path, rows: list[Any], models: set[str]) -> None:
    """A transcript for each game and seat of a model, and the key in no file."""
    expected = {
        f"{row['id']}-{seat}.jsonl"
        for row in rows
        for seat in (1, 2)
        if row["players"][seat - 1] in models
    }
    assert {path.name for path in (folder / "transcripts").iterdir()} == expected
    spent = [json.loads(line) for line in (folder / SPENT).read_text().splitlines()]
    assert sum(one["tokens"] for one in spent) >= sum(sum(row.get("tokens", ())) for row in rows)
    texts = [path.read_bytes() for path in folder.rglob("*") if path.is_file()]
    assert not any(KEY.encode() in text for text in texts)


def exact_figures() -> tuple[float, float]:
    """What random play against itself keeps, and how often it blunders, over the whole game."""
    kept = available = blunders = chances = 0.0
    layer: dict[Node, float] = {nodes_for(FIFTEEN).start(): 1.0}
    while layer:
        below: dict[Node, float] = {}
        for node, chance in layer.items():
            moves, scores = node.legal, move_scores(node.position)
            assert scores is not None
            values = values_of(moves, scores)
            assert values.before is not None and values.worst is not None
            chances += chance * (values.before >= 0)
            available += chance * (values.before - values.worst)
            for move in moves:
                after, share = sign_of(scores[move]), chance / len(moves)
                kept += share * (after - values.worst)
                blunders += share * (after < values.before)
                child = node.play(move)
                if not child.over:
                    below[child] = below.get(child, 0.0) + share
        layer = below
    return kept / available, blunders / chances


def test_a_model_that_plays_at_random_scores_what_random_play_does(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """The intervals hold the exact figures, one of which is the audit's."""
    with LlmServer(FIFTEEN, seed=1) as server:
        serve(ninefold, server)
        words = ("--players", "llm:random,random", "--rounds", "20", "--workers", "1")
        assert ninefold.run(*RUN, *words, "-o", str(tmp_path)).returncode == 0
    scores = score(tmp_path)
    model = scores.figures[scores.table.names.index("llm:random")]
    kept, blunders = exact_figures()
    assert blunders == pytest.approx(audit(FIFTEEN).audits[0].figures.blunders)
    assert model.kept.both is not None and model.blunders is not None
    assert model.kept.both.low < kept < model.kept.both.high < 0.8
    assert model.blunders.low < blunders < model.blunders.high


MODELS = ("--players", "llm:level:2,random", "--rounds", "10")


@pytest.mark.usefixtures("server")
def test_a_kill_loses_no_game_and_nobody_pays_for_one_twice(
    ninefold: Ninefold, tmp_path: Path
) -> None:
    """Finished games keep their rows, and the model is not asked about them again."""
    folder = tmp_path / "r"
    process = begin(ninefold, *RUN, *MODELS, "-o", str(folder), "--workers", "2")
    wait_until(lambda: len([*read_rows(folder)]) >= 3 or process.poll() is not None)
    process.kill()
    process.communicate()
    before, rows = (folder / GAMES).read_bytes(), [*read_rows(folder)]
    paths = [path for row in rows for path in folder.glob(f"transcripts/{row['id']}-*")]
    sizes = [path.stat().st_size for path in paths]
    assert 3 <= len(paths) == len(rows) < 20
    result = ninefold.run("arena", "resume", str(folder), "--run-programs", "--workers", "2")
    assert (result.returncode, result.stderr) == (0, "")
    assert f"20 games, {20 - len(rows)} of them now" in result.stdout
    after = [*read_rows(folder)]
    assert (folder / GAMES).read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    assert len({row["id"] for row in after}) == len(after) == 20
    assert [path.stat().st_size for path in paths] == sizes


def tokens_of(server: LlmServer) -> list[int]:
    """What each request has cost, by the endpoint's own account."""
    return [len(body["messages"][0]["content"]) // 4 + 10 for body in server.requests]


def test_a_budget_holds_for_the_whole_tournament(
    ninefold: Ninefold, server: LlmServer, tmp_path: Path
) -> None:
    """For all processes together, and when it is resumed; then a larger one finishes it."""
    folder, budget = tmp_path / "r", 4_000
    ninefold.environment["NINEFOLD_LLM_TOKENS"] = str(budget)
    stopped = ninefold.run(*RUN, *MODELS, "-o", str(folder), "--workers", "2")
    said, rows = " ".join(stopped.stderr.split()), [*read_rows(folder)]
    assert (stopped.returncode, stopped.stdout) == (2, "")
    assert f"Stopped after {len(rows)} game" in said and "Traceback" not in said
    assert f"ninefold arena resume {folder} --run-programs" in said
    assert "The budget of 4,000 tokens" in said and "raise NINEFOLD_LLM_TOKENS" in said
    spent = tokens_of(server)
    assert budget <= sum(spent) < budget + 4 * max(spent)
    assert not any(row["faults"] for row in rows)
    lost = folder / SPENT
    for again in range(2):
        resume = ("arena", "resume", str(folder), "--run-programs", "--workers", "2")
        assert ninefold.run(*resume).returncode == 2
        assert len(server.requests) == len(spent), again
    lost.unlink()  # the rows still know what finished games have cost
    del ninefold.environment["NINEFOLD_LLM_TOKENS"]
    assert ninefold.run(*resume).returncode == 0
    assert len({row["id"] for row in read_rows(folder)}) == 20
    known = sum(row["tokens"][0] + row["tokens"][1] for row in rows)
    assert json.loads(lost.read_text().splitlines()[0])["tokens"] == known


def test_requests_are_under_way_at_once_as_many_as_allowed(
    ninefold: Ninefold, server: LlmServer, tmp_path: Path
) -> None:
    """In all processes together: nobody is answered until four have asked."""
    server.open.clear()
    process = begin(ninefold, *RUN, *MODELS, "-o", str(tmp_path / "r"), "--workers", "2")
    wait_until(lambda: server.most_at_once == 4 or process.poll() is not None)
    server.open.set()
    assert process.communicate(timeout=PATIENCE)[1] == b""
    assert server.most_at_once == 4


@pytest.mark.parametrize("workers", ["1", "2"])
def test_ctrl_c_does_not_wait_for_answers(
    ninefold: Ninefold, server: LlmServer, tmp_path: Path, workers: str
) -> None:
    """However long they take; what was played is kept, and single games of pairs are counted."""
    folder = tmp_path / "r"
    process = begin(ninefold, *RUN, *MODELS, "-o", str(folder), "--workers", workers)
    wait_until(lambda: len([*read_rows(folder)]) >= 1 or process.poll() is not None)
    server.open.clear()
    asked = len(server.requests)
    wait_until(lambda: len(server.requests) > asked or process.poll() is not None)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=PATIENCE)
    rows = [*read_rows(folder)]
    single = [pair for pair, count in Counter(row["pair"] for row in rows).items() if count == 1]
    said = " ".join(errors.decode().split())
    assert process.returncode == 130
    assert said.startswith(f"Stopped after {len(rows)} game")
    assert (f"; {len(single)} pair" in said) == bool(single)
    assert said.endswith(f"Resume with: ninefold arena resume {folder} --run-programs")


def test_the_tutorial_works_as_it_is_written(
    ninefold: Ninefold, server: LlmServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Your own agent and a model enter by the commands in the page, and the report shows them."""
    page = (Path(__file__).parents[2] / "docs" / "arena.md").read_text("utf-8")
    monkeypatch.chdir(tmp_path)
    Path("my_agents.py").write_text(re.findall(r"```py\n(.*?)```", page, re.DOTALL)[0])
    commands = re.findall(r"(?m)^ +ninefold (arena run --players .*(?<!\\)(?:\\\n.*)?)$", page)
    mine, model = (next(one for one in commands if who in one) for who in ("mine=", "llm:my-"))
    for number, written in enumerate((mine, model)):
        fewer = written.replace("my-model", "level:2").replace("rounds 20", "rounds 2")
        words = shlex.split(fewer.replace("\\\n", " ").replace("balanced", "balanced --rounds 2"))
        assert words[-2:] == ["-o", "results"]
        result = ninefold.run(*words[:-1], f"results{number}")
        assert (result.returncode, result.stderr) == (0, "")
    assert len(server.requests) > 12
    assert "mine" in ninefold.run("arena", "show", "results0").stdout
    assert ninefold.run("arena", "report", "results1", "-o", "report.html").returncode == 0
    assert "llm:level:2" in Path("report.html").read_text("utf-8")
