"""The tables, as CSV and as a workbook."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest
from openpyxl import load_workbook

from survey.reporting.data import build
from survey.reporting.records import Material, Report
from survey.reporting.tables import (
    EXCLUSION_COLUMNS,
    QUESTION_COLUMNS,
    SENSITIVITY_COLUMNS,
    heading,
    tables,
    write_tables,
    write_workbook,
)

NAMES = [
    *("questions", "groups", "funnel", "drops", "stability", "sensitivity"),
    *(
        "items",
        "no_stereotype",
        "templates",
        "exclusions",
        "quotas",
        "order",
        "order_kinds",
        "weighted",
    ),
]


def read(folder: Path, name: str) -> list[dict[str, str]]:
    """Read a table."""
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def folder(report: Report, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tables of the invented survey."""
    path = tmp_path_factory.mktemp("tables")
    assert [file.stem for file in write_tables(path, tables(report))] == NAMES
    return path


def test_questions_hold_all_numbers(folder: Path) -> None:
    """One row a question; k to ci_high are the ledger's, and what is not there is empty."""
    hum, sing, nap, understood = read(folder, "questions")
    assert tuple(hum) == QUESTION_COLUMNS
    assert (hum["k"], hum["n"], hum["share"], hum["value"]) == ("10", "13", "0.769231", "0.769231")
    assert (hum["threshold"], hum["margin"], hum["decision"]) == ("0.666667", "0.102564", "kept")
    assert (hum["target"], hum["non_target"], hum["near"]) == ('["Bakers"]', '["Potters"]', "true")
    assert (sing["decision"], sing["reasons"]) == ("dropped", '["two_thirds: below"]')
    assert json.loads(sing["templates"]) == ["craft-002", "craft-005"]
    assert float(sing["p"]) == pytest.approx(0.6315, abs=1e-4)
    assert (nap["value"], nap["share"], nap["equal_share"]) == ("2", "0.571429", "4")
    assert nap["p"] == "1"  # nobody can have twice the uniform share of so few options by chance
    assert json.loads(nap["non_target"]) == ["B", "C", "D"]
    assert (understood["target"], understood["no_stereotype"]) == ("[]", "")
    assert understood["stereotype"] == "They hum"


def test_a_number_below_zero_is_a_number(material: Material, tmp_path: Path) -> None:
    """Only texts are kept from being taken for formulas."""
    report = build(material)
    rows = [replace(row, stereotype="=1+1", id="-q") for row in report.questions]
    first = replace(rows[0], decisive=replace(report.questions[0].decisions[1], margin=-0.25))
    changed = replace(report, questions=(first,))
    write_tables(tmp_path, tables(changed))
    write_workbook(tmp_path / "report.xlsx", tables(changed))
    (row,) = read(tmp_path, "questions")
    assert (row["margin"], row["stereotype"], row["question_id"]) == ("-0.25", "'=1+1", "'-q")
    sheet = load_workbook(tmp_path / "report.xlsx")["questions"]
    cells = dict(zip(QUESTION_COLUMNS, sheet[2], strict=True))
    assert (cells["margin"].value, cells["margin"].data_type) == (-0.25, "n")
    assert (cells["stereotype"].value, cells["stereotype"].data_type) == ("'=1+1", "s")


def test_what_other_thresholds_would_leave_is_a_row_each(folder: Path) -> None:
    """Values are fractions as they are written; ids of templates are lists."""
    rows = read(folder, "sensitivity")
    assert tuple(rows[0]) == SENSITIVITY_COLUMNS
    lax = next(row for row in rows if (row["setting"], row["value"]) == ("stereotype_share", "3/5"))
    assert (lax["as_set"], lax["templates"], lax["gained"]) == ("false", "4", '["craft-002"]')
    assert sum(row["as_set"] == "true" for row in rows) == 5


def test_exclusions_and_quotas_are_summed_up(folder: Path) -> None:
    """What cannot be told is empty, not 0."""
    attention, failed, speeder, keep = read(folder, "exclusions")
    assert (failed["rule"], failed["respondents"], failed["excluded"]) == (
        *("failed_comprehension", "5", "false"),
    )
    assert tuple(attention) == EXCLUSION_COLUMNS
    assert (attention["respondents"], attention["excluded"], attention["turns"]) == (
        *("2", "true", "1"),
    )
    assert attention["turned"] == '["q-sing, two_thirds: keep"]'
    assert (speeder["excluded"], speeder["turns"], keep["turns"]) == ("false", "0", "")
    quotas = read(folder, "quotas")
    assert quotas[1] == {
        **{"gender": "female", "age_band": "old", "planned_share": "0.375", "planned": "5.25"},
        **{"answered": "6", "answered_share": "0.428571"},
    }
    assert (quotas[-1]["age_band"], quotas[-1]["planned_share"]) == ("", "")


def test_funnel_groups_templates_and_weights_have_their_rows(folder: Path) -> None:
    """Questions by kind, stereotypes and templates by category."""
    funnel = read(folder, "funnel")
    assert [(row["of"], row["part"], row["before"], row["after"]) for row in funnel] == [
        ("questions", "choice", "2", "1"),
        ("questions", "select_all", "1", "1"),
        ("questions", "comprehension", "1", "1"),
        ("stereotypes", "Craft", "4", "4"),
        ("templates", "Craft", "5", "4"),
    ]
    groups = read(folder, "groups")
    nap = [(row["group"], row["votes"], row["times"], row["role"]) for row in groups[4:8]]
    assert nap[0] == ("A", "8", "2", "target")
    assert [row["id"] for row in read(folder, "templates")] == [
        *("craft-004", "craft-005", "craft-003"),
    ]
    weighted = read(folder, "weighted")
    assert [row["turned"] for row in weighted if row["subject"] == "q-hum"] == ["true", "false"]


def test_the_workbook_has_a_sheet_a_table(report: Report, tmp_path: Path) -> None:
    """Numbers are numbers, lists and headings are words; the same report gives the same bytes."""
    paths = [tmp_path / "one.xlsx", tmp_path / "two.xlsx"]
    for path in paths:
        write_workbook(path, tables(report))
    assert paths[0].read_bytes() == paths[1].read_bytes()
    book = load_workbook(paths[0])
    assert book.sheetnames == NAMES
    for table in tables(report):
        sheet = book[table.name]
        assert tuple(cell.value for cell in sheet[1]) == tuple(map(heading, table.columns))
        assert sheet.max_row == len(table.rows) + 1
    row = dict(zip(QUESTION_COLUMNS, (cell.value for cell in book["questions"][3]), strict=True))
    assert (row["k"], row["n"], row["near"]) == (8, 12, True)
    assert row["share"] == pytest.approx(2 / 3, abs=1e-6)
    assert row["templates"] == "craft-002; craft-005"


def test_without_people_the_tables_are_there_and_empty(material: Material) -> None:
    """Whoever reads them need not ask which exist; only weights are left out."""
    found = tables(build(replace(material, people=None, exclusions=())))
    assert [table.name for table in found] == NAMES[:-1]
    assert [len(table.rows) for table in found][-2:] == [0, 0]
