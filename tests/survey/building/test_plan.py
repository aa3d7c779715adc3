"""People, quotas, minutes and cost."""

from fractions import Fraction

from hypothesis import given
from hypothesis import strategies as st

from curation.records.culture import QuestionnaireSettings
from curation.records.survey import Option, Question, QuestionKind
from survey.building.build import write_plan
from survey.building.plan import Form, expected_to_name, people_of_a_form, plan_survey, share_out

KINDS = tuple(QuestionKind)


def form(name, *kinds):
    questions = tuple(
        Question(f"{name}-{at}", kind, "Craft", "", (Option("1", (), "none"),))
        for at, kind in enumerate(kinds)
    )
    return Form(name, questions, ((0,),) * len(questions))


def test_published_size():
    """Sixteen forms in two orders are KoBBQ's 1,600 people, 160 in each cell of gender and age."""
    forms = [form(f"f{at:02d}", *(QuestionKind.CHOICE,) * 35) for at in range(32)]
    plan = plan_survey(forms, QuestionnaireSettings())
    assert plan.dimensions == ("gender", "age_band")
    assert (plan.respondents, plan.answers, plan.cost) == (1600, 56000, None)
    assert expected_to_name(QuestionnaireSettings()) == 80
    assert [plan.cell_total(at) for at in range(len(plan.cells))] == [160] * 10
    assert plan.cells[0] == ("female", "19-29") and plan.cells[-1] == ("male", "60+")


def test_cost_and_minutes(tmp_path):
    """Cost is price times people times questions; the attention check is not paid for."""
    settings = QuestionnaireSettings(
        price="0.05", respondents_per_question=60, quotas={"region": {"east": "1/3", "west": "2/3"}}
    )
    plan = plan_survey([form("f01", *KINDS)], settings)
    assert plan.cost == Fraction(9, 2)
    assert plan.forms[0]["cells"] == (10, 20)
    assert plan.forms[0]["minutes"] == 2  # 10 + 20 + 25 seconds, and 2 * 6, are 67
    # Three answers at .05 in two minutes are .15, thirty times in an hour.
    assert plan.forms[0]["pay_per_hour"] == Fraction(9, 2)
    write_plan(tmp_path / "plan.csv", plan)
    rows = (tmp_path / "plan.csv").read_text("utf-8").splitlines()
    assert [row.split(",")[-2] for row in rows] == ["cost", "1.50", "3.00"]
    unpriced = plan_survey([form("f01", *KINDS)], QuestionnaireSettings())
    assert unpriced.forms[0]["pay_per_hour"] is None


def test_people_of_a_form():
    """The respondents of a question are shared by its forms, equally many to each order."""
    for wanted, most, orders, people in [
        (100, None, 2, 50),  # two forms of 50
        (100, None, 1, 100),
        (100, 30, 2, 25),  # four forms: three would leave one order behind
        (100, 30, 1, 25),
        (100, 50, 4, 25),
        (101, None, 2, 51),
        (1, None, 2, 1),
        (40, 200, 2, 20),
    ]:
        settings = QuestionnaireSettings(
            respondents_per_question=wanted, respondents_per_form=most, orders=orders
        )
        assert people_of_a_form(settings) == people


def test_rounding_does_not_drift():
    """What one form has too much of the next has too little of."""
    thirds = [Fraction(1, 3)] * 3
    assert share_out(100, thirds, 3) == [(34, 33, 33), (33, 34, 33), (33, 33, 34)]


@given(
    weights=st.lists(st.integers(0, 9), min_size=1, max_size=8).filter(any),
    people=st.integers(0, 120),
    times=st.integers(1, 9),
)
def test_quotas_add_up(weights, people, times):
    """Cells are whole numbers from 0 that add up, and over all forms stay with their shares."""
    shares = [Fraction(weight, sum(weights)) for weight in weights]
    given = share_out(people, shares, times)
    assert all(sum(cells) == people and min(cells) >= 0 for cells in given)
    for at, share in enumerate(shares):
        total = sum(cells[at] for cells in given)
        assert abs(total - people * times * share) < len(shares)
