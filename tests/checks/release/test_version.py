"""The rule `release-version`."""

import pytest


def test_a_version_keeps_its_samples(found, recorded):
    """Others need another version."""
    assert found(releases=(recorded(samples_sha256="zz"), recorded("0.2"))) == [
        (
            "release-version",
            "error",
            "culture.yaml, column version",
            "version 0.1 was released with other 80 samples",
        )
    ]
    (item,) = found(releases=(recorded(samples_sha256="zz", samples=96),))
    assert item[3] == "version 0.1 was released with 96 samples, not these 80 samples"


def test_the_same_samples_may_be_released_again(found, recorded):
    """With another card, say."""
    assert found(releases=(recorded(), recorded("0.2", samples_sha256="zz"))) == []


@pytest.mark.parametrize(
    ("version", "last", "below"),
    [("0.9", "0.10", True), ("0.10", "0.9", False), ("1", "1.0.1", True), ("1-rc", "2", False)],
)
def test_a_version_is_raised_and_not_lowered(found, recorded, version, last, below):
    """Numbers are compared, not letters."""
    releases = (recorded(last, samples_sha256="zz"),)
    items = found(releases=releases, culture={"version": version})
    expected = f"version {version} lies below {last}, which was released last"
    assert [item[3] for item in items] == ([expected] if below else [])


@pytest.mark.parametrize("version", ["1/2", "..", "", "1 beta", ".1"])
def test_a_version_stands_in_names_of_files(found, version):
    """Others are refused before a release of any is made."""
    (item,) = found(culture={"version": version})
    assert item[0] == "release-version"
    assert item[3] == f"version '{version}' cannot stand in the name of a file"
