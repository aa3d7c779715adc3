"""The page: whole, self-contained, escaped, and usable without a script."""

import base64
import hashlib
import re
from dataclasses import replace

import pytest
from page_reader import Page

from curation.report.page import html as page_html
from evaluation.reporting.pictures import pictures
from evaluation.reporting.sections import page_of

TEMPLATES = ("hobby-001", "hobby-002", "job-001", "job-002")


def page(report, drawn):
    return page_html(page_of(report), drawn)


NASTY = "<script>alert('x')</script> \"quoted\" & <img src=x onerror=alert(1)> ' {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def html(report, drawn):
    return page(report, drawn)


@pytest.fixture(scope="module")
def read(html):
    return Page(html)


def test_nothing_is_fetched(read):
    """No element leads out of the page but by words; pictures stand in it."""
    images = 0
    for element in read.elements:
        for name, value in element.attributes.items():
            if name in ("href", "src", "action", "srcset", "data", "poster"):
                kinds = ("#", "data:,", "data:image/svg+xml;base64,")  # "data:," is no icon
                assert value.startswith(kinds), (element.tag, name, value)
                images += element.tag == "img"
    assert images == 6
    (style,) = read.all("style")
    assert "url(" not in style.text
    assert "@import" not in style.text
    (script,) = read.all("script")
    assert not re.search(r"fetch|XMLHttp|import\(|WebSocket|Beacon|innerHTML", script.text)


def test_the_policy_admits_its_own_style_and_script_alone(read):
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


def differing(report):
    return tuple({**row, "differs": "amb"} for row in report.drivers)


def nasty(report):
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
        replace(item, rules=tuple({**rule, "reply": NASTY} for rule in item.rules))
        for item in report.unparsed
    )
    return replace(
        report,
        benchmark={
            "title": f"B{NASTY}",
            "version": f"v{NASTY}",
            "language": "ko",
            "tool_version": "0",
        },
        rows=rows,
        drivers=drivers,
        read_as=tuple(
            {**item, "model": renamed.get(item["model"], item["model"])} for item in report.read_as
        ),
        unparsed=unparsed,
        notes=(NASTY,),
        browse="../browse/index.html",
    )


def test_texts_of_others_are_escaped_everywhere(report, drawn):
    """A model, category, label, template, reply or note with markup is shown as it is written."""
    changed = nasty(report)
    found = [next(pictures(changed)), *(replace(item, alt=NASTY) for item in drawn[1:])]
    text = page(changed, found)
    read = Page(text)
    assert len(read.all("script")) == 1
    assert len(read.all("img")) == 6
    assert not any("onerror" in element.attributes for element in read.elements)
    assert "<script>alert" not in text
    assert all(b"<script>alert" not in item.svg for item in found)
    assert read.all("h1")[0].text.startswith(f"B{NASTY}")
    assert text.count("&lt;script&gt;alert(&#39;x&#39;)&lt;") == 38
    led = [item.attributes["href"] or "" for item in read.all("a") if "<img" in item.text]
    assert led
    assert all(address.startswith("../browse/index.html#/template/t%3Cscript") for address in led)


def test_ids_are_unique_and_what_points_to_them_finds_them(read):
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


def test_templates_lead_to_the_page_of_samples_where_there_is_one(report, drawn, read):
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
