"""Codes, types and rows of LimeSurvey."""

from collections.abc import Callable
from typing import Any

import pytest

from survey.platforms import limesurvey


@pytest.mark.parametrize(
    ("names", "codes"),
    [
        (("age_band", "ageband"), ["ageband", "agebandx2"]),
        (("att", "q001"), ["attx1", "q001x2"]),
        (("a" * 30,), ["a" * 17]),
    ],
)
def test_attribute_codes(
    make_survey: Callable[..., Any], names: tuple[str, ...], codes: list[str]
) -> None:
    """Attributes that would have one code, or a question's, are told apart."""
    kit = make_survey(quotas={name: {"x": 1} for name in names})
    parts = limesurvey.mapping(kit, kit.sheets[0]).attributes.values()
    assert [part.column for part in parts] == codes
