"""Tables and pictures of a report by themselves, for a paper."""

import re
from dataclasses import replace

import pytest

from curation.report.figures import draw
from curation.report.page import Block, Cell, Field, Page, Section, View, html, save_shown

VIEW = View(
    name="scores",
    title="Scores",
    columns=(Field("Model"), Field("Diff-bias", "number", under="Ambiguous")),
    rows=(
        (Cell("=a_b"), Cell("−1,234.5", "−0.1 to 0.2")),
        (Cell("50% & more"), Cell("–")),
        (Cell("best"), Cell("0.0", "−0.1 to 0.1", is_best=True)),
        (Cell("worse"), Cell("0.9", sign="†")),
    ),
)


def page(view):
    return Page("Report", "T", "", "", "0", (), (Section("s", "S", (Block(view=view),)),))


def test_tables_are_written_as_they_are_shown(tmp_path):
    """For LaTeX and Markdown nothing in a name is a sign; in CSV none is a formula."""
    made = save_shown(page(VIEW), (), ("csv", "md", "tex"), tmp_path)
    names = [path.relative_to(tmp_path).as_posix() for path in made]
    assert names == ["shown/scores.csv", "shown/scores.md", "shown/scores.tex"]
    csv, md, tex = (path.read_text("utf-8").splitlines() for path in made)
    assert csv == [
        'Model,Ambiguous: diff-bias,"Ambiguous: diff-bias, below"',
        "'=a_b,-1234.5,-0.1 to 0.2",
        "50% & more,–,",
        "best,0.0,-0.1 to 0.1",
        "worse,0.9,†",
    ]
    assert [*md[1:3], *md[4:]] == [
        "|---|---:|",
        r"| =a\_b | −1,234.5 (−0.1 to 0.2) |",
        "| best | **0.0** (−0.1 to 0.1) |",
        "| worse | 0.9† |",
    ]
    assert tex == [
        r"\begin{tabular}{lr}",
        r"\toprule",
        r"Model & Ambiguous: diff-bias \\",
        r"\midrule",
        r"=a\_b & $-$1,234.5 ($-$0.1 to 0.2) \\",
        r"50\% \& more & -- \\",
        r"best & \textbf{0.0} ($-$0.1 to 0.1) \\",
        r"worse & 0.9$^{\dagger}$ \\",
        r"\bottomrule",
        r"\end{tabular}",
    ]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("of few letters", ["of few letters"]),
        ("an_organisation/of-a_model_", ["an_", "organisation/", "of-a_", "model_"]),
        ("x" * 40, ["x" * 16, "x" * 16, "x" * 8]),
        ("a " + "b" * 25, ["a ", "b" * 16, "b" * 9]),
    ],
)
def test_a_long_name_has_places_to_go_on_in_another_line(name, parts):
    """After a mark where there is one; where there is none, anywhere."""
    view = replace(VIEW, rows=((Cell(name), Cell("0")),))
    (shown,) = re.findall('<th scope="row">(.*?)</th>', html(page(view)))
    assert shown.split("<wbr>") == parts


def test_a_picture_is_the_same_pdf_each_time(tmp_path):
    """Its letters are in the file, as those of TrueType, which can be searched."""
    drawn = draw("one", "one", (2, 2), lambda figure: figure.text(0.5, 0.5, "abc") and None)
    written = []
    for _ in range(2):
        (path,) = save_shown(page(VIEW), (drawn,), ("pdf",), tmp_path)
        assert path == tmp_path / "pictures" / "one.pdf"
        written.append(path.read_bytes())
    assert written[0].startswith(b"%PDF") and written[0] == written[1]
    assert b"/TrueType" in written[0] or b"/CIDFontType2" in written[0]
