"""A tiny survey, ready for any platform."""

import pytest

from curation.records.culture import Category, Culture, QuestionnaireSettings
from curation.records.sample import SAMPLE_COLUMNS, Sample
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.building.plan import Form
from survey.building.wording import words_for
from survey.platforms.kit import make_kit

WORDING = {
    "title": "Crafts",
    "intro": "About crafts: {questions} questions.",
    "consent": "Go on if you agree.",
    "instructions_choice": "Choose one.",
    "instructions_select_all": "Choose all.",
    "instructions_comprehension": "Read <well>.",
    "choice": 'Who is said to "{stereotype}"?',
    "select_all": "Which of them {stereotype}?",
    "none": "Nobody",
    "attention": "Please choose {answer}.",
    "attention_options": ["Red", "Blue"],
    "attention_answer": "Blue",
    "thanks": "Thanks.",
    "labels": {"east": "East & all"},
}
NONE = Option("none", (), Role.NONE, False, "Nobody")
CHOICE = Question(
    "q-craft-00000001",
    QuestionKind.CHOICE,
    "Craft",
    "hum {softly} [[at]] work",
    (
        Option("1", ("Bakers", "Weavers"), Role.TARGET, True, "Bakers, Weavers"),
        Option("2", ("=Potters",), Role.NON_TARGET, True, "=Potters"),
        NONE,
    ),
)
SELECT = Question(
    "q-craft-00000002",
    QuestionKind.SELECT_ALL,
    "Craft",
    "rise <early>",
    (
        Option("1", ("Bakers",), Role.GROUP, True, "Bakers"),
        Option("2", ("Potters",), Role.GROUP, True, 'The "Potters"'),
        Option("3", ("Glaziers",), Role.GROUP, False, "Glaziers"),
        NONE,
    ),
)
UNDERSTOOD = Question(
    "c-craft-001",
    QuestionKind.COMPREHENSION,
    "Craft",
    "",
    (
        Option("1", (), Role.WRONG, False, "Bob"),
        Option("2", (), Role.CORRECT, False, "Ann"),
        Option("3", (), Role.WRONG, False, "Unknown"),
    ),
    "craft-001",
)
UNDERSTANDING = Sample(*[""] * len(SAMPLE_COLUMNS))._replace(
    template_id="craft-001",
    sample_id="craft-001a-001-dis-cnt",
    context="Bob and Ann came in. Bob hummed, Ann paid ${5}.",
    question="Who was silent?",
    choices=("Bob", "Ann", "Unknown"),
)
FORMS = (
    Form("f01", (CHOICE, SELECT, UNDERSTOOD), ((1, 0, 2), (2, 0, 1, 3), (0, 1, 2))),
    Form("f02", (CHOICE,), ((0, 1, 2),)),
)


@pytest.fixture
def make_survey():
    """A function that makes the tiny survey, with other settings if wanted."""

    def make(**settings):
        quotas = settings.get("quotas", {"region": {"east": "1/2", "west": "1/2"}})
        asked = dict.fromkeys(quotas, "Where do you live?")
        shown = {value: value for values in quotas.values() for value in values}
        values = {
            "respondents_per_question": 4,
            "quotas": quotas,
            "wording": {**WORDING, "attributes": asked, "labels": shown | WORDING["labels"]},
            **settings,
        }
        culture = Culture(
            culture="Nowhere",
            language="en",
            unknown="Unknown",
            categories=(Category(id="Craft"),),
            questionnaire=QuestionnaireSettings.model_validate(values),
        )
        questions = (CHOICE, SELECT, UNDERSTOOD)
        filled = {"craft-001": UNDERSTANDING}
        people = culture.questionnaire.respondents_per_question
        return make_kit(questions, FORMS, filled, words_for(culture), culture, respondents=people)

    return make


@pytest.fixture
def kit(make_survey):
    """Two forms: the first holds one question of each kind, the second one alone."""
    return make_survey()
