"""What the documents show is what happens."""

import json
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from e2e import examples
from e2e.examples import check_examples
from e2e.program import Ninefold

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
FORMATS = (ROOT / "docs" / "formats.md").read_text("utf-8")
COACH = (ROOT / "docs" / "coach.md").read_text("utf-8")


def block(text: str, start: str) -> list[str]:
    """The indented block that begins with this line, without its indentation."""
    lines = iter(text.split("\n"))
    taken = [next(line for line in lines if line.startswith(f"    {start}"))]
    for line in lines:
        if line and not line.startswith("    "):
            break
        taken.append(line)
    return "\n".join(line[4:] for line in taken).rstrip().split("\n")


def test_the_transcript_in_the_readme_is_real(ninefold: Ninefold) -> None:
    """The command, with what its prompts show typed, prints the rest."""
    command, *shown = block(README, "$ ninefold play")
    typed = [found[1] for line in shown if (found := re.match("Choose a number: (.*)", line))]
    result = ninefold.run(*command.split()[2:], typed="\n".join(typed) + "\n")
    assert result.stdout.rstrip("\n").split("\n") == shown
    assert result.stderr == ""


@pytest.mark.parametrize(
    "name",
    [
        "README.md",
        "docs/api.md",
        "docs/solver.md",
        "docs/coach.md",
        "docs/players.md",
        "docs/auditing.md",
        "docs/environments.md",
        "docs/gymnasium.md",
        "docs/vector.md",
        "docs/pettingzoo.md",
        "docs/openspiel.md",
        "docs/oracle.md",
        "docs/datasets.md",
        "docs/tables.md",
        "docs/text.md",
        "docs/language-models.md",
        "docs/fresh-games.md",
        "docs/evaluating-models.md",
        "docs/training.md",
        "docs/arena.md",
    ],
)
def test_the_python_examples_are_true(name: str) -> None:
    """Each comment states the value of its expression; what follows a colon is a remark."""
    if name == "docs/openspiel.md":
        pytest.importorskip("pyspiel")  # there is no wheel of it for every system
    if name != "docs/tables.md":
        assert check_examples(ROOT / name) >= 3
        return
    if find_spec("jax") is None:
        pytest.skip("JAX is not installed")  # nor of this
    # JAX has threads of its own, and warns in every process that forks after it was imported.
    command = [sys.executable, examples.__file__, str(ROOT / name)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert int(result.stdout) >= 3


def test_the_referee_example_is_real(ninefold: Ninefold) -> None:
    """Two lines in, two objects out."""
    command, *shown = block(FORMATS, "$ printf")
    typed = command.split("'")[1].encode().decode("unicode_escape")
    result = ninefold.run("referee", "sequence-duel-sum", typed=typed)
    assert result.stdout.splitlines() == shown
    assert [json.loads(line)["status"] for line in shown] == ["won", "illegal"]


def test_the_record_example_is_a_record(ninefold: Ninefold, tmp_path: Path) -> None:
    """It is shown to its end by the program."""
    path = tmp_path / "example.ninefold"
    path.write_text("\n".join(block(FORMATS, "[Game ")) + "\n")
    data = ninefold.json("show", str(path))
    assert data["moves"] == ["5", "4", "6"]
    assert (data["winner"], data["reason"]) == (1, "resignation")


def test_the_cards_in_the_page_are_real(ninefold: Ninefold) -> None:
    """The one in full to the letter, the others in the table; no reading is missing."""
    from ninefold import books

    command, *shown = block(COACH, "$ ninefold strategy")
    assert ninefold.run(*command.split()[2:]).stdout.rstrip("\n").split("\n") == shown
    for name in books.names():
        for reading in books.load_book(name).readings:
            row = next(
                line for line in COACH.split("\n") if line.startswith(f"| `{name}` | `{reading}` |")
            )
            line = row.split("|")[3].strip()
            if line.startswith("Open"):
                card = ninefold.run("strategy", name, "--reading", reading).stdout
                assert f"\n\n{line}\n\nChecked" in card
            else:
                assert name == "sequence-capture"


def test_the_schedule_in_the_page_is_the_schedule() -> None:
    """The days of the page are those of the program."""
    from ninefold.coach.practice import INTERVALS

    *most, last = INTERVALS
    *some, before = most
    words = f"{', '.join(map(str, some))}, {before} and then every {last} days"
    assert words in " ".join(COACH.split())


def test_no_link_leads_nowhere() -> None:
    """Files are there, and headings, in every page."""
    for page in [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]:
        prose = re.sub(r"(?sm)```.*?```|^    [^\n]*$", "", page.read_text("utf-8"))
        for link in re.findall(r"\]\(([^)\s]+)\)", prose):
            path, _, heading = link.partition("#")
            if "://" in path:
                continue
            target = (page.parent / path) if path else page
            assert target.exists(), (page.name, link)
            assert not heading or heading in headings(target.read_text("utf-8")), (page.name, link)


def headings(text: str) -> list[str]:
    """What headings are called in links."""
    found = re.findall(r"(?m)^#+ (.*)$", text)
    return [re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in found]


def test_every_game_is_in_the_readme() -> None:
    """The table of games is complete."""
    from ninefold import books

    for name in books.names():
        assert f"| `{name}` |" in README


@pytest.mark.long
def test_the_tables_of_levels_are_measured() -> None:
    """A fresh run of the measurement prints what the page shows."""
    page = (ROOT / "docs" / "players.md").read_text("utf-8")
    script = [sys.executable, str(ROOT / "benchmarks" / "levels.py")]
    printed = subprocess.run(script, capture_output=True, text=True, check=True).stdout
    for table in printed.strip().split("\n\n"):
        assert table in page


def test_every_kind_of_player_is_documented() -> None:
    """The page names each of them, and each level."""
    from ninefold.players import HUMAN, KINDS, LEVELS

    page = (ROOT / "docs" / "players.md").read_text("utf-8")
    for kind in (HUMAN, *(kind for kind in KINDS if ":" not in kind)):
        assert f"| `{kind}` |" in page
    assert all(f"\n| {level} |" in page for level in LEVELS)


def test_the_solved_position_in_the_page_is_real(ninefold: Ninefold) -> None:
    """The table, without the line that tells how long it took."""
    page = (ROOT / "docs" / "solver.md").read_text("utf-8")
    command, *shown = block(page, "$ ninefold solve magic-fifteen")
    result = ninefold.run(*shlex.split(command)[2:])
    assert result.stdout.splitlines()[: len(shown)] == shown
    assert len(shown) == 8


@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.long] * ("5-in-31" in path.name), id=path.name)
        for path in sorted((ROOT / "docs" / "ladder").iterdir())
    ],
)
def test_the_certificates_of_the_ladder_are_verified(ninefold: Ninefold, path: Path) -> None:
    """Each file shows what its name and the page about the solver say of that pool."""
    length, size = map(int, path.name.removesuffix(".txt.gz").split("-in-"))
    data = ninefold.json("verify", str(path))
    assert data["verified"]
    assert data["changes"] == [f"pool=1-{size}", f"wins.arithmetic.length={length}", "ending=[]"]
    assert data["moves"] == ""
    page = (ROOT / "docs" / "solver.md").read_text("utf-8")
    (row,) = re.findall(rf"^\| {length} \| (.*) \|$", page, re.MULTILINE)
    smallest = int(row.split(" | ")[0].removeprefix("1-"))
    assert data["value"] == ("win" if size == smallest else "draw")
    assert size in (smallest, smallest - 1)


def test_every_plane_and_action_of_the_environments_is_documented() -> None:
    """And every argument of the environment."""
    from inspect import signature

    from ninefold import books
    from ninefold.encoding import encoding_for
    from ninefold.envs.gym.single import NinefoldEnv
    from ninefold.envs.gym.vector import NinefoldVectorEnv

    page = (ROOT / "docs" / "environments.md").read_text("utf-8")
    rare = ("passing=true", "pie=true", "picks-per-turn=2", "otherwise='first'")
    last = ("passing=true", "ending=[{measure='last-pick',prefer='lower'}]")
    games = [books.load_book("magic-fifteen", None, changes).game for changes in (rare, last)]
    readings = {"pattern-builder": "declare", "sequence-duel-sum": "lose-turn"}
    readings["sequence-builder"] = "three-slots-in-order"
    games += [books.load_book(name, reading).game for name, reading in readings.items()]
    for encoding in map(encoding_for, games):
        for word in (*encoding.planes, *encoding.words):
            assert f"`{word}`" in page, word
    single, many = signature(NinefoldEnv).parameters, signature(NinefoldVectorEnv).parameters
    told = {"gymnasium": {*single}, "vector": {*many} - {*single, "num_envs"}}  # Gymnasium's own
    for name, arguments in told.items():
        page = (ROOT / "docs" / f"{name}.md").read_text("utf-8")
        for argument in arguments:
            assert f"`{argument}`" in page, argument


def test_every_column_of_a_dataset_is_documented() -> None:
    """As the data card does it."""
    from ninefold.datasets.rows import COLUMNS

    page = (ROOT / "docs" / "datasets.md").read_text("utf-8")
    for name, (kind, meaning) in COLUMNS.items():
        assert f"| `{name}` | {kind} | {meaning} |\n" in page


def test_every_option_and_repair_of_language_models_is_documented() -> None:
    """And every variable that they read."""
    from ninefold.llm_text import FACTORS, REPAIRS
    from ninefold.players.llm import options, settings

    page = (ROOT / "docs" / "language-models.md").read_text("utf-8")
    for name in (*options.NAMES, *settings.URL, *settings.KEY):
        assert f"`{name}`" in page, name
    source = Path(settings.__file__).read_text("utf-8")
    for name in re.findall(r'(?:read\(|PREFIX\})"?([A-Z]+)', source):
        assert f"`{settings.PREFIX}{name}`" in page, name
    for name, values in FACTORS.items():
        row = next(line for line in page.split("\n") if line.startswith(f"| `{name}` |"))
        assert all(f"`{value}`" in row for value in values), name
    text = (ROOT / "docs" / "text.md").read_text("utf-8")
    table = text.partition("| repair |")[2].partition("\n\n")[0]
    assert re.findall(r"(?m)^\| `([a-z-]+)` \|", table) == [*REPAIRS]


def test_every_code_of_an_unreadable_answer_is_documented() -> None:
    """And no code that there is not."""
    source = (ROOT / "src" / "ninefold" / "llm_text" / "answers.py").read_text("utf-8")
    codes = set(re.findall(r'Unreadable\(\s*"([a-z-]+)"', source))
    page = (ROOT / "docs" / "text.md").read_text("utf-8")
    table = page.partition("| code |")[2].partition("\n\n")[0]
    assert set(re.findall(r"(?m)^\| `([a-z-]+)` \|", table)) == codes
