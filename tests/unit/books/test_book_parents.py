"""Faults of the books a book extends: told where they stand, not as those of the book itself."""

from pathlib import Path

import pytest

from ninefold import books
from ninefold.books.check import examine
from ninefold.books.faults import BookError
from ninefold.books.sources import read_source


def told(folder: Path, **files: str) -> list[str]:
    """What is wrong with the book ``child``, without the name of the folder."""
    for name, text in files.items():
        (folder / f"{name}.toml").write_text(text)
    report = examine(read_source(str(folder / "child.toml")))
    return [str(fault).replace(f"{folder}/", "") for fault in report.faults]


CHILD = 'title = "Child"\nextends = "parent.toml"\n'


@pytest.mark.parametrize(
    ("parent", "fault"),
    [
        ("\n[rules]\npool = 1-9\n", "parent.toml, line 3: the file: not valid TOML: "),
        (
            "a" + ".a" * 40 + " = 3\n",
            "parent.toml, line 1: the file: a key has too many dotted parts",
        ),
        (f"a = {'1' * 5000}\n", "parent.toml: the file: a number has too many digits"),
        ('[rules]\npool = "9-1"\n', "parent.toml, line 2: rules.pool: a range"),
        (
            '[rules]\npool = "1-9"\n[readings.x]\nrules.pie = 3\n',
            "parent.toml, line 4: readings.x.rules.pie: must be true or false",
        ),
        ('[rules]\npool = "1-9"\n[words]\nprompt = "{x}"\n', "parent.toml, line 4: words.prompt: "),
    ],
)
def test_a_fault_of_the_parent_names_its_file_and_line(
    tmp_path: Path, parent: str, fault: str
) -> None:
    """Of its syntax, its rules, its words and its readings."""
    (found,) = told(tmp_path, child=CHILD, parent=parent)
    assert found.startswith(fault)


def test_a_broken_book_behind_the_parent_is_the_one_that_is_named(tmp_path: Path) -> None:
    """However long the chain."""
    parent = 'extends = "grandparent.toml"\n'
    (found,) = told(tmp_path, child=CHILD, parent=parent, grandparent="\n\n=\n")
    assert found.startswith("grandparent.toml, line 3: the file: not valid TOML: ")


def test_a_broken_parent_is_named_wherever_its_child_is_used(tmp_path: Path) -> None:
    """The loader says the same as the check."""
    told(tmp_path, child=CHILD, parent="[rules]\npool = 1-9\n")
    with pytest.raises(BookError) as caught:
        books.load_book(str(tmp_path / "child.toml"))
    first, second = caught.value.message.split("\n")
    assert first == f"{tmp_path}/child.toml is not a valid rule book:"
    assert second.startswith(f"  {tmp_path}/parent.toml, line 2: the file: not valid TOML: ")


def test_a_list_of_the_child_is_not_looked_up_in_the_parent(tmp_path: Path) -> None:
    """A list is replaced whole: what is missing in it is missing in the child."""
    ending = (
        '[rules]\npool = "1-5"\nending = [{{ measure = "distance", prefer = "lower"{more} }}]\n'
    )
    child, parent = CHILD + ending.format(more=""), ending.format(more=", target = 3")
    (found,) = told(tmp_path, child=child, parent=parent)
    assert found.startswith("line 5: rules.ending[0].target: ")


def test_what_a_book_says_about_itself_is_not_looked_up_in_the_parent(tmp_path: Path) -> None:
    """A claim of the child without a kind stands in the child, whatever the parent claims."""
    parent = '[rules]\npool = "1-5"\n[[claims]]\nkind = "no-draws"\n'
    found = told(tmp_path, child=CHILD + '[[claims]]\nsays = "x"\n', parent=parent)
    assert found
    assert all(fault.startswith("line 3: claims[0]") for fault in found)
