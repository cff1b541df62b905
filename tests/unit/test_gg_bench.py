"""gg-bench's protocol: 30 games each, every second one begun by the model, five attempts."""

from collections import Counter
from pathlib import Path

import pytest
from llm_server import LlmServer

from ninefold import books
from ninefold.arena.presets import gg_bench, gg_bench_scores
from ninefold.arena.results import read_rows
from ninefold.arena.run import run
from ninefold.arena.tournament import make_tournament, read_tournament
from ninefold.players import NoMove
from ninefold.players.llm import LlmPlayer
from ninefold.players.llm.endpoint import Endpoint
from ninefold.players.llm.settings import settings_from
from ninefold.referee.whole_game import play

ROOT = Path(__file__).parents[2]
FIFTEEN = {"game": "magic-fifteen"}


def row(
    winner: int | None, reason: str = "sum", book: str = "a", seat: int = 2
) -> dict[str, object]:
    """A game between the opponent and a model, who has this seat."""
    players = ["level:3", "m"] if seat == 2 else ["m", "level:3"]
    about = {"book": book, "reading": "", "changes": [], "players": players}
    return {**about, "winner": winner, "reason": reason}


def test_thirty_games_from_both_seats(tmp_path: Path) -> None:
    """Fifteen begun by each, against the same opponent."""
    tournament = make_tournament(gg_bench([{"player": "random"}], [FIFTEEN]))
    run(tmp_path, tournament, 1)
    rows = [*read_rows(tmp_path)]
    assert Counter(tuple(one["players"]) for one in rows) == {
        ("random", "level:3"): 15,
        ("level:3", "random"): 15,
    }
    (score,) = gg_bench_scores(rows, "level:3")
    wins = sum(one["winner"] == one["players"].index("random") + 1 for one in rows)
    assert (score.player, score.win_rate, score.interval) == ("random", wins / 30, None)


def test_a_model_is_asked_as_in_the_protocol() -> None:
    """Legal moves listed, no thoughts, five attempts with the same prompt; own options stay."""
    fields = gg_bench([{"player": "llm:m"}, {"name": "x", "player": "llm:m?think=yes"}])
    one, two = (each["player"] for each in fields["players"][1:])
    assert one == "llm:m?legal=yes&think=no&retries=4&follow-up=no"
    assert two == "llm:m?legal=yes&think=yes&retries=4&follow-up=no"
    assert [each["game"] for each in fields["games"]] == [*books.names()]


def test_five_attempts_have_the_same_prompt() -> None:
    """Then the game is lost; the model is never told what was wrong."""
    game = books.load_book("magic-fifteen").game
    with LlmServer(game, says="banana") as server:
        settings = settings_from({"NINEFOLD_LLM_URL": server.url, "NINEFOLD_LLM_KEY": "none"})
        spec = gg_bench([{"player": "llm:m"}])["players"][1]["player"].removeprefix("llm:")
        player = LlmPlayer(spec, Endpoint(settings))
        played = play(game, (player, "random"), 0)
        player.close()
    assert (played.outcome.winner, played.outcome.reason) == (2, "unreadable-answer")
    assert len(server.requests) == 5
    assert len({str(one["messages"]) for one in server.requests}) == 1
    assert len(server.requests[0]["messages"]) == 1
    assert "Legal answers: 1, 2, 3" in server.requests[0]["messages"][0]["content"]
    assert issubclass(NoMove, Exception)


def test_the_score_is_that_of_the_published_report() -> None:
    """The mean over games of wins per game that ended without a fault; 1.96 standard errors."""
    first = [row(2), row(1), row(None, "draw"), row(1, "unreadable"), row(1, seat=1)]
    second = [row(1, book="b"), row(2, book="b", seat=1), row(2, book="b"), row(1, "illegal", "b")]
    (score,) = gg_bench_scores([*first, *second], "level:3")
    one, two = score.games
    assert one[1:] == (2, 1, 1, 1) and one.win_rate == 2 / 4
    assert two[1:] == (1, 2, 0, 1) and two.win_rate == 1 / 3
    assert score.win_rate == pytest.approx(5 / 12)
    wide = 1.96 * (((1 / 2 - 5 / 12) ** 2 * 2) / 1 / 2) ** 0.5
    assert score.interval == pytest.approx((5 / 12 - wide, 5 / 12 + wide))
    assert score.win_rate_of_all == pytest.approx((2 / 5 + 1 / 4) / 2)


def test_the_file_of_the_docs_is_the_preset() -> None:
    """Word for word the same tournament."""
    written = read_tournament(str(ROOT / "docs" / "examples" / "gg-bench.toml"))
    assert written == make_tournament(gg_bench([{"name": "model", "player": "llm:MODEL"}]))
