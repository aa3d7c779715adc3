"""The rule `release-personal-data`."""

import pytest

from curation.checks.release.facts import Outgoing


def note(text):
    """Make a note of the bank."""
    return Outgoing("bank.csv", 2, "note", text)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("ask ann@example.org", "an e-mail address"),
        ("call 010-1234-5678", "a telephone number"),
        ("call +82 10 1234 5678", "a telephone number"),
        ("from 192.168.20.7", "an IP address"),
        ("worker A2B3C4D5E6F7G8", "an id of a survey platform"),
        ("participant 5f4dcc3b5aa765d61d8327de", "an id of a survey platform"),
        ("response R_2aBcDeFgHiJkLmN", "an id of a survey platform"),
        ("see panel-00417, who said so", "the id of a respondent"),
    ],
)
def test_what_names_somebody_stops_a_release_and_is_not_repeated(found, text, what):
    """The finding says where, not whom."""
    ids = frozenset({"panel-00417"})
    assert found(outgoing=(note(text),), respondents=ids) == [
        (
            "release-personal-data",
            "error",
            "bank.csv, row 2, column note",
            f"the text holds what looks like {what}",
        )
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Kim 2020, pp. 123-145; doi 10.1162/tacl_a_00661",
        "ISBN 978-3-16-148410-0, ISSN 1234-5678",
        "https://news.example.org/5f4dcc3b5aa765d61d8327de?mail=a@b.org",
        "orcid: 0000-0002-1825-0097",
        "version 1.2.3, 2026-01-01, ABCDEFGHIJKLMN",
        "r1 said so",
    ],
)
def test_references_are_not_taken_for_people(found, text):
    """Numbers of books and papers, addresses of pages, short ids that could be words."""
    assert found(outgoing=(note(text),), respondents=frozenset({"r1"})) == []


def test_the_address_for_questions_is_meant_to_be_read(found):
    """It is published on purpose."""
    line = Outgoing("culture.yaml", 5, "", "contact: team@example.org")
    assert found(outgoing=(line,), release={"contact": "team@example.org"}) == []
    assert len(found(outgoing=(line,))) == 1
