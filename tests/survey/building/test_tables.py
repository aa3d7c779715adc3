"""The files of a survey, and when they may be written."""

from dataclasses import replace

import pytest

from curation.files.bank import GroupBook
from curation.records.culture import QuestionnaireSettings
from curation.records.messages import CurateError
from curation.records.survey import Decision, Outcome, Rule, Stage
from survey.building.build import refuse_to_lose, write_questions
from survey.building.plan import assign

DECISION = Decision("c", Stage.COMPREHENSION, Rule.COMPREHENSION, Outcome.KEEP)


@pytest.fixture
def asked(crafts, tmp_path):
    """Write a survey, and give a function that tries to change it."""
    built = crafts.build(*[crafts.template(at, f"They sing {at}") for at in range(1, 6)])

    def forms(seed, questions):
        one = {"per_form": 2, "respondents_per_question": 1, "orders": 1, "seed": seed}
        return assign(questions, built.subjects, QuestionnaireSettings(**one))

    write_questions(tmp_path, built.questions, forms(1, built.questions), GroupBook())

    def change(*, drop=0, seed=1, ledger=()):
        questions = built.questions[: len(built.questions) - drop]
        refuse_to_lose(tmp_path, questions, forms(seed, questions), ledger, GroupBook())

    return change


def test_unanswered_may_change(asked):
    """A questionnaire that nobody has answered may be built anew."""
    asked(drop=1)


def test_answered_may_not_change(asked, tmp_path):
    """Neither questions nor forms change under their answers."""
    for change, file in [({"drop": 1}, "questionnaire.csv and forms"), ({"seed": 2}, "forms.csv")]:
        (tmp_path / "responses.csv").write_text("x\n")
        with pytest.raises(
            CurateError, match=f"{file}.* would change, and responses.csv"
        ) as caught:
            asked(**change)
        assert "--replace" in caught.value.hint


def test_decided_on_may_not_change(asked):
    """Decisions on a question or a template's comprehension keep the questionnaire as it is."""
    with pytest.raises(CurateError, match=r"decisions\.csv holds decisions"):
        asked(drop=1, ledger=[replace(DECISION, subject="craft-001")])
