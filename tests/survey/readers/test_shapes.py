"""Golden pairs: a file of each platform, its mapping, and its normal form beside it.

Adding a shape is adding `shapes/NAME.csv` (or .xlsx, .txt, .sav), `NAME.yaml` and
`NAME.expected.csv`; without the last, what is expected is `both.expected.csv`.
"""

import csv
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from curation.files.bank import GroupBook
from curation.files.questionnaire import read_questionnaire
from curation.records.messages import CurateError
from survey.answers import write_answers
from survey.mapping import SIMPLE, load_mapping
from survey.platforms import framed
from survey.readers.inspection import inspect_file
from survey.readers.normalise import read_frame, read_survey
from survey.readers.opening import open_file
from survey.readers.options import QuestionNames

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


def file_of(name):
    return next(
        path
        for path in sorted(FOLDER.glob(f"{name}.*"))
        if path.suffix in (".csv", ".txt", ".xlsx", ".sav") and path.name.count(".") == 1
    )


def questions_of_shapes():
    return read_questionnaire(FOLDER / "questionnaire.csv", GroupBook([]))


def _expected(name, what):
    path = FOLDER / f"{name}.{what}.csv"
    return path.read_text("utf-8") if path.exists() else ""


def inspect_shape(path, folder):
    """Inspect a file where the questions' texts are known, as when they were built."""
    (folder / "forms").mkdir()
    text = "question_id,text\nq-craft-c3,Who came home?\n"
    (folder / "forms" / "texts.csv").write_text(text, encoding="utf-8")
    return inspect_file(open_file(path, language="ko"), questions_of_shapes(), folder / "forms")


def normal_form(received, folder):
    responses, respondents = folder / "responses.csv", folder / "respondents.csv"
    write_answers(received.answers, responses, respondents)
    return responses.read_text("utf-8"), respondents.read_text("utf-8")


def read(name, path=None):
    """Read the file of a shape, or another one as if it were that."""
    mapping = load_mapping(FOLDER / f"{name}.yaml")
    opened = open_file(path or file_of(name), mapping.read, "ko")
    return read_survey(opened, mapping, questions_of_shapes())


@pytest.mark.parametrize("name", SHAPES)
def test_a_file_is_read_into_its_normal_form(name, tmp_path):
    """Answers, attributes and what is left out, as they stand beside the file; a trial says so."""
    received = read(name)
    responses, respondents = normal_form(received, tmp_path)
    assert responses == (_expected(name, "expected") or _expected("both", "expected"))
    assert respondents == (_expected(name, "respondents") or "respondent_id\none\ntwo\n")
    left = [[x.rule, x.respondent, x.question_id, x.detail] for x in received.excluded]
    assert left == list(csv.reader(_expected(name, "excluded").splitlines()))
    mapping = load_mapping(FOLDER / f"{name}.yaml")
    opened = open_file(file_of(name), mapping.read, "ko")
    names = QuestionNames(questions_of_shapes(), {})
    frame = framed(opened, mapping.preset, mapping.read)
    counted = read_frame(frame, mapping, names, keep=False)
    assert (counted.rows, len(counted.answers)) == (len(received.answers), 0)
    assert (counted.excluded, counted.findings) == (received.excluded, received.findings)


@pytest.mark.parametrize("name", SHAPES)
def test_a_draft_reads_its_file_or_leaves_open_what_it_does_not_tell(name, tmp_path):
    """Where the file tells all, the drafted mapping reads the same answers; nothing is guessed."""
    inspected = inspect_shape(file_of(name), tmp_path)
    assert inspected.recognised.reasons
    if name in UNDECIDED:
        left = [seen for seen in inspected.columns if seen.role in ("left_over", "doubtful")]
        assert inspected.draft.open or left
        return
    assert inspected.problem is None
    preset = inspected.recognised.preset
    assert preset in (load_mapping(FOLDER / f"{name}.yaml").preset, SIMPLE)
    mapping = inspected.draft.mapping
    opened = open_file(file_of(name), mapping.read, "ko")
    received = read_survey(opened, mapping, questions_of_shapes())
    responses, _ = normal_form(received, tmp_path)
    expected = _expected(name, "expected") or _expected("both", "expected")
    if preset == SIMPLE:  # only what was chosen is there
        assert chosen_in(responses) == chosen_in(expected) != []
    else:
        assert responses == expected


def chosen_in(responses):
    rows = csv.DictReader(responses.splitlines())
    names = ("respondent_id", "question_id", "option")
    return [[row[name] for name in names] for row in rows if row["state"] == "selected"]


@pytest.mark.parametrize("name", ["limesurvey", "long-utf16", "panel-book", "surveymonkey"])
@settings(max_examples=20)
@given(data=st.data())
def test_damaged_bytes_are_read_or_refused(name, data, tmp_path_factory):
    """Also by who looks what a file is, or takes it for a simple table: never a fault of ours."""
    changed = bytearray(file_of(name).read_bytes())
    for _ in range(data.draw(st.integers(1, 4))):
        at, size = data.draw(st.integers(0, len(changed) - 1)), data.draw(st.integers(1, 60))
        pieces = [b"", changed[at : at + size] * 2, b'"', b"\n", b",", b"\0", b"\xff\xfe"]
        changed[at : at + data.draw(st.integers(0, size))] = data.draw(st.sampled_from(pieces))
    path = tmp_path_factory.getbasetemp() / f"damaged-{file_of(name).name}"
    path.write_bytes(changed)
    forms = path.parent / "forms"
    for attempt in (
        lambda: read(name, path),
        lambda: inspect_file(open_file(path, language="ko"), questions_of_shapes(), forms),
    ):
        try:
            attempt()
        except CurateError as error:
            assert error.what


@pytest.mark.parametrize(
    "address",
    [
        "Direcci\u00f3n IP",
        "IP-\u0430\u0434\u0440\u0435\u0441",
        "IP\u30a2\u30c9\u30ec\u30b9",
        "\u0639\u0646\u0648\u0627\u0646 IP",
        "0",
    ],
)
def test_answers_of_people_are_known_in_any_language_of_qualtrics(tmp_path, address):
    """The letters IP tell them; what the language calls a preview comes after them, to be asked."""
    text = (FOLDER / "qualtrics.csv").read_text("utf-8").replace("IP Address", address)
    path = tmp_path / "export.csv"
    path.write_text(text.replace("Survey Preview", "Vistazo al SHIP"), "utf-8")
    mapping = inspect_shape(path, tmp_path).draft.mapping
    assert mapping.keep["Status"] == (address, "Vistazo al SHIP")
