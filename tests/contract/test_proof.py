"""The search for large pools against the tables, and its certificates against tampering."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from itertools import combinations
from random import Random

import pytest
from effort import examples
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from contract.strategies import Twins, open_rules, pools, ways, with_limits
from contract.test_tables import random_positions
from contract.walks import READINGS, Case, walk
from ninefold import books
from ninefold.core.game import Game
from ninefold.core.patterns import Pattern
from ninefold.core.position import Position
from ninefold.core.rules import PREFERENCES, Criterion, Preference, Restriction, Rules
from ninefold.solver import Solver
from ninefold.solver.certificate import (
    Answers,
    Certificate,
    CertificateError,
    Strategy,
    format_certificate,
    parse_certificate,
)
from ninefold.solver.certify import certify
from ninefold.solver.one_by_one import OneByOne
from ninefold.solver.proof import LargeSearch, ProofSearch, is_provable
from ninefold.solver.proof.board import MEASURES, WIN, final
from ninefold.solver.scores import Budget, Result, sign_of
from ninefold.solver.symmetry import symmetries
from ninefold.solver.verify import Refuted, verify

# What one worker compiles, all others find on the disk.
pytestmark = pytest.mark.xdist_group("compiling")

PROVABLE = [case for case in READINGS if is_provable(case.game.rules)]


def ladder(length: int, size: int) -> Game:
    """Progressions of this length, a draw when the pool is exhausted."""
    pattern = Pattern("arithmetic", (("length", length),))
    return Game(Rules(tuple(range(1, size + 1)), (pattern,)))


@st.composite
def provable_games(draw: st.DrawFn, size: tuple[int, int]) -> Game:
    """Games of ordinary rules, with every way to win and every measure that the search knows."""
    pool = draw(pools(size))
    way = ways(pool, (3, 4)).filter(lambda way: not way.engine.is_whole_hand)
    links = [Criterion(measure, prefer) for measure in MEASURES for prefer in PREFERENCES]
    wins, ending = (
        draw(st.lists(way, max_size=3)),
        draw(st.lists(st.sampled_from(links), max_size=3)),
    )
    return Game(Rules(pool, tuple(way.engine for way in wins), tuple(ending)))


def certificate_of(position: Position, first: int = 1, moves: str = "") -> Certificate:
    """A certificate of the exact result of a position."""
    game, result = position.game, Solver(position.game).value(position).result
    strategies = certify(position, result)
    images = tuple(symmetries(game)[1:])
    return Certificate(
        "game", "default", (), game.fingerprint, first, moves, result, images, strategies
    )


@pytest.mark.slow
@pytest.mark.parametrize("case", PROVABLE, ids=str)
def test_every_position_of_every_ordinary_book(case: Case) -> None:
    """Whether either player wins is what the table says, in every position."""
    solver = Solver(case.game)
    one, two = ProofSearch(case.game, 1), ProofSearch(case.game, 2)
    count = 0
    for _, position in walk(case):
        if position.outcome is None:
            result = solver.value(position).result
            where = position.masks, position.turn
            mine, theirs = (one, two) if position.turn == 1 else (two, one)
            assert mine.wins(*where) == (result == "win"), position
            assert theirs.wins(*where) == (result == "loss"), position
            count += 1
    assert count > 1000


@pytest.mark.slow
@given(game=provable_games((1, 10)), seed=st.integers(0, 999))
@settings(max_examples=examples(15))
def test_random_rules(game: Game, seed: int) -> None:
    """Any ordinary rules: the table's result, and its length wherever a length is told."""
    assert is_provable(game.rules)
    solver, large = Solver(game), LargeSearch(game, Budget())
    for position in random_positions(game, seed, 2):
        expected, found = solver.value(position), large.value(position)
        assert found.result == expected.result, position
        assert found.plies in (expected.plies, None), position
        assert found.plies is not None or game.rules.ending, position


@pytest.mark.slow
@given(twins=with_limits(open_rules((1, 7))), seed=st.integers(0, 999))
@settings(max_examples=examples(15), suppress_health_check=list(HealthCheck))
def test_positions_one_by_one_under_random_limits(twins: Twins, seed: int) -> None:
    """Restrictions, caps, losing sets, ends of the row, stuck players: the result of the tables."""
    game = Game(twins.engine)
    assume(not game.turns.is_endless)
    solver, search = Solver(game), OneByOne(game, Budget())
    for position in random_positions(game, seed, 2):
        assert search.result(position) == sign_of(solver.score(position)), position


def test_games_with_limits_are_solved_on_large_pools() -> None:
    """Each number divides the one before or is a multiple of it; who is stuck has lost."""
    related = Restriction("divisor-or-multiple", "last")
    last = (Criterion("last-pick", "higher"),)
    game = Game(Rules(tuple(range(1, 21)), (), last, restrictions=(related,)))
    solver = Solver(game)
    assert solver.result(game.start()) == "win"
    winning = [n for n in game.pool if solver.move_value(game.start(), n, False).result == "win"]
    assert winning == [n for n in game.pool if n not in (1, 14)]


@pytest.mark.parametrize(("length", "prefer"), [(3, "higher"), (4, "lower"), (5, "higher")])
def test_sums_are_settled_by_pairs(length: int, prefer: Preference) -> None:
    """Whoever has the better sum anyway only has to stop the sets, and pairs show that at once."""
    run, ending = Pattern("consecutive", (("length", length),)), (Criterion("hand-sum", prefer),)
    game = Game(Rules(tuple(range(1, 21)), (run,), ending))
    large = LargeSearch(game, Budget())
    assert large.result(game.start()) == "win"
    assert large.positions < 100


@pytest.mark.slow
@given(game=provable_games((1, 9)), seed=st.integers(0, 999))
@settings(max_examples=examples(12))
def test_certificates_of_random_rules(game: Game, seed: int) -> None:
    """A certificate of any position of any ordinary rules is verified, also after its text."""
    position = random_positions(game, seed, 1)[-1]
    moves = " ".join(str(number) for number in _interleaved(position))
    first = position.turn if sum(map(len, position.hands)) % 2 == 0 else 3 - position.turn
    certificate = certificate_of(position, first, moves)
    assert parse_certificate(format_certificate(certificate)) == certificate
    verify(game, certificate)


def _interleaved(position: Position) -> list[int]:
    """The moves of a game without lost turns, from its two hands."""
    one, two = position.hands
    if len(one) < len(two) or (len(one) == len(two) and position.turn == 2):
        one, two = two, one
    return [hand[at] for at in range(len(one)) for hand in (one, two) if at < len(hand)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("length", "size", "result"),
    [(3, 4, "draw"), (3, 5, "win"), (4, 14, "draw"), (4, 15, "win"), (5, 24, "draw")],
)
def test_the_ladder(length: int, size: int, result: Result) -> None:
    """Results of the ladder, each shown by a certificate that is verified."""
    game = ladder(length, size)
    search = ProofSearch(game, 1)
    assert search.wins((0, 0), 1) == (result == "win")
    strategies = certify(game.start(), result, {1: search, 2: ProofSearch(game, 2)})
    images = tuple(symmetries(game)[1:])
    assert len(images) > 0
    shown = Certificate("game", "default", (), game.fingerprint, 1, "", result, images, strategies)
    verify(game, shown)
    opposite = "draw" if result == "win" else "win"
    with pytest.raises(Refuted, match="do not show"):
        verify(game, shown._replace(value=opposite))


def test_the_symmetries_of_magic_fifteen() -> None:
    """The magic square has eight symmetries; an ending that prefers high numbers leaves one."""
    assert len(symmetries(books.load_book("magic-fifteen").game)) == 8
    assert len(symmetries(books.load_book("sequence-capture").game)) == 1


def tampered(certificate: Certificate, answers: Answers) -> Certificate:
    """The certificate with other answers in its last strategy."""
    *others, last = certificate.strategies
    return certificate._replace(strategies=(*others, last._replace(answers=answers)))


def without(answers: Answers, left_out: int, put: str | None = None) -> Answers:
    """The answers without one of them, or with another text in its place."""
    changed = Answers()
    for at, (own, other, text) in enumerate(answers.rows()):
        if at != left_out:
            changed.add(own, other, text)
        elif put is not None:
            changed.add(own, other, put)
    return changed


@pytest.mark.slow
@pytest.mark.parametrize(("length", "size"), [(4, 14), (4, 15)])
def test_every_answer_is_needed(length: int, size: int) -> None:
    """Without any one of its answers, a certificate of a win or a draw is refuted."""
    game = ladder(length, size)
    certificate = certificate_of(game.start())
    answers = certificate.strategies[-1].answers
    # Pairs that close a position early, where the number is plain, are a short cut only.
    needed = [at for at, row in enumerate(answers.rows()) if not row[2].startswith("pairs")]
    assert len(needed) > 50
    for at in needed:
        with pytest.raises(Refuted, match=r"there is no answer|completes a set|complete a set"):
            verify(game, tampered(certificate, without(answers, at)))


@pytest.mark.parametrize(
    ("put", "code"),
    [
        ("1:2", None),
        ("99", "illegal"),
        ("pairs:1:1", "bad-pair"),
        ("pairs:1:99", "bad-pair"),
        ("pairs:1:2,2:3", "bad-pair"),
        ("pairs:", "bad-pairs"),
    ],
)
def test_a_wrong_answer_is_refuted(put: str, code: str | None) -> None:
    """Numbers that are not there and pairs that do not hold are seen; what is no answer, too."""
    game = ladder(4, 14)
    certificate = certificate_of(game.start())
    answers = certificate.strategies[-1].answers
    first = next(at for at, row in enumerate(answers.rows()) if "pairs" not in row[2])
    changed = tampered(certificate, without(answers, first, put))
    if code is None:
        with pytest.raises(CertificateError, match="cannot be read"):
            parse_certificate(format_certificate(changed))
        return
    with pytest.raises(Refuted) as refuted:
        verify(game, parse_certificate(format_certificate(changed)))
    assert refuted.value.code == code


def test_a_certificate_shows_its_own_claim_only() -> None:
    """Other rules, a wrong value, a stolen strategy and a false symmetry are refused."""
    game = ladder(4, 14)
    certificate = certificate_of(game.start())
    hold = certificate.strategies[1]
    swapped = (1, 0, *range(2, 14))
    cases = {
        "other-rules": certificate._replace(rules="0" * 16),
        "incomplete": certificate._replace(strategies=(hold,)),
        "no-stealing": certificate._replace(
            strategies=(certificate.strategies[0], Strategy(2, "hold", Answers(), stealing=True))
        ),
        "bad-symmetry": certificate._replace(symmetries=(swapped,)),
    }
    for code, changed in cases.items():
        with pytest.raises(Refuted) as refuted:
            verify(game, changed)
        assert refuted.value.code == code
    declared = books.load_book("pattern-builder", "declare").game
    with pytest.raises(Refuted, match="no certificates for this reading"):
        verify(declared, certificate._replace(rules=declared.fingerprint))


@cache
def first_lines() -> list[str]:
    """How the text of a certificate begins."""
    return list(format_certificate(certificate_of(ladder(3, 4).start())))[:2]


@given(text=st.text(max_size=200))
def test_any_text_is_a_certificate_or_refused(text: str) -> None:
    """Strangers' files are read or refused, never anything else."""
    for lines in ([text], [*first_lines(), *text.splitlines(keepends=True)]):
        try:
            parse_certificate(lines)
        except CertificateError as error:
            assert error.message


def test_rules_that_do_not_fit_are_left_to_another_search() -> None:
    """Very large sets and very large numbers would not be exact in 64 bits."""
    wide = Pattern("consecutive", (("length", 56),))
    short = Pattern("arithmetic", (("length", 3),))
    assert not is_provable(Rules(tuple(range(1, 65)), (wide, short)))
    assert not is_provable(Rules((*range(1, 64), 10**18 * 5), (short,)))
    assert is_provable(Rules(tuple(range(1, 65)), (short,)))


def test_losing_sets_are_left_to_another_search() -> None:
    """The proof search, the verifier and bitboards would overlook them."""
    three = Pattern("arithmetic", (("length", 3),))
    assert not is_provable(Rules(tuple(range(1, 31)), (), losses=(three,)))


def test_certificates_of_a_hundred_numbers() -> None:
    """A strategy on the largest pool is written, read and verified, the highest numbers too."""
    highest = Pattern("sets", (("sets", tuple(combinations(range(95, 101), 3))),))
    game = Game(Rules(tuple(range(1, 101)), (highest,)))
    written = list(format_certificate(certificate_of(game.start())))
    read = parse_certificate(written)
    assert read.value == "win" and list(format_certificate(read)) == written
    assert verify(game, read) > 0
    rows = [row.split(" ") for row in written[3:]]
    assert 16 < max(len(own) for own, _, _ in rows) <= 25
    with pytest.raises(CertificateError, match="Line 4"):
        parse_certificate([*written[:3], f"{'f' * 26} 0 98", *written[3:]])


@given(st.integers(0, 10**6))
@settings(max_examples=examples(6))
def test_the_ending_on_a_hundred_numbers(seed: int) -> None:
    """Runs that begin anywhere in the pool are compared as the judge compares them."""
    links = (Criterion("longest-run", "higher"), Criterion("run-start", "higher"))
    game = Game(Rules(tuple(range(1, 101)), (), links))
    numbers = Random(seed).sample(game.pool, 100)
    outcome = game.play(numbers).outcome
    assert outcome is not None
    masks = game.mask(numbers[::2]), game.mask(numbers[1::2])
    search = ProofSearch(game, 1)
    search.load(masks, 1)
    assert (search.run(final)(search.board, 2) == WIN) == (outcome.winner == 1)


def test_sets_of_one_number() -> None:
    """Whoever can take the one number that wins does; the certificate knows it as well."""
    one = Pattern("sum", (("count", 1), ("equals", 5)))
    game = Game(Rules(tuple(range(1, 10)), (one, Pattern("arithmetic", (("length", 3),)))))
    certificate = certificate_of(game.start())
    assert certificate.value == "win"
    verify(game, certificate)


def test_a_result_is_not_forgotten_when_the_time_ends() -> None:
    """A budget that ends while the length of a win is looked for leaves the win."""
    game = ladder(4, 24)
    needed = Solver(game)
    assert needed._large is not None
    assert needed._large.result(game.start()) == "win"
    proved = needed.positions
    value = Solver(game, lambda positions: positions > proved).value(game.start())
    assert value == ("win", None)


@pytest.mark.slow
def test_without_numba_the_same_search_runs_as_plain_python(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The fallback looks at the same positions in the same order, and finds the same."""
    monkeypatch.setattr("ninefold.solver.proof.CHUNK", 1_000_000)
    program = (
        "import sys; sys.modules['numba'] = None\n"
        "from ninefold.solver import compiled, proof\n"
        "from ninefold.solver.proof import ProofSearch\n"
        "from contract.test_proof import ladder\n"
        "assert not compiled.COMPILED\n"
        "proof.CHUNK = 1_000_000\n"
        "for length, size in ((4, 14), (4, 15), (5, 20)):\n"
        "    search = ProofSearch(ladder(length, size), 1)\n"
        "    print(search.wins((0, 0), 1), search.positions)\n"
    )
    shown = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={"PYTHONPATH": "tests", "PATH": ""},
    ).stdout
    expected = ""
    for length, size in ((4, 14), (4, 15), (5, 20)):
        search = ProofSearch(ladder(length, size), 1)
        expected += f"{search.wins((0, 0), 1)} {search.positions}\n"
    assert shown == expected
    assert "True" in shown and "False" in shown
