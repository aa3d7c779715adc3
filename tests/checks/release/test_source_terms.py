"""The rule `release-source-terms`."""

import pytest

from curation.model.licences import Licence


@pytest.mark.parametrize(
    ("source", "release", "why"),
    [
        ("CC-BY-SA-4.0", "CC-BY-4.0", "asks that what is derived carries CC-BY-SA-4.0"),
        ("CC-BY-SA-4.0", "CC-BY-NC-SA-4.0", "asks that what is derived carries CC-BY-SA-4.0"),
        ("CC-BY-NC-4.0", "CC-BY-4.0", "forbids commercial use, which CC-BY-4.0 allows"),
        ("CC-BY-ND-4.0", "CC-BY-4.0", "lets nothing derived from it be passed on"),
        ("CC-BY-4.0", "CC0-1.0", "asks that its creators are named, which CC0-1.0 gives up"),
    ],
)
def test_terms_that_do_not_go_together_stop_a_release(found, source, release, why):
    """With the reason."""
    sources = {"invented": Licence(source, "Somebody", "there")}
    (item,) = found(sources=sources, release={"licence": release})
    assert item == (
        *("release-source-terms", "error", "bank.csv, row 2, column source"),
        f"source 'invented' (first in craft-001): {source} {why}",
    )


@pytest.mark.parametrize(
    ("source", "release"),
    [
        ("MIT", "CC-BY-SA-4.0"),
        ("CC-BY-4.0", "CC-BY-NC-SA-4.0"),
        ("CC-BY-SA-4.0", "CC-BY-SA-4.0"),
        ("CC-BY-SA-3.0", "CC-BY-SA-4.0"),
        ("CC0-1.0", "CC0-1.0"),
    ],
)
def test_terms_that_go_together_pass(found, source, release):
    """Nothing is said."""
    sources = {"invented": Licence(source, "Somebody", "there")}
    assert found(sources=sources, release={"licence": release}) == []


def test_share_alike_of_two_kinds_cannot_both_be_met(found, make):
    """One of the sources has to go."""
    sources = {
        "invented": Licence("CC-BY-SA-4.0", "Somebody", "there"),
        "other": Licence("ODbL-1.0", "Somebody", "there"),
    }
    variants = [*make.pair(), *make.pair("craft-002", source="other")]
    left = frozenset({"craft-001", "craft-002"})
    for licence, refused in (("CC-BY-SA-4.0", "'other'"), ("ODbL-1.0", "'invented'")):
        (item,) = found(variants, sources=sources, left=left, release={"licence": licence})
        assert refused in item[3]
