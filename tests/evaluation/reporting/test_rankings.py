"""Ranks by every measure, and how far they agree."""

import pytest

from evaluation.reporting.words import AGREEMENT_COLUMNS, agreements, rankings


def overall(model, *values):
    names = ("accuracy_amb", "accuracy_dis", "diff_bias_amb", "diff_bias_dis")
    scores = dict(zip(names, values, strict=True))
    return {"model": model, "group_by": "overall", "group": "", **scores}


def ranked(values, name="one"):
    """Rank models by M_B, as a measure of this name."""
    rows = tuple({"model": m, "task": "t", "M_B": v, "M_R": 0, "M_S": 0} for m, v in values.items())
    found = next(item for item in rankings([], None, rows) if item.name == "M_B t")
    return found._replace(name=name, title=name)


QA = [
    overall("a", 0.9, 0.8, -0.3, 0.0),
    overall("b", 0.5, 0.8, 0.2, 0.1),
    overall("c", 0.7, 0.6, 0.3, None),
    {**overall("a", 0.1, 0.1, 0.1, 0.1), "group_by": "category", "group": "Age"},
]
TOLD = (
    {"model": "a", "group_by": "overall", "ntr_gen": 0.5, "bias_gen": -0.1},
    {"model": "d", "group_by": "overall", "ntr_gen": 0.6, "bias_gen": 0.05},
    {"model": "a", "group_by": "category", "ntr_gen": 1.0, "bias_gen": 0.0},
)
JOBS = (
    {"model": "a", "task": "gender", "M_B": 0.4, "M_R": 0.0, "M_S": 1.9},
    {"model": "b", "task": "gender", "M_B": 0.1, "M_R": 0.2, "M_S": 2.3},
    {"model": "a", "task": "age", "M_B": 0.4, "M_R": None, "M_S": 0.0},
)


def test_models_are_ranked_by_how_near_they_are_to_the_ideal():
    """The size of a bias counts, equal ones share a rank, undefined ones have none."""
    found = {item.name: item for item in rankings(QA, TOLD, JOBS)}
    assert {name: item.ranks for name, item in found.items()} == {
        "accuracy_amb": {"a": 1, "b": 3, "c": 2},
        "accuracy_dis": {"a": 1, "b": 1, "c": 3},
        "diff_bias_amb": {"a": 2, "b": 1, "c": 2},
        "diff_bias_dis": {"a": 1, "b": 2},
        "ntr_gen": {"a": 2, "d": 1},
        "bias_gen": {"a": 2, "d": 1},
        "M_B gender": {"a": 2, "b": 1},
        "M_R gender": {"a": 2, "b": 1},
        "M_S gender": {"a": 1, "b": 2},
        "M_B age": {"a": 1},
        "M_R age": {},
        "M_S age": {"a": 1},
    }
    assert found["diff_bias_amb"].values == {"a": -0.3, "b": 0.2, "c": 0.3}
    assert found["M_S gender"].title == "Alignment M_S, gender"


def test_agreement_is_as_worked_out_by_hand():
    """A b c d against a c d b: two of six pairs are opposed, b moves furthest."""
    first = ranked({"a": 0.1, "b": 0.2, "c": 0.3, "d": 0.4})
    second = ranked({"a": 0.1, "c": 0.2, "d": 0.3, "b": 0.4, "e": 0.0}, name="two")
    (found,) = agreements([first, second])
    told = [found[name] for name in AGREEMENT_COLUMNS]
    assert told == ["one", "two", 4, pytest.approx(2 / 6), 6, 2, "b", 2]


def test_a_ranking_that_tells_nobody_from_another_agrees_with_none():
    """Tau is undefined; one model in common is no comparison."""
    level, other = ranked({"a": 0.1, "b": 0.1}), ranked({"a": 0.1, "b": 0.2})
    (found,) = agreements([level, other])
    assert [found[it] for it in AGREEMENT_COLUMNS[3:]] == [None, 1, 0, "b", 1]
    assert list(agreements([ranked({"a": 0.1, "b": 0.2}), ranked({"b": 0.1, "c": 0.2})])) == []
