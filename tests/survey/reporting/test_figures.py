"""Where bars, whiskers and thresholds are drawn, and how numbers are written."""

from fractions import Fraction

import pytest

from survey.reporting.figures import (
    WIDTH,
    group_bars,
    share_bar,
)
from survey.reporting.records import QuestionRow, Report
from survey.reporting.sections import moved_to
from survey.reporting.words import fraction


def row(report: Report, name: str) -> QuestionRow:
    """A question's row."""
    return next(row for row in report.questions if row.id == name)


def test_a_share_is_drawn_to_scale_with_its_threshold(report: Report) -> None:
    """8 of 12 ends where the line of two thirds stands; below it 2 of 14, against a half."""
    target, none = share_bar(row(report, "q-sing"), report.settings)
    assert (target.fill, target.marks, target.text) == (160.0, (160.0,), "66.7\u202f%")
    assert target.low is not None
    assert target.high is not None
    assert 0 < target.low < target.fill < target.high < WIDTH
    assert target.low == pytest.approx(0.3906 * WIDTH, abs=0.1)
    assert (none.votes, none.fill, none.marks) == (2, 34.3, (120.0,))


def test_groups_are_drawn_in_equal_shares_to_one_scale(report: Report) -> None:
    """A, at 2 uniform shares, ends where the line of 2 stands; the longest interval fits."""
    nap = row(report, "q-nap")
    *groups, none = group_bars(nap, report.settings)
    low, high = groups[0].marks
    assert high == pytest.approx(4 * low, abs=0.3)
    assert groups[0].fill == high
    assert groups[1].fill == low
    assert groups[0].high == pytest.approx(WIDTH / 1.05, abs=0.1)
    assert [bar.counts for bar in groups] == [True, True, True, False]
    assert (none.kind, none.votes) == ("none", 2)


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
