"""Golden pairs: a file of each platform, its mapping, and its normal form beside it.

Adding a shape is adding `shapes/NAME.csv` (or .xlsx, .txt, .sav), `NAME.yaml` and
`NAME.expected.csv`; without the last, what is expected is `both.expected.csv`.
"""

import csv
from pathlib import Path

import pytest

from survey.answers import write_answers
from survey.mapping import load_mapping
from survey.questionnaire import GroupBook, read_questionnaire
from survey.readers.inspection import Inspection, inspect_file
from survey.readers.received import Received, Tried, read_survey, try_survey

FOLDER = Path(__file__).parent / "shapes"
SHAPES = sorted(path.stem for path in FOLDER.glob("*.yaml"))
UNDECIDED = {
    "qualtrics-legacy": "no number says what it stands for",
    "mturk": "names of fields are the requester's own",
    "mturk-crowd-form": "names of fields are the requester's own",
    "limesurvey": "codes say nothing without codes.csv",
    "label-studio": "a warm-up is not a question, and one of two answers is to be taken",
    "panel-cp949": "there is no codebook",
}
"""Shapes whose file alone does not tell all of their mapping, and why."""


def _file(name: str) -> Path:
    return next(
        path
        for path in sorted(FOLDER.glob(f"{name}.*"))
        if path.suffix in (".csv", ".txt", ".xlsx", ".sav") and path.name.count(".") == 1
    )


def _questions():
    return read_questionnaire(FOLDER / "questionnaire.csv", GroupBook([]))


def _expected(name: str, what: str) -> str:
    path = FOLDER / f"{name}.{what}.csv"
    return path.read_text("utf-8") if path.exists() else ""


def _inspect(name: str, folder: Path) -> Inspection:
    """Inspect a file where the questions' texts are known, as when they were built."""
    (folder / "forms").mkdir()
    text = "question_id,text\nq-craft-c3,Who came home?\n"
    (folder / "forms" / "texts.csv").write_text(text, encoding="utf-8")
    return inspect_file(_file(name), _questions(), "ko", folder / "forms")


def _normal_form(received: Received, folder: Path) -> tuple[str, str]:
    responses, respondents = folder / "responses.csv", folder / "respondents.csv"
    write_answers(received.answers, responses, respondents)
    return responses.read_text("utf-8"), respondents.read_text("utf-8")


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_is_read_into_its_normal_form(name, tmp_path):
    """Answers, attributes and what is left out, as they stand beside the file."""
    mapping = load_mapping(FOLDER / f"{name}.yaml")
    received = read_survey(_file(name), mapping, _questions(), "ko")
    responses, respondents = _normal_form(received, tmp_path)
    assert responses == (_expected(name, "expected") or _expected("both", "expected"))
    assert respondents == (_expected(name, "respondents") or "respondent_id\none\ntwo\n")
    left = [[x.rule, x.respondent, x.question_id, x.detail] for x in received.excluded]
    stated = _expected(name, "excluded")
    assert left == (list(csv.reader(stated.splitlines())) if stated else [])


@pytest.mark.parametrize("name", SHAPES)
def test_what_is_counted_is_what_is_read(name):
    """A trial keeps no answers, and says of them what reading says."""
    mapping = load_mapping(FOLDER / f"{name}.yaml")
    received = read_survey(_file(name), mapping, _questions(), "ko")
    assert try_survey(_file(name), mapping, _questions(), "ko") == Tried(
        len(received.answers.respondents),
        len(received.answers),
        len(received.excluded),
        received.findings,
    )


@pytest.mark.parametrize("name", [name for name in SHAPES if name not in UNDECIDED])
def test_a_draft_reads_its_file(name, tmp_path):
    """Where the file tells all, `inspect` drafts a mapping that reads the same answers."""
    inspected = _inspect(name, tmp_path)
    assert inspected.trial.problem is None
    assert inspected.recognised.preset == load_mapping(FOLDER / f"{name}.yaml").preset
    received = read_survey(_file(name), inspected.draft.mapping, _questions(), "ko")
    responses, _ = _normal_form(received, tmp_path)
    assert responses == (_expected(name, "expected") or _expected("both", "expected"))


@pytest.mark.parametrize("name", sorted(UNDECIDED))
def test_a_draft_leaves_open_what_the_file_does_not_tell(name, tmp_path):
    """It is said, and nothing is guessed."""
    inspected = _inspect(name, tmp_path)
    left = [seen for seen in inspected.columns if seen.role in ("left_over", "doubtful")]
    assert inspected.draft.open or left
