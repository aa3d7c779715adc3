"""What is said first, and the method with the settings that were used."""

from dataclasses import replace

import pytest

from evaluation.reporting.records import ReadAs
from evaluation.reporting.words import headline, notes


@pytest.fixture
def known(report):
    """A report with nothing to note."""
    return replace(report, read_as=(ReadAs("m", {"letter": 192}, 0, 0),), unparsed=(), notes=())


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
def test_settings_that_change_what_scores_mean_are_noted(known, changed, said):
    """Each by itself."""
    (note,) = notes(replace(known, settings=replace(known.settings, **changed)), ())
    assert said in note


def test_an_incomplete_set_is_noted_first(known):
    """With how many requests lack a reply, and why; then what was found wrong with the files."""
    read_as = (ReadAs("m", {}, 2, 120), ReadAs("n", {}, 0, 1), ReadAs("o", {}, 0, 0))
    found = list(notes(replace(known, read_as=read_as), ["A line is torn."]))
    assert found == [
        "m: 120 requests of 192 without a reply (2 calls failed). Its scores are over an "
        "incomplete set.",
        "n: 1 request of 192 without a reply. Its scores are over an incomplete set.",
        "A line is torn.",
    ]


def test_the_headline_has_the_lowest_and_the_highest(report):
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
