"""The page: whole, self-contained, escaped, and usable without a script."""

import json
import zlib
from base64 import b64decode
from dataclasses import replace

from page_reader import Page

from curation.records.culture import Culture
from curation.report.page import html
from survey.reporting.sections import page_of, sheet_of

NASTY = "<script>alert('x')</script> \"quoted\" & <img src=x onerror=alert(1)> ' {{ 7 * 7 }}"


def test_texts_of_the_workspace_are_escaped_everywhere(make, report):
    """A stereotype, group, question, culture or note with markup is shown as it is written."""
    question = make.choice(f"A{NASTY}", f"B{NASTY}", id=f"q{NASTY}", stereotype=NASTY)
    nobody = make.tally(make.choice(id="q-nobody"), 0, 0, 0)
    template = make.template("craft-001", (f"A{NASTY}",), (f"B{NASTY}",), stereotype=NASTY)
    culture = Culture.model_validate({**report.culture.model_dump(), "culture": f"C{NASTY}"})
    outcome = replace(report.final.outcomes[3], template=template, reason=NASTY)
    decision = replace(report.ledger[0], subject=f"q{NASTY}", reason=NASTY, by=NASTY, at=NASTY)
    report = replace(
        report,
        culture=culture,
        final=replace(
            report.final,
            tallies=(make.tally(question, 5, 3, 1), nobody, *report.final.tallies),
            outcomes=(outcome, *report.final.outcomes),
        ),
        ledger=(*report.ledger, decision),
        remarks=(NASTY,),
        people=None,
    )
    pages = [html(page_of(report)), html(sheet_of(report))]
    for text in pages:
        _assert_harmless(text)


def _assert_harmless(text):
    packed = Page(text).all("template", id="packed")[0].text
    tables = json.loads(zlib.decompress(b64decode(packed))).values()
    text += "".join(table.get("rows", "") for table in tables)  # which the script unpacks
    read = Page(text)
    assert len(read.all("script")) == 1
    assert read.all("img") == []
    assert not any("onerror" in element.attributes for element in read.elements)
    assert "<script>alert" not in text
    assert "{{ 7 * 7 }}" in (read.all("h1")[0].text)
    assert text.replace("<wbr>", "").count("&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;") > 8
    assert any(element.text == NASTY for element in (*read.all("bdi"), *read.all("a")))
