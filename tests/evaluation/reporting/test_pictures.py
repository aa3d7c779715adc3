"""The pictures of the report."""

from dataclasses import replace
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from curation.report.figures import (
    Dot,
    Panel,
    Scatter,
    dot,
    draw,
    forest,
    limits,
    missing_fonts,
    scatters,
    shortened,
    told,
    told_apart,
)
from evaluation.reporting.pictures import _groups, pictures


def texts(picture):
    nodes = ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314  # ours
    return ["".join(node.itertext()).strip() for node in nodes]


def test_alternative_texts_state_the_numbers(report, drawn):
    """Who cannot see a picture has its scores, their intervals and their order."""
    alts = {item.name: item.alt for item in drawn}
    assert {f"{at}  {name}" for at, name in enumerate(report.models, 1)} < {*texts(drawn[0])}
    mixed = next(row for row in report.by("overall") if row["model"] == "mixed")
    ends = f"{mixed['diff_bias_dis_low']:.3f} to {mixed['diff_bias_dis_high']:.3f}"
    said = f"mixed {mixed['diff_bias_dis']:.3f} ({ends}, few templates)".replace("-", "−")
    assert said in alts["bias"]
    assert "Ambiguous contexts: right 0.000 (−0.250 to 0.250, few templates)" in alts["bias"]
    assert (
        "right accuracy 1.000 (0.499 to 1.000, few templates), diff-bias 0.000"
        in (alts["accuracy_and_bias"])
    )
    assert "Bias of stories: mixed 0.075; right 0.175; biased 0.275." in alts["neutrality_and_bias"]
    assert "Balance (M_B): mixed 0.100; right 0.200; biased 0.400." in alts["occupations"]
    assert (
        "mixed 0.300 (0.100 to 0.500); right undefined; biased 2.100 (1.800 to 2.400)."
        in alts["occupations"]
    )


def test_one_label_alone_is_not_drawn(report):
    """It is all of the benchmark, which the first picture shows."""
    kept = (it for it in report.rows if it["group_by"] != "label" or it["group"] == "ST")
    rows = tuple({**it, "model": f"{it['model']}-0.5b", "accuracy_dis": None} for it in kept)
    found = [*pictures(replace(report, rows=rows, stories=None, occupations=None))]
    assert [it.name for it in found] == ["bias", "accuracy_and_bias", "diff_bias_by_category"]
    assert "right-0.5b accuracy 1.000" in found[1].alt  # the hyphen of a name is no minus
    assert found[1].alt.endswith(" contexts: undefined.")


def test_many_models_are_told_apart():
    """A long name keeps both ends, and in words the first and last six of many are said."""
    name = "organisation-number-07/a-model-with-a-long-name-instruct"
    assert shortened(name) == "organisation-number…a-long-name-instruct"
    alike = [
        f"organisation-number-07/a-model-{size}b-with-a-long-name-instruct" for size in (7, 70)
    ]
    assert told_apart(alike) == [f"…{size}b-with-a-long-name-instruct" for size in (7, 70)]
    for names in ([name, "other"], [*alike, "other"]):  # these begin with nothing in common
        assert told_apart(names) == names
    assert told([f"m{at}" for at in range(13)], [Dot(0.5)] * 13) == [
        *(f"m{at} 0.500" for at in range(6)),
        "1 between",
        *(f"m{at} 0.500" for at in range(7, 13)),
    ]
    assert len(told(["m"] * 12, [None] * 12)) == 12


def test_a_group_without_a_score_has_no_panel(report, drawn):
    """Nothing is drawn of it, beside the others."""
    rows = tuple(
        {**row, "diff_bias_amb": None, "diff_bias_dis": None} if row["group"] == "Hobby" else row
        for row in report.rows
    )
    found = texts(next(_groups(replace(report, rows=rows), "category")))
    before = next(texts(it) for it in drawn if it.name == "diff_bias_by_category")
    assert ("Hobby" in before, "Hobby" in found, "Job" in found) == (True, False, True)


def test_a_key_says_what_is_drawn():
    """And nothing else, in columns where there is room."""
    panel = Scatter("T", "across", "up", {"a": (0.1, 0.2)}, line=(1.0, 0.0), ideal=(1.0, 0.0))
    parts = {"named": "models", "ideal": "what should be", "bound": "what can be"}
    made = scatters("s", "s", [panel], key_of=parts)
    for figure, columns in ((made.figure, 3), (made.phone, 1)):
        (legend,) = figure.legends
        assert [text.get_text() for text in legend.get_texts()] == [*parts.values()]
        assert legend._ncols == columns


def test_points_have_names_however_long_they_are():
    """Shortened in the middle."""
    names = [f"organisation/{'long-' * 12}{at}b" for at in (7, 70)]
    panel = Scatter("T", "across", "up", dict(zip(names, ((0.1, 0.2), (0.8, 0.9)), strict=True)))
    found = texts(scatters("s", "s", [panel]))
    assert [text[-5:] for text in found if "\u2026" in text] == ["ng-7b", "g-70b"]


def test_a_missing_font_is_named(monkeypatch):
    """In one line, with its letters, the font to install, and what shows them all the same."""
    from curation.report import figures as module

    latin = frozenset(map(chr, range(32, 127)))
    monkeypatch.setattr(module, "_letters", lambda _font: latin)
    found = draw("x", "x", (2, 2), lambda figure: figure.text(0.5, 0.5, "한국어 abc") and None)
    assert found.unshown == tuple(("Noto Sans CJK KR", letter) for letter in "한국어")
    assert list(missing_fonts([found, found])) == [
        "No font of this machine has 한국어: PNG and PDF pictures show boxes there, SVG pictures "
        "are right wherever there is one. Install 'Noto Sans CJK KR'."
    ]


def test_points_stand_where_the_scores_are(report):
    """With the ends of their intervals, and how far from 0 they can lie."""
    row = next(row for row in report.by("overall") if row["model"] == "mixed")
    found = dot(row, "diff_bias_dis", row["max_bias_dis"])
    names = ("diff_bias_dis", "diff_bias_dis_low", "diff_bias_dis_high", "max_bias_dis")
    value, low, high, bound = (row[name] for name in names)
    assert found == Dot(value, low, high, is_few=True, bound=bound)
    assert dot({**row, "diff_bias_dis": None}, "diff_bias_dis") is None


def test_axes_are_zoomed_to_the_data():
    """All points with their intervals and 0, and no more; the range of a score is never left."""
    assert limits([Dot(0.1, 0.05, 0.2)]) == pytest.approx((-0.01, 0.21))
    assert limits([Dot(-0.1, -0.4, 0.2), Dot(0.3)]) == pytest.approx((-0.435, 0.335))
    assert limits([Dot(1.0, 0.5, 1.0)], (0.0, 1.0)) == pytest.approx((0.475, 1.02))
    assert limits([]) == pytest.approx((-0.01, 0.01))


def test_axes_go_as_far_as_bias_can():
    """From 0, or from an interval that crosses it, to the bound, on the sides where points are."""
    assert limits([Dot(0.1, 0.05, 0.2, bound=0.8)]) == pytest.approx((-0.04, 0.84))
    assert limits([Dot(-0.1, -0.2, 0.1, bound=0.5)]) == pytest.approx((-0.53, 0.13))
    assert limits([Dot(0.1, bound=0.4), Dot(-0.1, bound=0.2)]) == pytest.approx((-0.44, 0.44))


def test_series_of_a_row_stand_around_it(monkeypatch):
    """Each as far above or below as the other; what is possible stands behind both."""
    kept = {}
    monkeypatch.setattr(
        "curation.report.figures.draw",
        lambda *given, **more: kept.update(more, size=given[2], wide=given[3]),
    )
    first, second = [Dot(0.1, bound=0.5), Dot(0.2, bound=0.5)], [Dot(0.3, bound=0.4), None]
    panel = Panel("Kinds of people in a category_of_them, and more", "Diff-bias", [first, second])
    forest("one", "one", ["a", "b"], [panel], bounded="grey", names=("x", "y"))
    assert kept["size"][1] == pytest.approx(1.05 + 2 * 0.18)  # a head and a key, and two rows
    figure = Figure()
    kept["wide"](figure)
    (axes,) = figure.axes
    assert axes.get_title("left") == "Kinds of people in\na category of them,"
    assert axes._left_title.get_fontsize() == 9
    forest("one", "one", ["a", "b"], [replace(panel, series=[second])])
    kept["wide"](alone := Figure())
    assert alone.axes[0]._left_title.get_fontsize() == 10  # where numbers stand beside it
    placed = [list(line.get_ydata()) for line in axes.lines if line.get_marker() in ("o", "s")]
    assert placed == [pytest.approx([-0.18, 0.82]), pytest.approx([0.18])]
    bars = [(bar.get_y(), bar.get_height()) for bar in axes.patches]
    assert bars == [pytest.approx(it) for it in ((-0.56, 0.76), (0.44, 0.76), (-0.2, 0.76))]
