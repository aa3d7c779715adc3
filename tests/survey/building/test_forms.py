"""Which question stands in which form."""

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.records.culture import QuestionnaireSettings
from curation.records.survey import QuestionKind, Role
from survey.building.plan import assign, balanced_orders, copies_needed, needed_orders
from tests.survey.conftest import Make

MAKE = Make()
CHOICE, SELECT, COMPREHENSION = (
    QuestionKind.CHOICE,
    QuestionKind.SELECT_ALL,
    QuestionKind.COMPREHENSION,
)


def question(name, kind=CHOICE, category="Craft"):
    """Make a question with two options and, except for comprehension, 'no stereotype'."""
    made = {
        CHOICE: MAKE.choice(),
        SELECT: MAKE.select_all("A", "B", "C"),
        COMPREHENSION: MAKE.comprehension(),
    }
    return replace(made[kind], id=name, category=category)


def asking(copies=1, *, per_form=8, orders=1, seed=1):
    """Settings by which one person answers each form, and each question stands in so many."""
    people = {"respondents_per_question": copies, "respondents_per_form": 1}
    return QuestionnaireSettings(**people, per_form=per_form, orders=orders, seed=seed)


def survey(*sizes):
    """Make questions of stereotypes: of each how many of validation, selection, comprehension."""
    questions, subjects = [], {}
    for at, counts in enumerate(sizes):
        for kind, count in zip((CHOICE, SELECT, COMPREHENSION), counts, strict=True):
            for number in range(count):
                made = question(f"{at}-{kind}-{number}", kind, f"C{at % 3}")
                questions.append(made)
                subjects[made.id] = at
    return questions, subjects


SIZES = st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 3)).filter(any)


@pytest.mark.slow
@settings(deadline=None)
@given(
    sizes=st.lists(SIZES, min_size=1, max_size=15),
    per_form=st.integers(1, 12),
    people=st.integers(4, 100),
    seed=st.integers(),
)
def test_every_question_reaches_its_number(sizes, per_form, people, seed):
    """Nobody meets a stereotype twice, no form is too long, and every question is answered enough.

    Forms differ by one question at most, and are as few as that allows.
    """
    questions, subjects = survey(*sizes)
    numbers = {"per_form": per_form, "respondents_per_form": people, "seed": seed}
    asked = QuestionnaireSettings(**numbers, orders=1)
    copies, forms = copies_needed(asked), assign(questions, subjects, asked)
    seen = Counter()
    for form in forms:
        about = [subjects[item.id] for item in form.questions]
        assert len(about) == len(set(about)) <= per_form
        seen.update(item.id for item in form.questions)
    assert all(seen[item.id] * people >= 100 for item in questions)
    assert set(seen.values()) == {copies}
    lengths = [len(form.questions) for form in forms]
    assert max(lengths) - min(lengths) <= 1
    most = max(Counter(subjects.values()).values()) * copies
    assert len(forms) == max(most, ceil(len(questions) * copies / per_form))


@settings(deadline=None, max_examples=15)
@given(sizes=st.lists(SIZES, min_size=1, max_size=10), seed=st.integers())
def test_orders(sizes, seed):
    """Orders hold every option once, what says 'none' last, and half the targets first."""
    questions, subjects = survey(*sizes)
    for form in assign(questions, subjects, asking(seed=seed)):
        first = 0
        for item, order in zip(form.questions, form.orders, strict=True):
            assert sorted(order) == list(range(len(item.options)))
            assert order[-1] == len(item.options) - 1
            if item.kind is CHOICE:
                first += item.options[order[0]].role is Role.TARGET
        choices = sum(item.kind is CHOICE for item in form.questions)
        assert first in (choices // 2, ceil(choices / 2))


def places(orders, size):
    """Count for each option how often it stands in each place."""
    return [[sum(row[at] == item for row in orders) for at in range(size)] for item in range(size)]


@pytest.mark.parametrize("size", range(2, 10))
def test_orders_balance_places(size):
    """Two orders are each other's reverse; with enough of them each option stands everywhere."""
    first = (*range(size), size)
    two = balanced_orders(first, (size,), 2)
    assert two == [first, (*reversed(range(size)), size)]
    whole = size if size % 2 == 0 else 2 * size
    orders = balanced_orders(first, (size,), whole)
    assert orders[0] == first
    assert len(set(orders)) == whole
    assert places(orders, size) == [[whole // size] * size] * size
    neighbours = Counter(pair for row in orders for pair in pairwise(row[:-1]))
    assert len(set(neighbours.values())) == 1 and len(neighbours) == size * (size - 1)
    every = balanced_orders(first, (size,), 6)
    assert len(every) == 6
    assert {sum(row.index(item) for row in every) for item in range(size)} == {3 * (size - 1)}
    assert {row[-1] for row in every} == {size}


@pytest.mark.parametrize("orders", [1, 2, 4])
@pytest.mark.parametrize("seed", [1, 7])
def test_each_order_is_shown_by_equally_many_forms(orders, seed):
    """Forms that ask the same stand side by side; half of them show a question's target first."""
    questions, subjects = survey(*[(1, 1, 1)] * 9)
    forms = assign(questions, subjects, asking(orders, orders=orders, seed=seed))
    alone = assign(questions, subjects, asking(seed=seed))
    assert len(forms) == orders * len(alone)
    assert [form.id for form in forms] == [f"f{at + 1:02d}" for at in range(len(forms))]
    for at, form in enumerate(forms):
        # With one order the forms are those of before there were several.
        assert form.questions == alone[at // orders].questions
        assert at % orders or form.orders == alone[at // orders].orders
    first = Counter()
    for form in forms:
        for item, order in zip(form.questions, form.orders, strict=True):
            first[item.id] += item.options[order[0]].role is Role.TARGET
    asked = [item.id for item in questions if item.kind is CHOICE]
    assert orders == 1 or {first[name] for name in asked} == {orders // 2}


def test_needed_orders():
    """An odd number of options takes twice as many orders, for they come in pairs."""
    assert needed_orders(question("q", CHOICE)) == 2
    assert needed_orders(question("q", SELECT)) == 6
    assert needed_orders(question("q", COMPREHENSION)) == 2
