"""The plan of an evaluation: its power by hand, by other libraries and by simulation."""

from itertools import product

import numpy as np
import pytest
from scipy.stats import chi2, nct, t
from statsmodels.stats.power import TTestPower

from curation.files.manifest import read_manifest
from curation.records.messages import CurateError
from evaluation.compare.planning import Design, Pilot, plan, promise, visible_differences
from evaluation.qa.metrics import CELLS, OPEN_CELLS
from evaluation.qa.score import TALLY_COLUMNS, read_scored
from evaluation.qa.variance import VARIANCE_COLUMNS, parts

NAMES = {name[0].upper(): name for name in ("templates", "samples", "prompts", "orders", "repeats")}


def pilot(variances, samples=2):
    """A pilot of these parts, each named by its first letters."""
    named = {frozenset(NAMES[at] for at in key): value for key, value in variances.items()}
    return Pilot(samples, 2 * samples, named, frozenset({"models", "prompts", "repeats"}), 50, 5)


def power_of(*given):
    return promise(*given).power


def test_prompts_are_a_sample_too():
    """By hand: templates .0035, prompts .0035, both .0015; in all .0055 with 6.345 degrees.

    Templates: .04/20 + .08/80 + .48/960; prompts: .008/4 + the last two, which both have. Orders
    are all that there are, and add nothing.
    """
    found = {"T": 0.04, "P": 0.008, "TP": 0.08, "O": 0.03, "TSPOR": 0.48}
    df = 0.0055**2 / (0.0035**2 / 19 + 0.0035**2 / 3 + 0.0015**2 / 57)
    assert df == pytest.approx(6.345, abs=0.001)
    reach, away = t.ppf(0.975, df), 0.3 / np.sqrt(0.011)
    told = nct.sf(reach, df, away) + nct.cdf(-reach, df, away)
    power = power_of(pilot(found), 0.3, Design(20, 4, 2), 2, 0.05)
    assert power == pytest.approx(told, abs=1e-5)


def test_a_small_pilot_promises_less():
    """By hand: of 10 templates the variance .04 has 9 degrees, of 10,000 it has 9,999."""
    design, level = Design(60, 1, 1), 0.05
    variances = pilot({"T": 0.02, "TS": 0.08, "P": 0.01}, 4)  # one prompt is asked, as it is
    for templates, close in ((10, 0), (10_000, 1)):
        found = promise(variances._replace(templates=templates), 0.08, design, 2, level)
        ends = [
            0.04 / 60 * 2 * (templates - 1) / chi2.ppf(at, templates - 1) for at in (0.025, 0.975)
        ]
        told = [TTestPower().power(0.08 / np.sqrt(60 * end), 60, level) for end in ends]
        assert [found.low, found.high] == pytest.approx(told, abs=2e-6)
        assert (found.high - found.low < 0.04) is bool(close)
        assert found.half_width == pytest.approx(t.ppf(0.975, 59) * np.sqrt(0.08 / 60))
    both = promise(pilot({"T": 0.04, "P": 0.008, "TP": 0.08}), 0.9, Design(20, 2, 1), 2, level)
    # Templates .004, prompts .006, both .002; the pilot has 50 and 5.
    df = 0.008**2 / (0.004**2 / 49 + 0.006**2 / 4 + 0.002**2 / 196)
    own = 0.008**2 / (0.004**2 / 19 + 0.006**2 / 1 + 0.002**2 / 19)
    away = 0.9 / np.sqrt(0.016 * df / chi2.ppf(0.025, df))
    end = t.ppf(0.975, own)
    told = nct.sf(end, own, away) + nct.cdf(-end, own, away)
    assert both.low == pytest.approx(told, abs=1e-5)


@pytest.mark.nightly
@pytest.mark.parametrize("templates", [12, 25, 100])
def test_the_range_of_a_pilot_holds_the_true_power(templates):
    """Of 400 pilots near a ceiling, most hold what the differences of 20,000 templates give."""
    rng = np.random.default_rng(5)
    true = np.subtract(*accuracies(rng, 20_000)).mean(axis=1).var()
    right = TTestPower().power(0.07 / np.sqrt(true), 60, 0.05)
    held, units = 0, np.arange(4 * templates) // 4
    for _ in range(400):
        wide = accuracies(rng, templates).reshape(2, -1, 1, 1, 1)
        found = {item.name: item.variance for item in parts(list(wide), units)}
        apart = pilot({"T": max(found["models x templates"], 0), "TS": found["rest"]}, 4)
        told = promise(apart._replace(templates=templates), 0.07, Design(60, 1, 1), 2, 0.05)
        held += told.low <= right <= told.high
    assert held / 400 == pytest.approx(0.93, abs=0.02)


ONE = [
    # templates, prompts; level and spread of prompts on the scale of log-odds, lean, difference;
    # what accuracies vary by, of templates, prompts and both, and what share the interval shows of
    # 4,000 evaluations; the diff-bias, likewise
    (30, 1, (0.0, 0.0, 0.6, 0.14), 0.5002, (0.07235,), 0.798, 0.1378, (0.05747,), 0.850),
    (40, 1, (2.6, 0.0, 0.8, 0.068), 0.8907, (0.02035,), 0.623, 0.03916, (0.01157,), 0.627),
    (100, 1, (4.0, 0.0, 1.0, 0.024), 0.9663, (0.00473,), 0.603, 0.01485, (0.003303,), 0.766),
    (300, 1, (4.8, 0.0, 0.8, 0.0095), 0.9838, (0.001889,), 0.743, 0.005866, (0.00145,), 0.764),
    (20, 1, (4.8, 0.0, 1.8, 0.048), 0.9839, (0.001891,), 0.0, 0.0112, (0.001616,), 0.058),
    (
        *(40, 5, (0.0, 0.3, 0.7, 0.13), 0.5005, (0.04508, 0.003249, 0.02604), 0.798),
        *(0.1573, (0.01749, 0.004318, 0.04013), 0.929),
    ),
    (
        *(60, 3, (2.2, 0.3, 1.0, 0.078), 0.8506, (0.01594, 0.001011, 0.01315), 0.615),
        *(0.06443, (0.004347, 0.0005022, 0.01291), 0.735),
    ),
    (
        *(60, 4, (4.0, 0.3, 1.1, 0.035), 0.9649, (0.00178, 9.103e-05, 0.003271), 0.640),
        *(0.01649, (0.0005025, 3.701e-05, 0.003039), 0.707),
    ),
    (
        *(200, 3, (4.8, 0.3, 1.4, 0.015), 0.9831, (0.0004894, 2.404e-05, 0.001534), 0.667),
        *(0.009742, (0.0001821, 1.064e-05, 0.001464), 0.656),
    ),
]
"""Near the ends of the range and far from them."""
TOLD = {
    0.5002: (0.8171, 0.8616),
    0.8907: (0.6282, 0.6511),
    0.9663: (0.6153, 0.7875),
    0.9838: (0.7465, 0.7912),
    0.9839: (0.0, 0.0),
    0.5005: (0.8088, 0.929),
    0.8506: (0.6277, 0.7271),
    0.9649: (0.6126, 0.7235),
    0.9831: (0.6368, 0.6633),
}
"""By accuracy what is promised."""


def promised(case):
    """What a plan promises of an accuracy, and of a diff-bias."""
    templates, prompts, (*_, difference), right, varies, _, bias, bias_varies, _ = case
    names = ("T", "P", "TP")[: 1 if prompts == 1 else 3]
    given, other = (dict(zip(names, parts, strict=True)) for parts in (varies, bias_varies))
    accuracy = pilot(given, 1)._replace(score=right)
    of_bias = pilot(other, 1)._replace(score=bias, wrong=1 - right, of_wrong=accuracy.parts)
    design = Design(templates, prompts, 1)
    pairs = (accuracy, difference), (of_bias, bias)
    return [power_of(each, wanted, design, 1, 0.05) for each, wanted in pairs]


@pytest.mark.parametrize("case", ONE, ids=lambda case: f"{case[3]}, {case[0]} x {case[1]}")
def test_one_model_is_seen_to_differ_as_often_as_a_plan_promises(case):
    """Of an accuracy the fixed value lies on the side that is excluded less often."""
    assert promised(case) == pytest.approx(TOLD[case[3]], abs=0.001)
    assert promised(case) == pytest.approx([case[5], case[8]], abs=0.04 if case[0] > 20 else 0.06)


def accuracies(rng, templates):
    """The replies of two models, right in .95 and .88: whole templates are easy for one of them."""
    true = [rng.beta(20 * mean, 20 * (1 - mean), (templates, 1)) for mean in (0.95, 0.88)]
    return np.array([rng.random((templates, 4)) < share for share in true], float)


def scored(folder, variances, templates=30):
    """A folder of scores: a template has 4 ambiguous samples, and 2 and 2 that settle it."""
    folder.mkdir()
    (folder / "manifest.json").write_text(
        '{"tool": "curate", "tool_version": "0", "data_format": 1, "inputs": {}, "files": {}, '
        '"counts": {}, "settings": {"set": "test"}}'
    )
    cells = dict.fromkeys((*CELLS, *OPEN_CELLS), 0) | {"n_au": 2, "n_ac": 2, "n_bb": 2, "n_cc": 2}
    lines = [",".join(TALLY_COLUMNS)]
    prompts = "12" if any("prompts" in part for _, part, _ in variances) else "1"
    for at, prompt in product(range(templates), prompts):
        row = {**cells, "model": "m", "template_id": f"age-{at:03d}", "category": "age"}
        row |= {"label": "ST", "prompt": prompt, "order": 0, "missing": 0, "epoch": 1}
        lines.append(",".join(str(row[name]) for name in TALLY_COLUMNS))
    (folder / "tallies.csv").write_text("\n".join(lines) + "\n")
    lines = [",".join(VARIANCE_COLUMNS)]
    for model, part, variance in variances:
        row = dict.fromkeys(VARIANCE_COLUMNS, "") | {"model": model, "part": part}
        row |= {"metric": "accuracy_amb", "variance": variance}
        lines.append(",".join(str(row[name]) for name in VARIANCE_COLUMNS))
    (folder / "variance.csv").write_text("\n".join(lines) + "\n")
    assert read_manifest(folder)
    return folder


SEVERAL = [
    ("", "models", 0.5),
    ("", "templates", 0.3),
    ("", "prompts", 0.02),
    ("", "models x templates", 0.02),
    ("", "models x prompts", -0.001),
    ("", "samples", 0.1),
    ("", "models x samples", 0.04),
    ("", "rest", 0.12),
]


def test_a_pilot_says_what_models_differ_in(tmp_path):
    """By hand for 2 prompts: .02/T + .04/4T + .12/8T; a part below 0 is 0. The cheapest is first.

    What models share does not count between two; of one model it does.
    """
    folder = scored(tmp_path / "pilot", SEVERAL)
    found = plan(folder, {"accuracy_amb": 0.08}, price=0.01, budget=1000)
    first, second = found.rows[:2]
    assert [row["requests"] for row in found.rows] == sorted(row["requests"] for row in found.rows)
    assert (first["prompts"], first["orders"], first["epochs"], first["models"]) == (2, 3, 1, 2)
    expected = pilot({"T": 0.02, "TS": 0.04, "TSP": 0.12, "P": 0}, 4)
    size = int(first["templates"])
    now, less = (
        power_of(expected, 0.08, Design(count, 2, 1), 2, 0.05) for count in (size, size - 1)
    )
    assert less < 0.8 <= now == pytest.approx(first["power"])
    assert first["requests"] == size * 8 * 2 * 3 * 2
    assert first["cost"] == pytest.approx(first["requests"] * 0.01)
    assert second["requests"] > first["requests"]
    assert found["affordable"] is True
    assert plan(folder, {"accuracy_amb": 0.08}, price=0.01, budget=1)["affordable"] is False
    alone = plan(folder, {"accuracy_amb": 0.3}, models=1).rows
    shared = pilot({"T": 0.32, "TS": 0.14, "TSP": 0.12, "P": 0.02}, 4)
    design = Design(int(alone[0]["templates"]), int(alone[0]["prompts"]), 1)
    assert alone[0]["power"] == pytest.approx(power_of(shared, 0.3, design, 1, 0.05))


def test_every_two_models_are_corrected_for(tmp_path):
    """Of four models there are six pairs: each is tested at .05 / 6."""
    rows = [("", "models x templates", 0.02), ("", "templates", 0.1), ("", "rest", 0.1)]
    found = plan(scored(tmp_path / "pilot", rows), {"accuracy_amb": 0.1}, models=4).rows[0]
    design = Design(int(found["templates"]), 1, 1)
    told = power_of(pilot({"T": 0.12}), 0.1, design, 4, 0.05 / 6)
    assert found["power"] == pytest.approx(told)
    both = plan(None, dict.fromkeys(("accuracy_amb", "diff_bias_amb"), 0.05), models=4).rows
    assert both == plan(None, {"diff_bias_amb": 0.05}, models=4).rows  # each score by itself
    assert found["requests"] == design.templates * 8 * 3 * 4


def test_a_pilot_of_one_model_is_taken_whole(tmp_path):
    """Nothing is known of what two models share, and it is said."""
    rows = [("m", "templates", 0.1), ("m", "samples", 0.04), ("m", "rest", 0.2)]
    found = plan(scored(tmp_path / "pilot", rows, 10), {"accuracy_amb": 0.2})
    size = int(found.rows[0]["templates"])
    told = pilot({"T": 0.1, "TS": 0.24}, 4)
    assert found.rows[0]["power"] == pytest.approx(power_of(told, 0.2, Design(size, 1, 1), 2, 0.05))
    notes = "; ".join(found["notes"])
    assert "one model" in notes and "one prompt" in notes


@pytest.mark.parametrize(
    ("rows", "templates", "message"),
    [
        ([("m", "rest", 0.2)], 1, "how templates differ"),
        ([("m", "templates", 0.1), ("m", "samples", ""), ("m", "rest", "")], 30, "tell apart"),
        ([("m", "templates", 0), ("m", "rest", 0)], 30, "differ in nothing"),
        ([("m", "templates", -0.1), ("m", "rest", 0)], 30, "differ in nothing"),
        ([("m", "templates", 0), ("m", "orders", 0.3), ("m", "rest", 0)], 30, "differ in nothing"),
    ],
)
def test_pilots_that_say_too_little(tmp_path, rows, templates, message):
    """One template, samples asked once, all right or all refused: no plan is made of it."""
    folder = scored(tmp_path / "pilot", rows, templates)
    with pytest.raises(CurateError, match=message):
        plan(folder, {"accuracy_amb": 0.1})


@pytest.mark.parametrize(
    ("wanted", "message"),
    [
        ({"diff_bias_dis": 0.1}, "no plan for the score 'diff_bias_dis'"),
        ({"accuracy_amb": 1.0}, "a difference of 1 in accuracy_amb"),
        ({"diff_bias_amb": 0.0}, "a difference of 0 in diff_bias_amb"),
        ({"accuracy_dis": float("nan")}, "a difference of nan"),
        ({"accuracy_amb": 0.0001}, "no design of up to 20,000 templates and 1 prompt "),
    ],
)
def test_what_cannot_be_planned(wanted, message):
    """Scores without parts, differences that cannot be, and those that nothing would show."""
    with pytest.raises(CurateError, match=message):
        plan(None, wanted)


def test_without_a_pilot_published_replies_are_taken():
    """Two models differ in .0145 of a template and .1463 of a sample; a template has four."""
    found = plan(None, {"diff_bias_amb": 0.05})
    size = int(found.rows[0]["templates"])
    told = pilot({"T": 0.0145, "TS": 0.1463}, 4)
    powers = [power_of(told, 0.05, Design(count, 1, 1), 2, 0.05) for count in (size - 1, size)]
    assert powers[0] < 0.8 <= powers[1] == pytest.approx(found.rows[0]["power"])
    assert found.rows[0]["requests"] == size * 8 * 3 * 2  # four of each context, orders, models
    assert "UnifiedQA" in found["notes"][0]


def test_a_report_says_what_its_replies_could_show(tmp_path):
    """Just that difference which a plan of as many templates and prompts sees with .8."""
    folder = scored(tmp_path / "scores", SEVERAL, 40)
    rows = [
        {"model": model, "metric": "accuracy_amb", "part": part, "variance": variance / 4}
        for model, part, variance in SEVERAL
    ]
    found = visible_differences(read_scored(folder), rows)
    whole = pilot({"T": 0.08, "TS": 0.035, "TSP": 0.03, "P": 0.005}, 4)
    told = power_of(whole, found["accuracy_amb"], Design(40, 2, 1), 1, 0.05)
    assert told == pytest.approx(0.8)
    assert set(found) == {"accuracy_amb"}
    rows[1]["variance"] = None
    assert visible_differences(read_scored(folder), rows) == {}
