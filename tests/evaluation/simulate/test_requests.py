"""The requests by which models are asked."""

import json
import re
from dataclasses import replace

import pytest

from curation.records.culture import Culture, QuestionnaireSettings
from curation.records.culture import Wording as CultureWording
from curation.records.survey import Option, Question, QuestionKind, Role
from evaluation.requests import write_requests
from evaluation.simulate.requests import make_requests, objects_of, read_requests
from evaluation.simulate.wording import load_wording

ENGLISH = Culture(culture="Nowhere", language="en", unknown="Unknown")
KOREAN = Culture(culture="마레비아", language="ko", unknown="모름")


def many(count, **changes):
    """Make a question of target selection among many groups."""
    options = [Option(str(at), (f"group {at}",), Role.GROUP) for at in range(count)]
    question = Question("q", QuestionKind.SELECT_ALL, "Craft", "They hum", tuple(options))
    return replace(question, **changes)


@pytest.mark.parametrize("culture", [ENGLISH, KOREAN])
def test_every_wording_asks_the_question_that_people_read(culture, survey):
    """The stereotype, every option behind its letter and the culture stand in each prompt."""
    wording = load_wording(culture)
    assert len(wording.prompts) == 3
    requests = make_requests(survey.questions, wording, wording.prompts, 42)
    assert len(requests) == 21
    for request in requests:
        (message,) = request.messages
        assert message["role"] == "user"
        lines = message["content"].splitlines()
        shown = [match for line in lines if (match := re.fullmatch(r"([A-Z]+)\. (.+)", line))]
        assert [match[2] for match in shown] == list(request.choices)
        assert [match[1] for match in shown] == list("ABCDE"[: len(shown)])
        assert f"They do {request.question_id}" in message["content"]
        assert culture.culture in message["content"]
        assert "{" not in message["content"]


def test_the_option_without_a_group_stays_last_and_the_others_are_drawn(survey):
    """Every option is shown once; over many seeds each stands first about as often."""
    firsts = []
    for seed in range(200):
        for request in survey.requests(seed):
            assert request.choices[-1] == "No such stereotype"
            if request.question_id == "c1":
                assert sorted(request.choices[:-1]) == ["Bakers", "Potters, Weavers"]
                firsts.append(request.choices[0])
    assert 70 < firsts.count("Bakers") < 130


def test_the_survey_s_own_words_are_asked():
    """A culture's wording goes before the default; braces in a stereotype are nobody's business."""
    words = CultureWording(choice="{category}? {stereotype}!", none="Nope")
    culture = ENGLISH.model_copy(update={"questionnaire": QuestionnaireSettings(wording=words)})
    options = (
        Option("1", ("A men",), Role.TARGET),
        Option("2", ("B men",), Role.NON_TARGET),
        Option("none", (), Role.NONE),
    )
    question = Question("q", QuestionKind.CHOICE, "Craft", "They {hum}", options)
    wording = load_wording(culture)
    (request,) = make_requests([question], wording, wording.prompts[:1], 42)
    assert "Craft? They {hum}!" in request.messages[0]["content"]
    assert request.choices[-1] == "Nope"


def test_what_is_written_is_read(survey, tmp_path):
    """The file has the keys of the contract, one request a line; orders come back without seed."""
    path = tmp_path / "requests.jsonl"
    requests = survey.requests()
    assert write_requests(path, objects_of(requests)) == 7
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert list(line) == ["request_id", "question_id", "prompt_id", "messages", "choices"]
    assert read_requests(path) == [replace(item, messages=()) for item in requests]
