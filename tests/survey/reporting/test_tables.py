"""The tables, as CSV and as a workbook."""

import csv
import json

import openpyxl
import pytest

from survey.reporting.data import TEXTS
from survey.reporting.tables import QUESTION_COLUMNS, tables, write_tables, write_workbook

NAMES = [
    *("questions", "groups", "funnel", "drops", "stability", "sensitivity", "items"),
    *("no_stereotype", "templates", "exclusions", "quotas", "order", "order_kinds", "weighted"),
]


def read(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


@pytest.fixture(scope="module")
def folder(report, tmp_path_factory):
    path = tmp_path_factory.mktemp("tables")
    assert [file.stem for file in write_tables(path, tables(report))] == NAMES
    return path


def test_questions_hold_all_numbers(folder):
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
    quota = read(folder, "quotas")[0]
    assert (quota["planned_share"], quota["planned"]) == ("0.125", "1.75")  # of 14 who are counted


def test_every_column_is_filled_somewhere(ordered):
    """No column is looked for under a name that nothing has."""
    empty = {
        f"{name}.{column}"
        for name, (columns, rows) in tables(ordered).items()
        for column in columns
        if rows and all(row[column] is None for row in rows)
    }
    few = {"order.turns", "order.expected", "order_kinds.expected"}  # too few saw each order
    assert empty == few


def test_the_id_of_a_category_is_shown_in_words():
    """A template's id is not: it is what people look for."""
    row = {"template": "home_region-001", "category": "Home_region", "stereotype": "", "why": ""}
    (shown,) = TEXTS.view("templates", [row]).rows
    assert [cell.text for cell in shown[:2]] == ["home_region-001", "Home region"]


def test_no_row_of_the_workbook_hides_a_line(tmp_path):
    """Not every program makes rows higher that have none said: headings would be cut."""
    row = {"question_id": "q-1", "above": 0.5, "target": "one, another, a third"}
    write_workbook(tmp_path / "book.xlsx", {"questions": ([*row], [row])})
    (sheet,) = openpyxl.load_workbook(tmp_path / "book.xlsx")
    assert sheet["B1"].value == "Chance that the share is above the threshold"
    assert [sheet.row_dimensions[row].height for row in (1, 2)] == [60, 30]
