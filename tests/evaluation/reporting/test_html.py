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
from evaluation.qa.score import Row
from evaluation.reporting.html import page
from evaluation.reporting.pictures import pictures
from evaluation.reporting.records import Benchmark, EvaluationReport

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")
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
                kinds = ("#", "data:,", "data:image/svg+xml;base64,")  # "data:," is no icon
                assert value.startswith(kinds), (element.tag, name, value)
                images += element.tag == "img"
    assert images == 5
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


def differing(report: EvaluationReport) -> tuple[Row, ...]:
    """Its templates, as if each were biased."""
    return tuple({**row, "differs": "amb"} for row in report.drivers)


def nasty(report: EvaluationReport) -> EvaluationReport:
    """Give the report with markup wherever a name or text of others can stand."""
    renamed = {
        **{"right": f"m{NASTY}", "Hobby": f"c{NASTY}", "ST": f"l{NASTY}"},
        "hobby-001": f"t{NASTY}",
    }
    rows, drivers = (
        tuple({name: renamed.get(str(it), it) for name, it in row.items()} for row in part)
        for part in (report.rows, differing(report))
    )
    unparsed = tuple(
        replace(item, rules=tuple(replace(rule, reply=NASTY) for rule in item.rules))
        for item in report.unparsed
    )
    return replace(
        report,
        benchmark=Benchmark(f"B{NASTY}", f"v{NASTY}", "ko", "0"),
        rows=rows,
        drivers=drivers,
        read_as=tuple(
            replace(item, model=renamed.get(item.model, item.model)) for item in report.read_as
        ),
        unparsed=unparsed,
        notes=(NASTY,),
        browse="../browse/index.html",
    )


def test_texts_of_others_are_escaped_everywhere(report: EvaluationReport) -> None:
    """A model, category, label, template, reply or note with markup is shown as it is written."""
    changed = nasty(report)
    found = list(pictures(changed))
    text = page(changed, found)
    read = Page(text)
    assert len(read.all("script")) == 1
    assert len(read.all("img")) == 5
    assert not any("onerror" in element.attributes for element in read.elements)
    assert "<script>alert" not in text
    assert all(b"<script>alert" not in item.svg for item in found)
    assert read.all("h1")[0].text.startswith(f"B{NASTY}")
    assert text.count("&lt;script&gt;alert(&#39;x&#39;)&lt;") > 40
    led = [item.attributes["href"] or "" for item in read.all("a") if "<img" in item.text]
    assert led
    assert all(address.startswith("../browse/index.html#/template/t%3Cscript") for address in led)


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


def test_templates_lead_to_the_page_of_samples_where_there_is_one(
    report: EvaluationReport, drawn: Sequence[Picture], read: Page
) -> None:
    """Else the command is named; nothing leads away by itself."""
    assert not any("browse" in str(item.attributes) for item in read.all("a"))
    (body,) = read.all("section", id="details")
    assert "curate browse --replies FILE" in body.text
    changed = replace(report, browse="../browse/index.html", drivers=differing(report))
    linked = Page(page(changed, drawn))
    found = [item.attributes["href"] or "" for item in linked.all("a")]
    led = [address for address in found if not address.startswith("#")]
    assert sorted(led) == sorted(
        [
            *(f"../browse/index.html#/template/{name}" for name in TEMPLATES),
            "../browse/index.html#/models",
        ]
    )


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
    """Who moves by headings finds the parts."""
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
    assert len(spoken) == 1
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
        *("cyclic: (0, 1, 2), (1, 2, 0), (2, 0, 1)", "replies parsed by the toolkit's rules"),
        *(
            "Diff-bias (ambiguous) = (n_ab − n_ac) / n_a",
            "a third of a template added at each end of the range",
        ),
        *("It must not be used to train models", "They do not certify that a model is fair"),
        *("KoBBQ: Korean bias", "BBQ: A hand-built", "Different bias under different criteria"),
        *("Kendall's tau", "M_B", "Neutrality", "scores.csv", "drivers.csv", "tukey.csv"),
        "curate browse",
    ):
        assert part in said, part


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
        drivers=(),
    )
    read = Page(page(alone, drawn))
    assert read.all("title")[0].text == "Evaluation report: samples.tsv"
    assert not {"stories", "occupations", "rankings", "models", "drivers"} & {
        element.attributes.get("id") for element in read.all("section")
    }
