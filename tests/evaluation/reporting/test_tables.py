"""The report's tables as CSV."""

import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from curation.files.tables import read_table, refuse_problems
from curation.files.writers.cells import unescape_formula
from evaluation.reporting.records import EvaluationReport, Shown
from evaluation.reporting.tables import tables, write_tables

NAMES = [
    *("scores", "positions", "anova", "tukey", "games_howell", "rules", "models", "stories"),
    *("occupations", "rankings", "agreement", "replies"),
]


def test_every_part_is_a_table(report: EvaluationReport) -> None:
    """Those of every report are there without a row too, others are left out."""
    assert [item.name for item in tables(report)] == NAMES
    alone = replace(report, stories=None, occupations=None, rankings=(), agreements=(), examples=())
    assert [item.name for item in tables(alone)] == NAMES[:7]
    tests = replace(report.tests, anova=(), tukey=())
    one = replace(alone, differences=(), tests=tests)
    assert [item.name for item in tables(one)] == NAMES[:6]


def test_tables_hold_the_scores(report: EvaluationReport, tmp_path: Path) -> None:
    """Every number as it is, undefined empty."""
    write_tables(tmp_path, tables(report))
    with (tmp_path / "scores.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert len(rows) == len(report.rows)
    for cells, row in zip(rows, report.rows, strict=True):
        for name, value in row.items():
            assert cells[name] == ("" if value is None else str(value))


def test_replies_are_whole(report: EvaluationReport, tmp_path: Path) -> None:
    """However long; choices and roles are lists."""
    long = "=1+1\n" + "x" * 20_000
    shown = (Shown("right", long, "biased", "letter", right=False),)
    first = replace(report.examples[0], replies=shown)
    write_tables(tmp_path, tables(replace(report, examples=(first,))))
    table = read_table(tmp_path / "replies.csv")
    refuse_problems(table)
    (row,) = table.rows
    assert row["reply"] == f"'{long}"
    assert unescape_formula(row["reply"]) == long
    assert json.loads(row["choices"]) == [choice.text for choice in first.choices]
    assert json.loads(row["roles"]) == [choice.role for choice in first.choices]
    assert (row["answer"], row["correct"], row["model"]) == ("biased", "no", "right")


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "@sum", "-2"])
def test_names_are_no_formulas(report: EvaluationReport, tmp_path: Path, name: str) -> None:
    """A spreadsheet shows them; negative numbers stay numbers."""
    rows = tuple({**row, "model": name, "diff_bias_amb": -0.5} for row in report.rows)
    write_tables(tmp_path, tables(replace(report, rows=rows)))
    for row in read_table(tmp_path / "scores.csv").rows:
        assert row["model"] == f"'{name}"
        assert unescape_formula(row["model"]) == name
        assert float(row["diff_bias_amb"]) == -0.5
