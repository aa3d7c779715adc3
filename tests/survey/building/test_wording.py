"""What respondents read."""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from curation.languages import Language, available, load
from curation.records.culture import Culture, QuestionnaireSettings, Wording
from curation.records.errors import CurateError
from survey.building.wording import words_for


def culture(language: str = "en", **wording: Any) -> Culture:
    """Make a culture with words of its own."""
    settings = QuestionnaireSettings.model_validate({"wording": wording})
    return Culture(culture="X", language=language, unknown="?", questionnaire=settings)


@pytest.mark.parametrize("language", [code for code in available() if load(code).survey])
def test_defaults_are_whole(language: str) -> None:
    """Every language that has defaults has all of them, with their placeholders."""
    words = words_for(culture(language))
    assert "{stereotype}" in words.choice and "{stereotype}" in words.select_all
    assert words.fill("comprehension", context="A.", question="B?") == "A.\n\nB?"
    assert "7" in words.fill("intro", questions=7, minutes=2)
    quotas = QuestionnaireSettings().quotas
    assert set(words.attributes) == set(quotas) == {"gender", "age_band"}
    shown = {words.label(value) for value in ("female", "male", "other")}
    assert len(shown) == 3 and not shown & {"female", "male", "other"}


def test_languages() -> None:
    """There are defaults for English and Korean; a variety has those of its language."""
    assert {"en", "ko"} <= set(available())
    assert load("ko-KR").survey == load("ko").survey
    assert load("tlh").survey is None


REGION = {"quotas": {"region": {"north": "1/2", "south": "1/2"}, "gender": {"female": 1}}}


def asked(language: str, settings: dict[str, Any], **wording: Any) -> Culture:
    """Make a culture with quotas of its own."""
    made = QuestionnaireSettings.model_validate({**settings, "wording": wording})
    return Culture(culture="X", language=language, unknown="?", questionnaire=made)


@pytest.mark.parametrize("language", [code for code in available() if load(code).survey])
def test_attributes_without_words_are_refused(language: str) -> None:
    """Respondents are never asked about codes: all that there are no words for are named."""
    with pytest.raises(CurateError) as caught:
        words_for(asked(language, REGION))
    assert caught.value.what == (
        "nobody has written how respondents are asked about region; "
        "the values north, south of region have no labels"
    )
    assert caught.value.where == "culture.yaml, questionnaire.wording"
    assert f"({language})" in caught.value.hint
    assert "attributes: {region: ...}, labels: {north: ..., south: ...}" in caught.value.hint


def test_what_the_workspaces_file_of_its_language_lacks_is_named_there(tmp_path: Path) -> None:
    """Who writes the texts there is sent there, and not to the settings."""
    texts = load("en").survey
    assert texts is not None
    said = texts.model_dump(mode="json", exclude={"attributes", "labels"}, exclude_none=True)
    path = tmp_path / "pl.yaml"
    language = Language("pl", None, path, json.dumps({"survey": said}))
    with pytest.raises(CurateError) as caught:
        words_for(asked("pl", REGION), language)
    assert caught.value.where == f"{path}, survey"


def test_attributes_with_words() -> None:
    """What the message asks for is enough, and the values stay what they are."""
    words = words_for(
        asked(
            "es",
            REGION,
            attributes={"region": "¿Dónde vive?"},
            labels={"north": "Norte", "south": "Sur"},
        )
    )
    assert (words.ask("region"), words.label("north")) == ("¿Dónde vive?", "Norte")
    assert (words.ask("gender"), words.label("female")) == ("¿Cuál es su género?", "Mujer")


def test_bands_and_words_in_other_letters_are_their_own_labels() -> None:
    """Numbers are read in every language; 서울 is no code."""
    settings = {"quotas": {"region": {"서울": "1/2", "18-29": "1/4", 60: "1/4"}}}
    words = words_for(asked("ko", settings, attributes={"region": "어디에 사십니까?"}))
    assert [words.label(value) for value in ("서울", "18-29", "60")] == ["서울", "18-29", "60"]
    own = asked("ko", settings, attributes={"region": "?"}, labels={60: "60세 이상"})
    assert words_for(own).label("60") == "60세 이상"


@pytest.mark.parametrize(
    ("wording", "message", "hint"),
    [
        ({"labels": {"femal": "Mujer"}}, "no value of an attribute 'femal'", "mean female"),
        ({"attributes": {"gendre": "¿?"}}, "there is no attribute 'gendre'", "mean gender"),
        ({"labels": {"male": "mujer "}}, "'female' and 'male' are both shown as", "of its own"),
    ],
)
def test_wrong_words_of_attributes(wording: dict[str, Any], message: str, hint: str) -> None:
    """A misspelt name would never be read, and two values shown alike could not be told apart."""
    with pytest.raises(CurateError, match=message) as caught:
        words_for(asked("es", {}, **wording))
    assert hint in caught.value.hint and "questionnaire.wording" in caught.value.where


def test_own_words_go_over_defaults() -> None:
    """A text of the culture's replaces the default, single labels among the labels."""
    words = words_for(culture(none="None of that", labels={"female": "F"}))
    assert words.none == "None of that"
    assert (words.label("female"), words.label("male"), words.label("x")) == ("F", "Man", "x")
    assert words.thanks == "Thank you for your answers."


def test_stereotype_is_not_a_template() -> None:
    """Braces in a stereotype are shown as they are."""
    text = words_for(culture(choice="Who: {stereotype}")).fill("choice", stereotype="{context}")
    assert text == "Who: {context}"


def test_unknown_language() -> None:
    """A language without defaults needs words of its own, and says which are missing."""
    with pytest.raises(CurateError, match="no survey texts in 'tlh': title, intro") as caught:
        words_for(culture("tlh"))
    assert "en, es, fr" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("choice", "Who?", "choice lacks {stereotype}"),
        ("choice", "{stereotype} {context}", "choice has {context}, where only"),
        ("comprehension", "{context}", "comprehension lacks {question}"),
        ("attention", "Choose {answer!r}", "attention cannot be read"),
        ("attention", "Choose {answer:>9}", "attention cannot be read"),
        ("intro", "a } b", "intro cannot be read"),
        ("intro", "{}", "intro has {}"),
        ("none", " ", "none is empty"),
        ("labels", {"male": " "}, "labels.male is empty"),
        ("attributes", {"gender": ""}, "attributes.gender is empty"),
    ],
)
def test_placeholders(name: str, text: Any, message: str) -> None:
    """A text with missing or strange placeholders is refused when the settings are read."""
    with pytest.raises(ValidationError, match=message.replace("{", r"\{").replace("}", r"\}")):
        Wording.model_validate({name: text})


@pytest.mark.parametrize(
    "wording",
    [
        {"attention_answer": "Midnight"},
        {"attention_options": ["Evening"]},
        {"attention_options": ["Evening", "Evening"]},
    ],
)
def test_attention(wording: dict[str, Any]) -> None:
    """The attention check needs two different options, one of them the answer."""
    with pytest.raises(CurateError, match="the attention check has the options"):
        words_for(culture(**wording))


@pytest.mark.parametrize(
    ("quotas", "message"),
    [
        ({"gender": {"f": "1/2"}}, "add up to 1/2"),
        ({"Age": {"x": 1}}, "lower-case letters"),
        ({"form": {"x": 1}}, "is used for something else"),
    ],
)
def test_quotas(quotas: dict[str, Any], message: str) -> None:
    """Quotas add up to 1 and have names that nothing else has."""
    with pytest.raises(ValidationError, match=message):
        QuestionnaireSettings.model_validate({"quotas": quotas})
