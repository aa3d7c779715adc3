"""The rule `release-canary`."""


def test_a_release_without_canary_is_stopped(found):
    """The data could not be kept out of training sets."""
    assert found(release={"canary": ""}) == [
        (
            "release-canary",
            "error",
            "culture.yaml, column release.canary",
            "the release has no canary",
        )
    ]
