"""Normalised scores of all models together, the groups' intervals, and their picture."""

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from statsmodels.stats.multicomp import pairwise_tukeyhsd

from curation.files.manifest import staged_results
from curation.files.tables import write_csv
from evaluation.compare import Normalised, PairedUnit, groups
from evaluation.compare.comparing import means_of_groups
from evaluation.compare.testing import (
    MEAN_COLUMNS,
    POOLED,
    Ends,
    _scores,
    anova_and_tukey,
    group_values,
)
from evaluation.qa.metrics import CELLS, SetKind
from evaluation.qa.score import TALLY_COLUMNS

_HEAD = ("model", "template_id", "category", "label", "prompt", "order")
ENDS = Ends.of("diff_bias_amb")
BIASED = {"m1": {"age": (4, 3, 2), "sea": (1, 0, 0)}, "m2": {"age": (2, 2, 1), "sea": (1, 1, 0)}}
"""By model and category how many of four ambiguous replies each template has biased, the others
being unknown."""


def frame():
    """Make the counts of two models on three templates of each of two categories."""
    rows = []
    for model, categories in BIASED.items():
        for category, counts in categories.items():
            for at, biased in enumerate(counts):
                cells = [biased, 0, 4 - biased, 0, 1, 1, 0, 0, 1, 1, 0, 0]
                head = [model, f"{category}-{at:03d}", category, "ST", "1", 0]
                counted = dict(zip((*_HEAD, *CELLS), (*head, *cells), strict=True))
                rows.append({**dict.fromkeys(TALLY_COLUMNS, 0), **counted})
    return pd.DataFrame(rows, columns=list(TALLY_COLUMNS))


def pooled_values(frames, group_by, metric, unit, kind, normalised):
    scored = [_scores(found, group_by, unit, kind) for found in frames.values()]
    return group_values(scored, metric, normalised)


def by_model():
    return {str(name): part for name, part in frame().groupby("model")}


def test_scores_are_normalised_within_each_model_and_averaged_over_models():
    """Less the mean, over the standard deviation of all templates of the model."""
    given = (by_model(), "category", "diff_bias_amb", PairedUnit.TEMPLATE, SetKind.TEST)
    found, _ = pooled_values(*given, Normalised.MODEL)
    expected = []
    for categories in BIASED.values():
        values = np.array([*categories["age"], *categories["sea"]]) / 4
        expected.append((values - values.mean()) / values.std(ddof=1))
    mean = np.mean(expected, axis=0)
    assert found["age"] == pytest.approx(mean[:3])
    assert found["sea"] == pytest.approx(mean[3:])


def test_scores_are_normalised_by_their_bound_where_there_is_one():
    """Every biased reply is all the bias there can be; without one, nothing is said."""
    given = (by_model(), "category", "diff_bias_amb", PairedUnit.TEMPLATE, SetKind.TEST)
    found, _ = pooled_values(*given, Normalised.BOUND)
    assert found["age"].tolist() == [1, 1, 1]
    assert found["sea"].tolist() == [1, 1]  # the third is unknown alone in both models


def test_a_model_without_an_error_counts_for_the_bound():
    """Scores and bounds are averaged over all models before they are divided."""
    frames = by_model()
    frames["m1"] = frames["m1"].assign(n_ab=0, n_ac=1, n_au=3)
    frames["m2"] = frames["m2"].assign(n_ab=0, n_ac=0, n_au=4)
    given = ("category", "diff_bias_amb", PairedUnit.TEMPLATE, SetKind.TEST, Normalised.BOUND)
    assert pooled_values(frames, *given)[0]["age"].tolist() == [-1, -1, -1]
    frames["m2"] = frames["m2"].assign(n_ab=1, n_au=3)
    assert pooled_values(frames, *given)[0]["age"].tolist() == [0, 0, 0]


def test_a_model_that_does_not_vary_is_left_out():
    """There is no standard deviation to divide by."""
    frames = by_model()
    frames["flat"] = frames["m1"].assign(n_ab=1, n_au=3)
    given = ("category", "diff_bias_amb", PairedUnit.TEMPLATE, SetKind.TEST, Normalised.MODEL)
    (with_flat, ends), (without, same) = (pooled_values(of, *given) for of in (frames, by_model()))
    assert ends == same
    assert {name: list(of) for name, of in with_flat.items()} == {
        name: list(of) for name, of in without.items()
    }


@pytest.mark.parametrize("sizes", [(5, 5, 5), (4, 9, 6, 3), (5, 8)])
def test_comparison_intervals_are_those_of_statsmodels(sizes):
    """Of Hochberg and Tamhane, at 99 %."""
    rng = np.random.default_rng(3)
    samples = {f"g{at}": rng.normal(at, 1, size) for at, size in enumerate(sizes)}
    found = anova_and_tukey(samples, ENDS)
    assert {tuple(row) for row in found["means"]} == {MEAN_COLUMNS[3:]}
    values = np.concatenate(list(samples.values()))
    names = np.repeat(list(samples), sizes)
    theirs = pairwise_tukeyhsd(values, names, alpha=0.01)
    theirs._simultaneous_ci()
    widths = [float(row["compare_high"]) - float(row["mean"]) for row in found["means"]]
    assert widths == pytest.approx(np.ravel(theirs.halfwidths), rel=1e-4)
    assert [row["mean"] for row in found["means"]] == [of.mean() for of in samples.values()]


def test_groups_without_spread_have_means_alone():
    """No interval could be given."""
    found = anova_and_tukey({"a": np.ones(3), "b": np.ones(2)}, ENDS)
    assert [(row["mean"], row["compare_low"], row["compare_high"]) for row in found["means"]] == [
        (1, None, None)
    ] * 2


def test_one_test_is_made_for_all_models_with_its_picture(tmp_path):
    """ANOVA of the values that are averaged over models, and a picture that states them."""
    path = tmp_path / "scores" / "tallies.csv"
    path.parent.mkdir()
    write_csv(path, TALLY_COLUMNS, frame().to_numpy().tolist())
    with staged_results(path.parent, {}, {}, {"set": "test"}, [path]):
        pass
    made = groups(path.parent, ["category"], pooled=Normalised.MODEL)
    (row,) = (row for row in made.tables["anova"][1] if row["metric"] == "diff_bias_amb")
    given = ("category", "diff_bias_amb", PairedUnit.TEMPLATE, SetKind.TEST, Normalised.MODEL)
    values, _ = pooled_values(by_model(), *given)
    expected = stats.f_oneway(*values.values())
    assert (row["model"], row["groups"], row["values"]) == (POOLED, 2, 6)
    assert (row["f"], row["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert made["normalised"] == "model"
    assert made["models"] == ["m1", "m2"]
    made.save(tmp_path / "out")
    names = {item.name for item in (tmp_path / "out").iterdir()}
    assert {"means.csv", "means_by_category.svg", "means_by_category.png"} <= names
    alt = means_of_groups(made, "category", normalised=True).alt
    assert alt.startswith("Normalised score by category, means with 99 % comparison")
    assert f"diff-bias, ambiguous, all models: age {values['age'].mean():.3f} (" in alt
    alone = groups(path.parent, ["category"])
    assert {row["model"] for row in alone.tables["anova"][1]} == {"m1", "m2"}
    assert "Diff-bias by category" in means_of_groups(alone, "category", normalised=False).alt


def test_groups_are_compared_with_all_templates_of_which_they_are_a_part():
    """Of two groups of two, a mean less that of all four is half of their difference.

    So is its standard error.
    """
    samples = {"a": np.array([1.0, 2.0]), "b": np.array([4.0, 6.0])}
    found = anova_and_tukey(samples, ENDS, overall=True)
    pair, one, other = found["tukey"]
    assert (one["group_1"], one["group_2"], one["mean_2"]) == ("a", "overall", 3.25)
    assert (one["difference"], other["difference"]) == (-1.75, 1.75)
    assert (one["low"], one["high"]) == pytest.approx(
        [float(pair[name]) / 2 for name in ("low", "high")]
    )
    assert pair["p"] == pytest.approx(one["p"])
    assert found["means"][-1]["values"] == 4
    assert [row["group_2"] for row in found["permutation"]] == ["b", "overall", "overall"]


def test_groups_with_equal_means_differ_by_nothing():
    """F and the differences are 0 and p is 1, where they were 1e-31 and 1e-17."""
    noisy, plain = np.array([0.0, 0.1 + 0.2]), np.array([0.0, 0.3])
    assert noisy.mean() != plain.mean()
    found = anova_and_tukey({"a": noisy, "b": plain}, ENDS)
    assert (found["anova"][0]["f"], found["anova"][0]["p"]) == (0.0, 1.0)
    assert (found["tukey"][0]["difference"], found["tukey"][0]["differs"]) == (0.0, "no")
    assert found["permutation"][0]["difference"] == 0.0
    assert found["tukey"][0]["p"] == pytest.approx(1.0)
    found = anova_and_tukey({"a": np.array([0.1 + 0.2, -0.3]), "b": plain + 0.5}, ENDS)
    assert [row["mean"] for row in found["means"]] == [0.0, pytest.approx(0.65)]
