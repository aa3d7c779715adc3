"""Stories compared with question answering."""

import numpy as np
import pytest
from scipy import stats

from evaluation.stories.comparing import QA_COLUMNS, STORY_COLUMNS, correlate, fit_mixed, joined

X, Y = "accuracy_amb", "ntr_gen"


def points(values):
    return [
        {"model": model, "group_by": "category" if group else "overall", "group": group, X: x, Y: y}
        for model, group, x, y in values
    ]


def test_correlations_are_taken_over_models():
    """Pearson's by hand: of (0, 1, 2, 3) and (0, 2, 1, 5) it is 7 / sqrt(5 * 14)."""
    values = [("m", 0.0, 0.0), ("n", 1.0, 2.0), ("o", 2.0, 1.0), ("p", 3.0, 5.0)]
    given = points([(model, "", x, y) for model, x, y in values])
    more = points([("m", "Age", 9.0, -9.0), ("q", "", None, 1.0), ("r", "", 1.0, None)])
    found = correlate([*given, *more], X, Y)
    assert (found["n"], found["reason"]) == (4, "")
    assert found["pearson"] == pytest.approx(7.0 / np.sqrt(5 * 14))
    assert found["spearman"] == pytest.approx(0.8)
    assert found["pearson_p"] == pytest.approx(0.1633, abs=1e-3)
    assert found["spearman_p"] == pytest.approx(8 / 24)  # 8 of 24 orders are as far from 0


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([(0.1, 0.2), (0.3, 0.4)], "2 models are too few; three are needed"),
        ([(0.1, 0.2), (0.1, 0.4), (0.1, 0.5)], "accuracy_amb is the same everywhere"),
        ([(0.1, 0.2), (0.2, 0.2), (0.3, 0.2)], "ntr_gen is the same everywhere"),
    ],
)
def test_a_correlation_that_is_undefined_says_why(values, reason):
    """It is never 0."""
    found = correlate(points([(str(at), "", *pair) for at, pair in enumerate(values)]), X, Y)
    assert (found["n"], found["pearson"], found["spearman_p"]) == (len(values), None, None)
    assert found["reason"] == reason


def simulated(spread, noise, seed=1):
    """Give eight models with the same accuracies in ten categories, of slope 0.5."""
    generator = np.random.default_rng(seed)
    found = []
    for model in range(8):
        start = 0.2 + generator.normal(0, spread)
        for at in range(10):
            y = start + 0.5 * at / 10 + generator.normal(0, noise)
            found.append((f"m{model}", f"c{at}", at / 10, float(y)))
    return points(found)


def test_models_that_do_not_differ_leave_least_squares():
    """With its standard error and degrees of freedom, which is said."""
    given = simulated(0.0, 0.05)
    found = fit_mixed(given, X, Y)
    x, y = (np.array([p[name] for p in given], np.float64) for name in (X, Y))
    line = stats.linregress(x, y)
    assert (found["model_variance"], found["slope_df"]) == (0.0, 78.0)
    assert (found["intercept"], found["slope"]) == pytest.approx((line.intercept, line.slope))
    assert (found["slope_se"], found["slope_p"]) == pytest.approx((line.stderr, line.pvalue))
    assert found["notes"] == (
        "models differ no more than by chance: the fit is that of least squares",
    )


def test_below_four_models_a_slope_has_no_p():
    """Nor an interval: how much models vary is hardly known of three."""
    given = [point for point in simulated(0.3, 0.02) if point["model"] in ("m0", "m1", "m2")]
    found = fit_mixed(given, X, Y)
    assert found["slope"] == pytest.approx(0.5, abs=0.05)
    assert found["slope_se"] is not None
    assert (found["slope_low"], found["slope_high"], found["slope_p"]) == (None, None, None)
    assert found["notes"] == ("3 models are too few for a p-value; four are needed",)
    found = fit_mixed(simulated(0.3, 0.02)[:40], X, Y)
    assert (found["models"], found["notes"]) == (4, ())
    assert found["slope_low"] < 0.5 < found["slope_high"]
    few = simulated(0.3, 0.02)[7:12]  # three rows of one model, two of another
    assert fit_mixed(few, X, Y)["slope"] is not None
    assert fit_mixed(few[1:], X, Y)["notes"] == ("4 rows are too few for 2 models",)


@pytest.mark.parametrize(
    ("values", "note"),
    [
        ([("m", "c1", 0.1, 0.2), ("m", "c2", 0.2, 0.3)], "1 models with scores by category"),
        ([("m", "c1", 0.1, 0.2), ("n", "c1", 0.2, 0.3)], "2 rows are too few for 2 models"),
        (
            [(m, c, 0.1, float(c)) for m in "mno" for c in "123"],
            "accuracy_amb is the same everywhere",
        ),
        (
            [(m, c, float(c), 2.0 * float(c) + ord(m)) for m in "mnop" for c in "1234"],
            "nothing is left that the line and the models do not explain",
        ),
        ([(m, c, float(c), 0.1) for m in "mno" for c in "123"], "ntr_gen is the same everywhere"),
    ],
)
def test_rows_that_no_model_can_be_fitted_to_say_why(values, note):
    """Everything stays undefined."""
    found = fit_mixed(points(values), X, Y)
    assert (found["slope"], found["slope_p"]) == (None, None)
    assert found["notes"][0].startswith(note)


def test_what_has_scores_of_one_kind_alone_is_said():
    """Models, and categories of models that have both; `Old age` goes with `old_age`."""

    def rows(*names):
        scores = dict.fromkeys((*QA_COLUMNS, *STORY_COLUMNS), 0.5)
        return [
            {"model": m, "group_by": "category" if g else "overall", "group": g, **scores}
            for m, _, g in (name.partition(":") for name in names)
        ]

    qa, told = rows("m", "m:Old/age", "m:Ses", "q", "q:Sex"), rows("m", "m:old_age", "m:Sex", "s")
    points, findings = joined(qa, told, ("qa.csv", "told.csv"))
    assert [(point["model"], point["group"]) for point in points] == [("m", ""), ("m", "Old/age")]
    assert [(item.file, item.message) for item in findings] == [
        ("qa.csv", "1 models have no scores in told.csv: q"),
        ("qa.csv", "1 categories have no scores in told.csv: Ses"),
        ("told.csv", "1 models have no scores in qa.csv: s"),
        ("told.csv", "1 categories have no scores in qa.csv: Sex"),
    ]
