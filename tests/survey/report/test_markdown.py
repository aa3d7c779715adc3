"""The report as Markdown."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest

from curation import __version__
from survey.report.data import build
from survey.report.markdown import markdown, plain
from survey.report.records import Material, Report

GOLDEN = Path(__file__).with_name("report.md")


def test_the_report_of_the_invented_survey_is_as_written_down(report: Report) -> None:
    """Every word and number of it; a change that is meant is made in the file, too."""
    expected = GOLDEN.read_text(encoding="utf-8").replace("{version}", __version__)
    assert markdown(report) == expected


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", "a\\|b"),
        ("<script>", "&lt;script\\>"),
        ("AT&T &lt;", "AT&amp;T &amp;lt;"),
        ("*bold* _it_ `code`", "\\*bold\\* \\_it\\_ \\`code\\`"),
        ("[x](javascript:1)", "\\[x\\](javascript:1)"),
        ("two\n\nlines\r\n", "two lines "),
        ("한국어, 中文", "한국어, 中文"),
    ],
)
def test_texts_of_the_workspace_do_nothing_in_markdown(text: str, shown: str) -> None:
    """Neither a table nor the page is broken by them, and no markup of theirs is run."""
    assert plain(text) == shown


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
    assert "No rule flags anybody" in text
