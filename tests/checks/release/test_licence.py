"""The rule `release-licence`."""

import pytest

from curation.checks.catalogue import RELEASE, run


@pytest.mark.parametrize(
    ("name", "hint"),
    [("CC BY 4.0", "write it CC-BY-4.0"), ("mine", "write one of CC0-1.0, ")],
)
def test_a_licence_that_is_no_known_identifier_stops_a_release(subject, name, hint):
    """What was probably meant is said."""
    (item,) = run(subject(release={"licence": name}), RELEASE)
    assert (item.rule, item.severity.value, item.where) == (
        *("release-licence", "error"),
        "culture.yaml, column release.licence",
    )
    assert item.message == f"'{name}' is not an SPDX identifier that the toolkit knows"
    assert item.hint.startswith(hint)
