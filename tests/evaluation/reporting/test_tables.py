"""The report's tables as CSV."""

import csv
from dataclasses import replace
from pathlib import Path

import pytest

from curation.files.tables import read_table
from curation.files.writers.cells import unescape_formula
from evaluation.reporting.records import EvaluationReport
from evaluation.reporting.tables import tables, write_tables

NAMES = [
    *(
        "scores",
        "positions",
        "anova",
        "tukey",
        "permutation",
        "rules",
        "drivers",
        "models",
        "stories",
    ),
    *("occupations", "rankings", "agreement"),
]


def test_every_part_is_a_table(report: EvaluationReport) -> None:
    """Those of every report are there without a row too, others are left out."""
    assert [item.name for item in tables(report)] == NAMES
    alone = replace(report, stories=None, occupations=None, rankings=(), agreements=())
    assert [item.name for item in tables(alone)] == NAMES[:8]
    tests = replace(report.tests, anova=(), tukey=())
    one = replace(alone, differences=(), drivers=(), tests=tests)
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


def test_every_template_is_in_the_table_of_drivers(
    report: EvaluationReport, tmp_path: Path
) -> None:
    """That with the most evidence first, with its mean over models inside its interval."""
    write_tables(tmp_path, tables(report))
    rows = read_table(tmp_path / "drivers.csv").rows
    assert len(rows) == 4
    assert {row["template_id"] for row in rows} == {"hobby-001", "hobby-002", "job-001", "job-002"}
    for row in rows:
        given = {
            str(item["model"]): float(item["diff_bias_amb"] or 0)
            for item in report.by("template")
            if item["group"] == row["template_id"]
        }
        assert float(row["diff_bias_amb"]) == pytest.approx(sum(given.values()) / 3)
        assert float(row["low_amb"]) < float(row["diff_bias_amb"]) < float(row["high_amb"])
    ps = [min(float(row["p_amb"]), float(row["p_dis"])) for row in rows]
    assert ps == sorted(ps)


@pytest.mark.parametrize("name", ["=cmd|' /C calc'!A0", "+1", "@sum", "-2"])
def test_names_are_no_formulas(report: EvaluationReport, tmp_path: Path, name: str) -> None:
    """A spreadsheet shows them; negative numbers stay numbers."""
    rows = tuple({**row, "model": name, "diff_bias_amb": -0.5} for row in report.rows)
    write_tables(tmp_path, tables(replace(report, rows=rows)))
    for row in read_table(tmp_path / "scores.csv").rows:
        assert row["model"] == f"'{name}"
        assert unescape_formula(row["model"]) == name
        assert float(row["diff_bias_amb"]) == -0.5
