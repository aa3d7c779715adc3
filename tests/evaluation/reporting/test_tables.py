"""The report's tables as CSV."""

import pytest

from curation.files.tables import read_table
from evaluation.reporting.tables import tables, write_tables


def test_every_template_is_in_the_table_of_drivers(report, tmp_path):
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
