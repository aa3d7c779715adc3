"""The survey in the page: votes, thresholds, and what its rules need to be applied again."""

import shutil
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from curation.files.workspace import Workspace
from exports.browse.chunks import read_chunk
from exports.browse.questions import standing_code
from exports.browse.writing import write_browse
from survey import filter, override
from survey.bank import final_bank

DEMO = Path(__file__).parents[3] / "templates_src" / "demo"


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Workspace:
    """The demo after its survey, with a page."""
    folder = tmp_path_factory.mktemp("questions") / "demo"
    shutil.copytree(DEMO, folder)
    workspace = Workspace(folder)
    filter(workspace, [folder / "responses" / "responses.csv"])
    override(workspace, ["hobby-001"], keep=False, reason="it is about dogs", by="Mina")
    write_browse(workspace)
    return workspace


def chunk(workspace: Workspace, name: str) -> Any:
    """A chunk of the page."""
    return read_chunk(workspace.exports_folder / "browse" / "data" / f"{name}.js")


def test_a_question_has_its_votes_and_its_decisions(workspace: Workspace) -> None:
    """As whole numbers, with the sentence of each decision."""
    survey, index = chunk(workspace, "survey"), chunk(workspace, "index")
    assert index["counts"]["questions"] == len(survey["questions"]) == 66
    first = survey["questions"][0]
    assert (first["id"], first["kind"], first["respondents"]) == ("q-age-cfb6de20", "choice", 120)
    assert (first["none"], first["named"], first["templates"]) == (18, 102, [0, 1])
    votes = [(option["role"], option["votes"]) for option in first["options"]]
    assert votes == [("target", 84), ("non_target", 18), ("none", 18)]
    decided = [(item["rule"], item["k"], item["n"], item["outcome"]) for item in first["decisions"]]
    assert decided == [
        ("min_respondents", None, 120, "keep"),
        ("two_thirds", 84, 102, "keep"),
        ("no_stereotype", 18, 120, "keep"),
    ]
    assert first["decisions"][1]["sentence"].startswith("two_thirds keep: 84 of 102 = 0.824")
    assert (first["outcome"], first["reasons"], first["near"]) == ("kept", [], False)
    dropped = [item for item in survey["questions"] if item["outcome"] == "excluded"]
    assert {reason for item in dropped for reason in item["reasons"]} >= {"two_thirds"}


def test_thresholds_are_fractions_with_what_is_decided_and_published(workspace: Workspace) -> None:
    """Two thirds is no decimal; a rule that the survey does not have is no slider."""
    found = {item["setting"]: item for item in chunk(workspace, "survey")["thresholds"]}
    assert set(found) == {
        *("target_multiple", "non_target_multiple", "stereotype_share"),
        *("no_stereotype_limit", "comprehension_share", "min_respondents"),
    }
    share = found["stereotype_share"]
    assert (share["rule"], share["compare"]) == ("two_thirds", ">")
    assert (share["ours"], share["published"]) == ("2/3", "2/3")
    assert "2/3" in share["values"]
    assert found["min_respondents"]["published"] is None
    for item in found.values():
        values = [Fraction(text) for text in item["values"]]
        assert values == sorted(set(values))
        assert Fraction(item["ours"]) in values
    rules = chunk(workspace, "index")["rules"]
    assert {"rule": "two_thirds", "setting": "stereotype_share", "value": "2/3"} in rules


def test_samples_stand_beside_the_groups_that_the_survey_would_find(workspace: Workspace) -> None:
    """As decided they are those of the index; what a person decided is fixed."""
    survey, index = chunk(workspace, "survey"), chunk(workspace, "index")
    columns = index["templates"]["columns"]
    rows = [dict(zip(columns, row, strict=True)) for row in index["templates"]["rows"]]
    questions = {item["id"]: item for item in survey["questions"]}
    tallies = {tally.question.id: tally for tally in final_bank(workspace).tallies}
    by_groups = 0
    for row, item in zip(rows, survey["templates"], strict=True):
        counts = item["samples"]
        if isinstance(counts, dict):
            by_groups += 1
            code = standing_code(tallies[item["question"]], workspace.culture.survey)
            assert len(code) == len(questions[item["question"]]["options"]) - 1
            counts = counts.get(code, counts[""])
        if row["status"] != "excluded":
            assert counts == row["samples"], row["id"]
    assert by_groups == 8
    fixed = {row["id"]: item["fixed"] for row, item in zip(rows, survey["templates"], strict=True)}
    assert {name for name, status in fixed.items() if status} == {
        *("age-008", "home_region-009", "occupation-008", "hobby-007", "hobby-001"),
    }
