"""The plan of an evaluation: its power by hand, by other libraries and by simulation."""

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit
from scipy.stats import chi2, nct, t
from statsmodels.stats.power import TTestPower

from curation.files.manifest import read_manifest
from curation.intervals import interval
from curation.records.messages import CurateError
from evaluation.compare.planning import Design, Pilot, plan, promise, visible_differences
from evaluation.compare.testing import compare_models
from evaluation.qa.metrics import CELLS, OPEN_CELLS, SetKind
from evaluation.qa.score import TALLY_COLUMNS, Scored, read_scored
from evaluation.qa.variance import VARIANCE_COLUMNS, ends_over_prompts, parts

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
    for models, variance in ((1, 0.0055), (2, 0.011)):
        reach, away = t.ppf(0.975, df), 0.3 / np.sqrt(variance)
        told = nct.sf(reach, df, away) + nct.cdf(-reach, df, away)
        power = power_of(pilot(found), 0.3, Design(20, 4, 2), models, 0.05)
        assert power == pytest.approx(told, abs=1e-5)


def test_a_small_pilot_promises_less():
    """By hand: of 10 templates the variance .04 has 9 degrees, of 10,000 it has 9,999."""
    design, level = Design(60, 1, 1), 0.05
    variances = pilot({"T": 0.02, "TS": 0.08}, 4)
    for templates, close in ((10, 0), (10_000, 1)):
        found = promise(variances._replace(templates=templates), 0.08, design, 2, level)
        ends = [
            0.04 / 60 * 2 * (templates - 1) / chi2.ppf(at, templates - 1) for at in (0.025, 0.975)
        ]
        told = [TTestPower().power(0.08 / np.sqrt(60 * end), 60, level) for end in ends]
        assert [found.low, found.high] == pytest.approx(told, abs=2e-6)
        assert (found.high - found.low < 0.04) is bool(close)
        assert found.half_width == pytest.approx(t.ppf(0.975, 59) * np.sqrt(0.08 / 60))
    both = promise(pilot({"T": 0.04, "P": 0.008, "TP": 0.08}), 0.3, Design(20, 4, 1), 1, level)
    # Templates .003, prompts .003, both .001; the pilot has 50 and 5.
    df = 0.005**2 / (0.003**2 / 49 + 0.003**2 / 4 + 0.001**2 / 196)
    own = 0.005**2 / (0.003**2 / 19 + 0.003**2 / 3 + 0.001**2 / 57)
    away = 0.3 / np.sqrt(0.005 * df / chi2.ppf(0.025, df))
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


@pytest.mark.parametrize(
    ("templates", "prompts", "variances", "difference", "promised", "found"),
    [
        (30, 3, (0.08, 0.002, 0.2), 0.25, 0.514, 0.49),
        (30, 6, (0.08, 0.002, 0.2), 0.25, 0.743, 0.73),
        (30, 4, (0.08, 0, 0.2), 0.25, 0.692, 0.67),
        (
            100,
            3,
            (0.03, 0.002, 0.02),
            0.1,
            0.389,
            0.43,
        ),  # few prompts that weigh much: it shows more
    ],
)
def test_the_power_comes_out(templates, prompts, variances, difference, promised, found):
    """Of 4,000 evaluations the analysis of variance shows about as many differences as promised."""
    rng, runs = np.random.default_rng(7), 4000
    shapes = ((runs, templates, 1), (runs, 1, prompts), (runs, templates, prompts))
    values = difference + sum(
        rng.normal(0, np.sqrt(2 * part), shape)
        for part, shape in zip(variances, shapes, strict=True)
    )
    mean = values.mean(axis=(1, 2))
    by_template, by_prompt = values.mean(axis=2), values.mean(axis=1)
    rest = values - by_template[:, :, None] - by_prompt[:, None] + mean[:, None, None]
    free = (templates - 1) * (prompts - 1)
    one = by_template.var(axis=1, ddof=1) / templates
    other = by_prompt.var(axis=1, ddof=1) / prompts
    both = (rest**2).sum(axis=(1, 2)) / free / (templates * prompts)
    variance = np.maximum(one + other - both, 1e-12)
    df = variance**2 / (one**2 / (templates - 1) + other**2 / (prompts - 1) + both**2 / free)
    shown = np.abs(mean) / np.sqrt(variance) > t.ppf(0.975, df)
    parted = pilot(dict(zip(("T", "P", "TP"), variances, strict=True)))
    told = power_of(parted, difference, Design(templates, prompts, 1), 2, 0.05)
    assert told == pytest.approx(promised, abs=0.001)
    assert shown.mean() == pytest.approx(found, abs=0.01)


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("templates", "prompts", "levels", "own"),
    [(60, 5, (0.4, 0.0), 0.2), (60, 5, (3.0, 2.0), 0.2), (100, 3, (2.2, 1.4), 0.2)],
)
def test_models_are_seen_to_differ_as_often_as_a_plan_promises(templates, prompts, levels, own):
    """Of 200 evaluations; the interval over other prompts holds the true difference, too."""
    rng = np.random.default_rng(11)

    def replies(many, of):
        """By model, template and prompt how many of 12 are right."""
        shapes = ((1, many, 1), (2, many, 1), (1, 1, of), (2, 1, of), (2, many, of))
        effects = zip((1, 0.5, own, own, 0.5), shapes, strict=True)
        logit = sum(rng.normal(0, sd, shape) for sd, shape in effects)
        return rng.binomial(12, expit(logit + np.reshape(levels, (2, 1, 1))))

    every = np.subtract(*replies(3000, 60)) / 12
    split = {item.name: item.variance / 2 for item in parts([every[:, :, None, None]], range(3000))}
    found = pilot({"T": split["templates"], "P": split["prompts"], "TP": split["rest"]})
    told = power_of(found, every.mean(), Design(templates, prompts, 1), 2, 0.05)
    frame = pd.DataFrame(0, range(2 * templates * prompts), list(TALLY_COLUMNS))
    named = product(("a", "b"), map(str, range(templates)), map(str, range(prompts)))
    frame[["model", "template_id", "prompt"]] = list(named)
    held = shown = 0
    for _ in range(200):
        frame["n_au"] = replies(templates, prompts).ravel()
        frame["n_ab"] = 12 - frame["n_au"]
        row = compare_models(Scored(Path(), SetKind.TEST, frame), ["a", "b"])[0]
        held += row["low_prompts"] <= every.mean() <= row["high_prompts"]
        shown += row["low_prompts"] > 0 or row["high_prompts"] < 0
    assert held / 200 >= 0.93
    assert shown / 200 == pytest.approx(told, abs=0.07)


def test_one_model_is_seen_to_differ_as_often_as_a_plan_promises():
    """Of 100 evaluations with 3 prompts near a ceiling; its interval is that which is written."""
    rng = np.random.default_rng(11)

    def right(templates, prompts):
        effects = {(templates, 1): 1.1, (1, prompts): 0.2, (templates, prompts): 0.5}
        logit = 2.2 + sum(rng.normal(0, sd, shape) for shape, sd in effects.items())
        return (rng.binomial(12, expit(logit)) / 12)[:, :, None, None]

    every = right(4000, 200)
    split = {item.name: item.variance for item in parts([every], np.arange(4000))}
    found = pilot({"T": split["templates"], "P": split["prompts"], "TP": split["rest"]})
    shown = 0
    for _ in range(100):
        values = right(100, 3)
        mean, each = values.mean(), values.mean(axis=(1, 2, 3))
        alone = interval(mean, (each - mean) / 100, 100, (0.0, 1.0))
        low, high = ends_over_prompts(parts([values], np.arange(100)), mean, alone, (0.0, 1.0))
        shown += sum((every.mean() - 0.06 < low, every.mean() + 0.06 > high))
    told = power_of(found, 0.06, Design(100, 3, 1), 1, 0.05)
    assert shown / 200 == pytest.approx(told, abs=0.12)


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
    cells = dict.fromkeys((*CELLS, *OPEN_CELLS), 0) | {"n_au": 4, "n_bb": 2, "n_cc": 2}
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
    assert found["affordable"] is True and found["best"] is None
    alone = plan(folder, {"accuracy_amb": 0.3}, models=1).rows
    shared = pilot({"T": 0.32, "TS": 0.14, "TSP": 0.12, "P": 0.02}, 4)
    design = Design(int(alone[0]["templates"]), int(alone[0]["prompts"]), 1)
    assert alone[0]["power"] == pytest.approx(power_of(shared, 0.3, design, 1, 0.05))


def test_a_budget_that_is_too_small(tmp_path):
    """The row with the most power that it pays is told; below 20 templates there is none."""
    folder = scored(tmp_path / "pilot", SEVERAL)
    found = plan(folder, {"accuracy_amb": 0.07}, price=0.01, budget=20)
    assert found["affordable"] is False
    best = found["best"]
    assert best["cost"] <= 20 < found.rows[0]["cost"]
    assert best["cost"] + 8 * best["prompts"] * 3 * 2 * 0.01 > 20
    assert best["power"] < 0.8
    assert plan(folder, {"accuracy_amb": 0.1}, price=0.01, budget=19.19)["best"] is None


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
        {"model": model, "metric": "accuracy_amb", "part": part, "variance": variance}
        for model, part, variance in SEVERAL
    ]
    found = visible_differences(read_scored(folder), rows)
    whole = pilot({"T": 0.32, "TS": 0.14, "TSP": 0.12, "P": 0.02}, 4)
    told = power_of(whole, found["accuracy_amb"], Design(40, 2, 1), 1, 0.05)
    assert told == pytest.approx(0.8)
    assert set(found) == {"accuracy_amb"}
    rows[1]["variance"] = None
    assert visible_differences(read_scored(folder), rows) == {}
