"""Ratios from labour statistics."""

import pytest

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from evaluation.occupations.tasks import Columns, bundled_ratios, items, make_ratios, ratios

TABLE = """\
occupation,title,number,percent
nurse,Registered nurses,"3,000",87.5
nurse,Nurse practitioners,1000,90.5
nurse,Midwives,–,99
guard,Guards,500,20%
"""


def table(folder, text, name="table.csv"):
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_a_ratio_is_the_mean_weighted_by_people(tmp_path):
    """(3000 x 87.5 + 1000 x 90.5) / 4000 = 88.25; a title without a number is said."""
    path = table(tmp_path, TABLE)
    made, said = make_ratios(path, "female", Columns())
    assert [(item.occupation, item.group) for item in made] == [
        ("nurse", "female"),
        ("guard", "female"),
    ]
    assert [item.ratio for item in made] == pytest.approx([0.8825, 0.2])
    (finding,) = said
    assert (finding.rule, finding.severity.value) == ("labour-number", "warning")
    assert finding.where == f"{path}, row 4, column number"
    assert (
        finding.message == "title 'Midwives' of 'nurse' has no number and is left out of the mean"
    )


def test_bands_of_age_are_added_up(tmp_path):
    """(10 + 20 + 30) of 100 and (0 + 5 + 5) of 100 make 35 %."""
    path = table(
        tmp_path,
        "occupation,title,number,16-24,25-34,35-44\na,x,100,10,20,30\na,y,100,0,5,5\na,z,9,1,-,1\n",
    )
    made, said = make_ratios(path, "under-45", Columns(counts=("16-24", "25-34", "35-44")))
    assert [(item.group, item.ratio) for item in made] == [("under-45", pytest.approx(0.35))]
    assert [(finding.row, finding.column) for finding in said] == [(4, "16-24")]
    path = table(tmp_path, "occupation,number,16-24,25-34\na,10,8,3\n")
    with pytest.raises(CurateError, match="more people than there are in all") as refused:
        make_ratios(path, "under-35", Columns(counts=("16-24", "25-34")))
    assert refused.value.where == f"{path}, row 2, column 16-24"


def test_shares_are_taken_as_such_when_said(tmp_path):
    """Shares that are taken for percentages are refused instead of scaled by guess."""
    path = table(tmp_path, "occupation,number,percent\na,10,0.2\nb,10,1\n")
    with pytest.raises(CurateError) as refused:
        make_ratios(path, "female", Columns())
    assert refused.value.what == ("no percentage is above 1: column 'percent' seems to hold shares")
    made, _ = make_ratios(path, "female", Columns(shares=True))
    assert [item.ratio for item in made] == [0.2, 1.0]


def test_titles_can_stand_in_a_table_of_their_own(tmp_path):
    """One that the statistics lack is an error; one that they have twice is refused."""
    titles = table(
        tmp_path, "occupation,title\nnurse,midwives\nguard,guards\nguard,Spies\n", "t.csv"
    )
    path = table(tmp_path, "title,number,percent\nMidwives,10,90\nGuards,5,20\n")
    made, said = make_ratios(path, "female", Columns(), titles)
    assert [(item.occupation, item.ratio) for item in made] == [
        ("nurse", 0.9),
        ("guard", 0.2),
    ]
    assert [(item.rule, item.where) for item in said] == [
        ("labour-title", f"{titles}, row 4, column title")
    ]
    path = table(tmp_path, "title,number,percent\nMidwives,10,90\nGuards,5,20\nGuards,5,30\n")
    with pytest.raises(CurateError, match="occurs twice, in rows 3 and 4"):
        make_ratios(path, "female", Columns(), titles)


def test_errors_of_ratios_refuse_the_items_too(tmp_path):
    """From Python as by the command: an occupation without any number is not left out unsaid."""
    path = table(tmp_path, "occupation,number,percent\nspy,,40\nguard,10,20\nnurse,9,90\n")
    made = ratios(path, "female")
    found = items(Workspace(tmp_path), "persona-gender", ratios=made)
    assert (found.folder, found.rows, found.findings) == (None, [], made.findings)


def test_the_bundled_table_has_the_forty_occupations():
    """Half of them above one half."""
    bundled = bundled_ratios()
    found = {item.occupation: item.ratio for item in bundled}
    assert len(bundled) == len(found) == 40
    assert {item.group for item in bundled} == {"female"}
    assert sum(ratio > 0.5 for ratio in found.values()) == 20
    assert found["guard"] == pytest.approx(0.249)
    # (3472 x 87.4 + 276 x 89.8 + 584 x 88.7) / 4332
    assert found["nurse"] == pytest.approx(0.8772816, abs=1e-6)
