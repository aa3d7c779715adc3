"""What the report says of the order of options."""

import math
from fractions import Fraction

import pytest
from scipy.stats import binomtest

from curation.report.page import markdown
from curation.report.texts import plain
from survey.outcomes import fraction
from survey.reporting.sections import moved_to, order_said, points, points_span, sheet_of
from survey.reporting.tables import ORDER_COLUMNS, ORDER_KIND_COLUMNS, tables


def test_the_order_of_each_question(ordered):
    """The first question turns on it, the second was shown in one order to everybody."""
    found = tables(ordered)
    (columns, (hum, sing, nap, understood)), (by_kind, kinds) = found["order"], found["order_kinds"]
    assert (columns, by_kind) == (ORDER_COLUMNS, ORDER_KIND_COLUMNS)
    assert (hum["question_id"], hum["orders"], hum["answers"]) == ("q-hum", 2, 14)
    assert (hum["first_k"], hum["first_n"], hum["later_k"], hum["later_n"]) == (8, 8, 2, 5)
    assert hum["difference"] == pytest.approx(0.6)
    assert (hum["turns"], hum["outcome"]) == (None, "keep")  # fewer than ten saw the second order
    assert (sing["orders"], sing["difference"]) == (1, None)
    assert nap["kind"] == "select_all" and nap["orders"] == 2
    assert understood["kind"] == "comprehension"
    assert [row["kind"] for row in kinds] == ["choice", "select_all", "comprehension"]
    assert (kinds[0]["questions"], kinds[0]["one_order"]) == (1, ("q-sing",))
    assert kinds[0]["difference"] == pytest.approx(0.6)


def test_each_question_says_its_order_effect(ordered):
    """With its interval, that of Newcombe from scipy's Wilson ends; one order has no effect."""
    shares = [binomtest(8, 8), binomtest(2, 5)]
    (low, high), (low_2, high_2) = [item.proportion_ci(method="wilson") for item in shares]
    ends = 0.6 - math.hypot(1 - low, high_2 - 0.4), 0.6 + math.hypot(high - 1, 0.4 - low_2)
    found = {name: order_said(item) for name, item in ordered.order_of.items()}
    assert found["q-hum"] == (
        "Order of options: target named by 8 of 8 who saw it first, 2 of 5 who saw it second. "
        f"Difference: +60.0 percentage points, 95 % interval {points_span(*ends)}."
    )
    assert points_span(*ends) == "+10.8 to +88.2"
    assert "Order of options: the same for all 14 respondents, so" in found["q-sing"]
    assert "Order of options: groups chosen" in found["q-nap"]
    assert "Order of options: correct answer given by" in found["c-craft-001"]
    sheet = markdown(sheet_of(ordered))
    assert all(said in sheet for said in map(plain, found.values()))


def test_points():
    """Hundredths with a sign; 0 has none, and undefined is a dash."""
    assert [points(value) for value in (0.0625, -0.5, 0.0, 0.0004, -0.0004, None)] == [
        *("+6.3", "\u221250.0", "0.0", "0.0", "0.0", "\u2013")
    ]
    assert points_span(-0.1, 0.25) == "\u221210.0 to +25.0"
    assert points_span(None, None) == "\u2013"
    assert [fraction(Fraction(*it)) for it in ((2, 3), (7, 10))] == ["2/3", "0.7"]
    assert [moved_to(Fraction(*it)) for it in ((5, 2), (2, 3))] == ["2.5", "2/3"]
