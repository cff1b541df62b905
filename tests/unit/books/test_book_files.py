"""Rule books from files: what is read, what is refused, what is inherited, what is made up."""

import os
from pathlib import Path

import pytest

import ninefold
from ninefold import books
from ninefold.books.check import examine_text
from ninefold.books.families import FAMILIES as FAMILY_WORDS
from ninefold.books.families import MEASURES as MEASURE_WORDS
from ninefold.books.faults import BookError
from ninefold.books.sources import MAX_BYTES, BookFileError
from ninefold.core.errors import NinefoldError
from ninefold.core.patterns import FAMILIES
from ninefold.core.rules import MEASURES, Criterion

SMALL = '[rules]\npool = "1-5"\n[rules.wins.sum-triple]\n'


def write(path: Path, text: str) -> str:
    """Write a file; its path."""
    path.write_text(text, "utf-8")
    return str(path)


def faults(path: Path, text: str, reading: str | None = None) -> list[str]:
    """What is wrong with a file, each fault as a line."""
    with pytest.raises(BookError) as caught:
        books.load_book(write(path, text), reading)
    return [str(fault) for fault in caught.value.faults]


def test_a_file_is_loaded_wherever_a_game_is_named(tmp_path: Path) -> None:
    """From Python as from the command line, by a path or by a name that ends with .toml."""
    path = write(tmp_path / "my_Small game.toml", SMALL)
    book = books.load_book(path)
    assert (book.id, book.title) == ("my-small-game", "My Small Game")
    assert ninefold.load(path).play("1 2 4 3 5").outcome == ninefold.Outcome(
        1, "sum-triple", ((1, 4, 5),)
    )
    assert ninefold.load(path, changes=["pool=1-7"]).pool == (1, 2, 3, 4, 5, 6, 7)


def test_a_file_is_read_anew_each_time(tmp_path: Path) -> None:
    """A designer changes it and tries again, in one session."""
    path = write(tmp_path / "a.toml", SMALL)
    assert len(ninefold.load(path).pool) == 5
    write(tmp_path / "a.toml", SMALL.replace("1-5", "1-6"))
    assert len(ninefold.load(path).pool) == 6


def test_what_is_no_readable_file_is_refused_in_a_sentence(tmp_path: Path) -> None:
    """Missing, a folder, a device, a pipe nobody writes to, too large, no text, no permission."""
    os.mkfifo(tmp_path / "pipe.toml")
    (tmp_path / "large.toml").write_bytes(b"#" * (MAX_BYTES + 1))
    (tmp_path / "latin.toml").write_bytes(b"# one\n# caf\xe9\n")
    told = {
        str(tmp_path / "none.toml"): "No such file or directory.",
        str(tmp_path) + "/": "Is a directory.",
        str(tmp_path / "pipe.toml"): "it is not a regular file.",
        "/dev/zero": "it is not a regular file.",
        str(tmp_path / "large.toml"): "it has more than 262,144 bytes.",
        str(tmp_path / "latin.toml"): "line 2 is not UTF-8 text.",
        str(tmp_path / "a\0b.toml"): "embedded null byte.",
    }
    for path, why in told.items():
        with pytest.raises(BookFileError) as caught:
            books.load_book(path)
        assert caught.value.message.startswith("Cannot read the rule book ")
        assert caught.value.message.endswith(why)


def test_the_largest_file_is_read(tmp_path: Path) -> None:
    """The bound itself is allowed."""
    path = write(tmp_path / "a.toml", SMALL + "#" * (MAX_BYTES - len(SMALL)))
    assert books.load_book(path).id == "a"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("a = ", ["line 1: the file: not valid TOML: Invalid value"]),
        ("\n[rules\n", ["line 2: the file: not valid TOML: Expected ']' at the end of a table "]),
        ("a = 1\na = 2", ["line 2: the file: not valid TOML: Cannot overwrite a value"]),
        ("a = " + "[" * 9_999, ["the file: is nested too deeply"]),
        ("a = " + "9" * 9_999, ["the file: a number has too many digits"]),
        ("\n" + "a." * 9_999 + "a = 1", ["line 2: the file: a key has too many dotted parts"]),
        ("\n" + '"a" . ' * 9_999 + "a = 1", ["line 2: the file: a key has too many dotted parts"]),
    ],
)
def test_what_is_no_toml_is_refused_with_its_line(
    tmp_path: Path, text: str, told: list[str]
) -> None:
    """In no time, whatever it is."""
    found = faults(tmp_path / "a.toml", text)
    assert [line[: len(expected)] for line, expected in zip(found, told, strict=True)] == told


def test_faults_name_their_lines_and_what_stands_there(tmp_path: Path) -> None:
    """In the order of the file, in the reading in force, and not for what --set brings in."""
    text = (
        '[rules]\npool = "1-199"\n[rules.wins.aritmetic]\n[words]\nwon = [\n  "a",\n  "{b}"]\n'
        '[readings.x]\nrules.misere = "yes"\n'
    )
    base = [
        'line 2: rules.pool: must have at most 100 numbers, not 199; found "1-199"',
        "line 3: rules.wins.aritmetic: needs a family, one of arithmetic, geometric, consecutive, "
        "sum-triple, sum, product, kind, chain, sets (did you mean arithmetic?)",
        'line 7: words.won[1]: unknown placeholder {b}; found "{b}"',
    ]
    assert faults(tmp_path / "a.toml", text) == base
    wrong = 'line 9: readings.x.rules.misere: must be true or false; found "yes"'
    assert faults(tmp_path / "a.toml", text, "x") == [*base, wrong]
    path = write(tmp_path / "b.toml", SMALL)
    with pytest.raises(BookError, match=r"b.toml with pool=9-1 .*:\n  rules.pool: a range"):
        books.load_book(path, None, ("pool=9-1",))


def test_a_book_inherits_how_it_is_played_and_not_what_is_said_about_it(tmp_path: Path) -> None:
    """Rules, words, play and readings; not title, text, notes, examples or claims."""
    path = write(tmp_path / "twelve.toml", 'extends = "sequence-builder"\nrules.pool = "1-12"\n')
    book, parent = books.load_book(path), books.load_book("sequence-builder")
    assert book.game.rules == parent.game.rules._replace(pool=tuple(range(1, 13)))
    assert book.words == parent.words
    assert (book.readings, book.reading) == (parent.readings, "open-hand")
    assert (book.id, book.title, book.notes) == ("twelve", "Twelve", "")
    assert (book.examples, book.claims) == ((), ())
    assert book.summary == (
        "Hold three numbers in arithmetic progression or three numbers in geometric progression."
    )
    assert "the numbers 1 to 12" in book.text
    assert books.load_book(path, "three-slots").game.rules.hand_limit == 3


def test_a_child_takes_away_what_it_does_not_want(tmp_path: Path) -> None:
    """A family or a reading that is false; a list is replaced as a whole."""
    text = (
        'extends = "pattern-builder"\nreadings.declare = false\n[rules]\nwins.geometric = false\n'
        'ending = [{ measure = "last-pick", prefer = "lower" }]\n'
    )
    book = books.load_book(write(tmp_path / "a.toml", text))
    assert [pattern.family for pattern in book.game.rules.wins] == ["arithmetic"]
    assert [*book.readings] == ["automatic"]
    assert book.game.rules.ending == (Criterion("last-pick", "lower"),)


def test_files_extend_files_beside_them(tmp_path: Path) -> None:
    """The path is relative to the file that says it, wherever the program runs."""
    (tmp_path / "deep").mkdir()
    write(tmp_path / "base.toml", SMALL)
    write(tmp_path / "deep" / "middle.toml", 'extends = "../base.toml"\nrules.misere = true\n')
    path = write(tmp_path / "a.toml", 'extends = "deep/middle.toml"\nrules.hand-limit = 3\n')
    rules = books.load_book(path).game.rules
    assert (rules.pool, rules.misere, rules.hand_limit) == ((1, 2, 3, 4, 5), True, 3)


def test_faults_of_a_parent_are_found_in_its_file(tmp_path: Path) -> None:
    """With the name of that file."""
    write(tmp_path / "base.toml", "\n\n" + SMALL.replace("1-5", "5-1"))
    with pytest.raises(BookError) as caught:
        books.load_book(write(tmp_path / "a.toml", 'extends = "base.toml"\n'))
    (fault,) = caught.value.faults
    base = str(tmp_path / "base.toml")
    assert (fault.path, fault.place) == ("rules.pool", (base, 4, 1))
    assert str(fault).startswith(f"{base}, line 4: rules.pool: a range")


@pytest.mark.parametrize(
    ("extends", "told"),
    [
        ('"none.toml"', "Cannot read the rule book"),
        (
            '"sequence-captur"',
            'there is no game "sequence-captur" (did you mean sequence-capture?)',
        ),
        (
            '"xyzzy"',
            'there is no game "xyzzy" (the games are magic-fifteen, pattern-builder, '
            "sequence-builder, sequence-capture, sequence-duel-arithmetic, sequence-duel-sum; "
            "for a file, write ./xyzzy.toml)",
        ),
        ('"a.toml"', '"a.toml" leads back to this file, in a circle'),
        ('"/etc/a.toml"', "must be a path relative to this file"),
        ("3", "must be the id of a game or the path of a file"),
        ('""', "must be the id of a game or the path of a file"),
    ],
)
def test_a_parent_that_is_none_is_a_fault_with_its_line(
    tmp_path: Path, extends: str, told: str
) -> None:
    """Missing, misspelt, in a circle, or no name at all."""
    (fault,) = faults(tmp_path / "a.toml", f'title = "A"\nextends = {extends}\n')
    assert fault.startswith(f"line 2: extends: {told}")


def test_circles_and_long_chains_end(tmp_path: Path) -> None:
    """A chain has at most eight books behind the first."""
    write(tmp_path / "a.toml", 'extends = "b.toml"\n')
    (fault,) = faults(tmp_path / "b.toml", 'extends = "a.toml"\n')
    assert "leads back to this file" in fault
    for number in range(10):
        write(tmp_path / f"n{number}.toml", f'extends = "n{number + 1}.toml"\n')
    write(tmp_path / "n10.toml", SMALL)
    assert books.load_book(str(tmp_path / "n2.toml")).id == "n2"
    with pytest.raises(BookError, match="at most 8 books may extend each other in a row"):
        books.load_book(str(tmp_path / "n1.toml"))


def test_a_book_with_readings_and_no_default_is_its_own_default(tmp_path: Path) -> None:
    """A reading without a summary is told by what it changes."""
    path = write(tmp_path / "a.toml", SMALL + "[readings.other]\nrules.misere = true\n")
    book = books.load_book(path)
    assert {name: reading.summary for name, reading in book.readings.items()} == {
        "default": "The book as it stands.",
        "other": "Changes rules.misere.",
    }
    assert book.reading == "default"
    assert books.load_book(path, "other").game.rules.misere


def test_every_family_and_measure_can_be_put_into_words() -> None:
    """Nothing is missing and nothing is left over."""
    assert FAMILY_WORDS.keys() == FAMILIES.keys()
    assert set(MEASURE_WORDS) == set(MEASURES)


def test_a_generated_text_says_every_rule(tmp_path: Path) -> None:
    """Numbers, limit, sets with an example of this pool, order, policy and ending."""
    text = (
        "[rules]\npool = [2, 4, 6, 8, 12]\nhand-limit = 3\nin-order = true\n"
        'invalid = "lose-turn"\nending = [\n  { measure = "hand-sum", prefer = "lower" },\n'
        '  { measure = "longest-run", prefer = "higher" },\n]\n'
        "[rules.wins]\narithmetic.length = 3\nsum = { count = 3, equals = 20 }\n"
    )
    book = books.load_book(write(tmp_path / "a.toml", text))
    assert book.text == (
        "Two players share the numbers 2 4 6 8 12. On your turn you take one free "
        "number. Each number can be taken once. Nobody may hold more than three numbers; a player "
        "with a full hand is skipped. If you pick an unavailable number, you lose your turn."
        "\n\n"
        "You win as soon as you hold three numbers in arithmetic progression (equal steps, such as "
        "2 4 6), or three numbers with a sum of 20 (such as 2 6 12). They count in the order in "
        "which you took them; going down counts as well as going up."
        "\n\n"
        "When no more numbers can be taken and nobody has won, the lower sum wins. If the sums "
        "are equal, the longer run of neighbours wins. If their runs are equally long, the game is "
        "drawn."
    )
    assert book.summary == (
        "Hold three numbers in arithmetic progression or three numbers with a sum of 20."
    )


@pytest.mark.parametrize(
    ("rules", "summary", "text"),
    [
        (
            "wins.sum-triple = {}\nmisere = true",
            "Do not be the first to hold three numbers, one the sum of the other two.",
            "You lose as soon as you hold three numbers, one the sum of the other two",
        ),
        (
            "wins.consecutive.length = 2\ndeclare = true",
            "Hold and declare two numbers that are neighbours in the pool.",
            "You win by declaring two numbers that are neighbours in the pool",
        ),
        (
            'ending = [{ measure = "last-pick", prefer = "lower" }]',
            "When no number is left, whoever took the last number loses.",
            "No set of numbers wins: only the end of the game decides.",
        ),
        ("", "Take numbers until none is left; nobody wins.", "the game is drawn."),
        (
            "wins.mine = { family = 'sum', whole-hand = true, multiple-of = 7 }\npassing = true",
            "Reach a sum that is a multiple of 7 with all your numbers.",
            "You may pass instead; when both players pass in a row, the game ends.",
        ),
        (
            "wins.product = { equals = 12 }\npicks-per-turn = 2\nopening = [3, 4]",
            "Hold any numbers with a product of 12.",
            "you take two free numbers, one after the other. Each number can be taken once. "
            "The first number of the game must be 3 or 4.",
        ),
        (
            "wins.kind = { kind = 'prime', count = 2 }\npie = true",
            "Hold two prime numbers.",
            "The second player may answer the first turn by swapping hands; then the first "
            "player moves next.",
        ),
        (
            "wins.kind = { kind = 'multiple', of = 2, count = 2 }\notherwise = 'second'",
            "Hold two multiples of 2.",
            "When every number is taken and nobody has won, the player who did not begin wins.",
        ),
        (
            "wins.chain.length = 3\nending = [{ measure = 'distance', prefer = 'lower', "
            "target = 7, exceeding = false }]\npassing = true",
            "Hold three numbers, each of which divides the next.",
            "the sum nearer to 7 wins, and a sum above it loses. If both are equally far from it, "
            "the game is drawn.",
        ),
        (
            "wins.sets.sets = [[1, 2], [4, 5]]",
            "Hold one of the listed sets.",
            "You win as soon as you hold one of the listed sets (1 2; 4 5).",
        ),
        (
            "ending = [{ measure = 'lowest', prefer = 'higher' }]\npassing = true",
            "At the end, the player whose lowest number is higher wins, and a player without "
            "numbers loses.",
            "the player whose lowest number is higher wins, and a player without numbers loses. "
            "If nobody took a number, the game is drawn.",
        ),
        (
            "ending = [{ measure = 'highest', prefer = 'lower' }]",
            "When no number is left, the player whose highest number is lower wins.",
            "When every number is taken, the player whose highest number is lower wins.",
        ),
        (
            "ending = [{ measure = 'last-pick', prefer = 'lower' }]\npassing = true\n"
            "picks-per-turn = 2",
            "At the end, whoever took the last number loses.",
            "On your turn you take up to two free numbers, one after the other. Each number can be "
            "taken once. You may pass instead, or pass the rest of your turn; two turns in a row "
            "without a number end the game.",
        ),
        (
            "wins.chain.length = 3\npie = true\notherwise = 'first'",
            "Hold three numbers, each of which divides the next.",
            "nobody has won, the player with the hand that began wins.",
        ),
        (
            "pool = '-6-6'\nwins.chain.length = 4",
            "Hold four numbers, each of which divides the next.",
            "(such as -1 -3 -6 0)",
        ),
        (
            "in-order = true\nhand-limit = 3\nwins.sum-triple = {}",
            "Hold three numbers, one the sum of the other two.",
            "in which you took them; the last must be the sum of the first two, or the first "
            "minus the second.",
        ),
        (
            "wins.geometric.length = 5",
            "Hold five numbers in geometric progression.",
            "(equal factors, which may be fractions, but this pool has none)",
        ),
    ],
)
def test_a_generated_text_is_right_for_every_kind(
    tmp_path: Path, rules: str, summary: str, text: str
) -> None:
    """Misère, declaring, no set at all, nothing at all, a pattern without a set."""
    check_generated(tmp_path, rules, summary, text)


def check_generated(folder: Path, rules: str, summary: str, text: str) -> None:
    """The summary of a book with these rules is this one, and its text has this part."""
    pool = "" if "pool" in rules else 'pool = "1-5"'
    book = books.load_book(write(folder / "a.toml", f"[rules]\n{pool}\n{rules}\n"))
    assert book.summary == summary
    assert text in book.text


def test_generated_texts_follow_what_is_changed(tmp_path: Path) -> None:
    """A reading or --set is in the words, too."""
    path = write(tmp_path / "a.toml", SMALL)
    assert "1 to 8" in books.load_book(path, None, ("pool=1-8",)).text


def test_an_unknown_game_that_is_a_file_here_is_recognised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever forgets the ending is told."""
    write(tmp_path / "mine.toml", SMALL)
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NinefoldError, match=r"for the file, type mine\.toml"):
        books.load_book("mine")


def test_a_copy_is_the_whole_book(tmp_path: Path) -> None:
    """It reads back as the same book, in every reading, without any file."""
    path = write(tmp_path / "b.toml", 'extends = "sequence-builder"\nrules.pool = "1-12"\n')
    for reading in ("open-hand", "three-slots"):
        book = books.load_book(path, reading)
        again = books.load_copy(book.copy, path, reading)
        assert again.game.fingerprint == book.game.fingerprint
        assert again._replace(game=book.game) == book
    assert book.digest == books.load_book(path).digest
    assert books.load_book("sequence-builder").digest is None


def test_a_damaged_copy_is_a_fault() -> None:
    """Whatever stands in it."""
    for copy in ("", "[", "3", "{}", '{"rules": 3}', "[" * 100_000):
        with pytest.raises(BookError, match="the copy of the rule book"):
            books.load_copy(copy, "a.toml")


def test_a_fault_of_a_change_names_the_change() -> None:
    """As in a book that is not a copy."""
    copy = books.load_text("rules.pool = [1]", "a.toml").copy
    with pytest.raises(BookError, match="the copy of the rule book with pool=1-500 is not a valid"):
        books.load_copy(copy, "a.toml", None, ("pool=1-500",))


@pytest.mark.parametrize(
    ("rules", "summary", "text"),
    [
        (
            "misere = true\nwins.sum = { whole-hand = true, equals = 7 }\n"
            "wins.product = { whole-hand = true, equals = 6 }",
            "Do not be the first to reach a sum of 7 or a product of 6 with all your numbers.",
            "You lose as soon as you reach a sum of 7 or a product of 6 with all your numbers.",
        ),
        (
            "wins.arithmetic.length = 3\nwins.sum = { shared = true, equals = 10 }\n"
            "losses.sum = { whole-hand = true, at-least = 9 }",
            "Hold three numbers in arithmetic progression, or reach a sum of 10 with all numbers "
            "taken by both players. Do not be the first to reach a sum of at least 9 with all your "
            "numbers.",
            "You lose as soon as you reach a sum of at least 9 with all your numbers. A number "
            "that would do both loses.",
        ),
        (
            "wins.even = { family = 'sum', whole-hand = true, kind = 'square' }\n"
            "wins.seven = { family = 'sum', whole-hand = true, equals = 7 }",
            "Reach a square sum or a sum of 7 with all your numbers.",
            "All your numbers count for a total, so one more can spoil it.",
        ),
        (
            "declare = true\nwins.sum = { whole-hand = true, equals = 7 }",
            "Reach and declare a sum of 7 with all your numbers.",
            "You win by declaring a sum of 7 with all your numbers.",
        ),
        (
            "restrictions = [{ must = 'greater', compared-with = 'last' }]\n"
            "ending = [{ measure = 'last-pick', prefer = 'higher' }]",
            "Whoever cannot take a number loses.",
            "When the game ends, whoever cannot take a number loses.",
        ),
        (
            "restrictions = [{ must = 'greater', compared-with = 'last' }]\nstuck = 'skip'\n"
            "ending = [{ measure = 'last-pick', prefer = 'higher' }]",
            "At the end, whoever took the last number wins.",
            "If you may take no number, you are skipped; if neither may, the game ends.",
        ),
        (
            "pool = '1-8'\nending = [{ measure = 'longest-run', prefer = 'higher' }, "
            "{ measure = 'run-sum', prefer = 'higher' }]",
            "When no number is left, the longer run of neighbours wins.",
            "the player whose longest run has the higher sum wins; if a player has several longest "
            "runs, the lowest counts.",
        ),
        (
            "hand-limit = 1\nending = [{ measure = 'run-start', prefer = 'lower' }]",
            "When no number is left, the player whose longest run starts with the lower number "
            "wins.",
            "the player whose longest run starts with the lower number wins.",
        ),
    ],
)
def test_totals_of_whole_hands_and_losing_sets_are_told_once(
    tmp_path: Path, rules: str, summary: str, text: str
) -> None:
    """However many patterns there are, and who loses by being stuck."""
    check_generated(tmp_path, rules, summary, text)


@pytest.mark.parametrize(("among", "winner"), [("lowest", 2), ("highest", 1)])
def test_of_two_longest_runs_the_one_counts_that_the_text_names(among: str, winner: int) -> None:
    """The first player holds 2 3 and 6 7, the second 4 5: 5 or 13 against 9."""
    path = Path(__file__).parents[3] / "docs" / "gallery" / "treasure.toml"
    run = "{measure='longest-run',prefer='higher'}"
    change = f"ending=[{run},{{measure='run-sum',prefer='higher',among='{among}'}}]"
    book = books.load_book(str(path), changes=(change,))
    outcome = book.game.play("2 1 3 4 6 5 7 8").outcome
    assert f"several longest runs, the {among} counts" in " ".join(book.text.split())
    assert outcome is not None and outcome.winner == winner


def test_a_text_can_be_checked_before_it_is_saved(tmp_path: Path) -> None:
    """With the place of each fault, and whatever it extends beside the path."""
    write(tmp_path / "base.toml", SMALL)
    path = str(tmp_path / "new.toml")
    report = examine_text('extends = "base.toml"\n', path)
    assert (report.faults, [*report.books]) == ([], ["default"])
    (fault,) = examine_text('extends = "base.toml"\nrules.pool = "5-1"\n', path).faults
    assert (fault.path, fault.place) == ("rules.pool", ("", 2, 7))
    (fault,) = examine_text("title = \n", path).faults
    assert fault.place is not None and fault.place.line == 1
    assert not (tmp_path / "new.toml").exists()
