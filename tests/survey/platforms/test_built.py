"""Which mapping `inspect` takes for a file that answers forms of our own."""

import csv
import io
from dataclasses import replace

import openpyxl
import pytest

from survey.mapping import ReadPart, load_mapping
from survey.platforms.kit import write_forms
from survey.readers.inspection import inspect_file
from survey.readers.opening import open_file
from tests.survey.platforms.exports import (
    company_rows,
    people,
    put,
    write_google,
    write_joint,
    write_workbook,
)


def inspected(path, kit, folder):
    return inspect_file(open_file(path), [item.question for item in kit.sheets[0].items], folder)


def test_a_sheet_of_the_workbook_names_its_form(kit, tmp_path):
    """Though its columns are a part of another's."""
    write_forms(tmp_path, kit, ["workbook"])
    path = write_workbook(tmp_path, kit, people(kit))[0][0]
    sheet = openpyxl.load_workbook(path)["f01"]
    assert (sheet.freeze_panes, sorted(map(str, sheet.merged_cells.ranges))) == ("B4", ["D2:G2"])
    questions = [item.question for item in kit.sheets[0].items]
    for form in ("f01", "f02"):
        found = inspect_file(open_file(path, ReadPart(sheet=form)), questions, tmp_path)
        assert found.built.paths == (tmp_path / "workbook" / f"{form}.mapping.yaml",)
        (other,) = {"f01", "f02"} - {form}
        assert found.built.beside == (tmp_path / "workbook" / f"{other}.mapping.yaml",)
        assert found.trial.respondents == 15


def test_a_form_of_which_a_column_was_deleted_is_still_its_form(kit, tmp_path):
    """It is said, with its name; the other questions keep the order in which they were shown."""
    write_forms(tmp_path, kit, ["google"])
    path = write_google(tmp_path, kit, people(kit))[0][0]
    whole = inspected(path, kit, tmp_path)
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))
    gone = whole.draft.mapping.questions[0]
    at = rows[0].index(str(gone.column))
    found = inspected(put(path, [[*row[:at], *row[at + 1 :]] for row in rows]), kit, tmp_path)
    assert (found.built.forms, found.built.lacking) == (("f01",), (gone.column,))
    assert found.draft.mapping.questions == whole.draft.mapping.questions[1:]
    assert found.draft.mapping.respondent.form == "f01"
    assert found.is_settled
    assert [one.rule for one in found.trial.findings][-1] == "survey-form-columns"


@pytest.mark.parametrize(
    ("heading", "time", "preset"),
    [
        ("Marcaj de timp", "01.01.2026 10:00:00", "google_forms"),
        ("Aikaleima", "1.1.2026 10.00.00", "google_forms"),
        ("Marcaj de timp", "p1", "generic"),
    ],
)
def test_a_form_is_recognised_by_its_questions_whatever_its_time_is_called(
    kit, tmp_path, heading, time, preset
):
    """It needs no mapping; a first column that holds no times is of something else."""
    write_forms(tmp_path, kit, ["google"])
    path = write_google(tmp_path, kit, people(kit))[0][0]
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))
    whole = inspected(path, kit, tmp_path)
    named = [[heading, *rows[0][1:]], *([time, *row[1:]] for row in rows[1:])]
    for moved in (named, [[*row[1:], row[0]] for row in named]):  # wherever it stands
        found = inspected(put(path, moved), kit, tmp_path)
        assert found.recognised.preset == preset
        if preset == "google_forms":
            assert found.is_settled
            assert found.draft.mapping == whole.draft.mapping
            assert found.trial.respondents == whole.trial.respondents == 15


def test_a_column_less_leaves_out_nobody(kit, tmp_path):
    """Where the file names forms, a form is taken for the only one that it names."""
    write_forms(tmp_path, kit, ["csv"])
    joint, _ = write_joint(tmp_path, kit, people(kit))[0]
    rows = list(csv.reader(io.StringIO(joint.read_text("utf-8"), newline="")))
    form = rows[0].index("form")

    def lacking(names, *forms):
        keep = [at for at, name in enumerate(rows[0]) if name not in names]
        left = [[row[at] for at in keep] for row in rows if row[form] in ("form", *forms)]
        return inspected(put(tmp_path / "left.csv", left), kit, tmp_path)

    one = load_mapping(tmp_path / "csv" / "f01.mapping.yaml")
    first = one.questions[0].places()[0]
    both, alone = lacking({first}, "f01", "f02"), lacking({first}, "f01")
    assert (both.built.mapping, both.is_settled) == (None, False)
    assert (alone.built.forms, alone.is_settled) == (("f01",), True)
    assert alone.trial.respondents == 15
    assert lacking({first, "form"}, "f01").built.mapping is None
    options = next(part.places() for part in one.questions if part.has_columns)
    assert not lacking({options[0]}, "f01").is_settled


def test_a_mapping_that_does_not_read_the_file_is_said(kit, tmp_path):
    """Answers that it lacks are put into it for a person; else the draft stands in for it."""
    write_forms(tmp_path, kit, ["csv"])
    rows = company_rows(kit, people(kit), kit.sheets)
    at = rows[0].index("Q001")
    for row in rows[1:]:
        row[at] = {"1": "Bakers, Weavers", "2": "=Potters", "3": "Keine"}.get(row[at], "")
    found = inspected(put(tmp_path / "a.csv", rows), kit, tmp_path)
    assert "has '?' for 'Keine'" in found.problem.what
    path = tmp_path / "csv" / "all.mapping.yaml"
    written = load_mapping(path).questions
    assert [part.shown for part in found.draft.mapping.questions] == [
        part.shown for part in written
    ]
    assert found.draft.mapping.attention == load_mapping(path).attention
    path.write_text(
        path.read_text("utf-8").replace("column: attention", "column: absent"), encoding="utf-8"
    )
    rows = company_rows(kit, people(kit), kit.sheets)
    found = inspected(put(tmp_path / "a.csv", rows), kit, tmp_path)
    assert found.problem is None
    assert any("does not read the file: attention: column" in line for line in found.draft.open)


def test_codes_of_a_platform_stay_while_its_forms_show_the_same(kit, tmp_path):
    """Of options in another order nothing stays, and what is written anew is there once."""
    first, *others = kit.sheets
    items = tuple(replace(item, order=item.order[::-1]) for item in first.items)
    turned = replace(kit, sheets=(replace(first, items=items), *others))
    each = len(written_codes(tmp_path, kit, "qualtrics"))
    for now, then, platforms in (
        (kit, ["qualtrics"], ["qualtrics"]),
        (kit, ["csv"], ["csv", "qualtrics"]),
        (turned, ["limesurvey"], ["limesurvey"]),
    ):
        assert written_codes(tmp_path, now, *then) == sorted(platforms * each)


def written_codes(folder, kit, *platforms):
    """The platform of each row of codes when the forms of some are written."""
    write_forms(folder, kit, platforms)
    with (folder / "codes.csv").open(encoding="utf-8", newline="") as stream:
        return sorted(row["platform"] for row in csv.DictReader(stream))
