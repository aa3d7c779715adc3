"""The rule `release-test-set`."""


def test_the_test_set_of_a_version_is_drawn_once(found, recorded):
    """Another seed asks for another version."""
    assert found(releases=(recorded(test_samples_sha256="zz", seed=7),)) == [
        (
            "release-test-set",
            "error",
            "culture.yaml, column samples.seed",
            "the test set of version 0.1 was drawn with seed 7, and is now another one (seed 42)",
        )
    ]


def test_another_version_may_have_another_test_set(found, recorded):
    """As it may have other samples."""
    assert found(releases=(recorded("0.0", test_samples_sha256="zz"),)) == []


def test_other_samples_are_said_once(found, recorded):
    """By the rule on versions."""
    items = found(releases=(recorded(samples_sha256="yy", test_samples_sha256="zz"),))
    assert [item[0] for item in items] == ["release-version"]
