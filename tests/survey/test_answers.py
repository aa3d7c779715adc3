"""Answers of several files joined; many rows of few texts, written as the csv module does."""

import pytest

from curation.records.messages import CurateError
from survey.answers import join_answers, told_unlike


def test_people_of_several_files_are_one_by_their_id(make, answering):
    """What one file does not say of a person the other does; the last word is a region's."""
    questions = [make.choice(), make.choice(id="q-9")]
    one = answering(
        questions, {"ann": {"q-1": "1"}, "bob": {"q-1": "2"}}, form=("A", ""), region=("n", "s")
    )
    other = answering(
        questions, {"bob": {"q-9": "1"}, "ann": {"q-9": "2"}}, form=("B", "A"), region=("w", "")
    )
    joined = join_answers([one, other])
    assert joined.respondents == ("ann", "bob")
    assert joined.respondent.tolist() == [0, 0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 0]
    assert joined.attributes == {"form": ("A", "B"), "region": ("n", "w")}
    assert [end for _, end in joined.files] == [6, 12]


def test_what_two_files_say_of_a_person_does_not_depend_on_their_order(make, answering):
    """Who failed in one has failed; their seconds are those of both."""
    questions = [make.choice(), make.choice(id="q-9")]
    said = {
        "attention": (("failed", ""), ("passed", "passed")),
        "status": (("complete", "partial"), ("screened_out", "complete")),
        "duration_s": (("600", "60"), ("50.5", "60")),
    }
    both = [
        answering(
            questions,
            {who: {asked: "1"} for who in ("ann", "bob")},
            **{name: values[at] for name, values in said.items()},
        )
        for at, asked in enumerate(("q-1", "q-9"))
    ]
    for parts in (both, both[::-1]):
        assert join_answers(parts).attributes == {
            "attention": ("failed", "passed"),
            "status": ("screened_out", "partial"),
            "duration_s": ("650.5", "120"),
        }


def test_seconds_that_two_files_tell_alike_are_those_of_one_survey(make, answering):
    """Such as the columns of one export in two files; one of them went on in between."""
    questions = [make.choice(), make.choice(id="q-9")]
    both = [
        answering(
            questions, {who: {asked: "1"} for who in ("ann", "bob", "cyd")}, duration_s=seconds
        )
        for asked, seconds in (("q-1", ("60", "70", "80")), ("q-9", ("60.0", "90", "80")))
    ]
    for parts in (both, both[::-1]):
        assert join_answers(parts).attributes == {"duration_s": ("60", "90", "80")}


@pytest.mark.parametrize("name", ["form", "gender", "region"])
def test_a_person_is_not_two_of_what_people_are_one_of(make, answering, name):
    """A form, and what is counted; of others the last file's is taken, and it is told."""
    parts = [
        answering([make.choice(), make.choice(id="q-9")], {"ann": {question: "1"}}, **{name: value})
        for question, value in (("q-1", ["x"]), ("q-9", ["y"]))
    ]
    with pytest.raises(CurateError, match=f"ann has {name} 'x' in one file and 'y' here"):
        join_answers(parts, {"gender", "region"})
    if name != "form":
        (said,) = told_unlike(parts, join_answers(parts))
        assert (said.rule, said.column) == ("survey-person-unlike", name)
        assert "another" in said.message and "'ann'" in said.message


def test_an_answer_given_in_two_files_is_refused(make, answering):
    """Whichever of the files before it has it."""
    questions = [make.choice(), make.choice(id="q-9")]
    given = [{"ann": ("q-1",), "bob": ("q-1", "q-9")}, {"cyd": ("q-1", "q-9")}, {"bob": ("q-9",)}]
    parts = [
        answering(questions, {who: dict.fromkeys(asked, "1") for who, asked in part.items()})
        for part in given
    ]
    said = r"respondent bob answers question q-9 in two files \(1 answers occur twice\)"
    with pytest.raises(CurateError, match=said):
        join_answers(parts)
