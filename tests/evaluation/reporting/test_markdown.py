"""The report as Markdown."""

import csv
from dataclasses import replace
from pathlib import Path

from digests import parts

from curation.report.page import markdown as page_markdown
from evaluation.folders import write_rows
from evaluation.reporting.paper import NUMBERS, write_paper
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


def test_each_number_of_a_table_of_the_paper_leads_to_its_row(report, drawn, tmp_path):
    """To the row of the same table that holds it, also where other rows hold the same number."""

    def read(name):
        return (tmp_path / name).read_text("utf-8").splitlines()

    write_paper(page_of(report), drawn, tmp_path)
    lines, linked = read("paper.tex"), set()
    for item in csv.DictReader(read(NUMBERS)):
        line = lines[int(item["line"]) - 1]
        if line.endswith(r"\\") and " & " in line:
            name, row = item["place"].split(", row ")
            cells = list(csv.reader(read(name)))[int(row) - 1]
            assert line.startswith(cells[0].replace("_", r"\_").replace("\u2212", "$-$")), item
            number = item["number"].strip("~%+<> ").replace(",", "")
            assert number in " ".join(cells).replace("\u2212", "-"), item
            linked.add(item["place"])
        elif item["place"].startswith("shown/"):  # a sentence leads to what names its number
            assert item["place"].startswith(("shown/asked.csv", "shown/overall.csv, counted")), item
    assert len(linked) > 40


def test_a_number_of_a_sentence_leads_to_the_score_that_it_names(report, tmp_path):
    """Not to an equal number of another score, which may stand before it in the same tables.

    One that names none is of its section's tables, or counts the models of the first.
    """
    rows = [dict(row) for row in report.rows]
    rows[0] |= {"accuracy_amb": 0.4321, "accuracy_dis": 0.1234}
    rows[1] |= {"accuracy_amb": 0.1234, "accuracy_dis": 0.4321}
    first, second = "accuracy in disambiguated contexts", "accuracy in ambiguous contexts"
    said = f"{first} 0.4321 to 0.1234. {second} 0.4321. That is 0.4321.".capitalize()
    made = page_of(replace(report, rows=tuple(rows)))
    shown = tuple(it for it in made.sections if it.name == "overall")
    for name, (columns, lines) in replace(report, rows=tuple(rows)).tables().items():
        write_rows(tmp_path / f"{name}.csv", columns, lines)
    write_paper(replace(made, answer=(said,), sections=shown), (), tmp_path)
    with (tmp_path / NUMBERS).open(encoding="utf-8") as stream:
        found = [
            it["place"] for it in csv.DictReader(stream) if it["number"] in ("0.4321", "0.1234")
        ]
    columns = [place.rpartition(", ")[2] for place in found[:4]]
    assert columns == ["accuracy_dis", "accuracy_dis", "accuracy_amb", "counted"]
