"""The requests by which models are asked."""

import re

import pytest

from curation.files.jsonl import write_objects
from curation.records.culture import Culture, QuestionnaireSettings, Wording
from curation.records.messages import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from evaluation.simulate.comparing import (
    Request,
    make_requests,
    match_questions,
    read_prompts,
    read_requests,
)

ENGLISH = Culture(culture="Nowhere", language="en", unknown="Unknown")
KOREAN = Culture(culture="마레비아", language="ko", unknown="모름")
OPTIONS = (
    Option("1", ("A men",), Role.TARGET),
    Option("2", ("B men",), Role.NON_TARGET),
    Option("none", (), Role.NONE),
)


@pytest.mark.parametrize("culture", [ENGLISH, KOREAN])
def test_every_wording_asks_the_question_that_people_read(culture, survey, tmp_path):
    """The stereotype, every option behind its letter and the culture stand in each prompt.

    What is written is read again: a line a request, with its options in the order shown.
    """
    prompts = read_prompts(culture.language)
    requests = list(make_requests(survey.questions, prompts, culture, 42))
    assert (len(prompts), len(requests)) == (3, 21)
    for request in requests:
        assert list(request) == ["request_id", "question_id", "prompt_id", "messages", "choices"]
        (message,) = request["messages"]
        assert message["role"] == "user"
        lines = message["content"].splitlines()
        shown = [match for line in lines if (match := re.fullmatch(r"([A-Z]+)\. (.+)", line))]
        assert [match[1] for match in shown] == list("ABCDE"[: len(shown)])
        assert [match[2] for match in shown] == request["choices"]
        assert f"They do {request['question_id']}" in message["content"]
        assert culture.culture in message["content"]
        assert "{" not in message["content"]
    path = tmp_path / "requests.jsonl"
    assert write_objects(path, requests) == 21
    read = read_requests(path)
    assert list(read) == [request["request_id"] for request in requests]
    assert read["c1-p1"] == Request("c1", "1", tuple(requests[0]["choices"]))


def test_the_option_without_a_group_stays_last_and_the_others_are_drawn(survey):
    """Every option is shown once; over many seeds each stands first about as often."""
    firsts = []
    for seed in range(200):
        for request in survey.requests(seed).values():
            assert request.choices[-1] == "No such stereotype"
            if request.question_id == "c1":
                assert sorted(request.choices[:-1]) == ["Bakers", "Potters, Weavers"]
                firsts.append(request.choices[0])
    assert 70 < firsts.count("Bakers") < 130


def test_the_survey_s_own_words_are_asked():
    """A culture's wording goes before the default; braces in a stereotype are nobody's business."""
    words = Wording(choice="{category}? {stereotype}!", none="Nope")
    culture = ENGLISH.model_copy(update={"questionnaire": QuestionnaireSettings(wording=words)})
    question = Question("q", QuestionKind.CHOICE, "Craft", "They {hum}", OPTIONS)
    (request,) = make_requests([question], read_prompts("en")[:1], culture, 42)
    assert "Craft? They {hum}!" in request["messages"][0]["content"]
    assert request["choices"][-1] == "Nope"
    alike = Question("q", QuestionKind.CHOICE, "Craft", "They hum", (*OPTIONS[1:], OPTIONS[1]))
    with pytest.raises(CurateError, match="two options that read alike"):
        list(make_requests([alike], read_prompts("en"), culture, 42))


@pytest.mark.parametrize(
    ("prompt", "message"),
    [
        ("{id: x, choice: '{options}', select_all: '{options}{question}'}", "it lacks {question}"),
        ("{id: x, choice: '{question}{options}', select_all: '{options}{question}{country}'}",
         "it has {country}"),
        ("{id: x, choice: '{question}{options}', select_all: '{options}{question}{'}", "Single"),
    ],
)  # fmt: skip
def test_prompts_that_cannot_be_used_are_refused(tmp_path, prompt, message):
    path = tmp_path / "prompts.yaml"
    path.write_text(f"prompts:\n- {prompt}\n", encoding="utf-8")
    with pytest.raises(CurateError) as error:
        read_prompts("en", path)
    assert message in error.value.what
    assert error.value.where.startswith(str(path))


def test_requests_about_other_questions_are_refused(survey):
    """A question that is not there, and one whose options were changed since."""
    requests = survey.requests()
    assert match_questions(requests, survey.questions)["c1-p1"] is survey.questions[0]
    for changed in (Request("c9", "1", ("A", "B")), Request("c1", "1", ("Bakers", "Guests", "No"))):
        with pytest.raises(CurateError, match=f"asks question {changed.question_id}"):
            match_questions({**requests, "c1-p1": changed}, survey.questions)
