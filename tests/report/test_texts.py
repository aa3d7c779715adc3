"""What pages share: style, numbers, and texts of others, which do nothing in them."""

import re
from pathlib import Path

from curation.report.figures import DARK, FIRST, INK, LINE, PAPER, SOFT
from curation.report.page import Field, bar
from curation.report.texts import (
    base_style,
    between,
    count,
    decimal,
    needed_digits,
    percent,
    plain,
    probability,
    span,
    spread,
    typed,
    typed_share,
    visible,
    whole,
    with_p,
)

_ROOT = Path(__file__).parents[2]


def test_the_style_fetches_nothing_and_knows_dark_and_paper():
    """No address, no import; each variable that is used has a value, and letters have one scale."""
    style = base_style()
    assert "url(" not in style
    assert "@import" not in style
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    sheets = [
        style,
        *(it.read_text("utf-8") for it in (_ROOT / "exports/browse/page").glob("*.css")),
    ]
    assert len(sheets) == 4
    assert re.findall(r"font-size: (?!1rem)[.0-9]+rem", " ".join(sheets)) == []  # one scale
    named = set(re.findall(r"var\((--[a-z-]+)\)", style))
    assert named <= set(re.findall(r"(--[a-z-]+):", style))


def test_pages_and_pictures_have_the_same_colours_by_day_and_by_night():
    """The accent, the text, and what is paler, as the pictures in the pages have them."""
    light, dark, *_ = base_style().split("@media")
    drawn = {"link": FIRST, "target": FIRST, "ink": INK, "soft": SOFT, "line": LINE, "page": PAPER}
    for style, colours in ((light, drawn), (dark, {it: DARK[one] for it, one in drawn.items()})):
        told = dict(re.findall(r"--([a-z]+): (#[0-9a-f]+);", style))
        assert {it: told[it] for it in colours} == colours


WRITTEN = (
    (percent(0.0625), "6.3\u202f%"),
    (percent(0.2865), "28.7\u202f%"),
    (percent(None), "–"),
    (percent(0.0), "0.0\u202f%"),
    (span(0.5, 0.9375), "50.0–93.8\u202f%"),
    (span(0.5, None), "–"),
    (decimal(4.125), "4.13"),
    (decimal(-0.0625, 3), "−0.063"),
    (decimal(-0.5, 1), "−0.5"),
    (decimal(None), "–"),
    (typed(0.0625) + typed(-0.0001, sign="+") + typed(0.5, 1, "+"), "0.063+0.000+0.5"),
    (typed(None) + typed_share(None) + typed_share(0.0625), "--6.3%"),
    (probability(0.0625), ".063"),
    (probability(None), "–"),
    (probability(0.001), ".001"),
    (probability(0.04), ".040"),
    (probability(0.999), ".999"),
    (with_p(0.0333), "p = .033"),
    (with_p(1e-12), "p <\u202f.001"),
    (whole(-1200), "−1,200"),
    (count(1, "template"), "1 template"),
    (count(0, "category"), "0 categories"),
    (count(1200, "question"), "1,200 questions"),
    (count(2, "reply"), "2 replies"),
    (spread(3, 3), "3"),
    (spread(3, 5), "3 to 5"),
    (between(-0.0625, 0.25), "−0.063 to 0.250"),
    (between(-0.125, 1, 1), "−0.1 to 1.0"),
    (between(None, 0.25), "–"),
)
MARKDOWN = {
    "a|b": "a\\|b",
    "<script>": "&lt;script\\>",
    "AT&T &lt;": "AT&amp;T &amp;lt;",
    "*bold* _it_ `code`": "\\*bold\\* \\_it\\_ \\`code\\`",
    "[x](javascript:1)": "\\[x\\](javascript:1)",
    "two\n\nlines\r\n": "two lines ",
    "한국어, 中文": "한국어, 中文",
}
SEEN = {
    "plain, 한국어\ttab\nline": "plain, 한국어\ttab\nline",
    "a\r\nb\rc": "a\nb\nc",
    "a\x00b\x1b[31m\x7f": "a\u2400b\u241b[31m\u2421",
    "half \ud83d pair": "half \ufffd pair",
}


def test_numbers_and_texts_are_written_so():
    """Numbers as journals do, undefined as a dash; texts without markup, signs to be seen."""
    for written, expected in WRITTEN:
        assert written == expected
    for text, shown in MARKDOWN.items():
        assert plain(text) == shown
    for text, shown in SEEN.items():
        assert visible(text) == visible(shown) == shown


def test_a_bar_is_in_percent_of_its_reach():
    """Its share, interval and thresholds; what is not known is not drawn, nothing goes beyond."""
    drawn = bar("target", 0.5, ends=(0.25, None, 1.5), marks=(0.75,))
    assert drawn == ("target", 50.0, (25.0, 100.0), (75.0,))
    assert bar("part", None, reach=2.0, marks=(1, -1)) == ("part", 0.0, (), (50.0, 0.0))
    assert [needed_digits(0.0, end) for end in (0.3, 0.015, 0.0, 2.0, 1e-7)] == [2, 3, 2, 2, 5]
    assert needed_digits(-0.22, -0.004) == 3
    titles = [Field(title, under="Ambiguous").whole_title for title in ("Accuracy", "SD")]
    assert titles == ["Ambiguous: accuracy", "Ambiguous: SD"]
