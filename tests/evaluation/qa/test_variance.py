"""What replies differ in: parts by R, in designs with gaps, and as rows of a table."""

import math
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
from scipy.stats import t

from evaluation.qa import variance
from evaluation.qa.variance import VariancePart, ends_over_prompts, parts

R = Path(__file__).parent.parent / "r"
NUMBERS = pd.read_csv(R / "numbers.csv")
DESIGNS = {"samples": (1, 8, 2, 3, 1), "models": (3, 4, 2, 1, 1)}
"""Models, samples, prompts, orders and epochs."""


def replies(design):
    return NUMBERS.query("design == @design")["y"].to_numpy(float).reshape(DESIGNS[design])


@pytest.mark.parametrize("design", DESIGNS)
def test_parts_of_a_balanced_design_are_those_of_r(design):
    """`tools/variance_by_r.R` solves the mean squares of aov."""
    models = replies(design)
    templates = np.arange(8) // 2 if design == "samples" else np.arange(4)
    found = {part.name: part.variance for part in parts(list(models), templates)}
    told = pd.read_csv(R / "parts.csv").query("design == @design")
    assert list(found) == told["part"].tolist()
    assert list(found.values()) == pytest.approx(told["variance"].tolist(), abs=1e-12)


def made(rng, epochs):
    """Replies of 4 models to 30 templates of 2 samples, with 3 prompts and orders; a third lacks.

    Variances: models .09, templates .25, samples .16, prompts .04, models x prompts .0625 and
    .36 for all else.
    """
    templates = np.repeat(rng.normal(0, 0.5, 30), 2)[:, None, None, None]
    samples = rng.normal(0, 0.4, (60, 1, 1, 1))
    prompts = rng.normal(0, 0.2, (1, 3, 1, 1))
    found = []
    for _ in range(4):
        own = rng.normal(0, 0.3) + rng.normal(0, 0.25, (1, 3, 1, 1))
        values = own + templates + samples + prompts + rng.normal(0, 0.6, (60, 3, 3, epochs))
        values[rng.random(values.shape) < 1 / 3] = math.nan
        found.append(values)
    return found


@pytest.mark.parametrize(("epochs", "last"), [(1, "rest"), (2, "repeats")])
def test_parts_are_unbiased_where_replies_lack(epochs, last):
    """Over 200 sets each part is on average what was put in, within 4 standard errors."""
    rng = np.random.default_rng(5)
    sets = [
        {part.name: part.variance for part in parts(made(rng, epochs), np.arange(60) // 2)}
        for _ in range(200)
    ]
    found = pd.DataFrame(sets)
    error = found.std() / math.sqrt(len(found))
    put = {"models": 0.09, "templates": 0.25, "samples": 0.16, "prompts": 0.04}
    put |= {"models x prompts": 0.0625, last: 0.36}
    for name in found:
        assert found[name].mean() == pytest.approx(put.get(name, 0.0), abs=4 * error[name])
    assert set(put) <= set(found)


def test_a_mean_varies_as_its_parts_say():
    """What parts add is their variance by how many there are; of templates' means each counts 1."""
    flat = np.full((4, 2, 3, 1), math.nan)
    flat[:, :, :, 0] = np.arange(24).reshape(4, 2, 3) % 5
    flat[0, 0] = math.nan  # template 1 has half of the replies of one sample
    templates = np.array([0, 0, 0, 1])
    pooled = {item.name: item for item in parts([flat], templates)}
    averaged = {item.name: item for item in parts([flat], templates, averaged=True)}
    counts = np.array([15, 6])
    of_templates = pooled["templates"].variance
    assert pooled["templates"].of_mean / of_templates == pytest.approx((counts**2).sum() / 21**2)
    assert averaged["templates"].of_mean / of_templates == pytest.approx(1 / 2)
    weight = {"pooled": 1 / 21, "rest": (15 / (2 * 15) ** 2) + 6 / (2 * 6) ** 2}
    assert pooled["rest"].of_mean / pooled["rest"].variance == pytest.approx(weight["pooled"])
    assert averaged["rest"].of_mean / averaged["rest"].variance == pytest.approx(weight["rest"])


def test_what_a_design_cannot_tell_is_not_told():
    """One prompt and one order are no parts; one template has none; no reply has nothing."""
    values = np.arange(6.0).reshape(6, 1, 1, 1) % 2
    names = [part.name for part in parts([values], np.repeat([0, 1], 3))]
    assert names == ["templates", "rest"]
    assert [part.name for part in parts([values], np.zeros(6, int))] == ["rest"]
    assert parts([np.full((6, 1, 1, 1), math.nan)], np.zeros(6, int)) == []
    each_once = np.full((2, 2, 1, 1), math.nan)
    each_once[0, 0] = each_once[1, 1] = 1.0
    lacking = {part.name: part.variance for part in parts([each_once], np.arange(2))}
    assert math.isnan(lacking["templates"])


def test_an_interval_over_prompts_is_wider_by_what_prompts_add():
    """By hand: templates add 4, prompts 3 and both 1 ten-thousandth, of 21 and 4."""
    found = [
        VariancePart("templates", 21, 0, 0.0003, 0),
        VariancePart("prompts", 4, 0, 0.0002, 0),
        VariancePart("orders", 3, 0, 0.5, 0),  # these are all that there are
        VariancePart("rest", 504, 0, 0.0001, 0),
    ]
    df = 0.0006**2 / (0.0004**2 / 20 + 0.0003**2 / 3 + 0.0001**2 / 60)
    more = t.ppf(0.975, df) ** 2 * 0.0006 - t.ppf(0.975, 20) ** 2 * 0.0004
    told = 0.8 - math.sqrt(0.05**2 + more), 0.8 + math.sqrt(0.03**2 + more)
    given = 0.8, (0.75, 0.83), (0.0, 1.0)
    assert ends_over_prompts(found, *given) == pytest.approx(told)
    assert ends_over_prompts(found[:1] + found[2:], *given) is None
    nothing = [item._replace(of_mean=0.0) for item in found]
    assert ends_over_prompts(nothing, 1.0, (0.9, 1.0), (0.0, 1.0)) == pytest.approx((0.9, 1.0))


@pytest.mark.parametrize(
    ("apart", "of_templates", "of_prompts", "of_both"),
    [
        # Means of templates .2, .3 and .4, of prompts .2 and .4, and nothing else.
        ([[0.1, 0.3], [0.2, 0.4], [0.3, 0.5]], 0.01 / 3, 0.01, 0.0),
        # Templates as before, prompts .26 and .34, and .02, -.04 and .02 of both.
        ([[0.18, 0.22], [0.22, 0.38], [0.38, 0.42]], 0.01 / 3, 0.0016, 0.0048 / 12),
        # Prompts differ less than chance makes them: the templates alone say it.
        ([[0.1, 0.3], [0.4, 0.2], [0.3, 0.5]], 0.01 / 3, 0.00111111, 0.00444444),
    ],
)
def test_prompts_widen_the_interval_of_a_difference(apart, of_templates, of_prompts, of_both):
    """By hand: t squared times the variance, less that of templates alone, on either side."""
    values = np.array(apart)
    variance = of_templates + of_prompts - of_both
    df = variance**2 / (of_templates**2 / 2 + of_prompts**2 + of_both**2 / 2)
    more = t.ppf(0.975, max(df, 1)) ** 2 * variance - t.ppf(0.975, 2) ** 2 * of_templates
    mean = values.mean()
    low, high = (math.sqrt(side**2 + max(more, 0)) for side in (0.1, 0.2))
    told = max(mean - low, -1.0), min(mean + high, 1.0)
    lacking = values.copy()
    lacking[:, 1] = math.nan

    def ends(values):
        split = parts([values[:, :, None, None]], np.arange(len(values)))
        return ends_over_prompts(split, mean, (mean - 0.1, mean + 0.2), (-1.0, 1.0))

    assert ends(values) == pytest.approx(told, abs=1e-5)
    assert ends(lacking) is ends(values[:1]) is None
    assert ends(np.zeros((3, 2))) == pytest.approx((mean - 0.1, mean + 0.2))


@pytest.mark.parametrize(("low", "models"), [(0.4, ["m"]), (None, ["m", "n"])])
def test_rows_of_all_models_need_several_and_an_interval_one_over_templates(low, models):
    """Where scores have no interval, prompts have nothing to widen."""
    samples = SimpleNamespace(context=np.arange(12, dtype=np.int8) % 3, unit=np.arange(12) // 3)
    answers = np.random.default_rng(4).integers(0, 3, (2, 12, 2, 3))
    ends = {"": 0.5, "_low": low, "_high": low and 0.6}
    scores = {f"{name}{end}": it for name in variance.NUMBERS for end, it in ends.items()}
    given = dict(zip(models, answers, strict=False)), dict.fromkeys(models, scores)
    rows = list(variance.variance_rows(SimpleNamespace(samples=samples), *given, averaged=False))
    assert {row["model"] for row in rows} == {*models, *[""] * (len(models) > 1)}
    widened = [row["low"] for row in rows if row["part"] == "prompts" and row["model"]]
    assert widened
    assert all((it is None) == (low is None) for it in widened)
