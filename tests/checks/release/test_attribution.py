"""The rule `release-attribution`."""

import pytest

from curation.model.licences import Licence


@pytest.mark.parametrize(
    ("terms", "lacking"),
    [
        (Licence("CC-BY-4.0", "", "https://example.org"), "holder"),
        (Licence("CC-BY-4.0", "Somebody", " "), "address"),
    ],
)
def test_who_is_to_be_named_has_to_be_known(found, terms, lacking):
    """Name and address."""
    assert found(sources={"invented": terms}) == [
        (
            "release-attribution",
            "error",
            "bank.csv, row 2, column source",
            f"source 'invented' is under CC-BY-4.0 and has no {lacking}",
        )
    ]


def test_the_public_domain_asks_for_no_names(found):
    """Its creators gave that up."""
    assert found(sources={"invented": Licence("CC0-1.0")}) == []
