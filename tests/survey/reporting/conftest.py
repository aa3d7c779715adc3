"""The material of an invented survey of sixteen people, and its report."""

from dataclasses import replace

import pytest

from curation.files.bank import GroupBook
from curation.files.outcomes import outcomes
from curation.records.bank import Group, Label
from curation.records.culture import Culture
from curation.records.survey import Decision, Outcome, Rule, Stage
from survey.answers import count_answers
from survey.bank import FinalBank
from survey.quality import checked
from survey.reporting.data import Report
from survey.rules import decide_survey

CULTURE = {
    "culture": "Nowhere",
    "language": "en",
    "version": "0.3",
    "unknown": "Unknown",
    "categories": [{"id": "Craft", "name": "Trade"}],
    "survey": {"margins": {"gender": {"female": 0.5, "male": 0.5}}, "min_respondents": 2},
    "questionnaire": {
        "quotas": {
            "gender": {"female": "1/2", "male": "1/2"},
            "age_band": {"young": "1/4", "old": "3/4"},
        }
    },
}
PEOPLE = 16
HUM = "1111111111222011"
"""How each of them answered the first question: target, other group, no stereotype."""
SING = "1111111122220011"
ALL = ("1", "1", "1", "1", "1", "1", "1", "2", "2", "3", "3", "14", "0", "0", "0", "1")
UNDERSTOOD = "2222222222111112"


def _answers(make, answering):
    questions = [
        make.choice(id="q-hum", stereotype="They hum"),
        make.choice(id="q-sing", stereotype="They sing"),
        make.select_all("A", "B", "C", uncounted=("D",), id="q-nap", stereotype="They nap"),
        make.comprehension("craft-001", id="c-craft-001"),
    ]
    codes = {"1": "1", "2": "2", "0": "none"}
    chosen = {
        f"r{at:02d}": {
            "q-hum": codes[HUM[at]],
            "q-sing": codes[SING[at]],
            "q-nap": tuple("none" if code == "0" else code for code in ALL[at]),
            "c-craft-001": UNDERSTOOD[at],
        }
        for at in range(PEOPLE)
    }
    return answering(
        questions,
        chosen,
        gender=["female"] * 12 + ["male"] * 4,
        age_band=["young", "old", "old", ""] * 4,
        attention=["passed"] * 14 + ["failed"] * 2,
        duration_s=["60"] * 13 + ["20", "60", "60"],
    )


@pytest.fixture(scope="session")
def report(make, answering):
    """The report of answers, counts, decisions, and what they make of templates."""
    culture = Culture.model_validate(CULTURE)
    settings = culture.survey
    answers = _answers(make, answering)
    people = checked(answers, settings)
    tallies, _ = count_answers(answers, people.rows(settings))
    templates = [
        make.template("craft-001", stereotype="They hum"),
        make.template("craft-002", stereotype="They sing"),
        make.template("craft-003", ("A",), ("B",), stereotype="They nap"),
        make.template("craft-004", stereotype="They cook"),
        make.template("craft-005", stereotype="They sing"),
        make.template("craft-006", stereotype="They snow", label=Label.SAMPLE_REMOVED),
    ]
    book = GroupBook([Group("Craft", name) for name in ("Bakers", "Potters", *"ABCD")])
    decisions, _, _ = decide_survey(tallies, templates, settings, book)
    by_hand = Decision(
        *("craft-005", Stage.MANUAL, Rule.OVERRIDE, Outcome.KEEP, "the experts agree"),
        by="Mina",
        at="2026-03-01T08:00:00Z",
    )
    signed = [replace(item, by="curate", at="2026-02-01T12:00:00Z") for item in decisions]
    ledger = (*signed, by_hand)
    exclusions = tuple(
        (item.rule, item.respondent, "", "", str(item.rule in settings.exclude).lower())
        for item in people.flagged
    )
    return Report(
        culture=culture,
        settings=settings,
        final=FinalBank(
            outcomes=tuple(outcomes(templates, [tally.question for tally in tallies], ledger)),
            every=tuple(templates),
            **dict.fromkeys(("open", "confirmed", "findings"), ()),
            modified=("craft-003",),
            tallies=tuple(tallies),
        ),
        ledger=ledger,
        people=people,
        exclusions=(("keep", "", "", "", "true"), *exclusions),
        remarks=("This survey is invented.",),
    )


@pytest.fixture(scope="session")
def ordered(report):
    """The report where half the people saw the options as they stand, half the other way round.

    The first ten name the target of the first question; all that they saw first.
    """
    answers = report.people.answers
    widths = [len(item.options) - 1 for item in answers.questions]  # the last stays last
    position = answers.position.copy()
    for row, (who, question, option) in enumerate(
        zip(answers.respondent, answers.question, answers.option, strict=True)
    ):
        turned = who >= 8 and question != 1 and option < widths[question]
        position[row] = widths[question] - option if turned else option + 1
    people = replace(report.people, answers=replace(answers, position=position))
    return replace(report, people=people)
