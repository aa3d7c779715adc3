"""The scores that folders carry: those of `evaluation`, to the last digit."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.qa.metrics import CELLS as TOOLKIT_CELLS
from evaluation.qa.metrics import METRICS, Answer, Context
from evaluation.qa.metrics import cell as toolkit_cell
from evaluation.qa.score import SetKind, scores
from exports.harness.measure import scoring
from exports.harness.measure.scoring import CELLS, EPOCH_SPREAD, RATIO, SCORES, Tally, cell

BY_HAND = [6, 3, 11, 2, 8, 1, 1, 0, 3, 5, 2, 4]
counts = st.lists(st.integers(0, 40), min_size=12, max_size=12)
sparse = st.lists(st.sampled_from((0, 0, 0, 1, 7)), min_size=12, max_size=12)


def tally(kind, units):
    """Count units of the shape templates x prompts x cells."""
    made = Tally(kind)
    for template, prompts in enumerate(units):
        for prompt, cells in enumerate(prompts):
            for at, times in enumerate(cells):
                made.add(f"age-{template:03d}", str(prompt), at, times)
    return made


def number(value):
    """Give an undefined score as numpy has it."""
    return np.nan if value is None else value


def test_cells_are_those_of_the_toolkit():
    """In the same order, and a reply is counted in the same one."""
    assert CELLS == TOOLKIT_CELLS
    contexts = {
        ("amb", "a"): Context.AMBIGUOUS,
        ("amb", "b"): Context.AMBIGUOUS,
        ("dis", "a"): Context.COUNTER_BIASED,
        ("dis", "b"): Context.BIASED,
        ("dis", "c"): Context.COUNTER_BIASED,
        ("dis", "d"): Context.BIASED,
    }
    for (kind, variant), context in contexts.items():
        for answer in (item for item in Answer if item is not Answer.MISSING):
            name = scoring.ANSWERS[answer]
            assert cell(kind, variant, name) == toolkit_cell(context, answer)


@pytest.mark.parametrize("name", SCORES)
@given(cells=counts | sparse)
def test_a_score_is_the_toolkits(name, cells):
    """The same float, and undefined where it is."""
    np.testing.assert_array_equal(number(SCORES[name](cells)), METRICS[name](np.array(cells)))


def test_scores_by_hand():
    """Of counts that were worked out on paper."""
    found = tally("test", [[BY_HAND]]).values(draws=0)
    assert found["accuracy_amb"] == 0.55
    assert found["accuracy_dis"] == 0.65
    assert found["diff_bias_amb"] == 0.15
    assert found["diff_bias_dis"] == 0.3
    assert found["max_bias_amb"] == 0.45
    assert found["max_bias_dis"] == 0.7
    assert (found["out_of_choice"], found[RATIO]) == (6, 6 / 46)
    assert (found["n_amb"], found["n_dis"]) == (20, 20)


units = st.lists(
    st.lists(counts | sparse, min_size=3, max_size=3), min_size=1, max_size=12
)  # templates x prompts x cells


@pytest.mark.parametrize("kind", ["test", "all"])
@given(units=units)
def test_pooled_and_averaged_scores_are_the_toolkits(kind, units):
    """All rows pool in the test set; templates are scored and averaged in the entire set."""
    expected = scores(np.array(units).sum(axis=1), SetKind(kind), tuple(SCORES))
    found = tally(kind, units).scores()
    for name, value in found.items():
        if kind == "test":
            np.testing.assert_array_equal(number(value), round(float(expected[name]), 12))
        else:  # sums of templates' scores may differ in their last digit
            np.testing.assert_allclose(number(value), expected[name], rtol=0, atol=2e-12)


@pytest.mark.parametrize("kind", ["test", "all"])
@given(units=units)
def test_the_spread_over_prompts_is_the_toolkits(kind, units):
    """Mean and deviation (n - 1) of the prompts in which a score is defined."""
    found = tally(kind, units).spread()
    by_prompt = scores(np.array(units).transpose(1, 0, 2), SetKind(kind), tuple(SCORES))
    for name in SCORES:
        there = by_prompt[name][~np.isnan(by_prompt[name])]
        mean, deviation = found[f"{name}_prompt_mean"], found[f"{name}_prompt_sd"]
        assert (mean is None) == (len(there) == 0)
        assert (deviation is None) == (len(there) < 2)
        assert mean is None or mean == pytest.approx(there.mean(), abs=1e-11)
        assert deviation is None or deviation == pytest.approx(there.std(ddof=1), abs=1e-11)


@pytest.mark.parametrize("kind", ["test", "all"])
@given(units=units)
def test_the_spread_over_epochs_is_worked_out_like_that_over_prompts(kind, units):
    """The same counts by prompt and by epoch; of one epoch there is no spread."""
    epochs = Tally(kind)
    for template, rounds in enumerate(units):
        for epoch, cells in enumerate(rounds):
            for at, times in enumerate(cells):
                epochs.add(f"age-{template:03d}", "1", at, times, epoch)
    by_prompt = tally(kind, units).spread()
    wanted = {name.replace("_prompt_", "_epoch_"): value for name, value in by_prompt.items()}
    assert set(wanted) == set(EPOCH_SPREAD)
    assert epochs.epoch_spread() == wanted
    assert {name: epochs.values(draws=0)[name] for name in EPOCH_SPREAD} == wanted
    once = Tally(kind)
    once.add("age-000", "1", 0, 1, 1)
    assert not set(EPOCH_SPREAD) & set(once.values(draws=0))


@pytest.mark.parametrize("kind", ["test", "all"])
def test_standard_errors_are_those_of_a_bootstrap_over_templates(kind):
    """Templates are drawn; the draws are others, the deviation is the same except for chance."""
    rng = np.random.default_rng(7)
    by_unit = np.stack([rng.poisson(rng.uniform(1, 20, 12)) for _ in range(40)])
    drawn = rng.multinomial(40, np.full(40, 1 / 40), size=4000)
    found = tally(kind, by_unit[:, None, :].tolist()).errors(draws=4000)
    for name in SCORES:
        values = METRICS[name](drawn @ by_unit if kind == "test" else by_unit)
        if kind == "all":
            values = drawn @ values / 40
        assert found[f"{name}_stderr"] == pytest.approx(values.std(ddof=1), rel=0.06)
