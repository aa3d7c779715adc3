"""What is found out about a file that nobody has described."""

from dataclasses import replace
from pathlib import Path

import pytest

from curation.records.messages import CurateError, own_yaml
from curation.records.survey import QuestionKind
from survey.building.wording import Attribute
from survey.platforms import CODE_COLUMNS, Head, recognise
from survey.readers.drafting import _bands
from survey.readers.frames import FileSource
from survey.readers.inspection import inspect_file
from survey.readers.normalise import read_survey
from survey.readers.opening import open_file
from survey.readers.placing import About
from tests.survey.readers.population import QUESTIONS, put, put_book

CASES = own_yaml(Path(__file__).with_name("inspection.yaml").read_text("utf-8"))
RESULTS = {*("columns", "samples", "draft", "open", "problem", "told", "begun", "refused")}
TRAITS = (
    Attribute("gender", "성별을 골라 주십시오.", {"female": "여성", "male": "남성"}),
    Attribute("age_band", "나이가 어떻게 되십니까?", {"19-29": "19-29", "60+": "60+"}),
)


def begun(found):
    return [own_yaml(line)[0] for line in found.draft.suggested if "- {id:" in line]


def within(wanted, found):
    """Whether all that is wanted is there, and as it is wanted."""
    if isinstance(wanted, dict):
        return isinstance(found, dict) and all(
            key in found and within(value, found[key]) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return len(wanted) == len(found) and all(map(within, wanted, found))
    return bool(wanted == found)


def outcome(case, folder):
    """What a case says of its file, as it is found out."""
    (forms := folder / "forms").mkdir(parents=True)
    path = folder / "a.csv"
    path.write_text(case["file"], encoding="utf-8")
    if "texts" in case:
        put(forms / "texts.csv", [["question_id", "text"], *map(list, case["texts"].items())])
    if "codes" in case:
        (forms / "codes.csv").write_text(case["codes"], encoding="utf-8")
    check, passed, *failed = case.get("check", ("", ""))
    passes = {passed: "passed"} | dict.fromkeys(failed, "failed")
    about = About(traits=TRAITS, check=check, passes=passes)
    try:
        found = inspect_file(open_file(path, language="ko"), QUESTIONS, forms, about)
    except CurateError as error:
        return {"refused": bool(error.hint)}
    told = {}
    if "told" in case:
        received = read_survey(open_file(path), found.draft.mapping, QUESTIONS)
        told = {name: list(values) for name, values in received.answers.attributes.items()}
    parts = [[part.get("columns") or part["column"], *part["options"]] for part in begun(found)]
    seen = {item.column: item for item in found.columns}
    mapping = found.draft.mapping.model_dump(mode="json", exclude_defaults=True)
    results = {
        "columns": {
            name: [item.role, item.question_id or "", item.how] for name, item in seen.items()
        },
        "samples": {name: list(item.sample) for name, item in seen.items()},
        "draft": mapping,
        "open": len(found.draft.open),
        "problem": found.problem is not None,
        "told": told,
        "begun": parts,
    }
    return {key: results[key] for key in RESULTS & case.keys()}


def test_columns_are_told_and_drafts_are_made_of_them(tmp_path):
    """By names, questions and cells; what cannot be told is left to a person."""
    for at, case in enumerate(CASES):
        wanted = {key: case[key] for key in RESULTS & case.keys()}
        for column, said in wanted.get("columns", {}).items():
            wanted["columns"][column] = [part.strip() for part in said.split(",")]
        found = outcome(case, tmp_path / str(at))
        for column in found.get("columns", {}):
            if wanted["columns"].get(column, ["x"])[-1] == "":
                found["columns"][column][-1] = ""
        assert within(wanted, found), (case["why"], found)


def test_an_age_in_two_bands_is_of_neither():
    """It is left to a person, who may have meant either."""
    trait = Attribute("age_band", "?", dict.fromkeys(("18-30", "30-45", "60+"), ""))
    found = {"18": "18-30", "31": "30-45", "70": "60+"}
    assert _bands(trait, [*found, "30", "50"]) == found


def test_platforms_are_told_by_what_they_alone_write():
    """In the languages that they export in."""
    own = ["StartDate", "Status", "Finished", "ResponseId", "Q1"]
    for rows, preset, header_rows in [
        ([own, [""] * 5], "qualtrics", 2),
        ([own, ["", "", "", "R_1", ""]], "qualtrics", 1),
        ([["응답자 ID", "컬렉터 ID", "Q"], ["", "", "Response"]], "surveymonkey", 2),
        ([["Respondent ID", "Group", "Q"], ["", "", "Response"]], "surveymonkey", 2),
        ([["Respondent ID", "Collector ID", "Q"], ["1", "2", "x"]], "generic", 1),
        ([["Horodateur", "Q"]], "google_forms", 1),
        ([["Q", "Timestamp"], ["x", "2026/03/02 9:01:11 AM GMT+1"]], "google_forms", 1),
        ([["Q", "Timestamp"], ["x", "2026-03-02T09:01:11+01:00"]], "generic", 1),
        ([["id", "submitdate", "lastpage", "Q1"]], "limesurvey", 1),
        ([["id. Response ID", "submitdate. Date", "lastpage. Last page"]], "limesurvey", 1),
        ([["id", "submitdate", "q"]], "generic", 1),
        ([["HITId", "WorkerId", "Answer.x"]], "mturk", 1),
        ([["HITId", "WorkerId", "Input.x"]], "generic", 1),
        ([["annotator", "annotation_id", "x"]], "label_studio", 1),
        ([["respondent_id", "question_id", "option", "state"]], "normal", 1),
        ([["respondent_id", "form", "Q001"]], "panel", 1),
        ([["Participant id", "Submission id", "Age"]], "prolific", 1),
    ]:
        head = Head(FileSource("text"), tuple(tuple(row) for row in rows))
        _, recognised = recognise(head)
        assert (recognised.preset, recognised.header_rows) == (preset, header_rows)


def test_what_is_written_otherwise_than_an_option_is_said(tmp_path):
    """Nothing is said of what is written as the questionnaire does, or as a form's codes do."""
    cells = ("bakers", "Bakers", "BAKERS, Millers", "no answer", "그런 고정관념은 없다")
    rows = [["#", "Network ID", QUESTIONS[5].id, "pick"]]
    rows += [[str(at), "1", cell, "A"] for at, cell in enumerate(cells)]
    path = put(tmp_path / "a.csv", rows)
    (tmp_path / "forms").mkdir()
    asked = QUESTIONS[1]
    pairs = zip("ABC", asked.options, strict=True)
    codes = [["typeform", "f01", "pick", code, asked.id, option.code] for code, option in pairs]
    put(tmp_path / "forms" / "codes.csv", [[*CODE_COLUMNS[:6]], *codes])
    found = inspect_file(open_file(path), QUESTIONS, tmp_path / "forms")
    told = {item.rule: item.message for item in found.trial.findings}
    said = "'bakers' for 'Bakers', 'BAKERS, Millers' for 'Bakers, Millers'"
    assert told["survey-spelling"].endswith(f": {said}")
    assert told.keys() == {"survey-spelling", "empty-drafted"}


def test_a_codebook_tells_what_numbers_stand_for(tmp_path):
    """Values that nobody has are told too."""
    asked = QUESTIONS[1]
    rows = [["respondent_id", "gender", asked.id], ["a", 2, 0], ["b", 2, 1]]
    codes = [["변수명", "문항", "코드", "보기"], ["gender", "성별", 1, "남성"], ["", "", 2, "여성"]]
    codes += ([asked.id, "", at, option.text] for at, option in enumerate(asked.options))
    path = put_book(tmp_path / "a.xlsx", **{"Sheet": rows, "코드북": codes})
    found = inspect_file(open_file(path), QUESTIONS, tmp_path / "forms", About(traits=TRAITS))
    assert found.draft.mapping.attributes["gender"].values == {"1": "male", "2": "female"}
    received = read_survey(open_file(path), found.draft.mapping, QUESTIONS)
    assert received.answers.attributes["gender"] == ("female", "female")


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
    found = inspect_file(open_file(path), [asked], tmp_path / "forms")
    (part,) = found.draft.mapping.questions
    assert part.missing[-2:] == ("8", "9")
    assert not {"8", "9"} & part.options.keys()
    assert (found.problem, found.trial.respondents) == (None, 5)


def test_a_number_beside_codes_that_is_another_options_text_is_asked_about(tmp_path):
    """As pandas writes the codes of a file whose last option has the number 3."""
    one, other, nobody = QUESTIONS[1].options
    asked = replace(QUESTIONS[1], options=(one, replace(other, text="3", groups=("3",)), nobody))
    for cells, codes in ((("1.0", "2.0", "3.0"), 3), (("1.0", "2.0"), 2)):
        rows = [["Who", asked.stereotype], *([f"p{at}", cell] for at, cell in enumerate(cells))]
        found = inspect_file(open_file(put(tmp_path / "a.csv", rows)), [asked], tmp_path)
        assert sum(f"{cell} (" in found.draft.open[0] for cell in cells) == codes
