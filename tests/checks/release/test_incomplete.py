"""The rule `release-incomplete`."""

import pytest


@pytest.mark.parametrize(
    ("key", "empty"),
    [("title", ""), ("description", ""), ("licence", ""), ("authors", []), ("date", None)],
)
def test_what_a_release_does_not_say_of_itself_is_named_by_its_key(found, key, empty):
    """With the reason why it has to."""
    (item,) = found(release={key: empty})
    assert item[:3] == (
        *("release-incomplete", "error"),
        f"culture.yaml, column release.{key}",
    )
    assert item[3].startswith(f"release.{key} is not written: ")


def test_a_survey_says_whom_it_asked_and_when(found):
    """Where there was one."""
    keys = [item[2] for item in found(release={"survey": {}})]
    assert keys == [
        f"culture.yaml, column release.survey.{k}" for k in ("began", "ended", "population")
    ]
    assert found(release={"survey": {}}, has_survey=False) == []
