"""What respondents read."""

import pytest
from pydantic import ValidationError

from curation.languages import available, load
from curation.records.culture import Culture, QuestionnaireSettings, Wording
from curation.records.messages import CurateError
from survey.building.wording import words_for

REGION = {"quotas": {"region": {"north": "1/2", "south": "1/2"}, "gender": {"female": 1}}}


def asked(language, settings, **wording):
    made = QuestionnaireSettings.model_validate({**settings, "wording": wording})
    return Culture(culture="X", language=language, unknown="?", questionnaire=made)


@pytest.mark.parametrize("language", [code for code in available() if load(code).survey])
def test_attributes_without_words_are_refused(language):
    """Respondents are never asked about codes: all that there are no words for are named."""
    with pytest.raises(CurateError) as caught:
        words_for(asked(language, REGION))
    names = ("attributes.region", "labels.north", "labels.south")
    assert caught.value.what.endswith(f": {', '.join(names)} missing")
    assert caught.value.where == "culture.yaml, questionnaire.wording"


def test_placeholders():
    """A text with missing or strange placeholders is refused when the settings are read."""
    for name, text, message in [
        ("choice", "Who?", "choice lacks {stereotype}"),
        ("choice", "{stereotype} {context}", "choice has {context}, where only"),
        ("comprehension", "{context}", "comprehension lacks {question}"),
        ("attention", "Choose {answer!r}", "attention lacks {answer}"),
        ("attention", "{answer} or {answer:>9}", "attention has {answer:>9}, where only"),
        ("intro", "a } b", "intro cannot be read"),
        ("intro", "{}", "intro has {}"),
        ("none", " ", "none is empty"),
        ("labels", {"male": " "}, "labels.male is empty"),
        ("attributes", {"gender": ""}, "attributes.gender is empty"),
    ]:
        with pytest.raises(ValidationError, match=message.replace("{", r"\{").replace("}", r"\}")):
            Wording.model_validate({name: text})


def test_an_answer_that_is_no_option_of_the_language_is_refused():
    with pytest.raises(CurateError) as caught:
        words_for(asked("en", {}, attention_answer="Night"))
    assert "the options Morning, Noon, Evening and the answer 'Night'" in caught.value.what
    assert caught.value.where == "culture.yaml, questionnaire.wording"
