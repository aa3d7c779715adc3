"""Culture, bank and survey records."""

from fractions import Fraction

import pytest
from pydantic import ValidationError

from curation.records.bank import Texts, target_slot
from curation.records.culture import Culture, exact
from curation.records.survey import (
    QuestionKind,
    question_id,
    split_groups,
    typed_groups,
)

CULTURE = {
    "culture": "Nowhere",
    "language": "en",
    "unknown": "Unknown",
    "categories": [
        {"id": "Home_region", "sources": ["Nationality", "Race_x"]},
        {"id": "Age", "sources": ["Age"]},
        {"id": "SES"},
    ],
}


@pytest.mark.parametrize(
    ("source", "category"),
    [
        ("Nationality", "Home_region"),
        ("nationality", "Home_region"),
        ("RACE_X", "Home_region"),
        ("Age", "Age"),
        ("SES", "SES"),
        ("ses", "SES"),
        ("home region", "Home_region"),
        ("Religion", "Religion"),
        ("", ""),
    ],
)
def test_a_source_category_goes_where_the_culture_puts_it(source: str, category: str) -> None:
    """By its sources, else by its id in whatever capitals, else it stays as it is."""
    assert Culture.model_validate(CULTURE).category_of_source(source) == category


@pytest.mark.parametrize(
    ("written", "value"),
    [("2/3", Fraction(2, 3)), (0.1, Fraction(1, 10)), (2, Fraction(2)), (" 0.25 ", Fraction(1, 4))],
)
def test_a_threshold_is_the_fraction_that_is_written(written: object, value: Fraction) -> None:
    """One tenth is one tenth, not the float beside it."""
    assert exact(written) == value


@pytest.mark.parametrize("written", [True, None, "", "two", "0,5", "1/0", [1], "nan", "inf"])
def test_what_is_no_number_is_no_threshold(written: object) -> None:
    """It is said how to write one."""
    with pytest.raises(ValueError, match=r"such as 0\.5"):
        exact(written)


@pytest.mark.parametrize(
    "survey",
    [
        {"stereotype_share": "3/2"},
        {"no_stereotype_limit": -0.1},
        {"target_multiple": 0},
        {"target_multiple": 1, "non_target_multiple": 1},
        {"min_respondents": 0},
        {"equal_share": "people"},
        {"share": 0.5},
    ],
)
def test_a_threshold_that_cannot_be_is_refused(survey: dict[str, object]) -> None:
    """A share lies within 0 and 1, and a group is never target and non-target at once."""
    with pytest.raises(ValidationError):
        Culture.model_validate({**CULTURE, "survey": survey})


@pytest.mark.parametrize(
    "categories",
    [
        [{"id": "Age"}, {"id": "age"}],
        [{"id": "A", "sources": ["X"]}, {"id": "B", "sources": ["x"]}],
        [{"id": "a/b"}],
        [{"id": "A", "question": "comprehension"}],
    ],
)
def test_categories_that_cannot_be_told_apart_are_refused(categories: list[object]) -> None:
    """Neither two ids of one spelling nor a source that goes two ways."""
    with pytest.raises(ValidationError):
        Culture.model_validate({**CULTURE, "categories": categories})


def test_a_question_is_named_by_its_content() -> None:
    """Kind, category, stereotype and groups make the name; the order of the groups does not."""
    groups = [["b", "a"], ["c"]]
    name = question_id(QuestionKind.CHOICE, "Home region", "x", groups)
    assert name == question_id(QuestionKind.CHOICE, "Home region", "x", [["c"], ["a", "b"]])
    assert name.startswith("q-home_region-")
    others = {
        question_id(QuestionKind.SELECT_ALL, "Home region", "x", groups),
        question_id(QuestionKind.CHOICE, "Home", "x", groups),
        question_id(QuestionKind.CHOICE, "Home region", "y", groups),
        question_id(QuestionKind.CHOICE, "Home region", "x", [["a"], ["b"], ["c"]]),
    }
    assert len(others | {name}) == 5


def test_the_name_of_a_question_does_not_change_between_versions() -> None:
    """Questionnaires that are in the field keep their questions."""
    assert (
        question_id(QuestionKind.CHOICE, "나이", "단것", [["노인"], ["청년"]]) == "q-나이-4e3589a2"
    )


@pytest.mark.parametrize(
    ("label", "groups"),
    [
        ("a", ("a",)),
        (" a , b,", ("a", "b")),
        ('["a, b", "c"]', ("a, b", "c")),
        ("", ()),
        (",", ()),
        ("[]", ()),
    ],
)
def test_a_label_lists_groups_by_commas_or_as_json(label: str, groups: tuple[str, ...]) -> None:
    """A group with a comma in its name needs the JSON list."""
    assert split_groups(label) == groups


def test_a_list_of_groups_in_full_width_brackets_is_a_list():
    """With its quotes and commas; without quotes it is none, and no group has a bracket's name."""
    wide = '\uff3b\uff02bakers\uff02\uff0c "potters"\uff3d'
    assert typed_groups(wide) == ("bakers", "potters")
    with pytest.raises(ValueError, match="Expecting value"):
        typed_groups("\uff3bbakers\uff0cpotters\uff3d")


@pytest.mark.parametrize(
    ("target", "first", "second", "slot"),
    [
        (("old",), ("old",), ("young",), "N1"),
        (("old",), ("young",), ("old",), "N2"),
        (("old", "aged"), ("young",), ("aged", "old"), "N2"),
        (("old", "aged"), ("aged",), ("young",), "N1"),
        (("old",), ("old", "aged"), ("young",), ""),
        (("old",), ("old",), ("old",), ""),
        ((), (), (), ""),
    ],
)
def test_the_target_is_the_person_of_the_target_groups(
    target: tuple[str, ...], first: tuple[str, ...], second: tuple[str, ...], slot: str
) -> None:
    """Of some of them is enough; where both people or neither are, nothing is guessed."""
    texts = Texts(target_groups=target, n1_groups=first, n2_groups=second)
    assert target_slot(texts) == slot
