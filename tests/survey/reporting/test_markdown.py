"""The report as Markdown."""

from pathlib import Path

from digests import parts

from curation import __version__
from curation.report.page import markdown
from survey.reporting.sections import page_of, sheet_of
from survey.reporting.tables import tables


def test_the_report_of_the_invented_survey_is_as_written_down(report):
    """Every word and number of it, section by section."""
    text = f"{markdown(page_of(report, tables(report)))}\n{markdown(sheet_of(report))}"
    known = Path(__file__).with_name("report.txt").read_text(encoding="utf-8")
    assert parts(text.replace(f"curate {__version__}.", "curate {version}.")) == known.splitlines()
