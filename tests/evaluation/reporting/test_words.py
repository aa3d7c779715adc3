"""What is said first, and the method with the settings that were used."""

from dataclasses import replace
from typing import Any

import pytest

from evaluation.qa.score import SetKind
from evaluation.qa.unparsed import ModelUnparsed
from evaluation.reporting.records import EvaluationReport, ReadAs
from evaluation.reporting.words import (
    Known,
    citation,
    facts,
    headline,
    method,
    notes,
    sources,
    summary,
)
from evaluation.requests import Orders


@pytest.fixture
def known(report: EvaluationReport) -> Known:
    """What notes are made from, with nothing to note."""
    return Known(report.settings, report.rows, (ReadAs("m", {"letter": 192}, 0, 0),), ())


def test_there_is_nothing_to_note_of_a_whole_set(known: Known) -> None:
    """Two prompts, all replies, few of them out-of-choice."""
    assert list(notes(known)) == []


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"mode": "kobbq"}, "parsed as KoBBQ's published script does, with its errors"),
        ({"mode": "logprobs"}, "not comparable with scores from parsed replies"),
        ({"prompts": ("1",)}, "One prompt was used"),
        ({"intervals": False}, "There are no intervals: they were turned off"),
        (
            {"templates": 1},
            "There are no intervals: they are computed over templates, and there is only one",
        ),
        ({"requests": 100}, "100 of 192 possible requests were asked"),
    ],
)
def test_settings_that_change_what_scores_mean_are_noted(
    known: Known, changed: dict[str, Any], said: str
) -> None:
    """Each by itself."""
    (note,) = notes(replace(known, settings=replace(known.settings, **changed)))
    assert said in note


def test_an_incomplete_set_is_noted_first(known: Known) -> None:
    """With how many requests lack a reply, and why; then what was found wrong with the files."""
    read_as = (ReadAs("m", {}, 2, 120), ReadAs("n", {}, 0, 1), ReadAs("o", {}, 0, 0))
    found = list(notes(replace(known, read_as=read_as, others=("A line is torn.",))))
    assert found == [
        "m: 120 requests of 192 without a reply (2 calls failed). Its scores are over an "
        "incomplete set.",
        "n: 1 request of 192 without a reply. Its scores are over an incomplete set.",
        "A line is torn.",
    ]


def test_scores_that_rest_on_few_replies_or_none_are_noted(known: Known) -> None:
    """Many out-of-choice, and undefined scores."""
    first = {**known.rows[0], "model": "m", "accuracy_amb": None}
    assert first["group_by"] == "overall"
    unparsed = ModelUnparsed("m", 50, 1000, (), (), ())
    found = list(notes(replace(known, rows=(first,), unparsed=(unparsed,))))
    assert found == [
        "m: 5.0\u202f% of the replies are out-of-choice. Its scores are over the other "
        "replies, which may be different. The ranges of the scores below show how much this "
        "matters.",
        "m: these scores are undefined, because no reply defines them: accuracy in ambiguous "
        "contexts.",
    ]


def test_the_summary_counts(report: EvaluationReport) -> None:
    """Models, requests, samples, prompts, orders, templates."""
    assert summary(report) == (
        "3 models were asked 192 requests each (32 samples × 2 prompts × 3 orders), of 4 templates."
    )
    part = replace(report, settings=replace(report.settings, requests=100), rows=report.rows[:1])
    assert summary(part) == (
        "1 model was asked 100 requests (of 192 that 32 samples have), of 4 templates."
    )


def test_the_headline_has_the_lowest_and_the_highest(report: EvaluationReport) -> None:
    """Of each score; a score that no model has is left out."""
    assert headline(report).startswith(
        "Accuracy in ambiguous contexts 0.00 (biased) to 1.00 (right); accuracy in disambiguated "
        "contexts 0.50 (biased) to 1.00 (right); diff-bias in ambiguous contexts "
    )
    one = tuple({**row, "accuracy_dis": None} for row in report.rows if row["model"] == "right")
    assert headline(replace(report, rows=one)) == (
        "Accuracy in ambiguous contexts 1.00; diff-bias in ambiguous contexts 0.00; diff-bias in "
        "disambiguated contexts 0.00. The 95 % interval of diff-bias in ambiguous contexts leaves "
        "out 0 for 0 of 1 model. The 95 % interval of diff-bias in disambiguated contexts leaves "
        "out 0 for 0 of 1 model."
    )
    sure = {"diff_bias_amb_low": 0.1, "diff_bias_amb_high": 0.2}
    sure |= {"diff_bias_dis_low": -0.2, "diff_bias_dis_high": -0.1}
    told = headline(replace(report, rows=tuple({**row, **sure} for row in report.rows)))
    assert "ambiguous contexts leaves out 0 for 3 of 3 models (3 towards the stereotype, 0 " in told
    assert "(0 towards the stereotype, 3 against it)" in told
    none = tuple({**row, **dict.fromkeys(row, None)} for row in one)
    assert headline(replace(report, rows=none)) == ""


def test_facts_are_the_settings(report: EvaluationReport) -> None:
    """As they were used."""
    found = dict(facts(report))
    assert found["Models"] == "biased, mixed, right"
    assert (found["Version"], found["Language"]) == ("0.3", "ko")
    assert found["Set"] == "test set, all replies pooled"
    assert found["Orders"] == "cyclic: (0, 1, 2), (1, 2, 0), (2, 0, 1)"
    assert found["Parsing"] == "replies parsed by the toolkit's rules"


def test_the_method_is_told_with_the_settings_used(report: EvaluationReport) -> None:
    """Formulas, intervals, orders, and only the families that there are."""
    parts = {part.title: part for part in method(report)}
    assert "(0,1,2), (1,2,0), (2,0,1)" in parts["Requests"].text
    assert "a third of a template added at each end" in parts["Intervals and prompts"].text
    assert "Diff-bias (ambiguous) = (n_ab − n_ac) / n_a" in parts["Scores"].formulas
    assert "M_S = 2 follows the statistics exactly" in parts["Occupations"].text
    assert {"Stories", "Occupations", "Rankings"} <= set(parts)
    settings = replace(
        report.settings, kind=SetKind.ALL, orders=Orders.KOBBQ, mode="kobbq", intervals=False
    )
    alone = replace(report, settings=settings, stories=None, occupations=None, rankings=())
    others = {part.title: part for part in method(alone)}
    assert "(0,2,1), (1,0,2), (2,1,0)" in others["Requests"].text
    assert "averaged over the templates" in others["From templates to a score"].text
    assert "bootstrap" not in others["Intervals and prompts"].text
    assert "KoBBQ's published script" in others["Parsing of replies"].text
    assert not {"Stories", "Occupations", "Rankings"} & set(others)


def test_what_is_used_is_cited(report: EvaluationReport) -> None:
    """BBQ and KoBBQ always, the papers of other families with them."""
    assert citation(report).startswith(
        "Nowhere, version 0.3 (language: ko), test set: 2 prompts (prompts.yaml), cyclic orders, "
        "replies parsed by the toolkit's rules. Scored with curate "
    )
    assert [text.split(" (")[0].split(",")[0] for text in sources(report)] == [
        *("Parrish", "Jin", "Jin", "Ko"),
    ]
    assert len(sources(replace(report, stories=None, occupations=None))) == 2
