"""Where bars, whiskers and thresholds are drawn, and how numbers are written."""

from fractions import Fraction

from survey.reporting.sections import moved_to
from survey.reporting.words import fraction


def test_numbers_are_written_as_journals_do() -> None:
    """Undefined is a dash, never 0."""
    for written, expected in [
        (fraction(Fraction(2, 3)), "2/3"),
        (fraction(Fraction(7, 10)), "0.7"),
        (moved_to(Fraction(5, 2)), "2.5"),
        (moved_to(Fraction(2, 3)), "2/3"),
    ]:
        assert written == expected
