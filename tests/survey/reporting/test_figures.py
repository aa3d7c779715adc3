"""Where bars, whiskers and thresholds are drawn, and how numbers are written."""

from fractions import Fraction

import pytest

from survey.reporting.sections import moved_to
from survey.reporting.words import fraction


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        (fraction(Fraction(2, 3)), "2/3"),
        (fraction(Fraction(7, 10)), "0.7"),
        (moved_to(Fraction(5, 2)), "2.5"),
        (moved_to(Fraction(2, 3)), "2/3"),
    ],
)
def test_numbers_are_written_as_journals_do(written: str, expected: str) -> None:
    """Undefined is a dash, never 0."""
    assert written == expected
