"""What the report says of the order of options."""

import math
import re
from dataclasses import replace

import pytest
from scipy.stats import binomtest

from survey.quality import flag
from survey.reporting.data import build
from survey.reporting.html import page
from survey.reporting.records import Material, People, Report
from survey.reporting.sections import points, points_span
from survey.reporting.tables import ORDER_COLUMNS, ORDER_KIND_COLUMNS, tables


@pytest.fixture(scope="module")
def ordered(material: Material) -> Report:
    """The report where half the people saw the options as they stand, half the other way round.

    The first ten name the target of the first question; all that they saw first.
    """
    assert material.people is not None
    answers = material.people.answers
    widths = [len(item.options) - 1 for item in answers.questions]  # the last stays last
    position = answers.position.copy()
    for row, (who, question, option) in enumerate(
        zip(answers.respondent, answers.question, answers.option, strict=True)
    ):
        turned = who >= 8 and question != 1 and option < widths[question]
        position[row] = widths[question] - option if turned else option + 1
    people = People(replace(answers, position=position), flag(answers, material.settings))
    return build(replace(material, people=people))


def test_the_order_of_each_question(ordered: Report) -> None:
    """The first question turns on it, the second was shown in one order to everybody."""
    found = {table.name: table for table in tables(ordered)}
    assert found["order"].columns == ORDER_COLUMNS
    assert found["order_kinds"].columns == ORDER_KIND_COLUMNS
    rows = [dict(zip(ORDER_COLUMNS, row, strict=True)) for row in found["order"].rows]
    hum, sing, nap, understood = rows
    assert (hum["question_id"], hum["orders"], hum["answers"]) == ("q-hum", 2, 14)
    assert (hum["first_k"], hum["first_n"], hum["later_k"], hum["later_n"]) == (8, 8, 2, 5)
    assert hum["difference"] == pytest.approx(0.6)
    assert (hum["turns"], hum["outcome"]) == (None, "keep")  # fewer than ten saw the second order
    assert (sing["orders"], sing["difference"]) == (1, None)
    assert nap["kind"] == "select_all" and nap["orders"] == 2
    assert understood["kind"] == "comprehension"
    kinds = [dict(zip(ORDER_KIND_COLUMNS, row, strict=True)) for row in found["order_kinds"].rows]
    assert [row["kind"] for row in kinds] == ["choice", "select_all", "comprehension"]
    assert (kinds[0]["questions"], kinds[0]["one_order"]) == (1, ("q-sing",))
    assert kinds[0]["difference"] == pytest.approx(0.6)


def test_each_row_of_the_page_says_the_order_effect(ordered: Report) -> None:
    """With its interval, that of Newcombe from scipy's Wilson ends; one order has no effect."""
    shares = [binomtest(8, 8), binomtest(2, 5)]
    (low, high), (low_2, high_2) = [item.proportion_ci(method="wilson") for item in shares]
    ends = 0.6 - math.hypot(1 - low, high_2 - 0.4), 0.6 + math.hypot(high - 1, 0.4 - low_2)
    html = page(ordered)
    rows = {
        name: re.search(rf'<tr role="row" id="row-{name}".*?</tr>', html, flags=re.S)[0]  # type: ignore[index]
        for name in ("q-hum", "q-sing", "q-nap", "c-craft-001")
    }
    assert (
        '<p class="order apart">Order of options: target named by 8 of 8 who saw it first, 2 of 5 '
        "who saw it second. Difference: +60.0 percentage points, 95 % interval "
        f"{points_span(*ends)}.</p>"
    ) in rows["q-hum"]
    assert points_span(*ends) == "+10.8 to +88.2"
    assert "Order of options: the same for all 14 respondents, so" in rows["q-sing"]
    assert "Order of options: groups chosen" in rows["q-nap"]
    assert "Order of options: correct answer given by" in rows["c-craft-001"]


def test_points() -> None:
    """Hundredths with a sign; 0 has none, and undefined is a dash."""
    assert [points(value) for value in (0.0625, -0.5, 0.0, 0.0004, -0.0004, None)] == [
        *("+6.3", "\u221250.0", "0.0", "0.0", "0.0", "\u2013")
    ]
    assert points_span(-0.1, 0.25) == "\u221210.0 to +25.0"
    assert points_span(None, None) == "\u2013"
