"""The requests by which models are asked."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from curation.records.culture import Culture, QuestionnaireSettings
from curation.records.culture import Wording as CultureWording
from curation.records.errors import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from evaluation.requests import write_requests
from evaluation.simulate.requests import make_requests, objects_of, read_requests
from evaluation.simulate.wording import load_wording

ENGLISH = Culture(culture="Nowhere", language="en", unknown="Unknown")
KOREAN = Culture(culture="마레비아", language="ko", unknown="모름")


def many(count: int, **changes: Any) -> Question:
    """Make a question of target selection among many groups."""
    options = [Option(str(at), (f"group {at}",), Role.GROUP) for at in range(count)]
    question = Question("q", QuestionKind.SELECT_ALL, "Craft", "They hum", tuple(options))
    return replace(question, **changes)


@pytest.mark.parametrize("culture", [ENGLISH, KOREAN])
def test_every_wording_asks_the_question_that_people_read(culture: Culture, survey: Any) -> None:
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


def test_ids_join_question_and_wording(survey: Any) -> None:
    """Requests come question by question, wording by wording."""
    requests = survey.requests(prompts=2)
    assert [item.request_id for item in requests][:4] == ["c1-p1", "c1-p2", "c2-p1", "c2-p2"]
    assert [item.question_id for item in requests][:3] == ["c1", "c1", "c2"]


def test_the_option_without_a_group_stays_last_and_the_others_are_drawn(survey: Any) -> None:
    """Every option is shown once; over many seeds each stands first about as often."""
    firsts = []
    for seed in range(200):
        for request in survey.requests(seed):
            assert request.choices[-1] == "No such stereotype"
            if request.question_id == "c1":
                assert sorted(request.choices[:-1]) == ["Bakers", "Potters, Weavers"]
                firsts.append(request.choices[0])
    assert 70 < firsts.count("Bakers") < 130


def test_an_order_hangs_on_seed_and_request_alone(survey: Any) -> None:
    """The same seed draws the same orders, whatever else is asked; another seed draws others."""
    wording = load_wording(ENGLISH)
    alone = make_requests(survey.questions[-1:], wording, wording.prompts[:1], 42)
    assert alone[0].choices == survey.requests()[-1].choices
    assert survey.requests() == survey.requests()
    assert [r.choices for r in survey.requests()] != [r.choices for r in survey.requests(7)]


def test_more_than_26_options_go_on_with_two_letters() -> None:
    """The 27th is AA; a question without a text for 'none' has the survey's own."""
    wording = load_wording(ENGLISH)
    (request,) = make_requests([many(30)], wording, wording.prompts[:1], 42)
    assert f"\nAE. {request.choices[30]}\n" in request.messages[0]["content"]
    assert request.choices[30] == "There is no such stereotype"


def test_options_that_read_alike_are_refused() -> None:
    """Nobody could tell which of them a reply means."""
    alike = tuple(Option(str(at), (f"g{at}",), Role.GROUP, text="The Same") for at in range(2))
    wording = load_wording(ENGLISH)
    with pytest.raises(CurateError, match="two options 'The Same'"):
        make_requests([many(2, options=alike)], wording, wording.prompts[:1], 42)


def test_the_survey_s_own_words_are_asked() -> None:
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


def test_what_is_written_is_read(survey: Any, tmp_path: Path) -> None:
    """The file has the keys of the contract, one request a line; orders come back without seed."""
    path = tmp_path / "requests.jsonl"
    requests = survey.requests()
    assert write_requests(path, objects_of(requests)) == 7
    line = json.loads(path.read_text(encoding="utf-8").splitlines()[0])
    assert list(line) == ["request_id", "question_id", "prompt_id", "messages", "choices"]
    assert read_requests(path) == [replace(item, messages=()) for item in requests]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x\n", "not JSON"),
        ('{"request_id": "q-p1"', "incomplete"),
        ('{"request_id": "q-p1"}\n', "not a list of texts"),
        ('{"request_id": "q-p1", "choices": ["a"]}\n', "fewer than two"),
        ('{"request_id": "q-p1", "choices": ["a", 1]}\n', "not a list of texts"),
        ('{"request_id": "q-p1", "choices": ["a", "b"]}\n', "no text 'question_id'"),
        ("\n", "holds no request"),
    ],
)
def test_half_of_the_requests_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """A score over damaged requests would not say what it lacks."""
    path = tmp_path / "requests.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(CurateError, match=message) as error:
        read_requests(path)
    assert "--prepare" in error.value.hint


def test_a_request_that_occurs_twice_is_refused(survey: Any, tmp_path: Path) -> None:
    """Its replies could not be told apart."""
    path = tmp_path / "requests.jsonl"
    write_requests(path, objects_of([*survey.requests(), survey.requests()[0]]))
    with pytest.raises(CurateError, match="request c1-p1 occurs twice") as error:
        read_requests(path)
    assert error.value.where.endswith("line 8")
