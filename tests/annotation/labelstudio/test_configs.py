"""Labelling pages, and what their lint finds."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET  # pages are ours, not received

import pytest

from curation.annotation.labelstudio.configs import (
    classify_page,
    comprehension_page,
    fields_of,
    linked,
    lint,
    passages_page,
    problems,
    translate_page,
)
from curation.annotation.texts import pages
from curation.records.errors import CurateError

ENGLISH, KOREAN = pages("en"), pages("ko")
LINKS = '<HyperText name="links" value="$links" inline="true" clickableLinks="true"/>'
PAGES = [
    classify_page("en", ENGLISH),
    translate_page("en", "ar", ENGLISH),
    comprehension_page("ko", ENGLISH),
    passages_page("en", ENGLISH),
    classify_page("en", KOREAN),
    translate_page("en", "ko", KOREAN),
    comprehension_page("ko", KOREAN),
    passages_page("ko", KOREAN),
]


def test_our_pages_are_sound() -> None:
    """For every kind of task."""
    assert [problems(page) for page in PAGES] == [[]] * len(PAGES)


def test_texts_are_shown_as_they_are_written() -> None:
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
def test_no_box_is_named_by_what_vanishes(page: str) -> None:
    """Each has a heading; what has to be answered says so in its own words.

    An empty box of translation is framed by its placeholder, which is a space.
    """
    assert set(re.findall('placeholder="(.*?)"', page)) <= {" "}
    tags = list(ET.fromstring(page).iter())  # noqa: S314  # a page of ours
    for before, tag in pairwise(tags):
        if tag.tag == "TextArea":
            title = before if before.tag == "Header" else tags[tags.index(before) - 1]
            assert title.tag == "Header"
    needed = [tag for tag in tags if tag.get("required") == "true"]
    assert len(needed) == {"classify": 3}.get(kind_of_page(page), 1)
    assert len({tag.get("requiredMessage") for tag in needed}) == len(needed)
    assert None not in {tag.get("requiredMessage") for tag in needed}


def kind_of_page(page: str) -> str:
    """Tell the page of classification."""
    return "classify" if "$stereotype" in page else ""


def test_a_page_in_arabic_runs_from_right_to_left() -> None:
    """All of it but texts of a source that is written the other way."""
    page = classify_page("en", pages("ar"))
    assert problems(page) == []
    start = '<View className="curate-page" style="direction:rtl;text-align:right">'
    assert page.startswith(start)
    assert page.count("direction:rtl") == 1
    assert page.count("direction:ltr") == len(fields_of(page)) - 1
    assert '<View style="direction:ltr;text-align:left"><Text name="stereotype"' in page
    edited = translate_page("en", "ar", pages("ar"))
    assert (edited.count("direction:rtl"), edited.count("direction:ltr")) == (1, 3)
    assert "direction:ltr" not in comprehension_page("ar", pages("ar"))


TEXT = '<Text name="t" value="$t"/>'
CHOICE = '<Choice value="A"/><Choice value="B"/>'
BAD = {
    "no XML": ("<View>", "it is not XML"),
    "unknown tag": (f"<View>{TEXT}<Foo/></View>", "there is no tag Foo"),
    "empty view": (f"<View>{TEXT}<View/></View>", "an empty View"),
    "one name twice": (f"<View>{TEXT}{TEXT}</View>", "two tags are named 't'"),
    "no name": ('<View><Text value="$t"/></View>', "a tag has no name"),
    "points nowhere": (
        f'<View>{TEXT}<TextArea name="a" toName="x"/></View>',
        "a points to no text: x",
    ),
    "no kind": (f'<View>{TEXT}<Choices name="a" toName="t">{CHOICE}</Choices></View>', "no kind"),
    "no options": (
        f'<View>{TEXT}<Choices name="a" toName="t" choice="single"/></View>',
        "a has no options",
    ),
    "one option twice": (
        f'<View>{TEXT}<Choices name="a" toName="t" choice="single">{CHOICE}{CHOICE}</Choices>'
        "</View>",
        "two options of a have one value",
    ),
    "shown by nothing": (
        f'<View>{TEXT}<View visibleWhen="choice-selected" whenTagName="x">{TEXT}</View></View>',
        "something is shown by 'x', which is not a question",
    ),
    "shown by no choice": (
        f'<View>{TEXT}<Choices name="a" toName="t" choice="single">{CHOICE}</Choices>'
        '<View visibleWhen="choice-selected" whenTagName="a" whenChoiceValue="C">'
        '<TextArea name="b" toName="t"/></View></View>',
        "something is shown by the choice 'C', which is none",
    ),
    "nothing to answer": (f"<View>{TEXT}</View>", "nothing can be answered"),
    "a field that shows all": (
        '<View><Text name="t" value="$source"/><TextArea name="a" toName="t"/></View>',
        "a field is called 'source'",
    ),
}


@pytest.mark.parametrize(("page", "what"), BAD.values(), ids=BAD)
def test_a_page_that_the_server_would_take_is_refused(page: str, what: str) -> None:
    """Its own check is shallow."""
    assert any(what in problem for problem in problems(page))
    with pytest.raises(CurateError):
        lint(page)
