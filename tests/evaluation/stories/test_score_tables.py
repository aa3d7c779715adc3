"""Tables of scores, read back."""

from pathlib import Path

import pytest

from curation.records.errors import CurateError
from evaluation.stories.ranking import ScoreRow, read_scores

HEADER = "model,group_by,group,accuracy_amb,out_of_choice_ratio"
ROWS = ["m,overall,,0.5,0.1", "m,template,age-001,0.1,", "m,category,Age,,", "n,overall,,-1e-3,0"]


def write(folder: Path, *rows: str, header: str = HEADER) -> Path:
    """Write a table."""
    path = folder / "scores.csv"
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return path


def test_rows_of_the_wanted_groupings_are_read(tmp_path: Path) -> None:
    """An empty cell is undefined; other rows and columns are passed over."""
    path = write(tmp_path, *ROWS)
    assert read_scores(path, ["accuracy_amb"], ["overall", "category"]) == [
        ScoreRow("m", "overall", "", {"accuracy_amb": 0.5}),
        ScoreRow("m", "category", "Age", {"accuracy_amb": None}),
        ScoreRow("n", "overall", "", {"accuracy_amb": -0.001}),
    ]
    rows = read_scores(path, ["accuracy_amb"], ["overall"], ["out_of_choice_ratio", "other"])
    assert rows[0].values == {"accuracy_amb": 0.5, "out_of_choice_ratio": 0.1}


@pytest.mark.parametrize(
    ("row", "what", "where"),
    [
        ("m,overall,,0.4,", "m has two rows of overall", "row 6"),
        ("o,overall,,high,", "'high' is not a number", "row 6, column accuracy_amb"),
        ("o,overall,,nan,", "'nan' is not a number", "row 6, column accuracy_amb"),
        (",overall,,0.4,", "the cell is empty", "row 6, column model"),
    ],
)
def test_a_row_that_cannot_be_read_is_refused(
    tmp_path: Path, row: str, what: str, where: str
) -> None:
    """With its place."""
    path = write(tmp_path, *ROWS, row)
    with pytest.raises(CurateError) as caught:
        read_scores(path, ["accuracy_amb"], ["overall"])
    assert (caught.value.what, caught.value.where) == (what, f"{path}, {where}")


def test_other_tables_are_refused(tmp_path: Path) -> None:
    """Without the columns, or without a row of the groupings."""
    path = write(tmp_path, *ROWS)
    with pytest.raises(CurateError, match="the header lacks ntr_gen"):
        read_scores(path, ["ntr_gen"], ["overall"])
    with pytest.raises(CurateError, match=r"scores\.csv has no row of prompt or order"):
        read_scores(path, ["accuracy_amb"], ["prompt", "order"])
