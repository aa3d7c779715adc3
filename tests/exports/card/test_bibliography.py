"""What is cited."""

import pytest
from published import RELEASE, culture, facts

from curation.records.culture import Author
from exports.card.citation import METHOD, authors, bibtex, cited


def test_paper_data_set_and_method_are_cited() -> None:
    """The paper's authors are the release's where it names none."""
    presented, data, *method = cited(facts())
    assert bibtex(presented) == (
        "@inproceedings{nowhere_bbq2026,\n"
        "  title     = {{On Nowhere}},\n"
        "  author    = {Doe, Jo and {Lab}},\n"
        "  booktitle = {Proceedings of Nowhere},\n"
        "  year      = {2026}\n"
        "}"
    )
    assert bibtex(data) == (
        "@misc{nowhere_bbq,\n"
        "  title     = {{Nowhere BBQ}},\n"
        "  author    = {Doe, Jo and {Lab}},\n"
        "  year      = {2026},\n"
        "  note      = {Data set, version 0.1},\n"
        "  doi       = {10.1234/nowhere},\n"
        "  url       = {https://example.org/nowhere}\n"
        "}"
    )
    assert tuple(method) == METHOD


@pytest.mark.parametrize(
    ("author", "written"),
    [
        (Author(family="김", given="서연"), "김, 서연"),
        (Author(family="Doe"), "{Doe}"),
        (
            Author(name="Bread and Salt, Ltd. {x}"),
            r"{Bread and Salt, Ltd. \textbraceleft{}x\textbraceright{}}",
        ),
        (Author(family="Doe, Jr.", given="A"), "{Doe, Jr.}, A"),
    ],
)
def test_an_author_stays_one(author: Author, written: str) -> None:
    """A comma or an 'and' in a name parts nothing."""
    assert authors([author]) == written


@pytest.mark.parametrize(
    ("venue", "kind"),
    [
        *(("", "misc"), ("Nowhere Letters", "article"), ("Findings of Nowhere", "inproceedings")),
        ("2nd Workshop on Nowhere", "inproceedings"),
    ],
)
def test_the_venue_tells_the_kind(venue: str, kind: str) -> None:
    """A journal unless it says that people met."""
    stated = {**RELEASE, "paper": {"title": "T", "venue": venue, "year": 2026}}
    assert bibtex(cited(facts(culture=culture(stated)))[0]).startswith(f"@{kind}{{")
