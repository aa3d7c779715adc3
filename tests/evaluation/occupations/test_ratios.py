"""`ratios.csv`: read, written, refused."""

from pathlib import Path

import pytest

from curation.records.errors import CurateError
from evaluation.occupations.records import Ratio, by_group, read_ratios, write_ratios


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    """Six digits are kept."""
    path = tmp_path / "ratios.csv"
    given = (Ratio("baker", "female", 1 / 3), Ratio("baker", "under-45", 0.0))
    assert write_ratios(path, given) == 2
    assert path.read_text(encoding="utf-8") == (
        "occupation,group,ratio\nbaker,female,0.333333\nbaker,under-45,0.000000\n"
    )
    assert read_ratios(path) == (Ratio("baker", "female", 0.333333), Ratio("baker", "under-45", 0))
    assert by_group(given) == {"female": {"baker": 1 / 3}, "under-45": {"baker": 0.0}}


@pytest.mark.parametrize(
    ("row", "what", "column"),
    [
        ("baker,female,0.5", "'baker' has two ratios of 'female'", "occupation"),
        ("guard,female,24.9", "'24.9' is not a share from 0 to 1", "ratio"),
        ("guard,female,", "'' is not a share from 0 to 1", "ratio"),
        ("guard,female,nan", "'nan' is not a share from 0 to 1", "ratio"),
        (",female,0.5", "the row names no occupation", "occupation"),
        ("guard,,0.5", "the row names no group", "group"),
    ],
)
def test_a_row_that_is_no_ratio_is_refused(
    tmp_path: Path, row: str, what: str, column: str
) -> None:
    """With its row and column."""
    path = tmp_path / "ratios.csv"
    path.write_text(f"occupation,group,ratio\nbaker,female,0.4\n{row}\n", encoding="utf-8")
    with pytest.raises(CurateError) as refused:
        read_ratios(path)
    assert (refused.value.what, refused.value.where) == (what, f"{path}, row 3, column {column}")


def test_a_file_without_ratios_is_refused(tmp_path: Path) -> None:
    """Its header alone is none."""
    path = tmp_path / "ratios.csv"
    path.write_text("occupation,group,ratio\n", encoding="utf-8")
    with pytest.raises(CurateError, match="holds no ratio"):
        read_ratios(path)


def test_names_are_no_formulas_to_a_spreadsheet(tmp_path: Path) -> None:
    """They have an apostrophe in the file, and are read without it."""
    path = tmp_path / "ratios.csv"
    write_ratios(path, [Ratio("=baker", "-w", 0.5)])
    assert path.read_text(encoding="utf-8").splitlines()[1].startswith("'=baker,'-w,")
    assert read_ratios(path) == (Ratio("=baker", "-w", 0.5),)
