"""What is cited, for people and for machines."""

import datetime
from typing import Any

import yaml
from published import RELEASE, culture

from curation.records.culture import Author
from exports.card.citation import METHOD, authors, bibtex, citation, cited


def test_paper_data_set_and_method_are_cited() -> None:
    """The paper's authors are the release's where it names none."""
    presented, data, *method = cited(culture())
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


AUTHORS = (
    (Author(family="김", given="서연"), "김, 서연"),
    (Author(family="Doe"), "{Doe}"),
    (Author(name="Salt, Ltd. {x}"), r"{Salt, Ltd. \textbraceleft{}x\textbraceright{}}"),
    (Author(family="Doe, Jr.", given="A"), "{Doe, Jr.}, A"),
)
VENUES = {
    "": "misc",
    "Nowhere Letters": "article",
    "Findings of Nowhere": "inproceedings",
    "2nd Workshop on Nowhere": "inproceedings",
}


def test_an_author_stays_one_and_the_venue_tells_the_kind() -> None:
    """A comma or an 'and' in a name parts nothing; a journal unless it says that people met."""
    for author, written in AUTHORS:
        assert authors([author]) == written
    for venue, kind in VENUES.items():
        stated = {**RELEASE, "paper": {"title": "T", "venue": venue, "year": 2026}}
        assert bibtex(cited(culture(stated))[0]).startswith(f"@{kind}{{")


def read(release: dict[str, Any]) -> dict[str, Any]:
    """Read the citation of the invented benchmark."""
    found = yaml.safe_load(citation(culture(release)))
    assert isinstance(found, dict)
    return found


def test_everything_stated_is_in() -> None:
    """By the keys of the format."""
    found = read(RELEASE)
    assert {
        key: found[key] for key in found if key not in ("references", "message", "keywords")
    } == {
        "cff-version": "1.2.0",
        "type": "dataset",
        "title": "Nowhere BBQ",
        "authors": [
            {
                "family-names": "Doe",
                "given-names": "Jo",
                "orcid": "https://orcid.org/0000-0002-1825-0097",
            },
            {"name": "Lab"},
        ],
        "version": "0.1",
        "abstract": "An invented benchmark.",
        "date-released": datetime.date(2026, 2, 3),
        "license": "CC-BY-4.0",
        "doi": "10.1234/nowhere",
        "url": "https://example.org/nowhere",
        "preferred-citation": {
            "type": "conference-paper",
            "title": "On Nowhere",
            "authors": found["authors"],
            "collection-title": "Proceedings of Nowhere",
            "year": 2026,
        },
    }
    dois = [item["doi"] for item in found["references"]]
    assert dois == ["10.18653/v1/2022.findings-acl.165", "10.1162/tacl_a_00661"]


def test_hostile_texts_read_back() -> None:
    """YAML quotes what it would take for its own."""
    title = 'a: # {} & | <b> "q" - [x]'
    names = [{"family": "김", "given": "서연: #"}, {"name": "Ja & Nein: - {}"}]
    found = read({**RELEASE, "title": title, "description": f"- {title}", "authors": names})
    assert (found["title"], found["abstract"]) == (title, f"- {title}")
    assert found["authors"] == [
        {"family-names": "김", "given-names": "서연: #"},
        {"name": "Ja & Nein: - {}"},
    ]
