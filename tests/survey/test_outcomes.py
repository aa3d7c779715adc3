"""What the decisions make of each template."""

from dataclasses import replace
from typing import Any

import pytest

from curation.records.bank import Label
from curation.records.survey import Decision, Outcome, Rule, Stage, current
from survey.outcomes import (
    STATUS_COLUMNS,
    Status,
    TemplateOutcome,
    describe,
    outcomes,
    rule_drops,
    status_rows,
    stereotype_funnel,
    template_funnel,
)

KEEP = Decision("q-1", Stage.SURVEY, Rule.TWO_THIRDS, Outcome.KEEP)
DROP = replace(KEEP, outcome=Outcome.DROP, reason="below", k=64, n=96)
NO_STEREOTYPE = replace(DROP, rule=Rule.NO_STEREOTYPE, reason="above")
MISREAD = Decision(
    "craft-001", Stage.COMPREHENSION, Rule.COMPREHENSION, Outcome.DROP, "below", k=49, n=100
)
REMOVAL = Decision("craft-001", Stage.MANUAL, Rule.REMOVAL, Outcome.DROP, "for phase two")


def override(outcome: Outcome, reason: str = "the panel was wrong") -> Decision:
    """A decision by a person on the template."""
    return Decision("craft-001", Stage.MANUAL, Rule.OVERRIDE, outcome, reason, by="a curator")


def only(make: Any, ledger: list[Decision], **template: Any) -> TemplateOutcome:
    """The outcome of one template with one surveyed question."""
    found = outcomes([make.template(**template)], [make.choice()], ledger)
    assert len(found) == 1
    return found[0]


def test_a_template_that_no_rule_drops_is_kept(make: Any) -> None:
    """Its question and the decisions on both are with it."""
    understood = replace(MISREAD, outcome=Outcome.KEEP, reason="")
    found = only(make, [KEEP, understood])
    assert (found.status, found.question, found.decisive) == (Status.KEPT, make.choice(), None)
    assert found.decisions == (KEEP, understood)


def test_decisions_stand_in_the_order_of_the_stages(make: Any) -> None:
    """The annotators' label comes before the survey, and a person's word comes last."""
    label = Decision("craft-001", Stage.CLASSIFY, Rule.CONSENSUS, Outcome.KEEP)
    person = override(Outcome.KEEP)
    assert only(make, [KEEP, person, label]).decisions == (label, KEEP, person)


@pytest.mark.parametrize(
    ("ledger", "decisive"),
    [
        ([KEEP, NO_STEREOTYPE], NO_STEREOTYPE),
        ([KEEP, MISREAD], MISREAD),
        ([MISREAD, NO_STEREOTYPE, DROP], DROP),
    ],
)
def test_one_rule_is_enough_to_drop(make: Any, ledger: list[Decision], decisive: Decision) -> None:
    """Of several the first in the rules' order is said, on question and template alike."""
    found = only(make, ledger)
    assert (found.status, found.decisive, found.reason) == (
        *(Status.DROPPED, decisive, describe(decisive)),
    )


def test_the_latest_decision_counts(make: Any) -> None:
    """What was dropped and then kept is kept."""
    assert only(make, [DROP, KEEP]).status is Status.KEPT
    assert only(make, [KEEP, DROP]).status is Status.DROPPED


def test_what_the_survey_does_not_hold_is_undecided(make: Any) -> None:
    """It is never dropped for it, and the reason is said."""
    found = only(make, [DROP], target=["Weavers"])
    assert (found.status, found.question) == (Status.UNDECIDED, None)
    assert found.reason == "its stereotype was asked about other groups"
    assert found.decisions == ()


def test_a_question_that_nobody_answered_leaves_its_templates_undecided(make: Any) -> None:
    """There is no decision on it, so that nothing is decided."""
    found = only(make, [])
    assert found.status is Status.UNDECIDED
    assert found.reason == "no answer to its question is counted"


def test_a_template_that_nobody_understood_falls_without_a_question(make: Any) -> None:
    """Comprehension rules on the template itself."""
    assert only(make, [MISREAD], target=["Weavers"]).decisive == MISREAD


def test_a_template_labelled_sr_is_out_before_the_survey(make: Any) -> None:
    """No decision, not even a person's, brings it back: its label would have to change."""
    found = only(make, [KEEP, override(Outcome.KEEP)], label=Label.SAMPLE_REMOVED)
    assert (found.status, found.decisive) == (Status.REMOVED, None)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [
        (Outcome.KEEP, Status.KEPT),
        (Outcome.DROP, Status.DROPPED),
        (Outcome.MODIFY, Status.KEPT),
    ],
)
@pytest.mark.parametrize("survey", [[KEEP], [DROP, MISREAD], []])
def test_a_person_overrules_the_survey(
    make: Any, survey: list[Decision], outcome: Outcome, status: Status
) -> None:
    """An override decides whatever the rules say, and gives its reason."""
    found = only(make, [*survey, override(outcome)])
    assert (found.status, found.reason) == (status, "the panel was wrong")
    assert found.decisive == override(outcome)


@pytest.mark.parametrize(
    ("ledger", "status", "counted"),
    [
        ([REMOVAL, KEEP], Status.SET_ASIDE, 0),
        ([KEEP, REMOVAL], Status.DROPPED, 1),
        ([REMOVAL], Status.SET_ASIDE, 0),
    ],
)
def test_what_was_set_aside_before_the_survey_is_no_drop_of_it(
    make: Any, ledger: list[Decision], status: Status, counted: int
) -> None:
    """The survey never asked about it; set aside afterwards, it is a person's decision on it."""
    found = only(make, ledger)
    assert (found.status, found.reason) == (status, "set aside: for phase two")
    for funnel in (template_funnel([found]), stereotype_funnel([found])):
        assert sum(row.before for row in funnel) == counted
        assert sum(row.manual for row in funnel) == counted
        assert sum(row.after for row in funnel) == 0


def test_modified_groups_are_no_reason_to_drop(make: Any) -> None:
    """A template that got its groups from the survey is kept."""
    modified = Decision("craft-001", Stage.SURVEY, Rule.TARGET_SELECTION, Outcome.MODIFY)
    assert only(make, [KEEP, modified]).status is Status.KEPT


def test_where_every_template_stands_is_a_table(make: Any) -> None:
    """One row a template, with its question and what is decided."""
    templates = [
        make.template(),
        make.template("craft-002", label=None),
        make.template("craft-003", ["Weavers"]),
    ]
    found = outcomes(templates, [make.choice()], [KEEP])
    rows = [
        dict(zip(STATUS_COLUMNS, row, strict=True)) for row in status_rows(found, {"craft-002"})
    ]
    assert rows[0] == {
        "template_id": "craft-001",
        "category": "Craft",
        "label": "ST",
        "stereotype": "They hum at work",
        "question_id": "q-1",
        "status": "kept",
        "modified": "false",
        "reason": "no rule drops it",
    }
    assert [(row["label"], row["modified"], row["question_id"]) for row in rows[1:]] == [
        ("", "true", "q-1"),
        ("ST", "false", ""),
    ]


@pytest.mark.parametrize(
    ("decision", "text"),
    [
        (
            replace(
                *(DROP,),
                value=0.666667,
                threshold=0.666667,
                margin=0.0,
                ci_low=0.568,
                ci_high=0.753,
                near=True,
            ),
            "two_thirds drop (below): 64 of 96 = 0.667, threshold 0.667, "
            "95 % interval 0.568 to 0.753, borderline",
        ),
        (
            replace(DROP, k=0, n=0, threshold=0.666667),
            "two_thirds drop (below): 0 of 0",
        ),
        (
            Decision(
                *("q-1", Stage.SURVEY, Rule.MIN_RESPONDENTS, Outcome.DROP, "too_few"),
                n=9,
                value=9.0,
                threshold=30.0,
            ),
            "min_respondents drop (too_few): 9 respondents, at least 30 wanted",
        ),
        (
            Decision(
                *("q-1", Stage.SURVEY, Rule.TARGET_SELECTION, Outcome.KEEP),
                k=28,
                n=120,
                value=2.0,
                threshold=2.0,
            ),
            "target_selection keep: 28 of 120 = 2.000 uniform shares, threshold 2.000",
        ),
        (override(Outcome.KEEP), "override keep (the panel was wrong)"),
    ],
)
def test_a_decision_is_said_with_its_figures_in_one_line(decision: Decision, text: str) -> None:
    """Figures that are undefined are left out."""
    assert describe(decision) == text


def test_the_parts_that_the_rules_drop_are_those_of_the_paper(make: Any) -> None:
    """7 of 84 and 25 of 184 alone are 8.3 and 13.6 %, as in KoBBQ; 8 of all are 3.0 %."""
    rules = {Rule.TARGET_SELECTION: 7, Rule.TWO_THIRDS: 25}
    tallies, templates, ledger = [], [], []

    def decide(name: str, rule: Rule, *, falls: bool) -> None:
        outcome = Outcome.DROP if falls else Outcome.KEEP
        ledger.append(Decision(name, Stage.SURVEY, rule, outcome))

    for at in range(84):
        own = make.select_all("A", "B", "C", id=f"s-{at}", stereotype=f"They hum {at}")
        tallies.append(make.tally(own, 5, 3, 1, 1, respondents=10))
        decide(own.id, Rule.TARGET_SELECTION, falls=at < rules[Rule.TARGET_SELECTION])
        decide(own.id, Rule.NO_STEREOTYPE, falls=False)
    for at in range(184):
        own = make.choice(id=f"q-{at}", stereotype=f"They sing {at}")
        tallies.append(make.tally(own, 5, 3, 2))
        # Two fall by both rules, and six by the other alone.
        decide(own.id, Rule.TWO_THIRDS, falls=at < rules[Rule.TWO_THIRDS] + 2)
        decide(own.id, Rule.NO_STEREOTYPE, falls=25 <= at < 33)
        if at < 60:
            number = f"craft-{at + 1:03d}"
            templates.append(make.template(number, stereotype=own.stereotype))
    ledger.append(replace(override(Outcome.KEEP), subject="craft-060"))
    asked = [tally.question for tally in tallies]
    found = outcomes(templates, asked, ledger)
    rows = {(row.kind, row.rule): row for row in rule_drops(tallies, found, current(ledger))}
    selection = rows["select_all", Rule.TARGET_SELECTION]
    assert (selection.dropped, selection.questions, round(100 * selection.share, 1)) == (7, 84, 8.3)
    assert (selection.templates, selection.templates_share) == (0, None)
    thirds = rows["choice", Rule.TWO_THIRDS]
    assert (thirds.dropped, thirds.alone, round(100 * thirds.alone_share, 1)) == (27, 25, 13.6)
    # The template that a person keeps is not counted; 27 of the others are linked to what falls.
    assert (thirds.templates_dropped, thirds.templates) == (27, 59)
    whole = rows["", Rule.NO_STEREOTYPE]
    assert (whole.dropped, whole.alone, whole.questions) == (8, 6, 268)
    assert round(100 * whole.share, 1) == 3.0
