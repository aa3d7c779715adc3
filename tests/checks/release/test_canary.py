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


def test_the_canary_stays_what_it_was(found):
    """Who filters training data knows the one that was published."""
    assert found(canary_before="0123456789abcdef") == []
    assert found(canary_before="fedcba9876543210") == [
        (
            "release-canary",
            "error",
            "culture.yaml, column release.canary",
            "the canary is another one than that of the last release",
        )
    ]
