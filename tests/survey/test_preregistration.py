"""What was planned before the survey, and where the survey departs from it."""

import shutil
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from scipy.stats import binom, expon

from curation.files.questionnaire import read_questionnaire
from curation.files.tables import sha256
from curation.files.workspace import Workspace
from curation.records.culture import SurveySettings
from curation.records.messages import CurateError
from survey.bank import PREREGISTRATION
from survey.building.build import build, designs
from survey.building.plan import (
    REGISTERED,
    SurveyPlan,
    needed_of,
    read_preregistration,
    selection_errors,
    validation_errors,
)
from survey.certainty import upper_tail
from survey.filtering import filter
from survey.reporting.data import Report, deviations, from_filter

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
THIRDS = Fraction(2, 3)


def rates(named, threshold):
    errors = validation_errors(named, threshold)
    assert errors is not None
    return errors.wrongly_kept / errors.kept if errors.kept else None, (
        errors.wrongly_dropped / errors.right
    )


def test_how_often_the_rule_errs_is_worked_out_by_hand():
    """Of one respondent the chance is p, of two p squared: integrals that paper can hold."""
    assert rates(1, THIRDS) == pytest.approx((7 / 27, 1 / 6))
    assert rates(2, THIRDS) == pytest.approx((888 / 4536, 8 / 27))
    shares = [Fraction(n, 2000) for n in range(1001, 2000, 2)]
    chances = [upper_tail(needed_of(80, THIRDS), 80, share) for share in shares]
    wrong = [p for p, share in zip(chances, shares, strict=True) if share <= THIRDS]
    right = [p for p, share in zip(chances, shares, strict=True) if share > THIRDS]
    told = sum(wrong) / sum(chances), 1 - sum(right) / len(right)
    assert rates(80, THIRDS) == pytest.approx(told, abs=1e-3)
    assert validation_errors(0, THIRDS) is validation_errors(9, Fraction(1, 3)) is None
    never, _ = rates(3, Fraction(999, 1000))
    assert never == pytest.approx((0.999**4 - 1 / 16) / (15 / 16))


@pytest.mark.parametrize(("groups", "named"), [(3, 12), (10, 80)])
def test_how_often_target_selection_errs(groups, named):
    """By enumeration: groups are alike and independent, so what lacks a role is a power."""
    shares = np.minimum(expon.ppf((np.arange(20_000) + 0.5) / 20_000) * 2.4 / groups, 1)
    roles = [votes_role(k / named * groups) for k in range(named + 1)]
    chance = {}
    true = np.array([votes_role(share * groups) for share in shares])
    for k, role in enumerate(roles):
        found = binom.pmf(k, named, shares)
        for really in ("target", "non_target", ""):
            part = float(found[true == really].sum()) / len(shares)
            chance[role, really] = chance.get((role, really), 0) + part

    def none_of(lost):
        """The chance that no group has one of these roles, counted (0) or true (1)."""
        fits = (p for pair, p in chance.items() if not any(pair[at] == it for at, it in lost))
        return float(sum(fits) ** groups)

    def all_of(*needed):
        """The chance that each of these is there, by inclusion and exclusion."""
        picks = [subset for size in range(len(needed) + 1) for subset in combinations(needed, size)]
        return sum((-1) ** len(pick) * none_of({*pick}) for pick in picks)

    counted, really = ([(at, "target"), (at, "non_target")] for at in (0, 1))
    kept, right, both = all_of(*counted), all_of(*really), all_of(*counted, *really)
    errors = selection_errors(groups, groups, named, SurveySettings())
    assert errors == pytest.approx((kept, kept - both, right, right - both), abs=0.015)


def votes_role(times):
    """Target from 2 uniform shares on, non-target up to a half."""
    return "target" if times >= 2 else "non_target" if times <= 0.5 else ""


def test_people_are_turned_away_when_their_cell_is_full():
    """Ten of which one of each kind is wanted: 10 (1 + 1/2 + ... + 1/10) people come, 29.29."""

    def turned_away(counts, parts):
        form = {"respondents": sum(counts), "cells": counts}
        shares = tuple(Fraction(part, sum(parts)) for part in parts)
        return SurveyPlan(("kind",), tuple((str(at),) for at in parts), shares, (form,)).turned_away

    assert turned_away([1] * 10, [1] * 10) == 19
    assert turned_away([400], [1]) == turned_away([10_000], [1]) == turned_away([], []) == 0
    rng = np.random.default_rng(4)
    came = rng.random((4000, 400)) < 0.25
    last = [np.maximum((row.cumsum() < 5).sum(), ((~row).cumsum() < 15).sum()) + 1 for row in came]
    assert turned_away([5, 15], [1, 3]) == round(float(np.mean(last)) - 20) == 4


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("built") / "demo"
    shutil.copytree(DEMO, folder)
    for path in (folder / "responses").glob("*.csv"):
        path.rename(path.with_suffix(".kept"))
    build(Workspace(folder), formats=["csv"])
    return folder


@pytest.fixture
def planned(built, tmp_path):
    """The demo before anybody answered, with a survey that was built."""
    return shutil.copytree(built, tmp_path / "demo")


def test_what_is_registered_is_what_was_built(planned):
    """The same plan keeps its date; another one replaces it until somebody has answered."""
    path = planned / "responses" / PREREGISTRATION
    found = read_preregistration(path)
    assert (found["respondents"], found["orders"], found["forms"]) == (400, 2, 8)
    assert found["survey"]["stereotype_share"] == "2/3"
    asked = read_questionnaire(planned / "responses/questionnaire.csv", Workspace(planned).book)
    assert found["questions"]["select_all"] == [q.id for q in asked if q.kind == "select_all"]
    assert [*found["files"]] == ["questionnaire.csv", *REGISTERED]
    page = path.read_text("utf-8")
    assert "name the first: 단것을 좋아한다 (노인, not 청년); " in page
    assert "80 respondents of a question named a group, 6.2\u202f% of the stereotypes kept" in page
    before = page.replace(str(found["registered"]), "2026-01-01T00:00:00Z")
    path.write_text(before, "utf-8")
    build(Workspace(planned), formats=["csv"])
    assert path.read_text("utf-8") == before
    build(Workspace(planned), formats=["csv"], respondents_per_question=50)
    assert read_preregistration(path)["respondents_per_question"] == 50
    (planned / "responses" / "responses.kept").rename(planned / "responses" / "responses.csv")
    build(Workspace(planned), formats=["csv"], replace=True)
    assert read_preregistration(path)["respondents_per_question"] == 50


def test_a_plan_says_what_makes_a_target(planned):
    """By the settings: of what a share is one, and who else has to name the group."""
    path = planned / "responses" / PREREGISTRATION
    assert "respondents who name a group, divided by the options" in path.read_text("utf-8")
    culture = planned / "culture.yaml"
    more = "survey:\n  target_share: 1/3\n  equal_share: votes\n"
    culture.write_text(culture.read_text("utf-8").replace("survey:\n", more, 1), "utf-8")
    build(Workspace(planned), formats=["csv"])
    page = path.read_text("utf-8")
    assert "votes of all groups, divided by the options" in page
    assert "at least 1/3 of the respondents who name a group name it" in page
    assert "all stereotypes of validation were spread evenly" in page
    build(Workspace(planned), formats=["csv"], named=["home_region"])
    alone = path.read_text("utf-8")
    assert "How sure" not in alone and "worked out" not in alone


def test_surveys_of_many_sizes_are_compared_before_one_is_built(planned):
    """67 questions in 4 forms, each in two orders; 58 people cost just 194.30."""
    with (planned / "culture.yaml").open("a", encoding="utf-8") as stream:
        stream.write("\nquestionnaire: {price: 0.05, respondents_per_question: 11}\n")
    workspace = Workspace(planned)
    every, findings = designs(workspace, Fraction("194.3"))
    assert findings == ()
    found = {item["respondents_per_question"]: item for item in every}
    assert list(found) == [10, 11, 20, 30, 40, 58, 60, 80, 100, 150, 200]
    sizes = ("forms", "respondents", "for_orders", "cost", "named", "paid")
    assert [found[11][name] for name in sizes] == [8, 48, 4, 67 * Fraction(12, 20), 9, True]
    assert [found[58][name] for name in sizes] == [8, 232, 0, Fraction("194.3"), 46, True]
    assert [found[60][name] for name in sizes] == [8, 240, 0, 201, 48, False]
    choice, select_all = (
        validation_errors(80, THIRDS),
        selection_errors(7, 10, 80, workspace.culture.survey),
    )
    kept, wrong, right, lost = (
        24 * one + 7 * other for one, other in zip(choice, select_all, strict=True)
    )
    told = {
        kind: (it.wrongly_kept / it.kept, it.wrongly_dropped / it.right)
        for kind, it in (("choice", choice), ("select_all", select_all))
    }
    assert found[100]["by_kind"] == {kind: pytest.approx(it) for kind, it in told.items()}
    assert [found[100][name] for name in ("false_keeps", "false_drops", "for_quotas")] == [
        pytest.approx(wrong / kept),
        pytest.approx(lost / right),
        103,
    ]
    assert all(item["paid"] is None for item in designs(workspace)[0])
    assert all(item["paid"] for item in designs(workspace, Fraction(10**9))[0])
    with pytest.raises(CurateError, match=r"with a respondent a question costs 6\.70"):
        designs(workspace, Fraction(1))
    bank = planned / "templates_src" / "bank.csv"
    bank.write_text(bank.read_text("utf-8").replace('[""노인""]', '[""nobody""]'), "utf-8")
    unasked, findings = designs(Workspace(planned), Fraction(200))
    assert (unasked, {item.rule for item in findings}) == ([], {"questionnaire-group-unknown"})


def test_a_plan_needs_no_texts_and_orders_never_save_people(planned, monkeypatch):
    """Ten orders of 67 questions are 4 times 10 forms of one person; one order, 14 forms of 3."""
    with (planned / "culture.yaml").open("a", encoding="utf-8") as stream:
        stream.write("\nquestionnaire: {respondents_per_question: 10, respondents_per_form: 3, ")
        stream.write("orders: 10, per_form: 20, quotas: {faith: {한: 1/2, 둘: 1/2}}}\n")
    with pytest.raises(CurateError, match=r"attributes\.faith missing"):
        build(Workspace(planned), formats=["csv"], dry_run=True)
    monkeypatch.setattr("survey.building.build.RESPONDENTS", (10,))
    (found,), findings = designs(Workspace(planned))
    assert findings == ()
    assert [found[name] for name in ("forms", "respondents", "for_orders")] == [40, 40, 0]


def test_a_report_names_what_was_done_otherwise(planned):
    """Thresholds, exclusions, questions and people, each with what was registered."""
    answers = planned / "responses"
    for name in ("questionnaire", "respondents", "responses"):
        (answers / f"{name}.kept").replace(answers / f"{name}.csv")
    path = answers / PREREGISTRATION
    asked = read_preregistration(path)["files"]["questionnaire.csv"]
    text = path.read_text("utf-8").replace("stereotype_share: 2/3", "stereotype_share: 3/4")
    path.write_text(text, "utf-8")
    filter(Workspace(planned), [answers / "responses.csv"])
    found = from_filter(Workspace(planned))[0].registered
    # occupation-009 was left out of the demo's questionnaire by hand.
    assert (found["expected"], found["held"], found["sha256"]) == (31, 26, sha256(path))
    assert [tuple(it.values()) for it in found["deviations"] if "/" not in it["what"]] == [
        ("stereotype_share", "3/4", "2/3"),
        ("exclude: screened_out", "left out", "nothing in the answers says who"),
        ("exclude: attention", "left out", "nothing in the answers says who"),
        (
            "questionnaire.csv",
            *(f"SHA-256 {it[:12]}..." for it in (asked, sha256(answers / "questionnaire.csv"))),
        ),
        ("questions: choice", "24", "23; not answered: q-occupation-2f137755"),
        ("people who answered", "400", "120"),
    ]
    path.unlink()
    found = from_filter(Workspace(planned))[0].registered
    assert found is None


def test_each_deviation_is_named_once(tmp_path):
    """What was done as registered is not; quotas differ by whole people."""
    for name in ("questionnaire.csv", "forms.csv"):
        (tmp_path / name).write_text("question_id\n")
    digest = "0e9ad2a0e92ac6de6e0e1ae7e4ec4ff1"
    registered = {
        "files": {"questionnaire.csv": digest, "forms.csv": sha256(tmp_path / "forms.csv")},
        "questions": {"choice": ["q-1", "q-2"], "select_all": ["q-9"]},
        "orders": 2,
        "respondents": 9,
        "respondents_per_question": 5,
        "quotas": {"gender": {"f": "1/2", "m": "1/2"}, "age": {"old": "1/3", "young": "2/3"}},
        "survey": {
            "exclude": ["attention"],
            "stereotype_share": "2/3",
            "margins": {"gender": {"f": "0.7", "m": "0.3"}},
        },
    }

    def named(people, fewest, exclude=(), orders=(), **attributes):
        answers = SimpleNamespace(respondents=range(people), attributes=attributes)
        done = Report(
            *(None, SurveySettings(exclude=exclude), None, ()),
            people=SimpleNamespace(answers=answers),
            questionnaire=tmp_path / "questionnaire.csv",
        )
        names = ("question_id", "kind", "respondents")
        asked = [("q-2", "choice", fewest), ("q-3", "choice", 9), ("q-9", "select_all", 9)]
        asked.append(("c-1", "comprehension", 9))
        rows = [dict(zip(names, row, strict=True)) for row in asked]
        vars(done).update(questions=rows, order=SimpleNamespace(questions=orders))
        found = deviations(done, registered, tmp_path)
        return {item["what"]: (item["planned"], item["done"]) for item in found}

    # Of nine one half is four or five of either, one third is three.
    alike = [{"question_id": "q-2", "answers": 4, "orders": 1}]
    ages = ["old"] * 4 + ["young"] * 5
    found = named(9, 4, orders=alike, gender=[*"fffffmmmm"], age=ages)
    settings = SurveySettings.model_fields.keys()
    assert {name: said for name, said in found.items() if name not in settings} == {
        "questionnaire.csv": ("SHA-256 0e9ad2a0e92a...", found["questionnaire.csv"][1]),
        "questions: choice": ("2", "2; not answered: q-1; not registered: q-3"),
        "questions: comprehension": ("0", "1; not registered: c-1"),
        "orders of the options": ("2", "one, of q-2"),
        "people of a question, at least": ("5", "4"),
        "quotas: age": ("old 33.3\u202f%, young 66.7\u202f%", "old 44.4\u202f%, young 55.6\u202f%"),
    }
    assert "stereotype_share" not in found
    assert [found[name] for name in ("exclude", "min_respondents", "margins")] == [
        ("attention", "none"),
        ("not set", "30"),
        ("gender: f: 0.7, m: 0.3", "not set"),
    ]
    found = named(10, 5, ("attention",), gender=[*"ffffmmmm", "", ""])
    assert [name for name in found if "exclude" in name] == ["exclude: attention"]
    assert found["people who answered"] == ("9", "10")
    assert found["quotas: age"][1] == "the answers do not say it"
    assert "quotas: gender" not in found and "orders of the options" not in found


def test_a_preregistration_without_its_data_is_refused(tmp_path):
    """Nothing is compared with half of it."""
    for text in ("# Plan\n", "```yaml\n[a\n```\n", "```yaml\n- a\n```\n"):
        (tmp_path / PREREGISTRATION).write_text(text)
        with pytest.raises(CurateError) as refused:
            read_preregistration(tmp_path / PREREGISTRATION)
        assert refused.value.where == str(tmp_path / PREREGISTRATION)
    assert read_preregistration(tmp_path / "none.md") == {}
