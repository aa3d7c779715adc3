"""The report as Markdown."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from curation import __version__
from curation.records.survey import Outcome, Rule
from survey.quality import Turn
from survey.reporting.data import build
from survey.reporting.html import page
from survey.reporting.records import Material, Report
from survey.reporting.sections import markdown, summary
from survey.reporting.tables import tables

GOLDEN = Path(__file__).with_name("report.md")


def test_the_report_of_the_invented_survey_is_as_written_down(report: Report) -> None:
    """Every word and number of it; a change that is meant is made in the file, too."""
    expected = GOLDEN.read_text(encoding="utf-8").replace("{version}", __version__)
    assert markdown(report) == expected


def test_every_table_has_as_many_cells_in_each_row(report: Report) -> None:
    """A text with a bar is escaped, so that cells stay where they belong."""
    rows = [row.replace("\\|", "") for row in markdown(report).splitlines() if row.startswith("|")]
    width = 0
    for row, following in pairwise(rows):
        if following.startswith("|---"):
            width = row.count("|")
        assert row.count("|") == width


def test_counts_alone_say_so(material: Material) -> None:
    """No table of people is made up."""
    text = markdown(build(replace(material, people=None, exclusions=())))
    assert "Only counts are known" in text
    assert "### With weights" not in text
    assert "No check flags any respondent" in text


def test_a_rule_that_leaves_nobody_is_said(report: Report) -> None:
    """Of a question that the report has, and of one that it has not."""
    turned = (
        Turn("q-hum", Rule.TWO_THIRDS, Outcome.KEEP, None),
        Turn("q-gone", Rule.TWO_THIRDS, None, Outcome.DROP),
    )
    line = replace(report.quality[0], turns=turned)
    changed = replace(report, quality=(line,))
    assert (
        "q-hum, Validation: keep → nobody left; q-gone, Validation: nobody left → drop"
        in markdown(changed)
    )
    html = page(changed)
    assert '<a href="#row-q-hum">q-hum</a> Validation: keep → nobody left</li>' in html
    assert "<li>q-gone Validation: nobody left → drop</li>" in html
    exclusions = next(table for table in tables(changed) if table.name == "exclusions")
    assert exclusions.rows[0][-2:] == (
        2,
        ("q-hum, two_thirds: nobody left", "q-gone, two_thirds: drop"),
    )


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (5, "Of 5 templates asked about, 4 are retained, 1 of them undecided."),
        (1, "Of 5 templates, 1 was asked about; 4 are retained, 1 of them undecided."),
    ],
)
def test_templates_that_were_not_asked_about_are_not_counted_as_asked(
    report: Report, asked: int, said: str
) -> None:
    """The survey may not hold the question of every template."""
    assert report.asked == 4
    assert said in summary(replace(report, asked=asked))
