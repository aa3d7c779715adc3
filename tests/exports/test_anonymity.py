"""Respondents whom nobody can tell apart."""

import random

import pytest

from curation.records.messages import CurateError
from exports.survey_files import numbering, refuse_small_classes, small_classes, suppress

PEOPLE = 12
GENDER = ("f", "f", "f", "f", "f", "f", "m", "m", "m", "m", "m", "x")
AGE = ("20", "20", "20", "60", "60", "60", "20", "20", "20", "20", "20", "60")


def test_small_classes_are_refused_by_size_and_never_by_value():
    """A value of few is a person's."""
    with pytest.raises(CurateError) as refused:
        refuse_small_classes({"gender": GENDER, "age": AGE}, PEOPLE, 4, "respondents.csv")
    assert refused.value.what == (
        "3 combinations of gender, age, shared by fewer than 4 respondents: 1 of 1, 2 of 3 "
        "(7 of 12 respondents)"
    )
    refuse_small_classes({"age": AGE}, PEOPLE, 4, "respondents.csv")


def test_fewer_people_than_k_are_refused_whatever_is_left_out():
    """No class can be large enough."""
    for attributes in ({}, {"gender": ("f", "m")}):
        with pytest.raises(CurateError, match="2 respondents are fewer than 5"):
            refuse_small_classes(attributes, 2, 5, "")


def test_who_stands_out_is_blanked_and_so_are_enough_others():
    """One blanked person would be told by being blank: the smallest class joins him."""
    attributes, respondents, merged = suppress({"gender": GENDER, "age": AGE}, PEOPLE, 3)
    assert (respondents, merged) == (4, 3)
    assert small_classes(attributes, PEOPLE, 3) == []
    assert attributes["gender"] == (*("",) * 3, *"fff", *"mmmmm", "")
    assert attributes["age"] == (*("",) * 3, *("60",) * 3, *("20",) * 5, "")


def test_those_who_never_said_are_a_class_too():
    """Two of them are too few, and no attribute of theirs is left to blank."""
    attributes, respondents, merged = suppress({"gender": ("", "", *"fff", *"mmmm")}, 9, 3)
    assert (respondents, merged) == (3, 3)
    assert attributes["gender"] == (*("",) * 5, *"mmmm")


@pytest.mark.parametrize("k", range(2, 9))
def test_after_suppression_every_class_is_large_enough(k):
    """Whatever the people are like."""
    draw = random.Random(k)  # noqa: S311  # a seeded example
    for _ in range(50):
        people = draw.randrange(k, 40)
        columns = {name: tuple(draw.choices("abc ", k=people)) for name in ("x", "y")}
        attributes, respondents, _ = suppress(columns, people, k)
        assert small_classes(attributes, people, k) == []
        changed = sum(
            before != after
            for before, after in zip(
                zip(*columns.values(), strict=True),
                zip(*attributes.values(), strict=True),
                strict=True,
            )
        )
        assert changed <= respondents


def test_numbers_do_not_depend_on_the_order_of_the_file():
    """The same contents are in the same order, however they were given."""
    contents = [((str(at % 7),), bytes([at])) for at in range(30)]
    expected = [contents[at] for at in numbering(contents, 1)]
    assert expected != sorted(contents)
    for seed in range(5):
        shuffled = random.Random(seed).sample(contents, len(contents))  # noqa: S311
        assert [shuffled[at] for at in numbering(shuffled, 1)] == expected
    assert [contents[at] for at in numbering(contents, 2)] != expected
