"""Where bars, whiskers and thresholds are drawn, and how numbers are written."""

from dataclasses import replace
from fractions import Fraction

import pytest

from survey.reporting.figures import (
    PLOT_BOTTOM,
    PLOT_LEFT,
    PLOT_RIGHT,
    PLOT_TOP,
    WIDTH,
    caterpillar,
    group_bars,
    plot_y,
    share_bar,
)
from survey.reporting.records import QuestionRow, Report
from survey.reporting.sections import cross, moved_to
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


def test_comprehension_has_no_bar_for_no_stereotype(report: Report) -> None:
    """Its one bar is of the correct answers."""
    (bar,) = share_bar(row(report, "c-craft-001"), report.settings)
    assert (bar.kind, bar.votes, bar.marks) == ("correct", 10, (120.0,))


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


def test_where_there_is_no_number_nothing_is_drawn(report: Report) -> None:
    """An empty bar has no whisker, and words say that there is none."""
    empty = replace(row(report, "q-hum"), decisive=None, decisions=(), respondents=0, none=0)
    target, none = share_bar(empty, report.settings)
    assert (target.fill, target.low, target.text) == (0, None, "–")
    assert (none.fill, none.low, none.text) == (0, None, "–")
    nap = row(report, "q-nap")
    unnamed = [replace(group, times=None, ci_low=None, ci_high=None) for group in nap.groups]
    bars = group_bars(replace(nap, groups=tuple(unnamed)), report.settings)
    assert {(bar.fill, bar.low, bar.text) for bar in bars[:-1]} == {(0, None, "–")}


def test_the_plot_has_the_questions_in_order_of_their_share(report: Report) -> None:
    """The smallest share stands at the left; what fell is marked."""
    first, second = caterpillar(report.questions)
    assert (first.kept, second.kept) == (False, True)
    assert PLOT_LEFT < first.x < second.x < PLOT_RIGHT
    assert first.y > second.y
    assert first.low > first.y > first.high
    assert first.title == "They sing: 8 of 12, 66.7\u202f%"
    assert (plot_y(0), plot_y(1)) == (PLOT_BOTTOM, PLOT_TOP)
    assert caterpillar(()) == []


def test_people_by_other_than_two_attributes_stand_in_one_column(report: Report) -> None:
    """Three quotas are rows of combinations, and none is no table."""
    people = report.respondents
    assert people is not None
    one = replace(
        people,
        dimensions=("gender",),
        cells=tuple(replace(cell, values=cell.values[:1]) for cell in people.cells[1:3]),
    )
    found = cross(one)
    assert found is not None
    assert (found.corner, found.columns) == ("gender", ("Respondents",))
    assert found.rows == (("female", ((6, "5.3"),)), ("male", ((1, "1.8"),)))
    assert cross(replace(people, dimensions=())) is None


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
