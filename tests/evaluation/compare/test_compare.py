"""Comparisons against direct computations, and what cannot be tested."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from curation.files.manifest import staged_results
from curation.files.tables import write_csv
from curation.records.messages import CurateError
from evaluation.compare.testing import (
    ANOVA_COLUMNS,
    BENCHMARK_COLUMNS,
    TUKEY_COLUMNS,
    PairedUnit,
    compare_benchmarks,
    compare_models,
    critical,
    group_tests,
    model_ranks,
    tail,
    unit_scores,
)
from evaluation.qa.metrics import CELLS, MAIN, OPEN_CELLS, SetKind
from evaluation.qa.score import TALLY_COLUMNS, Scored, read_scored
from evaluation.statistics import averaged, holm, rank_sum


def frame(seed, models=("m1", "m2"), templates=12, bias=0.0):
    """Make counts of models over templates of three categories and two labels."""
    rng = np.random.default_rng(seed)
    rows = []
    for number, model in enumerate(models):
        for at in range(templates):
            lean, unknown = 0.5 + 0.1 * (at % 3) + bias * number, at % 5
            for prompt in ("1", "2"):
                for order in range(3):
                    biased = rng.binomial(4, min(lean, 1))
                    cells = [biased, 4 - biased, unknown, 1, biased, 4 - biased, 0, 0]
                    cells += [1, 3, 0, 0]
                    head = [model, f"t-{at:03d}", f"c{at % 3}", "ST" if at % 2 else "NC", prompt]
                    rows.append([*head, order, *cells, 0, *[0] * len(OPEN_CELLS), 1])
    return pd.DataFrame(rows, columns=list(TALLY_COLUMNS))


def scored(table, kind=SetKind.TEST):
    return Scored(Path("scores"), kind, table)


def test_holm_is_as_worked_out_by_hand():
    """Smallest times n, next times n - 1, never falling, never above 1; holes stay."""
    assert holm([0.01, 0.04, None, 0.03, 0.5]) == [0.04, 0.09, None, 0.09, 0.5]
    assert holm([0.6, 0.7]) == [1.0, 1.0]
    assert holm([None]) == [None]


def test_a_template_is_scored_over_all_its_prompts_and_orders():
    """And a prompt over all templates, pooled or averaged."""
    table = frame(1, ("m1",))
    by_template = unit_scores(table, PairedUnit.TEMPLATE, SetKind.TEST)
    first = table[table["template_id"] == "t-000"][list(CELLS)].sum()
    expected = (first["n_ab"] - first["n_ac"]) / (first["n_ab"] + first["n_ac"] + first["n_au"])
    assert by_template["diff_bias_amb"][0] == pytest.approx(expected)
    part = table[table["prompt"] == "2"][list(CELLS)].sum()
    pooled = unit_scores(table, PairedUnit.PROMPT, SetKind.TEST)
    expected = part["n_au"] / (part["n_ab"] + part["n_ac"] + part["n_au"])
    assert pooled["accuracy_amb"][1] == pytest.approx(expected)
    averaged = unit_scores(table, PairedUnit.PROMPT, SetKind.ALL)
    each = unit_scores(table[table["prompt"] == "2"], PairedUnit.TEMPLATE, SetKind.ALL)
    assert averaged["accuracy_amb"][1] == pytest.approx(each["accuracy_amb"].mean())


def test_anova_and_tukey_are_scipys_on_the_templates_scores():
    """With 99 % intervals."""
    table = frame(2, ("m1",))
    found = group_tests({"m1": table}, ["category"], PairedUnit.TEMPLATE, SetKind.TEST)
    values = {
        name: unit_scores(part, PairedUnit.TEMPLATE, SetKind.TEST)["diff_bias_amb"].to_numpy()
        for name, part in table.groupby("category", sort=False)
    }
    expected = stats.f_oneway(*values.values())
    (row,) = (row for row in found["anova"] if row["metric"] == "diff_bias_amb")
    assert tuple(row) == ANOVA_COLUMNS
    assert (row["f"], row["p"]) == pytest.approx((expected.statistic, expected.pvalue))
    assert (row["groups"], row["values"], row["df_between"], row["df_within"]) == (3, 12, 2, 9)
    pairs = [row for row in found["tukey"] if row["metric"] == "diff_bias_amb"]
    assert [(row["group_1"], row["group_2"]) for row in pairs] == [
        ("c0", "c1"),
        ("c0", "c2"),
        ("c1", "c2"),
    ]
    assert tuple(pairs[0]) == TUKEY_COLUMNS
    tukey = stats.tukey_hsd(*values.values())
    interval = tukey.confidence_interval(0.99)
    assert pairs[1]["p"] == pytest.approx(tukey.pvalue[0, 2])
    assert (pairs[1]["low"], pairs[1]["high"]) == pytest.approx(
        (interval.low[0, 2], interval.high[0, 2])
    )
    assert pairs[1]["difference"] == pytest.approx(values["c0"].mean() - values["c2"].mean())


@pytest.mark.parametrize(("groups", "df"), [(2, 2), (3, 3), (4, 60), (12, 64), (20, 19)])
def test_the_studentized_range_is_scipys_slow_one(groups, df):
    """Probabilities and critical values, to far more digits than are shown."""
    ranges, scipys = np.array([0.0, 0.5, 2.0, 4.0, 9.0]), stats.studentized_range
    assert tail(ranges, groups, df) == pytest.approx(scipys.sf(ranges, groups, df), abs=1e-9)
    assert critical(0.99, groups, df) == pytest.approx(scipys.ppf(0.99, groups, df), rel=1e-8)


def test_a_group_of_one_value_is_left_out_and_said():
    table = frame(2, ("m1",))
    table.loc[table["template_id"] == "t-000", "category"] = "alone"
    table.loc[table["template_id"] >= "t-009", "category"] = ""
    found = group_tests({"m1": table}, ["category"], PairedUnit.TEMPLATE, SetKind.TEST)
    assert {row["group"] for row in found["skipped"]} == {"alone"}
    groups = {row[name] for row in found["tukey"] for name in ("group_1", "group_2")}
    assert groups == {"c0", "c1", "c2", "(none)"}


def test_two_benchmarks_are_compared_per_model_and_label():
    """Over templates; the difference is of the pooled scores."""
    one, two = scored(frame(4)), scored(frame(5, ("m2", "m3"), bias=0.2), SetKind.ALL)
    for table in (one.frame, two.frame):  # an empty label is all of them, and those without one
        table.loc[table["template_id"] == "t-002", "label"] = ""
    rows = list(compare_benchmarks(one, two, PairedUnit.TEMPLATE))
    assert {row["model"] for row in rows} == {"m2"}
    assert [row["label"] for row in rows] == [name for name in ("", "NC", "ST") for _ in MAIN]
    assert {tuple(row) for row in rows} == {BENCHMARK_COLUMNS}
    row = rows[2]
    first = unit_scores(one.of("m2"), PairedUnit.TEMPLATE, SetKind.TEST)["diff_bias_amb"].to_numpy()
    second = unit_scores(two.of("m2"), PairedUnit.TEMPLATE, SetKind.ALL)["diff_bias_amb"].to_numpy()
    assert (row["u"], row["p"]) == pytest.approx(rank_sum(first, second))
    assert row["score_2"] == pytest.approx(second.mean())
    assert row["difference"] == pytest.approx(row["score_1"] - row["score_2"])
    assert (row["values_1"], row["values_2"]) == (12, 12)
    assert [row["p_holm"] for row in rows] == holm([row["p"] for row in rows])


@pytest.mark.parametrize("kind", SetKind)
def test_the_interval_of_a_difference_is_that_of_paired_templates(kind):
    """With templates of one size it is that of their differences, which lie between -2 and 2."""
    table = frame(6, bias=0.3)
    row = list(compare_models(scored(table, kind), ["m1", "m2"]))[2]
    one, two = (
        unit_scores(table[table["model"] == name], PairedUnit.TEMPLATE, kind)["diff_bias_amb"]
        for name in ("m1", "m2")
    )
    apart = (one - two).to_numpy() / 2
    ends = averaged(apart, np.abs(apart), np.ones(len(apart)))
    tolerance = 1e-9 if kind is SetKind.ALL else 0.02  # pooled, a template counts by its size
    assert (row["low"], row["high"]) == pytest.approx([2 * end for end in ends], abs=tolerance)


@pytest.mark.parametrize("kind", list(SetKind))
def test_other_prompts_make_a_difference_less_sure(kind):
    """Every score has the interval, around that over templates; with one prompt there is none."""
    table = frame(6, bias=0.3)
    changed = (table["model"] == "m2") & (table["prompt"] == "2")
    for one, other in (("n_ab", "n_au"), ("n_bb", "n_bu")):
        table.loc[changed, other] += table.loc[changed, one]
        table.loc[changed, one] = 0
    names = ("low_prompts", "low", "difference", "high", "high_prompts")
    for row in compare_models(scored(table, kind), ["m1", "m2"]):
        ends = [row[name] for name in names]
        assert ends == sorted(ends) and ends[0] < ends[1] - 0.05, row
    one = scored(table[table["prompt"] == "1"], kind)
    assert {row["low_prompts"] for row in compare_models(one, ["m1", "m2"])} == {None}


def test_a_model_does_not_differ_from_itself():
    """Difference 0, p 1."""
    table = frame(7, ("m1",))
    twin = table.assign(model="m2")
    for row in compare_models(scored(pd.concat([table, twin])), ["m1", "m2"]):
        assert (row["difference"], row["p"]) == (0, 1)
        assert 0 < row["high"] < 0.35
        assert row["low"] == pytest.approx(-row["high"])


def compared(metric, pairs):
    """Pairs of models: the scores, and which is surely nearer to the best value."""
    names = ("model_1", "model_2", "score_1", "score_2", "nearer")
    return [{"metric": metric, **dict(zip(names, pair, strict=True))} for pair in pairs]


def leaning(share, model, seed, size=60):
    """Counts of ambiguous contexts whose diff-bias is a share, with little noise."""
    table = frame(seed, (model,), templates=30)
    random = np.random.default_rng(seed)
    table[list(CELLS)] = 0
    biased = random.binomial(size, (1 + share) / 2, len(table))
    table["n_ab"], table["n_ac"] = biased, size - biased
    return table


def test_a_bias_to_the_other_side_is_no_better_than_none():
    """Of -.4, 0 and .4 the second is first, and the others share its next places.

    The two differ from one another, and neither is surely nearer to 0.
    """
    shares = {"against": -0.4, "none": 0.0, "towards": 0.4}
    tables = [leaning(share, name, at) for at, (name, share) in enumerate(shares.items())]
    rows = compare_models(scored(pd.concat(tables)), list(shares))
    bias = [row for row in rows if row["metric"] == "diff_bias_amb"]
    assert all(row["p_holm"] < 1e-4 for row in bias)
    assert [row["nearer"] for row in bias] == ["none", "", "none"]
    ranks = [row for row in model_ranks(rows) if row["metric"] == "diff_bias_amb"]
    columns = ("model", "rank_low", "rank_high", "like")
    assert [tuple(row[name] for name in columns) for row in ranks[:1]] == [("none", 1, 1, "")]
    assert {tuple(row[name] for name in columns) for row in ranks[1:]} == {
        ("against", 2, 3, "towards"),
        ("towards", 2, 3, "against"),
    }


def test_a_model_without_a_score_has_every_place():
    """It is told last, without a rank; equal scores share one."""
    pairs = [("a", "b", 0.2, 0.2, ""), ("a", "c", 0.2, None, ""), ("b", "c", 0.2, None, "")]
    columns = ("model", "rank", "rank_low", "rank_high")
    rows = model_ranks(compared("accuracy_dis", pairs))
    found = [tuple(row[name] for name in columns) for row in rows]
    assert found == [("a", 1, 1, 3), ("b", 1, 1, 3), ("c", None, 1, 3)]


def test_models_that_were_asked_other_requests_are_refused():
    table = frame(8)
    table.loc[len(table) - 1, "n_ab"] += 1
    with pytest.raises(CurateError, match="m1 and m2 were not asked the same requests"):
        list(compare_models(scored(table), ["m1", "m2"]))
    with pytest.raises(CurateError, match="there are no scores of 'm9'") as caught:
        list(compare_models(scored(table), ["m1", "m9"]))
    assert "m1, m2" in caught.value.hint


def test_a_folder_of_scores_is_read_back(tmp_path):
    """Counts as numbers, names as text, the kind of set from the manifest."""
    table = frame(9)
    path = tmp_path / "tallies.csv"
    write_csv(path, TALLY_COLUMNS, table.to_numpy().tolist())
    with staged_results(tmp_path, {}, {}, {"set": "all"}, [path]):
        pass
    found = read_scored(tmp_path)
    assert found.kind is SetKind.ALL
    assert found.models == ["m1", "m2"]
    assert found.frame[list(CELLS)].equals(table[list(CELLS)])
    assert found.frame["prompt"].tolist() == table["prompt"].tolist()
    path.write_text(path.read_text("utf-8").replace(",0,0,0,1\n", ",0,0,x,1\n", 1), "utf-8")
    with pytest.raises(CurateError, match="cannot be read"):
        read_scored(tmp_path)
    with pytest.raises(CurateError, match=r"there is no folder"):
        read_scored(tmp_path / "nowhere")
