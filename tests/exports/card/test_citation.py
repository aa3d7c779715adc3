"""What is cited, for people and for machines."""

import yaml
from published import RELEASE, culture

from curation.records.culture import Author
from exports.card.citation import bibtex, bibtex_author, citation, cited

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


def test_an_author_stays_one_and_the_venue_tells_the_kind():
    """A comma or an 'and' in a name parts nothing; a journal unless it says that people met."""
    for author, written in AUTHORS:
        assert bibtex_author(author) == written
    for venue, kind in VENUES.items():
        stated = {**RELEASE, "paper": {"title": "T", "venue": venue, "year": 2026}}
        assert bibtex(cited(culture(stated))[0]).startswith(f"@{kind}{{")


def read(release):
    found = yaml.safe_load(citation(culture(release)))
    assert isinstance(found, dict)
    return found


def test_hostile_texts_read_back():
    """YAML quotes what it would take for its own."""
    title = 'a: # {} & | <b> "q" - [x]'
    names = [{"family": "김", "given": "서연: #"}, {"name": "Ja & Nein: - {}"}]
    found = read({**RELEASE, "title": title, "description": f"- {title}", "authors": names})
    assert (found["title"], found["abstract"]) == (title, f"- {title}")
    assert found["authors"] == [
        {"family-names": "김", "given-names": "서연: #"},
        {"name": "Ja & Nein: - {}"},
    ]
