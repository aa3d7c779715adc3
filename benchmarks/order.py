"""The first option is chosen more often: surveys with one order of options, and with two.

At a true share of .63 naming the target, five points more where the target stands first and five
less where it stands second. Each survey is simulated from the forms to the decisions.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from benchmarks.measure import report
from curation.records.culture import QuestionnaireSettings, SurveySettings
from curation.records.survey import Option, Outcome, Question, QuestionKind, Role, Rule
from survey.answers import SELECTED, SHOWN, Answers, count_answers
from survey.building.plan import Form, assign, people_of_a_form, power_column
from survey.order_effects import order_effects
from survey.rules import decide

SHARE = 0.63
PRIMACY = 0.05
QUESTIONS = 60
SURVEYS = 250
PER_FORM = 30


def run() -> list[str]:
    """Simulate surveys of a hundred answers a question; all respondents name a group."""
    settings = SurveySettings()
    exact = power_column(100, settings.stereotype_share)["chances"]["0.63"]
    first, second, _ = _simulated(1, PRIMACY)
    balanced, other, missed = _simulated(2, PRIMACY)
    note = f"{exact:.3f} without what stands first mattering (exact)"
    both = (balanced + other) / 2
    return [
        report("kept at .63, one order, target first", first, 1, "", note),
        report("kept at .63, one order, target second", second, 1, "", note),
        report("kept at .63, two orders", both, 1, "", note),
        report("  points away from what it should be", 100 * abs(both - exact), 2, "", ""),
        report(
            "surveys whose interval misses the effect, in 100", 100 * missed, 8, "", "5 expected"
        ),
    ]


def _simulated(orders: int, primacy: float) -> tuple[float, float, float]:
    """How often questions are kept, by whether their first form shows the target first.

    Returns:
        Those that do, those that do not, and the share of surveys in which the interval of the
        order effect over all questions does not hold the true one.
    """
    asked = QuestionnaireSettings(per_form=PER_FORM, orders=orders)
    settings = SurveySettings()
    questions = [_question(at) for at in range(QUESTIONS)]
    forms = assign(questions, {item.id: item.id for item in questions}, asked)
    leads = {item.id: False for item in questions}
    for form in forms[::orders]:
        for item, order in zip(form.questions, form.orders, strict=True):
            leads[item.id] = order[0] == 0
    kept: dict[bool, list[bool]] = {True: [], False: []}
    missed = 0
    rng = np.random.default_rng(asked.seed)
    for _ in range(SURVEYS):
        answers = _answered(questions, forms, people_of_a_form(asked), primacy, rng)
        tallies, _ = count_answers(answers)
        for tally in tallies:
            (own,) = (item for item in decide(tally, settings) if item.rule is Rule.TWO_THIRDS)
            kept[leads[tally.question.id]].append(own.outcome is Outcome.KEEP)
        (kind,) = order_effects(answers, np.ones(len(answers), dtype=bool), settings).kinds
        if kind["ci_low"] is not None:
            missed += not kind["ci_low"] <= 2 * primacy <= kind["ci_high"]
    first, second = (float(np.mean(kept[lead])) for lead in (True, False))
    return first, second, missed / SURVEYS


def _question(at: int) -> Question:
    options = (
        Option("1", ("A",), Role.TARGET),
        Option("2", ("B",), Role.NON_TARGET),
        Option("none", (), Role.NONE),
    )
    return Question(f"q-{at:03d}", QuestionKind.CHOICE, "Craft", f"They sing {at}", options)


def _answered(
    questions: Sequence[Question],
    forms: Sequence[Form],
    people: int,
    primacy: float,
    rng: np.random.Generator,
) -> Answers:
    """Let people answer the forms: each sees the order that the form shows."""
    place = {item.id: at for at, item in enumerate(questions)}
    parts = list(_of_forms(forms, people, place, primacy, rng))
    respondent, question, option, state, position = (
        np.concatenate([part[at] for part in parts]) for at in range(5)
    )
    return Answers(
        source="simulated",
        questions=tuple(questions),
        respondents=tuple(f"r{at}" for at in range(people * len(forms))),
        respondent=respondent,
        question=question,
        option=option,
        state=state.astype(np.int8),
        position=position.astype(np.int32),
        duration=np.full(len(state), np.nan),
        row=np.arange(2, len(state) + 2),
    )


def _of_forms(
    forms: Sequence[Form],
    people: int,
    place: dict[str, int],
    primacy: float,
    rng: np.random.Generator,
) -> Iterator[tuple[np.ndarray, ...]]:
    for number, form in enumerate(forms):
        who = np.arange(people) + number * people
        for item, order in zip(form.questions, form.orders, strict=True):
            share = SHARE + (primacy if order[0] == 0 else -primacy)
            target = rng.random(people) < share
            for at in range(3):
                chosen = target if at == 0 else ~target if at == 1 else np.zeros(people, dtype=bool)
                yield (
                    who,
                    np.full(people, place[item.id]),
                    np.full(people, at),
                    np.where(chosen, SELECTED, SHOWN),
                    np.full(people, order.index(at) + 1),
                )
