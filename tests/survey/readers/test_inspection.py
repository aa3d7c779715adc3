"""What is found out about a file that nobody has described."""

import csv
from dataclasses import replace

import pytest

from curation.records.errors import CurateError
from curation.records.survey import Option, QuestionKind, Role
from survey.mapping import load_mapping, save_mapping
from survey.platforms.recognise import Head, recognise
from survey.readers.inspection import inspect_file
from survey.readers.people import personal
from survey.readers.placing import slug
from survey.readers.received import read_survey
from survey.readers.source import Source
from tests.survey.readers.platforms import Shape, put, text
from tests.survey.readers.population import QUESTIONS, normal_form, people
from tests.survey.readers.test_one_population import SHAPES, normal_form_of

BY_NAME = {shape.name: shape for shape in SHAPES}
PRESETS = {
    "qualtrics": "qualtrics",
    "surveymonkey": "surveymonkey",
    "google": "google_forms",
    "limesurvey": "limesurvey",
    "mturk": "mturk",
    "label": "label_studio",
    "panel-xlsx": "panel",
    "panel": "generic",
    "spss": "spss",
    "workbook": "workbook",
    "long": "generic",
}
UNTOLD = {
    "panel-csv": "an empty cell may be a question that was not shown",
    "panel-cp949": "an empty cell may be a question that was not shown",
    "long": "nothing says which question Q1 is",
}
"""Shapes of which the file and the built forms do not tell all."""


def write(shape, folder, *, codes=True):
    """Write a file, and what a built form tells of its codes."""
    path = folder / shape.file
    shape.write(path, people())
    if codes:
        write_codes(shape, folder / "forms")
    return path


def write_codes(shape: Shape, folder):
    """Write `codes.csv` as the forms that were built have it."""
    name = {"panel": "csv", "spss": "csv", "generic": "csv"}.get(
        shape.mapping.preset, shape.mapping.preset
    )
    rows = [["platform", "form", "column", "code", "question_id", "option", "position", "text"]]
    by_id = {question.id: question for question in QUESTIONS}
    for part in shape.mapping.questions:
        own = {option.code for option in by_id[part.id].options}
        for key, option in part.options.items():
            code = option if option in own else "none"
            column = part.column or (part.columns or "").replace("{code}", key)
            rows.append([name, "f01", column, key, part.id, code, "1", ""])
    folder.mkdir()
    put(folder / "codes.csv", rows)


def expected_preset(name):
    """The preset of a shape."""
    return next(preset for start, preset in PRESETS.items() if name.startswith(start))


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_each_shape_is_recognised_with_reasons(shape, tmp_path):
    """And read as many header rows as it has."""
    found = inspect_file(write(shape, tmp_path), QUESTIONS, "ko", tmp_path / "forms").recognised
    assert found.preset == expected_preset(shape.name)
    assert found.reasons
    assert found.header_rows == shape.mapping.read.header_rows


@pytest.mark.parametrize(
    "shape", [shape for shape in SHAPES if shape.name not in UNTOLD], ids=lambda shape: shape.name
)
def test_a_draft_reads_the_answers(shape, tmp_path):
    """Written and read again, with what the built forms tell of codes."""
    path = write(shape, tmp_path)
    found = inspect_file(path, QUESTIONS, "ko", tmp_path / "forms")
    assert found.trial.problem is None
    save_mapping(tmp_path / "mapping.yaml", found.draft.mapping)
    mapping = load_mapping(tmp_path / "mapping.yaml")
    received = read_survey(path, mapping, QUESTIONS, "ko")
    expected = normal_form(people(), positions=shape.positions, seconds=shape.seconds)
    assert normal_form_of(received, tmp_path) == expected


@pytest.mark.parametrize("name", sorted(UNTOLD))
def test_what_is_not_told_is_left_to_a_person(name, tmp_path):
    """It is a note, or a column that is left over."""
    found = inspect_file(write(BY_NAME[name], tmp_path), QUESTIONS, "ko", tmp_path / "forms")
    assert found.notes or any(seen.role == "left_over" for seen in found.columns)


def test_columns_are_matched_by_id_in_whatever_letters_a_platform_writes(tmp_path):
    """Codes of platforms have no hyphens."""
    question = QUESTIONS[1]
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", f"{slug(question.id)}", "x"], ["a", "1", ""], ["b", "2", ""]])
    seen = {item.column: item for item in inspect_file(path, QUESTIONS, "ko", tmp_path).columns}
    assert seen["q_age_00000002"].question_id == question.id
    assert seen["q_age_00000002"].how == "question id"
    assert seen["x"].role == "left_over"


def test_columns_that_may_be_of_two_questions_are_doubtful(tmp_path):
    """They share a stereotype, and the numbers in them say nothing."""
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", QUESTIONS[2].stereotype], ["a", "1"], ["b", "2"]])
    found = inspect_file(path, QUESTIONS, "ko", tmp_path)
    doubtful = next(item for item in found.columns if item.role == "doubtful")
    assert doubtful.question_id == f"{QUESTIONS[2].id} or {QUESTIONS[3].id}"
    put(path, [["respondent_id", QUESTIONS[2].stereotype], ["a", "노인"], ["b", "청년, 중년"]])
    found = inspect_file(path, QUESTIONS, "ko", tmp_path)
    assert found.draft.mapping.questions[0].id == QUESTIONS[2].id


def test_the_questions_text_as_it_was_built_is_looked_for(tmp_path):
    """Comprehension questions have no stereotype to be found by."""
    (tmp_path / "forms").mkdir()
    asked = "누가 집에 왔습니까?"
    put(tmp_path / "forms" / "texts.csv", [["question_id", "text"], [QUESTIONS[4].id, asked]])
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", f"5. {asked}"], ["a", "손자"], ["b", "할머니"]])
    seen = inspect_file(path, QUESTIONS, "ko", tmp_path / "forms").columns[1]
    assert (seen.question_id, seen.how) == (QUESTIONS[4].id, "question text")


def test_numbers_that_nothing_explains_are_taken_for_codes_and_said(tmp_path):
    """Where they are none of the questionnaire's, a person has to say."""
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", QUESTIONS[1].id], ["a", "1"], ["b", "3"]])
    found = inspect_file(path, QUESTIONS, "ko", tmp_path)
    assert found.draft.mapping.questions[0].options == {"1": "1", "3": "?"}
    assert any("1 are taken for the questionnaire's codes" in line for line in found.draft.open)
    assert any("no option is called '3'" in line for line in found.draft.open)
    assert found.trial.problem is not None
    assert found.trial.problem.what == (
        f"the draft is not finished: question {QUESTIONS[1].id} has '?' for '3'"
    )


def test_columns_that_say_who_somebody_is_are_named_and_not_shown(tmp_path):
    """By their names, and by what they hold."""
    path = tmp_path / "a.csv"
    rows = [
        ["respondent_id", "Email Address", "where", "contact", "comment"],
        ["a", "a@example.org", "192.0.2.1", "x@example.org", "a long remark that goes on and on"],
        ["b", "b@example.org", "192.0.2.2", "y@example.org", ""],
    ]
    put(path, rows)
    seen = {item.column: item for item in inspect_file(path, QUESTIONS, "en", tmp_path).columns}
    for title, what in (
        ("Email Address", "an e-mail address"),
        ("where", "an IP address"),
        ("contact", "an e-mail address"),
    ):
        assert (seen[title].role, seen[title].how, seen[title].sample) == ("personal", what, ())
    assert seen["comment"].sample == ("a long remark that goes ...",)


def test_a_respondent_column_of_addresses_is_not_shown_either(tmp_path):
    """It is needed, and it is personal."""
    path = tmp_path / "a.csv"
    rows = [["id", QUESTIONS[1].id], ["a@example.org", "노인"], ["b@example.org", "노인"]]
    put(path, rows)
    seen = inspect_file(path, QUESTIONS, "en", tmp_path).columns[0]
    assert (seen.role, seen.how, seen.sample) == ("respondent", "an e-mail address", ())


@pytest.mark.parametrize(
    ("title", "what"),
    [
        ("IPAddress", "an IP address"),
        ("RecipientEmail", "an e-mail address"),
        ("성명", "a name"),
        ("RecipientFirstName", "a name"),
        ("휴대폰 번호", "a telephone number"),
        ("LocationLatitude", "a place"),
        ("생년월일", "a date of birth"),
        ("Q1_1", ""),
        ("Username of nobody", ""),
        ("description", ""),
        ("recipe", ""),
    ],
)
def test_personal_columns_are_told_by_name(title, what, tmp_path):
    """In the languages of the exports."""
    path = tmp_path / "a.csv"
    put(path, [["id", title], ["1", "x"]])
    seen = inspect_file(path, QUESTIONS, "ko", tmp_path).columns[1]
    assert (seen.how if seen.role == "personal" else "") == what


def test_a_sheet_with_answers_is_chosen(tmp_path):
    """Not the instructions before it, nor the codebook; another can be named."""
    shape = BY_NAME["panel-xlsx"]
    found = inspect_file(write(shape, tmp_path), QUESTIONS, "ko", tmp_path / "forms")
    assert found.grid.source.sheet == "Data"
    (tmp_path / "forms" / "codes.csv").unlink()
    (tmp_path / "forms").rmdir()
    found = inspect_file(write(BY_NAME["workbook"], tmp_path), QUESTIONS, "ko", tmp_path / "forms")
    assert found.grid.source.sheet == "f01"
    assert found.draft.mapping.read.sheet == "f01"


def test_a_row_of_previews_is_left_out_by_the_draft_and_unknown_states_are_said(tmp_path):
    """Qualtrics writes the state in the language of the account."""
    shape = BY_NAME["qualtrics-text"]
    path = write(shape, tmp_path)
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    rows[3][1], rows[4][1] = "Survey Preview", "IP-osoite"
    put(path, rows)
    found = inspect_file(path, QUESTIONS, "ko", tmp_path / "forms")
    assert found.draft.mapping.keep == {"Status": ("IP Address", "IP-osoite")}
    assert found.trial.excluded == 1
    assert any("'IP-osoite'" in note for note in found.notes)


def test_names_that_stand_twice_are_replaced_by_import_ids(tmp_path):
    """Qualtrics lets two questions have one name; row 3 tells them apart."""
    shape = BY_NAME["qualtrics-joined-text"]
    path = write(shape, tmp_path)
    rows = list(csv.reader(path.read_text("utf-8").splitlines()))
    at, other = rows[0].index("Q2"), rows[0].index("Q3")
    rows[0][other] = rows[0][at]
    put(path, rows)
    found = inspect_file(path, QUESTIONS, "ko", tmp_path / "forms")
    assert found.recognised.header == 3
    assert found.draft.mapping.respondent.id == '{"ImportId": "_recordId"}'
    part = next(item for item in found.draft.mapping.questions if item.id == QUESTIONS[1].id)
    assert part.column == '{"ImportId": "QID11"}'
    assert found.trial.problem is None


def test_forms_whose_columns_are_all_there_are_named(tmp_path):
    """Their mapping was written when they were built."""
    shape = BY_NAME["qualtrics-numbers"]
    path = write(shape, tmp_path)
    found = inspect_file(path, QUESTIONS, "ko", tmp_path / "forms")
    assert found.built.paths == ()
    written = tmp_path / "forms" / "qualtrics" / "f01.mapping.yaml"
    written.parent.mkdir()
    save_mapping(written, shape.mapping)
    found = inspect_file(path, QUESTIONS, "ko", tmp_path / "forms")
    assert found.built.paths == (written,)
    assert found.draft.mapping.questions == shape.mapping.questions


def test_the_normal_form_needs_no_mapping(tmp_path):
    """It is said instead of drafted."""
    path = tmp_path / "responses.csv"
    path.write_bytes(normal_form(people(3)))
    with pytest.raises(CurateError, match="in normal form already"):
        inspect_file(path, QUESTIONS, "ko", tmp_path)


@pytest.mark.parametrize(
    ("rows", "preset", "header_rows"),
    [
        ([["StartDate", "Status", "Finished", "ResponseId", "Q1"], [""] * 5], "qualtrics", 2),
        (
            [["StartDate", "Status", "Finished", "ResponseId", "Q1"], ["", "", "", "R_1", ""]],
            "qualtrics",
            1,
        ),
        ([["응답자 ID", "컬렉터 ID", "Q"], ["", "", "Response"]], "surveymonkey", 2),
        ([["Respondent ID", "Collector ID", "Q"], ["1", "2", "x"]], "generic", 1),
        ([["Horodateur", "Q"]], "google_forms", 1),
        ([["id", "submitdate", "lastpage", "Q1"]], "limesurvey", 1),
        (
            [["id. Response ID", "submitdate. Date submitted", "lastpage. Last page"]],
            "limesurvey",
            1,
        ),
        ([["id", "submitdate", "q"]], "generic", 1),
        ([["HITId", "WorkerId", "Answer.x"]], "mturk", 1),
        ([["HITId", "WorkerId", "Input.x"]], "generic", 1),
        ([["annotator", "annotation_id", "x"]], "label_studio", 1),
        ([["respondent_id", "question_id", "option", "state"]], "normal", 1),
        ([["respondent_id", "form", "Q001"]], "panel", 1),
        ([["Participant id", "Submission id", "Age"]], "generic", 1),
        ([["a", "b"]], "generic", 1),
    ],
)
def test_platforms_are_told_by_what_they_alone_write(rows, preset, header_rows):
    """In the languages that they export in."""
    head = Head(Source("text"), tuple(tuple(row) for row in rows))
    _, recognised = recognise(head)
    assert (recognised.preset, recognised.header_rows) == (preset, header_rows)
    assert recognised.reasons


def test_personal_data_is_looked_for_in_cells(tmp_path):
    """A column whose name says nothing may hold addresses."""
    from survey.mapping import ReadPart
    from survey.readers.grid import read_grid

    path = tmp_path / "a.csv"
    put(path, [["id", "x"], ["1", "010-1234-5678"], ["2", "010-2345-6789"], ["3", ""]])
    assert personal(("x",), read_grid(path, ReadPart(), "ko").columns[1]) == "a telephone number"


def test_apostrophes_of_word_processors_hide_no_question_and_no_option(tmp_path):
    """Forms and word processors write them by themselves, and drafts say what they stand for."""
    options = (
        Option("1", ("Chefs",), Role.TARGET, text="Chefs d'orchestre"),
        Option("2", ("Facteurs",), Role.NON_TARGET, text="Facteurs"),
        Option("none", (), Role.NONE, counts=False, text="Ce n'est pas connu"),
    )
    asked = replace(QUESTIONS[1], stereotype="n'aiment pas l'hiver \"long\"", options=options)
    path = tmp_path / "a.csv"
    title = "Qui, dit-on : \u00ab n\u2019aiment pas l\u2019hiver \u201clong\u201d \u00bb ?"
    cells = ["Ce n\u2019est pas connu", "Chefs d\u2019orchestre", "Facteurs"]
    put(path, [["respondent_id", title], *map(list, zip("abc", cells, strict=True))])
    found = inspect_file(path, [asked], "fr", tmp_path)
    assert (found.columns[1].question_id, found.columns[1].how) == (asked.id, "stereotype")
    (part,) = found.draft.mapping.questions
    assert dict(part.options) == dict(zip(cells, ["none", "1", "2"], strict=True))
    assert (found.trial.problem, found.trial.respondents) == (None, 3)


def test_simple_tables_are_said_to_need_no_mapping(tmp_path):
    """They are drafted all the same, but for counts, which no mapping reads."""
    path = tmp_path / "a.csv"
    put(path, [["respondent", "question", "answer"], ["a", QUESTIONS[1].id, "1"]])
    assert inspect_file(path, QUESTIONS, "ko", tmp_path).simple
    put(path, [["respondent", QUESTIONS[1].id], ["a", "1"]])
    assert inspect_file(path, QUESTIONS, "ko", tmp_path).simple
    put(path, [["respondent", "somewhere"], ["a", "1"]])
    assert not inspect_file(path, QUESTIONS, "ko", tmp_path).simple
    put(path, [["question", "option", "votes"], [QUESTIONS[1].id, "1", "5"]])
    with pytest.raises(CurateError, match="holds counts by question and option") as caught:
        inspect_file(path, QUESTIONS, "ko", tmp_path)
    assert caught.value.hint == "it needs no mapping: curate filter --survey FILE"


def test_a_column_is_matched_by_its_stereotype(tmp_path):
    """As it stands in the question above it."""
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", text(QUESTIONS[1])], ["a", "노인"]])
    seen = inspect_file(path, QUESTIONS, "ko", tmp_path).columns[1]
    assert (seen.question_id, seen.how) == (QUESTIONS[1].id, "stereotype")


@pytest.mark.slow
def test_what_an_spss_file_declares_missing_is_missing_in_the_draft(tmp_path):
    """8 and 9 are no answers, whatever their labels: they are no options to be written."""
    import pandas
    import pyreadstat

    asked = next(item for item in QUESTIONS if item.kind is QuestionKind.CHOICE)
    texts = {float(at): option.text for at, option in enumerate(asked.options, start=1)}
    path = tmp_path / "answers.sav"
    pyreadstat.write_sav(
        pandas.DataFrame({"id": [1.0, 2.0, 3.0, 4.0, 5.0], "V1": [1.0, 2.0, 8.0, 9.0, 1.0]}),
        str(path),
        column_labels={"V1": asked.stereotype},
        variable_value_labels={"V1": {**texts, 8.0: "Don't know", 9.0: "Refused"}},
        missing_ranges={"V1": [{"lo": 8, "hi": 9}]},
    )
    found = inspect_file(path, [asked], "en", tmp_path / "forms")
    (part,) = found.draft.mapping.questions
    assert part.missing[-2:] == ("8", "9")
    assert not {"8", "9"} & part.options.keys()
    assert (found.trial.problem, found.trial.respondents) == (None, 5)
