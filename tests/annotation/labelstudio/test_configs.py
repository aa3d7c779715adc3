"""Labelling pages."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET  # pages are ours, not received

import pytest

from curation.annotation.labelstudio.tasks import HELPS, boxes_of, instructions, linked, page_of
from curation.annotation.sheets import pages
from curation.annotation.translation.handed import PAGES as KIND
from curation.files.workspace import Workspace
from tests.annotation.labelstudio.fake import fields_of

ENGLISH, KOREAN = pages("en"), pages("ko")
LINKS = '<HyperText name="links" value="$links" inline="true" clickableLinks="true"/>'
PAGES = [
    page_of("classify", "en", "en"),
    page_of("translate", "en", "ar"),
    page_of("comprehension", "ko", "en"),
    page_of("passages", "en", "en"),
    page_of("classify", "en", "ko"),
    page_of("translate", "en", "ko"),
    page_of("comprehension", "ko", "ko"),
    page_of("passages", "ko", "ko"),
]


def test_our_pages_are_sound():
    """The server takes a page that cannot be answered; ours ask and show what is there."""
    for page in PAGES:
        tags = list(ET.fromstring(page).iter())  # noqa: S314  # a page of ours
        shown = {tag.get("name") for tag in tags if tag.tag in ("Text", "HyperText")}
        asked = [tag for tag in tags if tag.get("toName")]
        choices = {tag.get("name"): [c.get("value") for c in tag] for tag in asked}
        names = [tag.get("name") for tag in tags if tag.get("name")]
        assert asked
        assert {tag.get("toName") for tag in asked} <= shown
        assert len(set(names)) == len(names)
        assert all(len(set(values)) == len(values) for values in choices.values())
        for tag in tags:
            for value in (
                (tag.get("whenChoiceValue") or "").split(",") if tag.get("whenTagName") else ()
            ):
                assert value in choices[tag.get("whenTagName")]
        assert "source" not in fields_of(page)  # the page shows the whole task in its place


def test_texts_are_shown_as_they_are_written():
    """No tag renders markup but the one of links, which are escaped."""
    for page in PAGES:
        assert re.findall(r"<HyperText.*?/>", page) == [LINKS] * page.count("HyperText")
        assert "html" not in page
    assert [page.count("HyperText") for page in PAGES] == [1, 0, 0, 0] * 2
    assert linked("A & <b>, http://a.org/?x=1&y='2'). And https://b.org.") == (
        'A &amp; &lt;b&gt;, <a href="http://a.org/?x=1&amp;y=&#x27;2" target="_blank" '
        'rel="noopener">http://a.org/?x=1&amp;y=&#x27;2</a>&#x27;). And <a href="https://b.org" '
        'target="_blank" rel="noopener">https://b.org</a>.'
    )


@pytest.mark.parametrize("page", PAGES)
def test_no_box_is_named_by_what_vanishes(page):
    """Each has a heading; what has to be answered says so in its own words."""
    assert "placeholder" not in page
    tags = list(ET.fromstring(page).iter())  # noqa: S314  # a page of ours
    for before, tag in pairwise(tags):
        if tag.tag == "TextArea":
            title = before if before.tag == "Header" else tags[tags.index(before) - 1]
            assert title.tag == "Header"
    needed = [tag for tag in tags if tag.get("required") == "true"]
    assert len(needed) == {"classify": 3, "translate": 0}.get(kind_of_page(page), 1)
    assert len({tag.get("requiredMessage") for tag in needed}) == len(needed)
    assert None not in {tag.get("requiredMessage") for tag in needed}


def kind_of_page(page):
    shown = {"$stereotype": "classify", "$texts": "translate"}
    return next((kind for name, kind in shown.items() if name in page), "")


def test_the_rules_of_translation_are_of_its_page_alone(tmp_path):
    """No keys choose there; what stands beside a text is headed, and explained once, before."""
    (tmp_path / "culture.yaml").write_text(
        "{culture: X, language: es, unknown: x, categories: [{id: Age, question: choice}]}", "utf-8"
    )
    page = page_of("translate", "en", "es")
    told = instructions("translate", pages("es"), KIND.told(Workspace(tmp_path)))
    for text in (page, told):
        assert pages("es").keys not in text
        assert "slots" not in text
    assert told.count("<p>Formas de los nombres: ") == told.count("<p>Ejemplo: ") == 1
    for name in HELPS:
        assert page.index(f"].{name}_title") < page.index(f'].{name}"')


@pytest.mark.parametrize("kind", ["classify", "consensus", "translate", "comprehension"])
def test_annotators_are_told_first_to_submit_before_they_leave(kind):
    """Label Studio keeps nothing of a box in which the cursor stands."""
    told = instructions(kind, pages("es"), ("Otra cosa.",))
    assert told.index(pages("es").leave) < told.index("Otra cosa.")


def test_a_page_in_arabic_runs_from_right_to_left():
    """All of it but texts of a source that is written the other way."""
    page = page_of("classify", "en", "ar")
    start = '<View className="curate-page" style="direction:rtl;text-align:right">'
    assert page.startswith(start)
    assert page.count("direction:rtl") == 1
    assert page.count("direction:ltr") == len(fields_of(page)) - 1
    assert '<View style="direction:ltr;text-align:left"><Text name="stereotype"' in page
    edited = page_of("translate", "en", "ar")
    assert (edited.count("direction:rtl"), edited.count("direction:ltr")) == (1, 3)
    assert "direction:ltr" not in page_of("comprehension", "ar", "ar")


def test_boxes_that_need_no_text_are_kept_as_they_are_written():
    """One that is needed would count as filled in by the empty text that it has from the start."""
    found = [[part["from_name"] for part in boxes_of(page)] for page in PAGES[:4]]
    groups = ["proposed_targets", "proposed_non_targets"]
    assert found == [[*groups, "reason", "remark"], ["remark"], ["remark"], ["remark"]]
