"""A group gets another name: the whole way is the same but for what is shown."""

import csv
import shutil
from pathlib import Path

import pytest

import exports
import survey
from curation.files.workspace import Workspace
from curation.records.survey import Role
from survey.questionnaire import read_questionnaire

DEMO = Path(__file__).parents[2] / "templates_src" / "demo"
OLD, NEW = "노인", "어르신"


def the_way(folder: Path, *, renamed: bool, keys: bool = True) -> Path:
    """From the demo's templates to samples, asked by the options' texts; give the workspace."""
    shutil.copytree(DEMO, folder)
    groups = folder / "templates_src" / "groups.csv"
    with groups.open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    for row in rows:
        row["group"] = NEW if renamed and row["group"] == OLD else row["group"]
    columns = [name for name in rows[0] if keys or name != "key"]
    with groups.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    shutil.rmtree(folder / "responses")
    (folder / "decisions.csv").unlink(missing_ok=True)
    workspace = Workspace(folder)
    survey.build(workspace, formats=())
    answers = folder / "answers.csv"
    with answers.open("w", encoding="utf-8", newline="") as stream:
        table = csv.writer(stream, lineterminator="\n")
        table.writerow(["respondent", "question", "answer"])
        for question in read_questionnaire(workspace.questionnaire_file, workspace.book):
            told = [option for option in question.options if option.role is not Role.NONE]
            right = next((item for item in told if item.role is Role.CORRECT), told[0])
            for at in range(40):
                chosen = told[at % len(told)] if at % 4 == 0 else right
                table.writerow([f"r{at}", question.id, chosen.text or chosen.label])
    survey.filter(workspace, [answers])
    exports.samples(workspace)
    return folder


def texts(folder: Path) -> dict[str, str]:
    """What stands in each table of a workspace, the new name put back."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8").replace(NEW, OLD)
        for path in sorted(folder.rglob("*.csv"))
        if path.name != "groups.csv"
    }


def column(path: Path, name: str) -> set[str]:
    """What stands in a column of a table."""
    with path.open(encoding="utf-8", newline="") as stream:
        return {row[name] for row in csv.DictReader(stream)}


def test_the_whole_way_is_the_same_but_for_the_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Files hold the key: bank, questionnaire, counts; samples and targets show the name."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    plain = the_way(tmp_path / "plain", renamed=False)
    named = the_way(tmp_path / "named", renamed=True)
    assert texts(named) == texts(plain)
    assert len(texts(named)) > 10
    for name, where in (
        ("responses/questionnaire.csv", "group"),
        ("responses/tallies.csv", "group"),
        ("responses/targets.csv", "key"),
        ("templates_src/bank.csv", "n1_groups"),
    ):
        assert column(named / name, where) == column(plain / name, where)
    for name, where in (
        ("responses/targets.csv", "group"),
        ("exports/samples/samples.csv", "n1_group"),
    ):
        assert {NEW} <= column(named / name, where)
        assert OLD not in column(named / name, where)
    # After the survey the other name is shown at once, and decisions hold.
    groups = plain / "templates_src" / "groups.csv"
    text = groups.read_text(encoding="utf-8")
    groups.write_text(text.replace(f",{OLD},{OLD},", f",{OLD},{NEW},"), encoding="utf-8")
    first, after = (survey.final_bank(Workspace(folder)) for folder in (named, plain))
    assert after.templates == first.templates
    assert [item.status for item in after.outcomes] == [item.status for item in first.outcomes]


def test_without_a_key_the_name_is_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table written by hand gives the same to the byte."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1767225600")
    with_keys = the_way(tmp_path / "with", renamed=False)
    without = the_way(tmp_path / "without", renamed=False, keys=False)
    assert texts(without) == texts(with_keys)
