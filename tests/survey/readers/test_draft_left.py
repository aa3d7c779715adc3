"""What a draft leaves to a person, and how it begins it for him."""

from dataclasses import replace

import yaml

from survey.mapping import load_mapping, save_mapping, to_do
from survey.readers.inspection import inspect_file
from survey.readers.received import read_survey
from tests.survey.readers.platforms import put
from tests.survey.readers.population import QUESTIONS
from tests.survey.readers.test_inspection import BY_NAME, write


def inspected(name, folder):
    """Inspect a file where nothing is known of codes."""
    return inspect_file(
        write(BY_NAME[name], folder, codes=False), QUESTIONS, "ko", folder / "forms"
    )


def parts(found):
    """Read the parts that the comments of a draft begin."""
    return [yaml.safe_load(line)[0] for line in found.draft.suggested if "- {id:" in line]


def test_each_set_of_columns_begins_a_part(tmp_path):
    """With its pattern and codes, and `?` for what only a person knows; no times or places."""
    found = inspected("limesurvey", tmp_path)
    begun = parts(found)
    names = [part.get("columns") or part["column"] for part in begun]
    assert names == ["Q1[{code}]", "Q2", "Q3", "Q4", "Q5", "Q6[{code}]"]
    assert begun[0]["options"] == {f"SQ00{at}": "?" for at in range(1, 6)}
    assert set(begun[1]["options"]) == {"A1", "A2", "A3"}
    assert {part["id"] for part in begun} == {part["kind"] for part in begun} == {"?"}
    (said,) = found.draft.open
    assert said.startswith("6 questions have no column, and 13 columns are left over")


def test_the_questions_that_they_may_be_about_stand_below(tmp_path):
    """With the code of every option."""
    lines = inspected("mturk-crowd", tmp_path).draft.suggested
    assert (
        f"  {QUESTIONS[1].id} (choice) {QUESTIONS[1].stereotype}: 1: 노인; 2: 청소년; none: "
        "그런 고정관념은 없다" in lines
    )
    assert sum(QUESTIONS[4].id in line for line in lines) == 1


def test_a_part_that_was_begun_reads_the_file_when_it_is_finished(tmp_path):
    """Its question, kind and options are all that is to be written."""
    shape = BY_NAME["limesurvey"]
    path = write(shape, tmp_path, codes=False)
    found = inspect_file(path, QUESTIONS, "ko", tmp_path / "forms")
    for part, question in zip(parts(found), QUESTIONS, strict=True):
        part |= {"id": question.id, "kind": question.kind.value}
        codes = [option.code for option in question.options]
        keys = sorted(part["options"])
        part["options"] = dict(zip(keys, codes, strict=True))
        made = type(shape.mapping.questions[0]).model_validate(part)
        mapping = found.draft.mapping.model_copy(update={"questions": (made,)})
        save_mapping(tmp_path / "mapping.yaml", mapping)
        received = read_survey(path, load_mapping(tmp_path / "mapping.yaml"), QUESTIONS, "ko")
        assert received.answers.selected.sum() > 0


def test_where_every_question_has_a_column_nothing_is_begun(tmp_path):
    """What is left over then is no answer."""
    found = inspected("google-forms", tmp_path)
    assert found.draft.suggested == ()
    (asked,) = found.draft.open  # the one column that is found by its cells alone
    assert asked.startswith(f"question {QUESTIONS[4].id}: column 'Q5.")


def test_a_column_of_an_option_that_nobody_chose_is_of_its_set(tmp_path):
    """Columns that are empty and alone are of none."""
    path = tmp_path / "a.csv"
    rows = [["respondent_id", "Q1_1", "Q1_2", "Q1_3", "empty"], ["a", "1", "", "0", ""]]
    put(path, rows)
    found = inspect_file(path, QUESTIONS, "ko", tmp_path)
    (part,) = parts(found)
    assert part["columns"] == "Q1_{code}"
    assert list(part["options"]) == ["1", "2", "3"]


def test_much_is_not_all_listed(tmp_path):
    """The first sets and questions are, the others counted."""
    path = tmp_path / "a.csv"
    names = [f"x{at}" for at in range(20)]
    put(path, [["respondent_id", *names], ["a", *"1" * 20], ["b", *"2" * 20]])
    many = [replace(QUESTIONS[1], id=f"q-{at}", stereotype=f"s-{at}") for at in range(40)]
    lines = inspect_file(path, many, "ko", tmp_path).draft.suggested
    assert "  ... and 8 more" in lines
    assert lines[-1] == "  ... and 10 more"
    assert len(lines) == 1 + 12 + 1 + 1 + 30 + 1


def test_columns_that_may_say_who_somebody_is_begin_no_part(tmp_path):
    """Their cells stand in no draft."""
    path = tmp_path / "a.csv"
    put(path, [["respondent_id", "mail", "x"], ["a", "a@example.org", "1"], ["b", "b@x.org", "2"]])
    found = inspect_file(path, QUESTIONS, "en", tmp_path)
    assert [part["column"] for part in parts(found)] == ["x"]
    assert "example.org" not in "\n".join(found.draft.suggested)


def test_rows_that_may_each_be_an_answer_are_said(tmp_path):
    """Where respondents have several, and a column holds options that may be joined."""
    found = inspected("long", tmp_path)
    assert "column '응답' holds options" in found.draft.open[-1]
    assert "answer: 응답" in found.draft.open[-1]
    (folder := tmp_path / "wide").mkdir()
    wide = inspected("mturk-crowd", folder)
    assert not any("if each row is" in line for line in wide.draft.open)


def test_joined_options_tell_the_question(tmp_path):
    """Where only one has all of them, whatever the column is called."""
    path = tmp_path / "a.csv"
    first, other = (QUESTIONS[0].options[at].text for at in (1, 2))
    rows = [["id", "x"], ["a", f"{first}|{other}"], ["b", other], ["c", f"{other}|{first}"]]
    put(path, rows)
    seen = inspect_file(path, QUESTIONS, "ko", tmp_path).columns[1]
    assert (seen.question_id, seen.how) == (QUESTIONS[0].id, "its cells")
    put(path, [*rows, ["d", f"{first}|Bakers"]])
    assert inspect_file(path, QUESTIONS, "ko", tmp_path).columns[1].role == "left_over"


def test_comments_are_no_lines_to_do(tmp_path):
    """One line says what is left; the others help."""
    found = inspected("limesurvey", tmp_path)
    heading = "".join(f"# TO DO: {line}\n" for line in found.draft.open)
    heading += "".join(f"# {line}\n" for line in found.draft.suggested)
    save_mapping(tmp_path / "mapping.yaml", found.draft.mapping, heading)
    assert len(to_do(tmp_path / "mapping.yaml")) == 1
    assert load_mapping(tmp_path / "mapping.yaml") == found.draft.mapping
