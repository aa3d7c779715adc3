"""Scores are compared by what was asked, told by content and not by a label."""

import pytest

from curation.records.messages import CurateError
from evaluation.qa.score import measured_of, refuse_unlike, unlike

ONE = {
    "language": "ko",
    "mode": "strict",
    "orders": "cyclic",
    "samples_sha256": "s1",
}


def measured(prompt_set="toolkit, ko", prompts=None, **changed):
    """How scores were measured, as a manifest of them says."""
    texts = prompts or {"1": "aa", "2": "bb"}
    told = {"name": prompt_set, "sha256": {**texts, "3": "of a prompt that was not scored"}}
    return measured_of({**ONE, "prompts": told, **changed}, texts)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, []),
        ({"samples_sha256": "s2"}, []),  # two benchmarks have different samples
        ({"prompt_set": "kobbq.tsv"}, []),  # a name is a label
        (
            {"prompt_set": "kobbq.tsv", "prompts": {"1": "aa", "2": "cc"}},
            [
                "x and y were asked with prompts of different texts (toolkit, ko and kobbq.tsv), "
                "which may change the scores"
            ],
        ),
        (
            {"prompts": {"1": "zz", "2": "cc"}, "language": "en", "prompt_set": "toolkit, en"},
            ["x and y differ in language: ko and en"],
        ),
        ({"mode": "kobbq"}, ["x and y differ in mode: strict and kobbq"]),
        ({"prompts": {"1": "aa"}}, ["x and y differ in prompts: 1, 2 and 1"]),
        ({"orders": ""}, ["x and y differ in orders: cyclic and not known"]),
    ],
)
def test_what_differs_is_said(changed, said):
    """Prompts by their texts; the toolkit's own in two languages are one set."""
    assert list(unlike(("x", measured()), ("y", measured(**changed)))) == said


def test_what_changes_scores_is_refused():
    """How replies are read, the orders, and which prompts."""
    with pytest.raises(CurateError, match="the same mode: strict, and kobbq"):
        refuse_unlike(("x", measured()), ("y", measured(mode="kobbq")), "here")
    refuse_unlike(("x", measured()), ("y", measured(language="en")), "here")
