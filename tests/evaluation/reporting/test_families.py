"""Scores of stories and occupations, read back for the report."""

import pytest

from curation.files.workspace import Workspace
from curation.records.messages import CurateError
from curation.report.page import markdown
from evaluation.reporting.report import report
from evaluation.reporting.sections import page_of
from evaluation.reporting.words import (
    OCCUPATION_COLUMNS,
    STORY_COLUMNS,
    read_occupations,
    read_stories,
)
from evaluation.stories.scores import SCORE_COLUMNS as WRITTEN

STORIES = "model,group_by,group,n,uu,bc,bb,bu,cu,cc,ntr_gen,bias_gen"
OCCUPATIONS = "model,task,M_B,M_R,M_S,out_of_choice"


def write(folder, header, *rows):
    path = folder / "scores.csv"
    path.write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")
    return path


def test_stories_are_read_overall_and_by_category(tmp_path):
    """Other groupings are passed over; what the file lacks is undefined; names are as written."""
    path = write(
        tmp_path,
        STORIES,
        "'=m,overall,,10,0.2,0.3,0.1,0.2,0.1,0.1,0.5,0.05",
        "'=m,category,Age,10,0.2,0.3,0.1,0.2,0.1,0.1,0.5,",
        "'=m,template,age-001,10,0.2,0.3,0.1,0.2,0.1,0.1,0.5,0.05",
    )
    found = read_stories(path)
    assert {row["model"] for row in found} == {"=m"}
    assert [(row["group_by"], row["group"], row["bias_gen"]) for row in found] == [
        ("overall", "", 0.05),
        ("category", "Age", None),
    ]
    assert all(tuple(row) == STORY_COLUMNS for row in found)
    assert found[0]["ntr_gen_low"] is None


def test_the_columns_are_those_that_scores_are_written_with():
    """So that what one command writes the other reads."""
    assert set(STORY_COLUMNS) <= set(WRITTEN)


def test_occupations_are_read_by_task(tmp_path):
    """An empty cell is undefined."""
    path = write(tmp_path, OCCUPATIONS, "m,gender,0.5,0.1,2.1,3", "m,age,0,1,,0")
    first, second = read_occupations(path)
    assert tuple(first) == OCCUPATION_COLUMNS
    assert (first["task"], first["M_B"], first["M_S"], first["out_of_choice"]) == (
        *("gender", 0.5, 2.1, 3.0),
    )
    assert (second["M_R"], second["M_S"]) == (1.0, None)


def test_stories_and_occupations_alone_make_a_report(asked, tmp_path):
    """With a verdict of their own, and nothing of questions; of neither there is none."""
    found = report(
        Workspace(asked.root),
        stories=asked.root / "stories.csv",
        occupations=asked.root / "occupations.csv",
        out=tmp_path / "out",
    )
    text = markdown(page_of(found.report))
    titles = [line[3:] for line in text.splitlines() if line.startswith("## ")]
    assert titles[:4] == ["Stories", "Occupations", "Rankings across measures", "Method"]
    assert "In stories all 3 models lean towards the stereotype (there is no interval)." in text
    assert "differently than chance explains by 2 of 3 models (M\\_B" in text
    assert "diff-bias" not in text.split("## What this data")[0].lower().split("## rankings")[0]
    assert {"pictures/neutrality_and_bias.svg", "pictures/occupations.svg"} < {*found.files}
    assert "scores.csv" not in found.files
    with pytest.raises(CurateError, match="no scores"):
        report(Workspace(asked.root), out=tmp_path / "none")
