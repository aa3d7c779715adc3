"""The report as Markdown."""

from pathlib import Path

from curation import __version__
from curation.report.page import markdown
from survey.reporting.sections import page_of, sheet_of

GOLDEN = Path(__file__).with_name("report.md")


def test_the_report_of_the_invented_survey_is_as_written_down(report):
    """Every word and number of it; a change that is meant is made in the file, too."""
    expected = GOLDEN.read_text(encoding="utf-8").replace("{version}", __version__)
    assert f"{markdown(page_of(report))}\n{markdown(sheet_of(report))}" == expected
