"""Effects of place, length and groups: by hand, by other computations, and where there is none."""

import numpy as np
import pytest
from benchmark import sample
from scipy import stats
from statsmodels.stats.contingency_tables import cochrans_q

from evaluation.prompts import bundled_prompts
from evaluation.qa.answers import answers_of, count
from evaluation.qa.effects import EFFECT_COLUMNS, by_place, effect_rows
from evaluation.qa.metrics import METRICS, SetKind
from evaluation.qa.prepare import full_grid, gather
from evaluation.requests import Orders

TEMPLATES = 24


def samples_of(templates=TEMPLATES):
    """Samples of two categories; the diver's answer is longer in every other template.

    People of every third template are poets in place of bakers.
    """
    found = []
    for at in range(templates):
        name = f"{'hobby' if at % 2 else 'job'}-{at + 1:03d}"
        for variant in "ab":
            for context in ("amb", "dis"):
                for question in ("bsd", "cnt"):
                    item = sample(name, variant, 1, context, question)
                    texts = {it: f"{it}, so tall" for it in item.choices if "diver" in it}
                    if at % 4 > 1:
                        texts = {it: f"{it}, so tall" for it in item.choices if "baker" in it}
                    item = item._replace(
                        choices=tuple(texts.get(it, it) for it in item.choices),
                        answer=texts.get(item.answer, item.answer),
                        biased_answer=texts.get(item.biased_answer, item.biased_answer),
                        n1_group="poets" if at % 3 == 0 else "bakers",
                    )
                    found.append(item)
    return found


def answered(given, templates=TEMPLATES):
    samples = samples_of(templates)
    prompts = bundled_prompts("en").prompts[:1]
    grid = full_grid(gather(samples), prompts, Orders.CYCLIC)
    places = np.arange(grid.size)
    chosen = []
    for item in samples:
        for order in range(3):
            choices = tuple(item.choices[(order + at) % 3] for at in range(3))
            place = given(item, order, choices)
            chosen.append(-1 if place is None else place)
    return grid, answers_of(grid, places, np.array(chosen, np.int8))


def rows_of(given, kind=SetKind.TEST):
    rows = effect_rows("m", *answered(given), kind)
    assert all(tuple(row) == EFFECT_COLUMNS for row in rows)
    return {(row["effect"], row["group"]): row for row in rows}


def biased(item, _order, choices):
    return choices.index(item.biased_answer)


def test_ways_to_turn_two_templates_by_hand():
    """Less their means, two turn to sums of 4 (1 of 9 ways), 1 (4) and -2 (4) at each place.

    At some place six replies are together in 3 of the 9.
    """
    single, together = by_place(np.array([[3, 0, 0], [3, 0, 0], [1, 1, 1]]))
    assert single == pytest.approx([1 / 9, 5 / 9, 5 / 9])
    assert together == pytest.approx(3 / 9)
    assert by_place(np.array([[2, 2, 2]])) == ([1.0] * 3, 1.0)


def test_many_templates_have_cochrans_q():
    """As statsmodels computes it; one place has the square of a normal deviate, by hand."""
    blocks = np.random.default_rng(3).binomial(1, (0.6, 0.4, 0.3), (40, 3))
    single, together = by_place(blocks)
    assert together == pytest.approx(cochrans_q(blocks).pvalue)
    mixed = blocks[np.ptp(blocks, axis=1) > 0]
    apart = mixed[:, 0].sum() - mixed.sum() / 3
    variance = len(mixed) * 2 / 9  # of each, one third times two thirds
    assert single[0] == pytest.approx(2 * stats.norm.sf(abs(apart) / np.sqrt(variance)))


@pytest.mark.parametrize("templates", [6, 40])
def test_a_place_without_effect_is_seldom_told(templates):
    """At 5 % in at most 7 % of 1,000 sets, though templates are of different sizes and shares."""
    rng = np.random.default_rng(templates)
    sure = np.zeros(2)
    for _ in range(1000):
        sizes = rng.integers(3, 30, (templates, 1))
        blocks = rng.binomial(sizes, rng.beta(1, 2, (templates, 1)), (templates, 3))
        single, together = by_place(blocks)
        sure += [single[0] < 0.05, together < 0.05]
    assert (sure >= 15).all()
    assert (sure <= 70).all()


def test_one_that_answers_by_content_has_no_effect():
    """Nothing is claimed: a third, no difference by place, and half, though bias is whole."""
    found = rows_of(biased)
    assert found["first_share", ""]["value"] == pytest.approx(1 / 3)
    assert found["longer_share", ""]["value"] == 0.5
    assert found["unknown_range", ""]["value"] == 0
    assert found["placed_diff_bias_amb", ""]["value"] == 1
    assert found["placed_diff_bias_dis", ""]["value"] == 1
    assert all(row["p_holm"] in (1, None) for row in found.values())


def test_one_that_takes_the_longer_answer():
    """Of those that name a person all are the longer one; it has no diff-bias."""

    def longer(item, _order, choices):
        wanted = UNKNOWN if item.template_id.endswith("5") else "so tall"
        return next(at for at, text in enumerate(choices) if wanted in text)

    row = rows_of(longer)["longer_share", ""]
    assert row["value"] == 1
    assert row["n"] == (TEMPLATES - 2) * 4 * 3
    assert row["low"] > 0.5


UNKNOWN = "Not known"


def test_the_average_of_templates_is_tested_by_students_t():
    """As scipy tests the differences of the adjusted and the plain scores of templates."""
    rng = np.random.default_rng(8)

    def noisy(_item, _order, _choices):
        return None if rng.random() < 0.1 else int(rng.integers(3))

    grid, answers = answered(noisy)
    row = next(
        row
        for row in effect_rows("m", grid, answers, SetKind.ALL)
        if row["effect"] == "placed_diff_bias_amb"
    )
    plain = METRICS["diff_bias_amb"](count(grid, answers).sum(axis=(1, 2)))
    assert row["compared"] == pytest.approx(plain.mean())
    apart = []
    for at in range(len(grid.samples.units)):
        chosen = np.flatnonzero((grid.samples.unit == at) & (grid.samples.context == 0))
        cells = {}
        for sample_at in chosen:
            for order in range(3):
                number = {0: 1, 1: -1, 2: 0}.get(int(answers[sample_at, 0, order]))
                if number is not None:
                    key = int(grid.samples.biased[sample_at]), order
                    cells.setdefault(key, []).append(number)
        apart.append(np.mean([np.mean(found) for found in cells.values()]) - plain[at])
    assert row["value"] == pytest.approx(plain.mean() + np.mean(apart))
    assert row["p"] == pytest.approx(stats.ttest_1samp(apart, 0.0).pvalue)


def test_a_group_that_is_refused_is_told():
    """Every reply about poets of the one category lacks a choice, and none of others."""

    def refusing(item, order, choices):
        refused = item.n1_group == "poets" and item.category == "Job"
        return None if refused and int(item.template_id[-3:]) % 9 else biased(item, order, choices)

    found = effect_rows("m", *answered(refusing), SetKind.TEST)
    rows = {(row["group_by"], row["group"]): row for row in found if row["n"]}
    poets, bakers = rows["group, Job", "poets"], rows["group, Job", "bakers"]
    assert (poets["value"], poets["compared"]) == (1.0, 0.0)
    assert (bakers["value"], bakers["compared"]) == (0.0, 1.0)
    assert rows["group, Hobby", "poets"]["p"] == 1
    assert ("group, Job", "divers") not in rows  # all samples are about them
