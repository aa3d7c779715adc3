"""Culture, bank and survey records."""

from fractions import Fraction

import pytest

from curation.records.bank import Texts, target_slot
from curation.records.culture import Culture, exact
from curation.records.messages import Results
from curation.records.survey import QuestionKind, question_id, split_groups, typed_groups

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


def test_a_source_category_goes_where_the_culture_puts_it():
    """By its sources, else by its id in whatever capitals, else it stays as it is."""
    found = Culture.model_validate(CULTURE).category_of_source
    assert [found(name) for name in ("Nationality", "nationality", "RACE_X", "home region")] == [
        "Home_region"
    ] * 4
    assert [found(name) for name in ("Age", "ses", "Religion", "")] == [
        "Age",
        "SES",
        "Religion",
        "",
    ]


def test_a_threshold_is_the_fraction_that_is_written():
    """One tenth is one tenth, not the float beside it; it is said how to write a number."""
    written = ("2/3", 0.1, 2, " 0.25 ")
    assert [exact(item) for item in written] == [
        *(Fraction(2, 3), Fraction(1, 10), Fraction(2), Fraction(1, 4))
    ]
    for wrong in (True, None, "", "two", "0,5", "1/0", [1], "nan", "inf"):
        with pytest.raises(ValueError, match=r"such as 0\.5"):
            exact(wrong)


def test_a_question_is_named_by_its_content():
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


def test_the_name_of_a_question_does_not_change_between_versions():
    """Questionnaires that are in the field keep their questions."""
    assert (
        question_id(QuestionKind.CHOICE, "나이", "단것", [["노인"], ["청년"]]) == "q-나이-4e3589a2"
    )


def test_a_label_lists_groups_by_commas_or_as_json():
    """A group with a comma in its name needs the JSON list."""
    labels = {" a , b,": ("a", "b"), '["a, b", "c"]': ("a, b", "c"), "": (), ",": (), "[]": ()}
    for label, groups in labels.items():
        assert split_groups(label) == groups
    for comma in "\n;\u061b\u1364\uff1b\u060c\u07f8\u104a\u1363\u1802\u3001\uff0c\uff64":
        assert typed_groups(f"a{comma} b\uff08c{comma}d\uff09") == ("a", f"b\uff08c{comma}d\uff09")


def test_a_list_of_groups_in_full_width_brackets_is_a_list():
    """With its quotes and commas; without quotes it is none, and no group has a bracket's name."""
    wide = '\uff3b\uff02bakers\uff02\uff0c "potters"\uff3d'
    assert typed_groups(wide) == ("bakers", "potters")
    with pytest.raises(ValueError, match="Expecting value"):
        typed_groups("\uff3bbakers\uff0cpotters\uff3d")


def test_the_target_is_the_person_of_the_target_groups():
    """Of some of them is enough; where both people or neither are, nothing is guessed."""
    for target, first, second, slot in [
        (("old",), ("old",), ("young",), "N1"),
        (("old",), ("young",), ("old",), "N2"),
        (("old", "aged"), ("young",), ("aged", "old"), "N2"),
        (("old", "aged"), ("aged",), ("young",), "N1"),
        (("old",), ("old", "aged"), ("young",), ""),
        (("old",), ("old",), ("old",), ""),
        ((), (), (), ""),
    ]:
        texts = Texts(target_groups=target, n1_groups=first, n2_groups=second)
        assert target_slot(texts) == slot


def test_a_notebook_completes_and_shows_results_by_their_keys():
    """Whatever they hold; of a result without a table nobody has rows."""
    found = Results({"folder": "exports", "seen": [{"a": 1}] * 9_000}, {"seen": ["a"]})
    assert {"folder", "seen", "to_frame"} <= {*dir(found)}
    assert repr(found) == "Results(folder, seen)"
    assert len(found.rows) == len(found.to_frame()) == 9_000
    bare = Results({"folder": "exports"})
    assert not hasattr(bare, "rows")
    with pytest.raises(AttributeError, match="it has no table"):
        bare.to_frame()
