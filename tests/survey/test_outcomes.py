"""What the decisions make of each template."""

import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import survey
from curation.annotation.classify import make_classify_sheets
from curation.annotation.labels import to_classify
from curation.annotation.suggestions import suggest_labels
from curation.annotation.translation.units import units_of
from curation.files.annotations import CLASSIFY_TABLE
from curation.files.outcomes import TemplateOutcome, describe, outcomes
from curation.files.workspace import open_workspace
from curation.records.annotation import Annotation
from curation.records.bank import Label
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError
from curation.records.survey import Decision, Outcome, Rule, Stage, Status, current, drops
from survey.bank import FinalBank
from survey.building.questions import asked_templates
from survey.outcomes import (
    NOT_APPLIED,
    rule_drops,
    status_rows,
    stereotype_funnel,
    template_funnel,
    why,
)
from survey.rules import decide

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
KEEP = Decision("q-1", Stage.SURVEY, Rule.TWO_THIRDS, Outcome.KEEP)
DROP = replace(KEEP, outcome=Outcome.DROP, reason="below", k=64, n=96)
NO_STEREOTYPE = replace(DROP, rule=Rule.NO_STEREOTYPE, reason="above")
MISREAD = Decision(
    "craft-001", Stage.COMPREHENSION, Rule.COMPREHENSION, Outcome.DROP, "below", k=49, n=100
)
REMOVAL = Decision("craft-001", Stage.MANUAL, Rule.REMOVAL, Outcome.DROP, "for phase two")


SAID = [
    (MISREAD, "comprehension drop (below): 49 of 100"),
    (replace(KEEP, reason=""), "two_thirds keep"),
    (
        replace(DROP, value=2 / 3, threshold=2 / 3, ci_low=0.5675, ci_high=0.7529, near=True),
        "two_thirds drop (below): 64 of 96 = 0.667, threshold 0.667, "
        "95 % interval 0.568 to 0.753, borderline",
    ),
    (
        replace(KEEP, rule=Rule.TARGET_SELECTION, k=9, n=20, value=2.25, threshold=2.0),
        "target_selection keep: 9 of 20 = 2.250 uniform shares, threshold 2.000",
    ),
    (
        replace(KEEP, rule=Rule.MIN_RESPONDENTS, n=1, value=1.0, threshold=10.0),
        "min_respondents keep: 1 respondent, at least 10 wanted",
    ),
    (
        replace(DROP, k=0, n=0, threshold=0.5),
        "two_thirds drop (below): 0 of 0",
    ),
]


@pytest.mark.parametrize(("decision", "said"), SAID)
def test_a_decision_is_said_with_its_numbers(decision, said):
    """What is not known of it is left out."""
    assert describe(decision) == said


@pytest.mark.parametrize(
    ("known", "share", "needed"),
    [
        ({"value": 2 / 3, "margin": 0.0, "threshold": 0.666667}, "exactly 2/3", "2/3"),
        ({"value": 0.7, "margin": -0.1, "threshold": 0.8}, "70.0\u202f%", "0.8"),
    ],
)
def test_a_decision_is_said_by_its_own_threshold(known, share, needed):
    """Whatever the settings are now."""
    said = f"{share} of those who named a group named the target; more than {needed} are needed"
    assert why(replace(DROP, **known)) == said


def test_that_nobody_named_a_group_is_said_as_that(make):
    """There is no share of nobody, and no multiple of a uniform share of nothing."""
    settings = SurveySettings(min_respondents=1, target_share=0.5, no_stereotype_limit=1)
    for question in (make.choice(), make.select_all("A", "B")):
        found = drops(decide(make.tally(question, 0, 0, 9), settings))
        assert found and {why(item) for item in found} == {"nobody named a group"}


def test_a_stereotype_stands_where_the_best_of_its_templates_does(make):
    """One is kept of three, one waits of two, and one falls by the rule of the first."""
    names = iter(f"craft-{at:03d}" for at in range(1, 8))
    kept, waits = Status.KEPT, Status.UNDECIDED
    dropped = [(Status.DROPPED, DROP), (Status.DROPPED, MISREAD)]
    found = [
        TemplateOutcome(make.template(next(names), stereotype=text), status, None, (), "", decisive)
        for text, standings in [
            ("They hum", [dropped[0], (waits, None), (kept, None)]),
            ("They sing", [dropped[0], (waits, None)]),
            ("They dance", dropped),
        ]
        for status, decisive in standings
    ]
    (row,) = stereotype_funnel(found)
    assert (row["category"], row["before"], row["undecided"], row["after"], row["manual"]) == (
        "Craft",
        3,
        1,
        2,
        0,
    )
    assert {rule: count for rule, count in row["dropped"].items() if count} == {Rule.TWO_THIRDS: 1}
    assert [cells[5:7] for cells in status_rows(found[:3], {"craft-002"})] == [
        ("dropped", "false"),
        ("undecided", "true"),
        ("kept", "false"),
    ]


def override(outcome, reason="the panel was wrong"):
    return Decision("craft-001", Stage.MANUAL, Rule.OVERRIDE, outcome, reason, by="a curator")


def only(make, ledger, **template):
    found = outcomes([make.template(**template)], [make.choice()], ledger)
    assert len(found) == 1
    return found[0]


def test_one_rule_is_enough_to_drop(make):
    """Of several the first in the rules' order is said, on question and template alike."""
    for ledger, decisive in [
        ([KEEP, NO_STEREOTYPE], NO_STEREOTYPE),
        ([KEEP, MISREAD], MISREAD),
        ([MISREAD, NO_STEREOTYPE, DROP], DROP),
    ]:
        found = only(make, ledger)
        assert (found.status, found.decisive, found.reason) == (
            *(Status.DROPPED, decisive, describe(decisive)),
        )


FEW = replace(DROP, rule=Rule.MIN_RESPONDENTS, reason="below", k=None, n=12, threshold=30.0)


@pytest.mark.parametrize(
    ("ledger", "is_out"),
    [
        ([], False),
        ([KEEP], False),
        ([DROP], True),
        ([NO_STEREOTYPE, MISREAD], True),
        ([DROP, replace(DROP, outcome=Outcome.KEEP)], False),
        ([MISREAD], False),
        ([FEW], False),
        ([FEW, DROP], False),
        ([DROP, replace(FEW, subject="craft-001", stage=Stage.COMPREHENSION)], True),
        ([DROP, override(Outcome.KEEP)], False),
        ([KEEP, override(Outcome.DROP)], True),
        ([REMOVAL], True),
        ([KEEP, REMOVAL], True),
    ],
)
def test_a_template_is_out_of_use_when_its_stereotype_is_dropped(make, ledger, is_out):
    """Not where its wording alone failed, or too few were asked: both can be corrected."""
    assert only(make, ledger).is_out_of_use is is_out


def test_what_is_dropped_is_neither_translated_nor_checked_but_asked_again(tmp_path):
    """One status: every list of the workspace asks it, and each change of the facts changes it."""
    folder = shutil.copytree(DEMO, tmp_path / "demo")
    workspace = open_workspace(folder)
    make_classify_sheets(workspace, ["Mina"])
    said = [("Mina", Label.SIMPLY_TRANSFERRED), ("Jun", Label.TARGET_MODIFIED)]
    differing = [Annotation("age-006", name, label) for name, label in said]
    CLASSIFY_TABLE.write(workspace.annotations.classify, differing)
    before = survey.status(workspace)
    owed = {item["what"]: {*item["items"]} for item in before.owed}
    assert "age-005" in owed["label"] and not before.findings
    assert owed["consensus"] == {"age-006"}
    survey.filter(open_workspace(folder), [folder / "responses" / "responses.csv"])
    workspace = open_workspace(folder)
    dropped = {"age-006", "home_region-006", "hobby-005", "birth_season-006"}
    owed = {item["what"]: {*item["items"]} for item in survey.status(workspace).owed}
    assert "age-005" in owed["label"]
    assert dropped.isdisjoint(set().union(*owed.values()))
    with pytest.raises(CurateError, match="not used, and not classified"):
        suggest_labels(workspace, "rules", ["age-006"])
    removed = {"age-008", "home_region-009", "occupation-008", "hobby-007"}
    assert workspace.not_used == dropped | removed
    (not_understood,) = {
        str(item.template.id) for item in workspace.outcomes if item.status is Status.DROPPED
    } - dropped
    assert not_understood == "hobby-008"
    given = {str(unit.template) for unit in units_of(workspace)[0]}
    assert "hobby-008" in given
    assert dropped.isdisjoint(given)
    handed = {str(item.id) for item in to_classify(workspace)}
    assert dropped.isdisjoint(handed)
    assert {"hobby-008", *removed} <= handed
    assert owed["label"] == handed
    asked = asked_templates(workspace.bank.templates(), workspace.decisions, workspace.culture)
    assert dropped < {str(item.id) for item in asked}
    survey.override(workspace, ["hobby-005"], keep=True, reason="seen often", by="Mina")
    bank = workspace.bank_file.read_text(encoding="utf-8")
    said = "\uc544\uce68 \uc77c\ucc0d \uc7a5\uc744 \ubcf8\ub2e4"  # the stereotype of age-006
    assert said in bank
    workspace.bank_file.write_text(bank.replace(said, f"{said}!"), encoding="utf-8")
    workspace.refresh()
    assert workspace.not_used == (dropped - {"hobby-005", "age-006"}) | removed
    manifest = workspace.exports_folder / "filter" / "manifest.json"
    for is_gone in (False, True):
        owed = {item["what"]: item["items"] for item in survey.status(open_workspace(folder)).owed}
        assert (workspace.shown(manifest) in owed["filter"]) is is_gone
        manifest.unlink(missing_ok=True)


def test_a_template_labelled_sr_is_out_before_the_survey(make):
    """No decision, not even a person's, brings it back: its label would have to change."""
    found = only(make, [KEEP, override(Outcome.KEEP)], label=Label.SAMPLE_REMOVED)
    assert (found.status, found.decisive) == (Status.REMOVED, None)


@pytest.mark.parametrize(
    ("outcome", "status"),
    [(Outcome.KEEP, Status.KEPT), (Outcome.DROP, Status.DROPPED), (Outcome.MODIFY, Status.KEPT)],
)
@pytest.mark.parametrize("survey", [[KEEP], [DROP, MISREAD], []])
def test_a_person_overrules_the_survey(make, survey, outcome, status):
    """An override decides whatever the rules say, and gives its reason."""
    found = only(make, [*survey, override(outcome)])
    assert (found.status, found.reason) == (status, "the panel was wrong")
    assert found.decisive == override(outcome)
    (row,) = template_funnel([found])
    assert (row["manual"], row["after"]) == ((1, 0) if status is Status.DROPPED else (0, 1))


def test_what_was_set_aside_before_the_survey_is_no_drop_of_it(make):
    """The survey never asked about it; set aside afterwards, it is a person's decision on it."""
    for ledger, status, counted in [
        ([REMOVAL, KEEP], Status.SET_ASIDE, 0),
        ([KEEP, REMOVAL], Status.DROPPED, 1),
        ([REMOVAL], Status.SET_ASIDE, 0),
    ]:
        found = only(make, ledger)
        assert (found.status, found.reason) == (status, "set aside: for phase two")
        for funnel in (template_funnel([found]), stereotype_funnel([found])):
            assert sum(row["before"] for row in funnel) == counted
            assert sum(row["manual"] for row in funnel) == counted
            assert sum(row["after"] for row in funnel) == 0


def test_the_parts_that_the_rules_drop_are_those_of_the_paper(make):
    """7 of 84 and 25 of 184 alone are 8.3 and 13.6 %, as in KoBBQ; 8 of all are 3.0 %."""
    rules = {Rule.TARGET_SELECTION: 7, Rule.TWO_THIRDS: 25}
    tallies, templates, ledger = [make.tally(make.comprehension("craft-060"), 6, 3, 1)], [], []

    def decide(name, rule, *, falls):
        outcome = Outcome.DROP if falls else Outcome.KEEP
        ledger.append(Decision(name, Stage.SURVEY, rule, outcome))

    for at in range(84):
        own = make.select_all("A", "B", "C", id=f"s-{at}", stereotype=f"They hum {at}")
        tallies.append(make.tally(own, 5, 3, 1, 1, respondents=10))
        decide(own.id, Rule.TARGET_SELECTION, falls=at < rules[Rule.TARGET_SELECTION])
        decide(own.id, Rule.NO_STEREOTYPE, falls=False)
        ledger.append(replace(ledger[-1], rule=Rule.TARGET_SHARE, reason=NOT_APPLIED))
    for at in range(184):
        own = make.choice(id=f"q-{at}", stereotype=f"They sing {at}")
        tallies.append(make.tally(own, 5, 3, 2))
        # Two fall by both rules, and six by the other alone.
        decide(own.id, Rule.TWO_THIRDS, falls=at < rules[Rule.TWO_THIRDS] + 2)
        decide(own.id, Rule.NO_STEREOTYPE, falls=25 <= at < 33)
        if at < 60:
            number = f"craft-{at + 1:03d}"
            templates.append(make.template(number, stereotype=own.stereotype))
    decide("craft-060", Rule.COMPREHENSION, falls=True)
    ledger.append(replace(override(Outcome.DROP), subject="craft-060"))
    asked = [tally.question for tally in tallies]
    found = outcomes(templates, asked, ledger)
    rows = {(row["kind"], row["rule"]): row for row in rule_drops(tallies, found, current(ledger))}
    applied = {decision.rule for decision in ledger} - {Rule.OVERRIDE, Rule.TARGET_SHARE}
    assert {rule for _, rule in rows} == applied
    # The template that a person drops is not counted; 27 of the others are linked to what falls.
    for of, counts in (
        (("select_all", Rule.TARGET_SELECTION), [84, 7, 7, 0, 0, 7 / 84, 7 / 84, None]),
        (("choice", Rule.TWO_THIRDS), [184, 27, 25, 59, 27, 27 / 184, 25 / 184, 27 / 59]),
        (("comprehension", Rule.COMPREHENSION), [1, 1, 1, 0, 0, 1, 1, None]),
    ):
        assert [*rows[of].values()][2:] == counts
    whole = rows["", Rule.NO_STEREOTYPE]
    assert [*whole.values()][2:5] == [268, 8, 6] and round(100 * whole["share"], 1) == 3.0


def test_templates_whose_comprehension_nobody_was_asked_are_named(make):
    """Of those kept; none where there is no survey."""
    found = [only(make, [KEEP])]
    asked, nobody = (make.tally(make.comprehension(), 0, votes, 0) for votes in (9, 0))
    final = FinalBank(tuple(found), (), (), (), (), (), (nobody,))

    def untested(*tallies):
        return replace(final, tallies=tallies).untested

    assert untested() == untested(asked) == ()
    assert untested(nobody) == untested(make.tally(make.choice(), 5, 2, 1)) == ("craft-001",)
    other = replace(found[0], template=make.template("craft-002"))
    asked = replace(asked, question=make.comprehension("craft-002"))
    both = replace(final, outcomes=(*found, other), tallies=(asked,))
    assert final.unasked().message.endswith("whether the 1 template kept is understood")
    assert both.unasked().message.endswith("of 1 of 2 templates kept: craft-001")
