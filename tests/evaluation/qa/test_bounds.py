"""Bounds of scores: what they would be if the replies out-of-choice were all so or all so."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation.qa.metrics import ANSWERS, CELLS, EVERY_CELL, MAIN, Answer, SetKind, scores
from evaluation.qa.score import BOUND_NAMES, bounds

A_TEMPLATE = dict(zip(CELLS, (3, 1, 4, 2, 6, 1, 1, 2, 2, 5, 1, 4), strict=True))


def counted(**cells):
    return np.array([[cells.get(name, 0) for name in EVERY_CELL]])


def test_bounds_are_those_worked_out_by_hand():
    """From cells with some out-of-choice in each kind of context."""
    found = bounds(counted(**A_TEMPLATE), SetKind.TEST)
    assert tuple(found) == BOUND_NAMES
    assert found == {
        "accuracy_amb_least": 0.4,  # 4 of 10
        "accuracy_amb_most": 0.6,
        "accuracy_dis_least": 0.5,  # (6 + 5) of 22
        "accuracy_dis_most": pytest.approx(17 / 22),
        "diff_bias_amb_least": 0.0,  # (3 - 3) of 10
        "diff_bias_amb_most": 0.4,  # (5 - 1) of 10
        "diff_bias_dis_least": pytest.approx(6 / 10 - 9 / 12),
        "diff_bias_dis_most": pytest.approx(8 / 10 - 5 / 12),
    }


def test_open_roles_count_for_accuracy_alone():
    """The right person of a settled context, unknown in an ambiguous one."""
    found = bounds(counted(n_du=1, n_d1=1, n_do=2, n_er=3, n_ew=1, n_eo=4), SetKind.TEST)
    assert [found[name] for name in BOUND_NAMES[:4]] == [0.25, 0.75, 0.375, 0.875]
    assert np.isnan([found[name] for name in BOUND_NAMES[4:]]).all()


def test_a_template_without_any_parsed_reply_counts_for_the_bounds_of_an_average():
    """Its score is undefined and in no average; what it could be is in the bounds."""
    both = np.concatenate([counted(n_ab=1, n_au=3), counted(n_ao=5)])
    assert scores(both, SetKind.ALL)["accuracy_amb"] == 0.75
    found = bounds(both, SetKind.ALL)
    assert (found["accuracy_amb_least"], found["accuracy_amb_most"]) == (0.375, 0.875)


def test_without_replies_bounds_are_undefined():
    assert np.isnan(list(bounds(counted(), SetKind.TEST).values())).all()


@given(
    cells=st.lists(st.integers(0, 4), min_size=40, max_size=40),
    meant=st.lists(st.lists(st.integers(0, 2), min_size=4, max_size=4), min_size=10, max_size=10),
    kind=st.sampled_from(SetKind),
)
def test_whatever_replies_mean_the_score_lies_between(cells, meant, kind):
    """Each reply out-of-choice is given a meaning of its own."""
    by_context = np.array(cells).reshape(2, 5, ANSWERS)
    found = bounds(by_context.reshape(2, -1), kind)
    true = by_context.copy()
    for (unit, context), answers in zip(np.ndindex(2, 5), meant, strict=True):
        for answer in answers[: by_context[unit, context, Answer.OUT_OF_CHOICE]]:
            true[unit, context, answer] += 1
    true[..., Answer.OUT_OF_CHOICE] = 0
    for name in MAIN:
        value = scores(true.reshape(2, -1), kind, (name,))[name]
        least, most = found[f"{name}_least"], found[f"{name}_most"]
        assert np.isnan(least) == np.isnan(value)
        if not np.isnan(least):
            assert least - 1e-9 <= value <= most + 1e-9
