"""The page: whole, self-contained, escaped, and usable without a script."""

import base64
import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from page_reader import Page

from evaluation.pictures import Picture
from evaluation.reporting.html import LONGEST, page
from evaluation.reporting.pictures import pictures
from evaluation.reporting.records import Benchmark, Choice, EvaluationReport, Shown

NASTY = "<script>alert('x')</script> \"quoted\" & <img src=x onerror=alert(1)> ' {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def html(report: EvaluationReport, drawn: list[Picture]) -> str:
    """The page's text."""
    return page(report, drawn)


@pytest.fixture(scope="module")
def read(html: str) -> Page:
    """The page, read."""
    return Page(html)


def test_the_same_report_gives_the_same_page(asked: Any, html: str) -> None:
    """Nothing of the time or the machine is in it."""
    again = asked.report()
    assert page(again, list(pictures(again))) == html


def test_nothing_is_fetched(read: Page) -> None:
    """No element leads out of the page but by words; pictures stand in it."""
    images = 0
    for element in read.elements:
        for name, value in element.attributes.items():
            if name in ("href", "src", "action", "srcset", "data", "poster"):
                assert value is not None
                kinds = ("#", "data:,", "data:image/svg+xml;base64,")
                assert value.startswith(kinds), (element.tag, name, value)
                images += element.tag == "img"
    assert images == 4
    (style,) = read.all("style")
    assert "url(" not in style.text
    assert "@import" not in style.text
    (script,) = read.all("script")
    assert not re.search(r"fetch|XMLHttp|import\(|WebSocket|Beacon|innerHTML", script.text)


def test_the_policy_admits_its_own_style_and_script_alone(read: Page) -> None:
    """By hash, so that no other script would run even if a reply were not escaped."""
    (policy,) = (
        element.attributes["content"] or ""
        for element in read.all("meta")
        if element.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    for tag in ("style", "script"):
        (element,) = read.all(tag)
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not any("style" in element.attributes for element in read.elements)
    assert not any(
        name.startswith("on") for element in read.elements for name in element.attributes
    )


def nasty(report: EvaluationReport) -> EvaluationReport:
    """Give the report with markup wherever a name or text of others can stand."""
    first = report.examples[0]
    example = replace(
        first,
        request_id=f"r{NASTY}",
        category=f"c{NASTY}",
        label=f"l{NASTY}",
        prompt=f"p{NASTY}",
        context=f"t{NASTY}",
        question=f"q{NASTY}",
        choices=(Choice("A", f"a{NASTY}", "biased", right=True), *first.choices[1:]),
        replies=tuple(
            Shown(f"m{NASTY}", text, "biased", f"rule{NASTY}", right=False)
            for text in (NASTY, NASTY * 20, f"{NASTY}\n{NASTY}")
        ),
    )
    renamed = {"right": f"m{NASTY}", "Hobby": f"c{NASTY}", "ST": f"l{NASTY}"}
    rows = tuple(
        {name: renamed.get(str(value), value) for name, value in row.items()} for row in report.rows
    )
    return replace(
        report,
        benchmark=Benchmark(f"B{NASTY}", f"v{NASTY}", "ko", "0"),
        rows=rows,
        read_as=tuple(
            replace(item, model=renamed.get(item.model, item.model)) for item in report.read_as
        ),
        notes=(NASTY,),
        examples=(example, *report.examples[1:]),
    )


def test_texts_of_others_are_escaped_everywhere(report: EvaluationReport) -> None:
    """A model, category, label, reply, choice or note with markup is shown as it is written."""
    changed = nasty(report)
    found = list(pictures(changed))
    text = page(changed, found)
    read = Page(text)
    assert len(read.all("script")) == 1
    assert len(read.all("img")) == 4
    assert not any("onerror" in element.attributes for element in read.elements)
    assert "<script>alert" not in text
    assert all(b"<script>alert" not in item.svg for item in found)
    assert read.all("h1")[0].text.startswith(f"B{NASTY}")
    assert text.count("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;") > 60
    (form,) = read.all("form")
    values = [element.attributes["value"] for element in read.all("option")]
    assert {f"m{NASTY}", f"c{NASTY}"} <= set(values)
    assert "hidden" in form.attributes


def test_ids_are_unique_and_what_points_to_them_finds_them(read: Page) -> None:
    """Links within the page, labels, and what an element is labelled or described by."""
    ids = [element.attributes["id"] for element in read.elements if "id" in element.attributes]
    assert len(ids) == len(set(ids))
    for element in read.elements:
        href = element.attributes.get("href")
        if element.tag == "a" and href:
            assert href.removeprefix("#") in ids
        for name in ("for", "aria-labelledby", "aria-describedby"):
            if name in element.attributes:
                assert element.attributes[name] in ids, (element.tag, name)


def test_every_control_has_a_label(read: Page) -> None:
    """Inputs and selections by a label, buttons by their words."""
    labelled = {element.attributes["for"] for element in read.all("label")}
    controls = [*read.all("input"), *read.all("select")]
    assert {element.attributes["id"] for element in controls} == labelled
    assert len(controls) == 6
    assert all(element.text.strip() for element in read.all("button"))


def test_without_a_script_everything_is_shown(read: Page, report: EvaluationReport) -> None:
    """The controls are hidden until a script shows them; samples and replies are not."""
    (form,) = read.all("form")
    assert "hidden" in form.attributes
    samples = read.all("article")
    assert len(samples) == len(report.examples) == 12
    rows = [element for element in read.all("tr") if "data-answer" in element.attributes]
    assert len(rows) == 12 * 3
    assert not any("hidden" in element.attributes for element in (*samples, *rows))


def test_tables_and_pictures_say_what_they_are(read: Page) -> None:
    """Each table has a name, every header says what it heads, and pictures are words, too."""
    for element in read.all("th"):
        assert element.attributes.get("scope") in ("row", "col", "colgroup")
    captions = read.all("caption")
    unnamed = [item for item in read.all("table") if "aria-labelledby" not in item.attributes]
    assert len(captions) == len(unnamed)
    assert all(element.text.strip() for element in captions)
    assert all(len(element.attributes["alt"] or "") > 60 for element in read.all("img"))
    (html,) = read.all("html")
    assert html.attributes["lang"] == "en"
    assert read.all("a")[0].attributes["href"] == "#content"


def test_headings_go_down_a_level_at_a_time(read: Page) -> None:
    """Who moves by headings finds the parts, and every sample."""
    levels = [
        int(element.tag[1]) for element in read.elements if re.fullmatch("h[1-6]", element.tag)
    ]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(later - earlier <= 1 for earlier, later in pairwise(levels))


def test_texts_of_the_benchmark_are_marked_as_its_language(
    report: EvaluationReport, drawn: Sequence[Picture], read: Page
) -> None:
    """A screen reader changes its voice; without a known language nothing is claimed."""
    spoken = [element for element in read.all("bdi") if "lang" in element.attributes]
    assert {element.attributes["lang"] for element in spoken} == {"ko"}
    assert len(spoken) == 1 + 12 * 5
    benchmark = replace(report.benchmark, language="")
    silent = Page(page(replace(report, benchmark=benchmark), drawn))
    assert not any("lang" in element.attributes for element in silent.all("bdi"))


def test_scores_stand_in_their_rows(read: Page, report: EvaluationReport) -> None:
    """What is read, and what the table is sorted by."""
    (body,) = (item for item in read.all("section", id="overall"))
    said = " ".join(body.text.split())
    row = next(row for row in report.by("overall") if row["model"] == "mixed")
    low, high = (f"{float(row[f'accuracy_amb_{end}'] or 0):.3f}" for end in ("low", "high"))
    assert f"mixed{float(row['accuracy_amb'] or 0):.3f}{low} to {high}" in said
    cells = [element.attributes.get("data-v") for element in read.all("td")]
    assert str(row["accuracy_amb"]) in cells
    assert str(row["diff_bias_dis"]) in cells


def test_what_else_a_reviewer_asks_for_is_on_the_page(read: Page) -> None:
    """Settings, method with formulas, uses and how to cite, and other families."""
    (body,) = read.all("body")
    said = " ".join(body.text.split())
    for part in (
        *("cyclic: (0, 1, 2), (1, 2, 0), (2, 0, 1)", "replies read by the toolkit's rules"),
        *(
            "Diff-bias (ambiguous) = (n_ab − n_ac) / n_a",
            "a third of a template put at each end of the range",
        ),
        *("It must not be used to train models", "They do not certify that a model is fair"),
        *("KoBBQ: Korean bias", "BBQ: A hand-built", "Different bias under different criteria"),
        *("Kendall's tau", "M_B", "Neutrality", "scores.csv", "replies.csv", "tukey.csv"),
        "12 requests of 192, drawn at random (seed 42)",
    ):
        assert part in said, part


def test_long_replies_are_folded_and_very_long_ones_cut(
    report: EvaluationReport, drawn: Sequence[Picture]
) -> None:
    """Their beginning and end are there, and it is said how much is not."""
    texts = ("short", "x" * 241, "two\nlines", f"begin{'y' * LONGEST}the end", "", None)
    replies = tuple(
        Shown("right", text, "unknown" if text else "missing", "letter", right=None)
        for text in texts
    )
    example = replace(report.examples[0], replies=replies)
    read = Page(page(replace(report, examples=(example,)), drawn))
    (article,) = read.all("article")
    folded = [item for item in read.elements if item.tag == "details" and "article" in item.inside]
    assert len(folded) == 3
    assert "12 characters are left out here; replies.csv has them" in article.text
    assert "begin" in folded[2].text
    assert folded[2].text.rstrip().endswith("the end")
    assert len(folded[2].text) < LONGEST + 300
    assert article.text.count("empty") == 1
    assert article.text.count("no reply") == 1


def test_a_benchmark_without_a_name_of_its_own_makes_a_page(
    report: EvaluationReport, drawn: Sequence[Picture]
) -> None:
    """One model, no families, no examples, no version: nothing is left half said."""
    rows = tuple(row for row in report.rows if row["model"] == "right")
    alone = replace(
        report,
        benchmark=Benchmark("samples.tsv", "", "", "0"),
        rows=rows,
        read_as=report.read_as[2:],
        differences=(),
        stories=None,
        occupations=None,
        rankings=(),
        agreements=(),
        examples=(),
    )
    read = Page(page(alone, drawn))
    assert read.all("title")[0].text == "Evaluation report: samples.tsv"
    assert read.all("form") == []
    assert not {"stories", "occupations", "rankings", "models", "replies"} & {
        element.attributes.get("id") for element in read.all("section")
    }
