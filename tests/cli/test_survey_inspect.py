"""`curate survey inspect`."""

import json

import pytest
from click.testing import CliRunner

from curation.cli.main import cli
from survey.building.tables import write_questionnaire
from survey.mapping import load_mapping
from survey.readers.received import read_survey
from tests.survey.readers.platforms import put
from tests.survey.readers.population import QUESTIONS, people
from tests.survey.readers.test_one_population import SHAPES

BY_NAME = {shape.name: shape for shape in SHAPES}
SETTINGS = 'culture: X\nlanguage: ko\nunknown: "알 수 없음"\ncategories: [{id: Age}]\n'


@pytest.fixture
def workspace(tmp_path):
    """A workspace with a questionnaire."""
    (tmp_path / "culture.yaml").write_text(SETTINGS, encoding="utf-8")
    write_questionnaire(tmp_path / "responses" / "questionnaire.csv", QUESTIONS)
    return tmp_path


def write(workspace, name):
    """Write a file of a shape."""
    path = workspace / BY_NAME[name].file
    BY_NAME[name].write(path, people())
    return path


def inspect(workspace, path, *args):
    """Run the command."""
    command = ["survey", "inspect", str(path), "-w", str(workspace), *args]
    return CliRunner().invoke(cli, command)


def test_it_says_what_the_file_is_and_why(workspace):
    """Platform, reasons, encoding, delimiter, header rows, columns, and what a draft reads."""
    path = write(workspace, "qualtrics-text")
    result = inspect(workspace, path)
    assert result.exit_code == 0
    lines = result.output.splitlines()
    assert lines[:5] == [
        f"{path}: qualtrics",
        "  because row 3 holds the ImportIds of 47 columns",
        "  encoding utf-8: all of it is UTF-8",
        "  delimiter comma: every row looked at has 47 cells",
        "  3 header rows, 40 records",
    ]
    assert "1 column: may identify a person: not shown, not read" in lines
    assert "192.0.2.1" not in result.output
    said = "With this draft the file has 40 respondents and 840 answers; 0 rows left out."
    assert said in lines
    assert lines[-1] == f"Wrote the draft {workspace / 'responses' / 'mapping.yaml'}."


def test_the_draft_reads_the_file_and_holds_what_was_seen_as_comments(workspace):
    """Every column with a sample, except for those that are personal."""
    path = write(workspace, "qualtrics-text")
    inspect(workspace, path)
    target = workspace / "responses" / "mapping.yaml"
    text = target.read_text("utf-8")
    assert text.startswith("# Draft of how export.csv is read.")
    assert "#   Q2: q-age-00000002 by stereotype: 청소년 | 노인 | -99" in text
    assert "192.0.2.1" not in text
    received = read_survey(path, load_mapping(target), QUESTIONS, "ko")
    assert len(received.answers.respondents) == 40


def test_a_mapping_that_is_there_is_left(workspace):
    """A person has worked on it; --replace writes over it, --out beside it."""
    path = write(workspace, "google-forms")
    target = workspace / "responses" / "mapping.yaml"
    target.write_text("mine", encoding="utf-8")
    result = inspect(workspace, path)
    assert result.exit_code == 0
    assert "exists already and was not changed" in result.output
    assert target.read_text("utf-8") == "mine"
    result = inspect(workspace, path, "--out", str(target))
    assert isinstance(result.exception, Exception)
    assert target.read_text("utf-8") == "mine"
    other = workspace / "other.yaml"
    assert inspect(workspace, path, "--out", str(other)).exit_code == 0
    assert load_mapping(other).preset == "google_forms"
    assert inspect(workspace, path, "--replace").exit_code == 0
    assert load_mapping(target).preset == "google_forms"


def test_json_is_one_object_and_nothing_else(workspace):
    """With all columns, the draft and what reading by it gives."""
    path = write(workspace, "panel-xlsx")
    result = inspect(workspace, path, "--json")
    found = json.loads(result.stdout)
    assert (found["preset"], found["sheet"], found["records"]) == ("panel", "Data", 40)
    assert found["columns"][1] == {
        "column": "Q1_1",
        "role": "answer",
        "question_id": "q-age-00000001",
        "option": "1",
        "how": "stereotype",
        "filled": 37,
        "distinct": 2,
        "sample": ["1", "0"],
    }
    assert found["trial"]["problem"] is None
    assert found["trial"]["respondents"] == 40
    assert found["mapping"]["preset"] == "panel"
    assert found["written"] == str(workspace / "responses" / "mapping.yaml")


def test_a_draft_that_does_not_read_the_file_yet_gives_status_1(workspace):
    """What is left to do is listed, and what reading by it would say."""
    path = workspace / "a.csv"
    put(path, [["respondent_id", QUESTIONS[1].id], ["a", "1"], ["b", "3"]])
    result = inspect(workspace, path)
    assert result.exit_code == 1
    assert "To do:" in result.output
    assert "write an option's code where the draft has '?'" in result.output
    assert "With this draft the file cannot be read yet" in result.output
    assert "# TO DO: question q-age-00000002" in (
        workspace / "responses" / "mapping.yaml"
    ).read_text("utf-8")


def test_what_cannot_be_told_can_be_stated(workspace):
    """Encoding, delimiter and sheet."""
    path = workspace / "a.csv"
    path.write_bytes(f"id:{QUESTIONS[1].id}\na:노인\n".encode("cp949"))
    assert inspect(workspace, path).exit_code == 1
    result = inspect(workspace, path, "--delimiter", ":", "--encoding", "cp949")
    assert result.exit_code == 0
    book = write(workspace, "panel-xlsx")
    result = inspect(workspace, book, "--sheet", "코드북", "--replace")
    assert "sheet '코드북' of Data, 코드북" in result.output


def test_many_columns_are_not_all_shown(workspace):
    """--json holds them."""
    path = workspace / "a.csv"
    names = [f"x{at}" for at in range(60)]
    put(path, [["respondent_id", *names], ["a", *names]])
    result = inspect(workspace, path)
    assert "  ... and 40 more (see --json)" in result.output


def test_without_a_questionnaire_it_says_how_to_get_one(workspace):
    """There is nothing to match the columns with."""
    path = write(workspace, "google-forms")
    (workspace / "responses" / "questionnaire.csv").unlink()
    result = inspect(workspace, path)
    assert result.exit_code == 1
    assert "curate survey build" in str(result.exception)
