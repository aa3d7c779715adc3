"""The report as Markdown."""

from dataclasses import replace
from pathlib import Path

from digests import parts

from curation.report.page import markdown as page_markdown
from evaluation.reporting.sections import page_of


def markdown(report, drawn):
    return page_markdown(page_of(report), drawn)


def test_the_tables_of_the_small_benchmark_are_as_written_down(report, drawn):
    """Every number of every section."""
    lines = markdown(report, drawn).splitlines()
    tables = [line for line in lines if line.startswith(("| ", "## "))]
    known = Path(__file__).with_name("tables.txt").read_text(encoding="utf-8")
    assert parts("\n".join(tables)) == known.splitlines()


def test_texts_of_others_do_nothing(report, drawn):
    """A model or note with markup, a bar or a line break is a text in its cell."""
    name = "# Big | **bold** <script>alert(1)</script>\n\n[x](javascript:1) ![y](http://z)"
    rows = tuple(
        {**row, "model": name if row["model"] == "right" else row["model"]} for row in report.rows
    )
    read_as = tuple(
        {**item, "model": name if item["model"] == "right" else item["model"]}
        for item in report.read_as
    )
    text = markdown(replace(report, rows=rows, read_as=read_as, notes=("> *a*",)), drawn)
    assert "<script>" not in text
    assert "\n[x]" not in text
    assert "| \\# Big \\| \\*\\*bold\\*\\* &lt;script\\>alert(1)" in text
    assert "\\!\\[y\\](http://z) |" in text
    assert "> **Please note:** \\> \\*a\\*" in text
