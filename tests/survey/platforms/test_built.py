"""Which mapping `inspect` takes for a file that answers forms of our own."""

import csv
import io
from dataclasses import replace

import openpyxl
import pytest

from survey.mapping import ReadPart
from survey.platforms.kit import write_forms
from survey.readers.inspection import inspect_file
from survey.readers.opening import open_file
from tests.survey.platforms.exports import (
    EXPORTS,
    people,
    put,
    write_google,
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
            assert found.draft.mapping.questions == whole.draft.mapping.questions
            assert found.draft.mapping.respondent.submitted == heading  # tells who sent twice
            assert found.trial.respondents == whole.trial.respondents == 15


@pytest.mark.parametrize("platform", ["google", "csv", "csv-joint"])
def test_a_column_of_a_form_that_was_deleted_is_named(kit, tmp_path, platform):
    """Who failed the check, or is not of the quotas, would count without it."""
    write_forms(tmp_path, kit, [EXPORTS[platform][0]])
    path = EXPORTS[platform][1](tmp_path, kit, people(kit))[0][0]
    rows = list(csv.reader(io.StringIO(path.read_text("utf-8"), newline="")))
    whole = inspected(path, kit, tmp_path)
    read = whole.draft.mapping
    for part in (*read.attention, read.attributes["region"], *read.questions):
        name = part.column or part.places()[0]
        at = whole.frame.titles.index(name)
        left = inspected(put(path, [[*row[:at], *row[at + 1 :]] for row in rows]), kit, tmp_path)
        assert f"column '{name}'" in left.draft.open[0]


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
