"""The pictures of the report."""

import re
from dataclasses import replace
from typing import Any
from xml.etree import ElementTree

import pytest
from matplotlib import font_manager

from evaluation.forest import Dot, dot, limits
from evaluation.pictures import DARK, Picture, draw, fonts_for, look, missing_fonts
from evaluation.reporting.pictures import pictures
from evaluation.reporting.records import EvaluationReport

NAMES = [
    *("bias", "accuracy_and_bias", "diff_bias_by_category", "diff_bias_by_label"),
    "neutrality_and_bias",
]


def texts(picture: Picture) -> list[str]:
    """Give the texts of a picture."""
    nodes = ElementTree.fromstring(picture.svg).iter("{http://www.w3.org/2000/svg}text")  # noqa: S314  # ours
    return ["".join(node.itertext()).strip() for node in nodes]


def test_pictures_name_models_and_axes(drawn: list[Picture]) -> None:
    """As text that can be searched and read aloud; models stand where their points are."""
    assert [item.name for item in drawn] == NAMES
    first = texts(drawn[0])
    assert {"Diff-bias", "Ambiguous contexts", "Disambiguated contexts"} <= set(first)
    assert [name for name in first if name[:1].isdigit() and name[-1].isalpha()] == [
        *("1  biased", "2  mixed", "3  right"),
    ]
    assert {"1.000 [0.00, 1.00]*", "0.013 [−0.16, 0.18]*"} <= set(first)
    assert {"Accuracy", "Diff-bias", "1", "2", "3"} <= set(texts(drawn[1]))
    assert {"Hobby", "Job"} <= set(texts(drawn[2]))
    assert {"ST", "NC"} <= set(texts(drawn[3]))
    assert {"Neutrality", "Bias of stories"} <= set(texts(drawn[4]))
    for item in drawn:
        assert item.png.startswith(b"\x89PNG")
        assert item.address.startswith("data:image/svg+xml;base64,")
        assert item.narrow_address.startswith("data:image/svg+xml;base64,")


def test_alternative_texts_state_the_numbers(
    report: EvaluationReport, drawn: list[Picture]
) -> None:
    """Who cannot see a picture has its scores, their intervals and their order."""
    alts = {item.name: item.alt for item in drawn}
    mixed = next(row for row in report.by("overall") if row["model"] == "mixed")
    ends = f"{mixed['diff_bias_dis_low']:.3f} to {mixed['diff_bias_dis_high']:.3f}"
    said = f"mixed {mixed['diff_bias_dis']:.3f} ({ends}, few templates)".replace("-", "−")
    assert said in alts["bias"]
    assert (
        "Ambiguous contexts: biased 1.000 (−0.002 to 1.000, few templates); mixed 0.013"
        in (alts["bias"])
    )
    assert (
        "right accuracy 1.000 (0.499 to 1.000, few templates), diff-bias 0.000"
        in (alts["accuracy_and_bias"])
    )
    assert "Hobby: ambiguous from " in alts["diff_bias_by_category"]
    assert "to 1.000 (0." in alts["diff_bias_by_category"].replace("−", "")
    assert "of biased" in alts["diff_bias_by_label"]
    assert "Bias of stories: biased 0.275; right 0.175; mixed 0.075." in alts["neutrality_and_bias"]


def test_pictures_have_colours_for_the_dark(drawn: list[Picture]) -> None:
    """Each colour that is used has one, and nothing is drawn on white."""
    for item in drawn:
        for svg in (item.svg.decode(), item.narrow.decode()):
            style, _, rest = svg.partition("</style>")
            used = set(re.findall(r"(?:fill|stroke): (#[0-9a-f]{6})", rest))
            assert used <= set(DARK), item.name
            assert all(f": {colour}" in style for colour in used)
            assert "prefers-color-scheme:dark" in style


@pytest.mark.parametrize(
    ("words", "language", "font"),
    [
        ("한국어 모형", "ko", "Noto Sans CJK KR"),
        ("模型", "zh", "Noto Sans CJK SC"),
        ("模型", "ja", "Noto Sans CJK JP"),
        ("日本語モデル", "ja", "Noto Sans CJK JP"),
        ("हिन्दी", "hi", "Noto Sans Devanagari"),
        ("العربية", "ar", "DejaVu Sans"),
        ("İstanbul ğş", "tr", "DejaVu Sans"),
    ],
)
def test_fonts_have_the_letters_of_a_language(words: str, language: str, font: str) -> None:
    """The first font that has them, of those that the language is written with."""
    found, lacking = fonts_for(words, language)
    if lacking:
        pytest.skip(f"no font here has {lacking}")
    if font in {item.name for item in font_manager.fontManager.ttflist}:
        assert found[-1] == font


def test_a_missing_font_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """In one line, with its letters, the font to install, and what shows them all the same."""
    from evaluation import pictures as module

    latin = frozenset(map(chr, range(32, 127)))
    monkeypatch.setattr(module, "_letters", lambda _font: latin)
    found = draw("x", "x", (2, 2), lambda figure: figure.text(0.5, 0.5, "한국어 abc") and None)
    assert found.unshown == (("Noto Sans CJK KR", "한국어"),)
    assert list(missing_fonts([found, found])) == [
        "No font of this machine has 한국어: the PNG pictures show boxes there, the SVG pictures "
        "are right wherever there is one. Install 'Noto Sans CJK KR'."
    ]


def test_many_models_fit_in_several_pictures_that_a_page_holds(report: EvaluationReport) -> None:
    """Sixty models and thirty categories: no picture is taller than a page, no name is lost."""
    first = next(row for row in report.by("category") if row["model"] == "mixed")
    overall = next(row for row in report.by("overall") if row["model"] == "mixed")
    rows = [
        {**overall, "model": f"model-{at}", "diff_bias_amb": 0.9 - at / 100} for at in range(60)
    ]
    rows += [
        {**first, "model": f"model-{at}", "group": f"Group {group}"}
        for at in range(60)
        for group in range(9)
    ]
    found = list(pictures(replace(report, rows=tuple(rows), stories=None)))
    names = [item.name for item in found]
    assert names[:3] == ["bias", "accuracy_and_bias", "diff_bias_by_category"]
    assert names[3:] == ["diff_bias_by_category_2", "diff_bias_by_category_3"]
    shown = {text for item in found[2:] for text in texts(item)}
    assert {f"Group {group}" for group in range(9)} <= shown
    assert {"1  model-0", "11  model-10", "60  model-59"} <= shown


def test_the_same_scores_give_the_same_bytes(
    report: EvaluationReport, drawn: list[Picture]
) -> None:
    """In both formats: no time, no random ids."""
    assert list(pictures(report)) == drawn


def test_points_stand_where_the_scores_are(report: EvaluationReport) -> None:
    """With the ends of their intervals, and how far from 0 they can lie."""
    row = next(row for row in report.by("overall") if row["model"] == "mixed")
    found = dot(row, "diff_bias_dis", row["max_bias_dis"])  # type: ignore[arg-type]
    names = ("diff_bias_dis", "diff_bias_dis_low", "diff_bias_dis_high", "max_bias_dis")
    value, low, high, bound = (row[name] for name in names)
    assert found == Dot(value, low, high, is_few=True, bound=bound)  # type: ignore[arg-type]
    assert dot({**row, "diff_bias_dis": None}, "diff_bias_dis") is None


def test_axes_are_zoomed_to_the_data() -> None:
    """All points with their intervals and 0, and no more; the range of a score is never left."""
    assert limits([Dot(0.1, 0.05, 0.2)]) == pytest.approx((-0.01, 0.21))
    assert limits([Dot(-0.1, -0.4, 0.2), Dot(0.3)]) == pytest.approx((-0.435, 0.335))
    assert limits([Dot(1.0, 0.5, 1.0)], (0.0, 1.0)) == pytest.approx((0.475, 1.02))
    assert limits([]) == pytest.approx((-0.01, 0.01))


def test_what_is_undefined_is_not_drawn(report: EvaluationReport) -> None:
    """A model without any score has no name in the picture."""
    rows = tuple(
        {**row, **dict.fromkeys(("diff_bias_amb", "diff_bias_dis"))}
        if row["model"] == "mixed"
        else row
        for row in report.rows
    )
    first = next(pictures(replace(report, rows=rows)))
    assert [name for name in texts(first) if "mixed" in name] == []
    assert "2  right" in texts(first)


def test_an_interval_need_not_hold_the_score(report: EvaluationReport) -> None:
    """Percentile intervals do not; the bar then ends at the score."""
    row = {**report.rows[0], "accuracy_amb_low": 0.9, "accuracy_amb_high": 0.95}
    row["accuracy_amb"] = 0.8
    first = next(pictures(replace(report, rows=(row, *report.rows[1:]))))
    assert "1  biased" in texts(first)


def test_names_are_no_formulas_and_long_ones_are_shortened(report: EvaluationReport) -> None:
    """Dollar characters, Korean and markup stay as they are."""
    renamed = {"biased": "모형 $x^2$ <b>&", "right": "r" * 100}
    rows = tuple(
        {**row, "model": renamed.get(str(row["model"]), row["model"])} for row in report.rows
    )
    first = next(pictures(replace(report, rows=rows, stories=None)))
    assert "1  모형 $x^2$ <b>&" in texts(first)
    assert f"3  {'r' * 36}…" in texts(first)


def test_models_look_different() -> None:
    """Without their colours too, as long as there are markers."""
    assert len({look(at) for at in range(56)}) == 56
    assert len({look(at)[1] for at in range(7)}) == 7


def test_a_missing_font_is_no_warning() -> None:
    """The SVG is right wherever it is read; warnings are errors in these tests."""
    found = draw("x", "x", (2, 2), lambda figure: figure.text(0.5, 0.5, "\U00012345") and None)
    assert "\U00012345" in found.svg.decode("utf-8")


@pytest.mark.parametrize("name", ["a", "stem.with.dots"])
def test_a_picture_is_saved_in_both_formats(tmp_path: Any, drawn: list[Picture], name: str) -> None:
    """Under its name; the folder is made."""
    files = replace(drawn[0], name=name).save(tmp_path / "pictures")
    assert [path.name for path in files] == [f"{name}.svg", f"{name}.png"]
    assert files[0].read_bytes() == drawn[0].svg
    assert files[1].read_bytes() == drawn[0].png
