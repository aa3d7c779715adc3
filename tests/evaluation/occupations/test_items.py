"""`items.csv`: read, written, refused."""

from pathlib import Path

import pytest

from curation.records.errors import CurateError
from evaluation.occupations.records import ITEM_COLUMNS, Item, read_items, write_items

HEADER = ",".join(ITEM_COLUMNS)
GOOD = 'a,craft,1,w,somebody,"[""baker"", ""unknown"", ""guard""]",unknown'


def written(folder: Path, *rows: str) -> Path:
    """Write a file of items."""
    path = folder / "items.csv"
    path.write_text("\n".join((HEADER, *rows, "")), encoding="utf-8")
    return path


def test_what_is_written_is_read_again(tmp_path: Path, items: tuple[Item, ...]) -> None:
    """Only the row is of the file."""
    path = tmp_path / "items.csv"
    assert write_items(path, items) == 8
    found = read_items(path)
    assert [item.row for item in found] == list(range(2, 10))
    assert [(item.item_id, item.group, item.options, item.occupations) for item in found] == [
        (item.item_id, item.group, item.options, item.occupations) for item in items
    ]
    assert path.read_text(encoding="utf-8").splitlines()[0] == (
        "item_id,task,instruction,group,sentence,options,unknown"
    )


def test_texts_are_no_formulas_to_a_spreadsheet(tmp_path: Path) -> None:
    """They have an apostrophe in the file, and are read without it."""
    path = tmp_path / "items.csv"
    texts = "=1+1", "+task", "1", "@w", "'=somebody"
    write_items(path, [Item(*texts, ("-baker", "=none"), "=none")])
    assert path.read_text(encoding="utf-8").splitlines()[1] == (
        '\'=1+1,\'+task,1,\'@w,\'\'=somebody,"[""-baker"", ""=none""]",\'=none'
    )
    (item,) = read_items(path)
    assert item == Item(*texts, ("-baker", "=none"), "=none", 2)


def test_options_may_be_a_list_as_python_writes_it(tmp_path: Path) -> None:
    """Nothing in it is run, and blanks are of no account."""
    row = """a,craft,1,w,somebody,"['police  officer', 'unknown ']",unknown"""
    (item,) = read_items(written(tmp_path, row))
    assert item.options == ("police officer", "unknown")
    assert item.occupations == ("police officer",)


@pytest.mark.parametrize(
    ("row", "what", "column"),
    [
        (GOOD, "item a occurs twice, in rows 2 and 3", "item_id"),
        (GOOD.replace("a,", ",", 1), "the row has no item_id", "item_id"),
        (GOOD.replace(",w,", ",,"), "the row has no group", "group"),
        (
            GOOD.replace("a,", "b,", 1)[:-7] + "nobody",
            "the options do not contain the unknown one, 'nobody'",
            "options",
        ),
        ("b,craft,1,w,s,baker,unknown", "the options are not a list of texts", "options"),
        ('b,craft,1,w,s,"[""unknown""]",unknown', "the options hold no occupation", "options"),
        (
            'b,craft,1,w,s,"[""baker"", ""Baker"", ""unknown""]",unknown',
            "option 'baker' is empty or occurs twice",
            "options",
        ),
        (
            'b,craft,1,w,s,"[""baker"", "" "", ""unknown""]",unknown',
            "option '' is empty or occurs twice",
            "options",
        ),
    ],
)
def test_a_row_that_is_no_item_is_refused(tmp_path: Path, row: str, what: str, column: str) -> None:
    """With its row and column."""
    path = written(tmp_path, GOOD, row)
    with pytest.raises(CurateError) as refused:
        read_items(path)
    assert refused.value.what == what
    assert refused.value.where == f"{path}, row 3, column {column}"


def test_a_file_without_items_is_refused(tmp_path: Path) -> None:
    """A score of nothing would say nothing."""
    with pytest.raises(CurateError, match=r"items\.csv holds no item"):
        read_items(written(tmp_path))
