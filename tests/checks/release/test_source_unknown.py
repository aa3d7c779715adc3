"""The rule `release-source-unknown`."""

import pytest

from curation.model.licences import Licence


@pytest.mark.parametrize(
    ("sources", "what"),
    [
        ({}, "has no record of its licence"),
        ({"invented": Licence("")}, "has no record of its licence"),
        (
            {"invented": Licence("none stated")},
            "is under 'none stated', which is no licence that the toolkit knows",
        ),
    ],
)
def test_a_source_of_unknown_terms_stops_a_release(found, sources, what):
    """Said once, at its first template."""
    assert found(sources=sources) == [
        (
            "release-source-unknown",
            "error",
            "bank.csv, row 2, column source",
            f"source 'invented' (first in craft-001) {what}",
        )
    ]


def test_only_what_is_left_counts(found, make):
    """A template that fell takes nobody's text into the release."""
    assert found([*make.pair(), *make.pair("craft-002", source="other")]) == []


def test_what_was_taken_names_its_source(found, make):
    """An id in a source is no text of one's own; said once, at the first variant."""
    assert found(make.pair(source="")) == [
        (
            "release-source-unknown",
            "error",
            "bank.csv, row 2, column source",
            "craft-001 has the source_id of a template and names no source",
        )
    ]
