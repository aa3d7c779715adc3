"""What a draft says of respondents."""

from dataclasses import replace

import pytest

from curation.records.survey import Option, Role
from survey.readers.hints import Trait
from survey.readers.inspection import inspect_file
from survey.readers.received import read_survey
from tests.survey.readers.companies import write_book
from tests.survey.readers.platforms import put
from tests.survey.readers.population import QUESTIONS

GENDER = Trait("gender", "성별을 골라 주십시오.", {"female": "여성", "male": "남성"})
AGE = Trait("age_band", "나이가 어떻게 되십니까?", {"19-29": "19-29", "60+": "60+"})
ASKED = QUESTIONS[1].id


def drafted(path, *traits):
    """Inspect a file."""
    return inspect_file(
        path, QUESTIONS, "ko", path.parent / "forms", traits=traits or (GENDER, AGE)
    )


def genders(path, found):
    """Read the attribute by the draft."""
    answers = read_survey(path, found.draft.mapping, QUESTIONS, "ko").answers
    return answers.attributes["gender"]


@pytest.mark.parametrize("cells", [("여성", "남성"), ("Female", "남성")])
def test_texts_that_were_shown_are_told(tmp_path, cells):
    """Whatever the language's own words are, the values are those of the quotas."""
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", "gender", ASKED], ["a", cells[0], "노인"], ["b", cells[1], ""]])
    found = drafted(path)
    assert genders(path, found) == ("female", "male")
    assert found.draft.mapping.attributes["gender"].values == {
        cells[0]: "female",
        cells[1]: "male",
    }


def test_the_values_themselves_need_no_map(tmp_path):
    """As a panel company writes them that was given the codebook."""
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", "gender", ASKED], ["a", "female", "노인"], ["b", "male", ""]])
    found = drafted(path)
    assert found.draft.mapping.attributes["gender"].values == {}
    assert found.draft.mapping.attributes["gender"].column == "gender"


def test_a_column_is_an_attributes_by_the_question_above_it(tmp_path):
    """Google Forms call their columns so."""
    path = tmp_path / "a.csv"
    head = ["타임스탬프", GENDER.text, AGE.text, QUESTIONS[1].stereotype]
    put(path, [head, ["2026", "남성", "60+", "노인"], ["2026", "여성", "19-29", "청소년"]])
    found = drafted(path)
    assert genders(path, found) == ("male", "female")
    assert found.draft.mapping.attributes["age_band"].values == {}
    roles = {seen.column: seen.role for seen in found.columns}
    assert roles[GENDER.text] == roles[AGE.text] == "attribute"


def test_the_attention_check_is_told_by_its_question(tmp_path):
    """Google Forms and Microsoft Forms call its column so; who chose otherwise has failed."""
    path = tmp_path / "a.csv"
    head = ["타임스탬프", "Choose  “Blue”.", QUESTIONS[1].stereotype]
    put(path, [head, ["2026", "Blue", "노인"], ["2026", "Red", "청소년"]])
    found = inspect_file(
        path, QUESTIONS, "ko", path.parent / "forms", check=("Choose “Blue”.", "Blue")
    )
    (part,) = found.draft.mapping.attention
    assert part.expect == ("Blue",)
    answers = read_survey(path, found.draft.mapping, QUESTIONS, "ko").answers
    assert answers.attributes["attention"] == ("passed", "failed")


def test_a_codebook_tells_what_numbers_stand_for(tmp_path):
    """Values that nobody has are told too."""
    path = tmp_path / "a.xlsx"
    book = [
        ["변수명", "문항", "코드", "보기"],
        ["gender", "성별", "1", "남성"],
        ["", "", "2", "여성"],
    ]
    book += [[ASKED, "", str(at), option.text] for at, option in enumerate(QUESTIONS[1].options)]
    rows = [["respondent_id", "gender", ASKED], ["a", "2", "0"], ["b", "2", "1"]]
    write_book(path, {"Data": rows, "코드북": book})
    found = drafted(path)
    values = found.draft.mapping.attributes["gender"].values
    assert values == {"1": "male", "2": "female"}
    assert genders(path, found) == ("female", "female")


def test_who_did_not_say_is_told_from_who_said_something(tmp_path):
    """Where the file writes it."""
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", "gender", ASKED], ["a", "여성", "노인"], ["b", "-99", ""]])
    found = drafted(path)
    assert found.draft.mapping.attributes["gender"].values == {"여성": "female", "-99": ""}
    assert genders(path, found) == ("female", "")


def test_what_cannot_be_told_is_left_as_it_is_and_said(tmp_path):
    """With what the quotas have, and how to write it."""
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", "gender", ASKED], ["a", "F", "노인"], ["b", "M", ""]])
    found = drafted(path)
    assert genders(path, found) == ("F", "M")
    (said,) = found.draft.open
    assert said == (
        "attribute gender: 'F', 'M' in column 'gender' are not among female, male, which "
        "quotas and weights use: write {column: gender, values: {F: ..., ...}}"
    )


def test_a_text_of_two_values_tells_neither(tmp_path):
    """It is not guessed which is meant."""
    trait = Trait("gender", "", {"female": "사람", "male": "사람"})
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", "gender", ASKED], ["a", "사람", "노인"]])
    found = drafted(path, trait)
    assert found.draft.mapping.attributes["gender"].values == {}
    assert "'사람'" in found.draft.open[0]


def test_codes_of_built_forms_tell_attributes_and_the_attention_check(tmp_path):
    """Where the mapping of the form itself is not there any more."""
    (tmp_path / "forms").mkdir()
    head = ["platform", "form", "column", "code", "question_id", "option", "position", "text"]
    codes = [
        ["csv", "f01", "SQ1", str(at), "gender", value, str(at), ""]
        for at, value in enumerate(("female", "male"), start=1)
    ]
    codes.append(["csv", "f01", "check", "3", "attention", "passed", "3", ""])
    put(tmp_path / "forms" / "codes.csv", [head, *codes])
    path = tmp_path / "a.csv"
    rows = [["respondent_id", "form", "SQ1", "check", ASKED]]
    put(path, [*rows, ["a", "f01", "1", "3", "노인"], ["b", "f01", "2", "1", ""]])
    found = drafted(path)
    assert genders(path, found) == ("female", "male")
    answers = read_survey(path, found.draft.mapping, QUESTIONS, "ko").answers
    assert answers.attributes["attention"] == ("passed", "failed")
    roles = {seen.column: seen.role for seen in found.columns}
    assert (roles["SQ1"], roles["check"]) == ("attribute", "attention")
    assert not any("attention" in line for line in found.draft.open)


@pytest.mark.parametrize(("title", "kept"), [("gender", True), ("성별", True), ("SQ1", False)])
def test_what_people_say_of_themselves_is_no_answer(tmp_path, title, kept):
    """An attribute is told by its name; what is told only by its cells is left to check."""
    asked = replace(
        QUESTIONS[1],
        options=(
            Option("1", ("여성",), Role.TARGET, True, "여성"),
            Option("2", ("남성",), Role.NON_TARGET, True, "남성"),
            QUESTIONS[1].options[2],
        ),
    )
    path = tmp_path / "a.csv"
    put(path, [["id", title, "Q5"], ["a", "여성", "1"], ["b", "남성", "2"], ["c", "남성", "2"]])
    found = inspect_file(path, (asked,), "ko", tmp_path / "forms", traits=())
    role = {seen.column: seen.role for seen in found.columns}[title]
    said = [line for line in found.draft.open if "only by its cells" in line]
    if kept:
        assert (role, found.draft.mapping.questions, said) == ("attribute", (), [])
        assert found.trial.problem is not None
    else:
        assert role == "answer"
        assert said == [
            f"question {asked.id}: column 'SQ1' was found only by its cells. It may be "
            "something else, such as an attribute of the respondents: check that it holds the "
            "answers"
        ]


@pytest.mark.parametrize(
    ("title", "asked"),
    [("Teste de atenção", True), ("Pytanie uwagi", True), ("Outra pergunta", False)],
)
def test_an_attention_check_is_told_by_its_heading(tmp_path, title, asked):
    """In any language that the toolkit knows; a question whose story says the word is none."""
    path = tmp_path / "a.csv"
    question = replace(QUESTIONS[1], stereotype="paying attention")
    put(path, [["respondent_id", question.stereotype, title], ["a", "노인", "3"], ["b", "", "3"]])
    found = inspect_file(path, [question], "ko", tmp_path / "forms")
    assert [line for line in found.draft.open if "attention" in line] == [
        f"column '{title}' may be an attention check: put it in 'attention'"
    ] * asked
