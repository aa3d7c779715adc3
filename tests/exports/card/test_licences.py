"""Licences by their names."""

import pytest

from exports.card.licences import hub_licence, licence_address


@pytest.mark.parametrize(
    ("stated", "hub"),
    [
        *(("CC-BY-4.0", "cc-by-4.0"), ("cc by 4.0", "cc-by-4.0"), ("MIT", "mit")),
        *(("ODC-By-1.0", "odc-by"), ("ODbL-1.0", "odbl"), ("GPL-3.0-only", "gpl-3.0")),
        *(("ours alone", "other"), ("", "other")),
    ],
)
def test_the_hub_has_names_of_its_own(stated: str, hub: str) -> None:
    """In small letters, and some without a version."""
    assert hub_licence(stated) == hub


def test_an_address_is_given_of_known_licences_alone() -> None:
    """Nothing is guessed."""
    assert licence_address("cc by 4.0") == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert licence_address("ours alone") == ""
