"""The citation for machines."""

import datetime
from typing import Any

import yaml
from published import RELEASE, culture, facts

from exports.card.citation import citation


def cited(release: dict[str, Any]) -> dict[str, Any]:
    """Read the citation of the invented benchmark."""
    found = yaml.safe_load(citation(facts(culture=culture(release))))
    assert isinstance(found, dict)
    return found


def test_everything_stated_is_in() -> None:
    """By the keys of the format."""
    found = cited(RELEASE)
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
    assert [item["doi"] for item in found["references"]] == [
        *("10.18653/v1/2022.findings-acl.165", "10.1162/tacl_a_00661"),
    ]


def test_hostile_texts_read_back() -> None:
    """YAML quotes what it would take for its own."""
    title = 'a: # {} & | <b> "q" - [x]'
    names = [{"family": "김", "given": "서연: #"}, {"name": "Ja & Nein: - {}"}]
    found = cited({**RELEASE, "title": title, "description": f"- {title}", "authors": names})
    assert (found["title"], found["abstract"]) == (title, f"- {title}")
    assert found["authors"] == [
        {"family-names": "김", "given-names": "서연: #"},
        {"name": "Ja & Nein: - {}"},
    ]
