"""Survey and bias by stereotype: against scipy, by hand, and where there is nothing to say."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from curation.files.workspace import Workspace
from curation.initial import copy_demo
from curation.records.survey import QuestionKind
from evaluation.qa.metrics import SetKind
from evaluation.qa.score import TALLY_COLUMNS
from evaluation.qa.surveyed import (
    FEWEST,
    SURVEYED_COLUMNS,
    Surveyed,
    correlated,
    surveyed_rows,
    surveyed_shares,
)
from survey import filter


def test_a_correlation_is_scipys_with_the_interval_by_hand():
    """Of twelve stereotypes with a tie; p is that of t."""
    shares = np.array([0.7, 0.72, 0.75, 0.75, 0.8, 0.81, 0.83, 0.88, 0.9, 0.93, 0.95, 0.97])
    biases = np.array([0.1, -0.1, 0.2, 0.05, 0.0, 0.3, 0.25, 0.1, 0.4, 0.35, 0.15, 0.5])
    found = correlated(shares, biases)
    known = stats.spearmanr(shares, biases)
    assert found["rho"] == pytest.approx(known.statistic)
    assert found["p"] == pytest.approx(known.pvalue)
    middle = np.log((1 + known.statistic) / (1 - known.statistic)) / 2
    reach = 1.959964 * np.sqrt((1 + known.statistic**2 / 2) / 9)
    ends = [(np.exp(2 * z) - 1) / (np.exp(2 * z) + 1) for z in (middle - reach, middle + reach)]
    assert [found["low"], found["high"]] == pytest.approx(ends, abs=1e-6)


@pytest.mark.parametrize(
    ("shares", "biases"),
    [
        (np.arange(FEWEST - 1.0), np.arange(FEWEST - 1.0)),
        (np.full(20, 0.9), np.arange(20.0)),
        (np.arange(20.0), np.zeros(20)),
    ],
)
def test_of_few_stereotypes_or_equal_ones_nothing_is_said(shares, biases):
    """Not of nine, however well they go together, nor where one side does not differ."""
    assert correlated(shares, biases) == dict.fromkeys(("rho", "low", "high", "p"))


def test_a_perfect_correlation_has_no_interval():
    """It would be one point; p is the least that ten pairs give."""
    found = correlated(np.arange(10.0), -np.arange(10.0))
    assert (found["rho"], found["low"], found["high"]) == (-1.0, None, None)
    assert found["p"] == pytest.approx(2 / 3_628_800)


def frame(biased, size=40):
    """Counts of ambiguous contexts alone: so many of each template's replies are biased."""
    table = pd.DataFrame(0, index=range(len(biased)), columns=list(TALLY_COLUMNS))
    table["model"], table["category"], table["prompt"] = "m", "Job", "1"
    table["template_id"] = [f"job-{at + 1:03d}" for at in range(len(biased))]
    table["n_ab"], table["n_ac"] = biased, size - biased
    return table


def surveyed(shares, each=1):
    """A survey of the same templates, so many of which share a question."""
    return {
        (f"job-{at + 1:03d}", "Job"): Surveyed(QuestionKind.CHOICE, f"q{at // each}", share)
        for at, share in enumerate(np.repeat(shares, each).tolist())
    }


def test_templates_of_one_stereotype_are_one_observation():
    """Of 24 templates two share a question: pooled, their biases follow the shares."""
    shares = np.linspace(0.67, 0.95, 12)
    biased = np.repeat(np.arange(12) * 2 + 10, 2) + np.tile([5, -5], 12)
    rows = surveyed_rows("m", frame(biased), SetKind.TEST, surveyed(shares, 2))
    assert {tuple(row) for row in rows} == {SURVEYED_COLUMNS}
    ambiguous, disambiguated = rows
    assert (ambiguous["metric"], ambiguous["kind"]) == ("diff_bias_amb", "choice")
    assert (ambiguous["stereotypes"], ambiguous["templates"], ambiguous["rho"]) == (12, 24, 1.0)
    assert ambiguous["p_holm"] == ambiguous["p"]  # of the other score there are no replies
    assert (disambiguated["stereotypes"], disambiguated["rho"]) == (0, None)
    assert surveyed_rows("m", frame(biased), SetKind.TEST, {}) == []


@pytest.mark.nightly
def test_a_model_that_heeds_no_survey_is_seldom_said_to():
    """At 5 %: in 3 to 8 % of 300 sets of 20 stereotypes, whose interval then leaves 0 out."""
    rng = np.random.default_rng(4)
    shares = np.linspace(0.67, 0.99, 20)
    sure = outside = 0
    for _ in range(300):
        (row, _) = surveyed_rows(
            "m", frame(rng.binomial(40, 0.6, 20)), SetKind.ALL, surveyed(shares)
        )
        sure += float(row["p_holm"] or 1) < 0.05
        outside += float(row["low"] or 0) > 0 or float(row["high"] or 0) < 0
    assert 9 <= sure <= 24
    assert 9 <= outside <= 27


def test_the_survey_of_a_workspace_is_for_its_own_samples(tmp_path):
    """Shares are those of the decisions; samples from elsewhere have none here."""
    copy_demo(tmp_path / "demo")
    workspace = Workspace(tmp_path / "demo")
    assert surveyed_shares(workspace, None) == {}  # no survey has been counted
    filter(workspace, [workspace.responses_folder / "responses.csv"])
    found = surveyed_shares(workspace, None)
    (first,) = (item for (template, _), item in found.items() if template == "age-001")
    assert (first.kind, first.share) == (QuestionKind.CHOICE, pytest.approx(84 / 102, abs=1e-6))
    other = tmp_path / "samples.csv"
    other.write_text("", encoding="utf-8")
    assert surveyed_shares(workspace, other) == {}
    own = workspace.root / "samples.csv"
    own.write_text("", encoding="utf-8")
    assert surveyed_shares(workspace, own) == found
