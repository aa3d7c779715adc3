"""`curate survey report`."""

import csv
import json

import pytest
from scipy.stats import binomtest


def read(folder, name):
    with (folder / f"{name}.csv").open(encoding="utf-8", newline="") as stream:
        return {next(iter(row.values())): row for row in csv.DictReader(stream)}


def report_of(curate, workspace, *more):
    assert curate("survey", "report", "-w", workspace, *more).code == 0
    return workspace / "exports" / "survey"


def test_the_demo_is_reported_as_its_readme_says(curate, filtered):
    """Every threshold met or missed on purpose has its numbers, and p is scipy's."""
    folder = report_of(curate, filtered)
    questions = read(folder, "questions")
    assert len(questions) == 66
    for name, k, n, decision, near in (
        ("q-age-6df96e0c", 65, 97, "kept", "true"),
        ("q-age-5673ccc7", 64, 96, "dropped", "true"),
        ("q-birth_season-89d16e2b", 20, 96, "dropped", "false"),
        ("q-occupation-0fb64981", 45, 60, "kept", "true"),
        ("q-hobby-382045e0", 47, 59, "dropped", "true"),
    ):
        row = questions[name]
        assert (row["k"], row["n"], row["decision"], row["near"]) == (
            str(k),
            str(n),
            decision,
            near,
        )
        p_value = binomtest(k, n, 2 / 3, alternative="greater").pvalue
        assert float(row["p"]) == pytest.approx(p_value, rel=1e-5)
        assert float(row["p"]) <= float(row["q"]) <= 1
        assert float(row["share"]) == pytest.approx(k / n, rel=1e-5)
    exactly = questions["q-age-5673ccc7"]
    assert (exactly["margin"], exactly["reasons"]) == ("0", '["two_thirds: below"]')
    assert questions["q-hobby-382045e0"]["reasons"] == '["no_stereotype: above"]'
    selection = questions["q-home_region-c4888bc5"]
    assert (selection["equal_share"], selection["value"]) == ("14", "2")
    # 28 of 120 are just twice the uniform share, so that the survey cannot tell them from it.
    assert float(selection["p"]) == 1
    assert json.loads(selection["target"]) == ["구름언덕"]
    assert questions["c-hobby-008"]["decision"] == "dropped"
