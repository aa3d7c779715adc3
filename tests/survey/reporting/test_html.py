"""The page: whole, self-contained, escaped, and usable without a script."""

import base64
import hashlib
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from page_reader import Page

from curation.records.culture import Culture
from survey.reporting.data import build
from survey.reporting.html import page
from survey.reporting.records import Material, Report

NASTY = "<script>alert('x')</script> \"quoted\" & <img src=x onerror=alert(1)> ' {{ 7 * 7 }}"


@pytest.fixture(scope="module")
def html(report: Report) -> str:
    """The page's text."""
    return page(report)


@pytest.fixture(scope="module")
def read(html: str) -> Page:
    """The page, read."""
    return Page(html)


def test_the_policy_admits_its_own_style_and_script_alone(read: Page) -> None:
    """By hash, so that no other script would run even if a text were not escaped."""
    (policy,) = (
        element.attributes["content"] or ""
        for element in read.all("meta")
        if element.attributes.get("http-equiv") == "Content-Security-Policy"
    )
    assert policy.startswith("default-src 'none'; ")
    for tag in ("style", "script"):
        (element,) = read.all(tag)
        digest = base64.b64encode(hashlib.sha256(element.text.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert not any("style" in element.attributes for element in read.elements)
    assert not any(
        name.startswith("on") for element in read.elements for name in element.attributes
    )


def test_texts_of_the_workspace_are_escaped_everywhere(
    make: Any, answering: Callable[..., Any], material: Material
) -> None:
    """A stereotype, group, question, culture or note with markup is shown as it is written."""
    question = make.choice(f"A{NASTY}", f"B{NASTY}", id=f"q{NASTY}", stereotype=NASTY)
    template = make.template("craft-001", (f"A{NASTY}",), (f"B{NASTY}",), stereotype=NASTY)
    culture = Culture.model_validate({**material.culture.model_dump(), "culture": f"C{NASTY}"})
    outcome = replace(material.outcomes[3], template=template, reason=NASTY)
    decision = replace(material.ledger[0], subject=f"q{NASTY}", reason=NASTY, by=NASTY, at=NASTY)
    text = page(
        build(
            replace(
                material,
                culture=culture,
                tallies=(make.tally(question, 5, 3, 1), *material.tallies),
                outcomes=(outcome, *material.outcomes),
                ledger=(*material.ledger, decision),
                notes=(NASTY,),
                people=None,
            )
        )
    )
    read = Page(text)
    assert len(read.all("script")) == 1
    assert read.all("img") == []
    assert not any("onerror" in element.attributes for element in read.elements)
    assert "<script>alert" not in text
    assert "{{ 7 * 7 }}" in (read.all("h1")[0].text)
    assert text.count("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;") > 8
    assert any(element.text == NASTY for element in read.all("bdi"))
