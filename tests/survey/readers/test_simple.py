"""Simple tables: what is recognised, and what is refused because it has two readings."""

import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest

from curation.languages import Language, load
from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.readers.simple.reading import Simple, read_simple
from survey.readers.simple.shape import holds_simple_counts
from survey.votes import count_answers
from tests.survey.readers.platforms import put

CULTURE = Culture.model_validate({"culture": "Marevia", "language": "en", "unknown": "unknown"})


def question(at: int, *texts: str, kind: QuestionKind = QuestionKind.CHOICE) -> Question:
    """A question with options 1, 2, ... of these texts, and that there is no such stereotype."""
    roles = (
        [Role.TARGET, Role.NON_TARGET] if kind is QuestionKind.CHOICE else [Role.GROUP] * len(texts)
    )
    options = [
        Option(str(code), (text,), role, True, text)
        for code, (text, role) in enumerate(zip(texts, roles, strict=True), start=1)
    ]
    options.append(Option("none", (), Role.NONE, False, "There is none"))
    return Question(f"q-{at}", kind, "Craft", f"They hum {at}", tuple(options))


PAIR = question(1, "Bakers", "Potters")
MANY = question(2, "Bakers", "Potters; glazers", "Weavers", kind=QuestionKind.SELECT_ALL)
QUESTIONS = (PAIR, MANY)


def read(folder: Path, rows: list[list[str]], *, questions: Any = QUESTIONS) -> Simple:
    """Read a table with these rows."""
    put(folder / "table.csv", rows)
    found = read_simple(folder / "table.csv", questions, CULTURE, {})
    assert found is not None
    return found


def votes(found: Simple) -> dict[str, tuple[int, ...]]:
    """The votes by question."""
    tallies = found.tallies
    if found.answers is not None:
        tallies = tuple(count_answers(found.answers)[0])
    return {tally.question.id: tally.votes for tally in tallies}


ROWS = [["Respondent", "Stereotype", "Answer"], ["a", "they hum 1", "bakers"]]


def test_rows_are_told_by_their_headings(tmp_path: Path) -> None:
    """In any case, with texts for ids, and several options joined or in rows of their own."""
    found = read(
        tmp_path,
        [
            *ROWS,
            ["b", "They hum 1", "There is none"],
            ["a", "They hum 2", "Potters; glazers | Weavers"],
            ["b", "They hum 2", "Potters; glazers; Bakers"],
            ["c", "They hum 2", ""],
            ["d", "They hum 2", "Weavers"],
            ["d", "They hum 2", "Bakers"],
        ],
    )
    assert votes(found) == {"q-1": (1, 0, 1), "q-2": (2, 2, 2, 0)}
    assert found.lines[1:] == (
        "  column 'Respondent': respondents (4)",
        "  column 'Stereotype': questions (2)",
        "  column 'Answer': answers (6; 1 empty)",
    )


def test_a_column_that_is_no_question_is_named(tmp_path: Path) -> None:
    """Attributes are known by their names; what is left over is a finding."""
    found = read(
        tmp_path,
        [
            ["id", "Gender", "Attention check", "q-1", "Q_2", "They hum 2", "mood"],
            ["a", "f", "Passed", "1", "x", "3;1", "good"],
            ["b", "m", "FAIL", "none", "", "2", ""],
        ],
    )
    assert votes(found) == {"q-1": (1, 0, 1), "q-2": (1, 1, 1, 0)}
    assert found.answers is not None
    assert found.answers.attributes == {"gender": ("f", "m"), "attention": ("Passed", "FAIL")}
    (finding,) = [item for item in found.findings if item.rule == "survey-unread-columns"]
    assert finding.message.startswith("2 columns hold something that is not read: ")
    assert "mapping" not in finding.hint
    assert "'mood', 'Q_2'" in finding.message or "'Q_2', 'mood'" in finding.message
    assert "  column 'mood': not read" in found.lines


def test_counts_need_every_option(tmp_path: Path) -> None:
    """Each once, in whole numbers, no more votes than respondents."""
    rows = [
        *([["question", "group", "count", "Respondents"]]),
        *([["q-2", name, "4", "9"] for name in ("Bakers", "Potters; glazers", "Weavers", "none")]),
    ]
    found = read(tmp_path, rows)
    assert holds_simple_counts(tmp_path / "table.csv")
    assert votes(found) == {"q-2": (4, 4, 4, 4)}
    assert found.tallies[0].respondents == 9
    for changed, message in (
        (rows[:-1], "question q-2 has no votes for none"),
        ([*rows, rows[1]], "question q-2 has two rows for option '1'"),
        ([*rows[:-1], [*rows[-1][:2], "ten", "9"]], "'ten' is not a number of votes"),
        ([*rows[:-1], [*rows[-1][:2], "10", "9"]], "10 votes for one option of 9 respondents"),
        ([*rows[:-1], [*rows[-1][:2], "4", "8"]], "question q-2 has 8 and 9 respondents"),
    ):
        with pytest.raises(CurateError, match=message):
            read(tmp_path, changed)


SHIFTED = question(1, "2", "1")


@pytest.mark.parametrize(
    ("rows", "questions", "message"),
    [
        (
            [["id", "q-1"], ["a", "1"]],
            (SHIFTED,),
            r"'1' can be read as '1: 2' or as '2: 1'",
        ),
        (
            [["id", "q-2"], ["a", "A;B"]],
            (question(2, "A", "B", "A;B", kind=QuestionKind.SELECT_ALL),),
            r"'A;B' can be read as '1: A' \+ '2: B' or as '3: A;B'",
        ),
        ([["id", "q-1"], ["a", "3"]], QUESTIONS, "'3' is not an option of question q-1"),
        ([["id", "q-1"], ["a", "1;2"]], QUESTIONS, "'1;2' is not an option of question q-1"),
        ([["id", "q-1"], ["a", "-99"]], QUESTIONS, "'-99' is not an option"),
        (
            [["id", "q-1", "They hum 1"], ["a", "1", "2"]],
            QUESTIONS,
            "question q-1 may be in column 'q-1' or in column 'They hum 1'",
        ),
        (
            [["id", "question", "answer"], ["a", "They hum", "1"]],
            QUESTIONS,
            "'They hum' is not a question of the questionnaire",
        ),
        ([["id", "q-1"], ["a", "1"], ["a", "1"]], QUESTIONS, "respondent a has two rows"),
        (
            [["id", "question", "answer"], ["a", "q-1", "1"], ["a", "q-1", "1"]],
            QUESTIONS,
            "respondent a answers option '1' of question q-1 twice",
        ),
        (
            [["respondent", "participant", "q-1"], ["a", "b", "1"]],
            QUESTIONS,
            "respondents may be in column 'respondent' or in column 'participant'",
        ),
        (
            [["id", "question", "option", "answer"], ["a", "q-1", "1", "Potters"]],
            QUESTIONS,
            "answers may be in column 'answer' or in column 'option'",
        ),
        (
            [
                ["id", "question", "option", "chosen"],
                ["a", "q-1", "1", "1"],
                ["a", "q-1", "2", "0"],
            ],
            QUESTIONS,
            "column 'chosen' may say which options were chosen: it holds 0, 1",
        ),
        (
            [["id", "q-1", "Q-1"], ["a", "1", "2"]],
            QUESTIONS,
            "column 'Q-1' occurs twice in the header",
        ),
        (
            [["id", "attention check", "q-1"], ["a", "blue", "1"]],
            QUESTIONS,
            "'blue' says neither passed nor failed",
        ),
    ],
)
def test_what_has_two_readings_or_none_is_refused(
    tmp_path: Path, rows: list[list[str]], questions: Any, message: str
) -> None:
    """With both of them named."""
    with pytest.raises(CurateError, match=message):
        read(tmp_path, rows, questions=questions)


def test_two_questions_of_one_stereotype_are_named(tmp_path: Path) -> None:
    """A stereotype that two sets of options were asked about is no name."""
    other = Question("q-3", PAIR.kind, PAIR.category, PAIR.stereotype, PAIR.options)
    with pytest.raises(CurateError, match="names two questions, q-1 and q-3"):
        read(tmp_path, ROWS, questions=(PAIR, other))


def test_other_tables_are_none(tmp_path: Path) -> None:
    """They are for a mapping."""
    put(tmp_path / "table.csv", [["name", "colour"], ["a", "red"]])
    assert read_simple(tmp_path / "table.csv", QUESTIONS, CULTURE, {}) is None
    put(tmp_path / "table.csv", [["respondent", "colour"], ["a", "red"]])
    assert read_simple(tmp_path / "table.csv", QUESTIONS, CULTURE, {}) is None


NASTY = (
    *("0", "1", "2", "3", "-99", "-1", "NA", "N/A", "None", "none", "null", "nan", "True", "yes"),
    *("no", "1,2", "1;2", "1|2", "Bakers", "Bakers, Millers", "Bakers; Millers", "Bakers|Millers"),
    *("bakers", "Baker", "=1+1", "@x", "01", "1.0", " 1", "A - B", "[A]", '"A"', "1 2", "?", "*"),
    *("\u05d0\u05e4\u05d9\u05dd", "\u0639\u0645\u0627\u0644", "\u200fA", "A\u00a0B", "A B", "#row"),
)


def _nasty(seed: int) -> tuple[list[Question], dict[str, dict[str, tuple[int, ...]]]]:
    """A questionnaire with texts drawn from the list, and what people answer."""
    draw = random.Random(seed)  # noqa: S311  # invented answers
    questions = []
    for at in range(1, 4):
        several = draw.random() < 0.5
        texts = draw.sample(NASTY, draw.randint(2, 6) if several else 2)
        kind = QuestionKind.SELECT_ALL if several else QuestionKind.CHOICE
        questions.append(question(at, *texts, kind=kind))
    people: dict[str, dict[str, tuple[int, ...]]] = {}
    for person in range(draw.randint(1, 12)):
        answers = people[f"r{person:02}"] = {}
        for asked in questions:
            groups = range(len(asked.options) - 1)
            most = len(groups) if asked.kind is QuestionKind.SELECT_ALL else 1
            chosen = draw.sample(groups, draw.randint(1, most))
            answers[asked.id] = tuple(chosen) if draw.random() < 0.9 else (len(groups),)
    return questions, people


@pytest.mark.parametrize(
    "block", [0, *(pytest.param(block, marks=pytest.mark.slow) for block in range(1, 10))]
)
def test_nasty_options_are_counted_right_or_refused(tmp_path: Path, block: int) -> None:
    """500 questionnaires, each written in six ways: never a wrong count."""
    right = refused = 0
    for seed in range(block * 50, block * 50 + 50):
        questions, people = _nasty(seed)
        truth = {
            item.id: tuple(
                sum(place in answers[item.id] for answers in people.values())
                for place in range(len(item.options))
            )
            for item in questions
        }
        for joiner in ("rows", ";", "|"):
            for texts in (False, True):
                rows = _written(questions, people, joiner, texts=texts)
                try:
                    found = votes(read(tmp_path, rows, questions=questions))
                except CurateError:
                    refused += 1
                    continue
                assert found == truth, (seed, joiner, texts)
                right += 1
    assert right > refused, (right, refused)


def _written(
    questions: list[Question],
    people: dict[str, dict[str, tuple[int, ...]]],
    joiner: str,
    *,
    texts: bool,
) -> list[list[str]]:
    def name(asked: Question, place: int) -> str:
        option = asked.options[place]
        return option.text if texts else option.code

    if joiner == "rows":
        return [
            ["respondent", "question", "answer"],
            *(
                [who, asked.id, name(asked, place)]
                for who, answers in people.items()
                for asked in questions
                for place in answers[asked.id]
            ),
        ]
    return [
        ["respondent", *(asked.id for asked in questions)],
        *(
            [who, *(joiner.join(name(q, place) for place in answers[q.id]) for q in questions)]
            for who, answers in people.items()
        ),
    ]


def test_attributes_are_read_in_the_words_of_the_respondents(tmp_path: Path) -> None:
    """A heading of the pack and cells as they were shown give the values of the quotas."""
    french = CULTURE.model_copy(update={"language": "fr"})
    put(
        tmp_path / "table.csv",
        [
            ["participant", "Sexe", "Tranche d'\u00e2ge", "q-1"],
            ["a", "FEMME", "60+", "1"],
            ["b", "homme", "19-29", "2"],
            ["c", "elle", "", "2"],
        ],
    )
    found = read_simple(tmp_path / "table.csv", QUESTIONS, french, {})
    assert found is not None and found.answers is not None
    assert found.answers.attributes == {
        "gender": ("female", "male", "elle"),
        "age_band": ("60+", "19-29", ""),
    }
    assert (
        "  column 'Sexe': gender of the respondents (FEMME is female, homme is male, elle is not "
        "known)"
    ) in found.lines
    assert "  column 'Tranche d'\u00e2ge': age_band of the respondents" in found.lines


def test_attributes_are_read_in_the_words_of_the_workspace(tmp_path: Path) -> None:
    """A language of its own tells values, and questions about people that stand as headings."""
    english = load("en").survey
    assert english is not None
    words = english.model_dump(mode="json", exclude_none=True) | {
        "attributes": {"gender": "Woman or man?", "age_band": "How many years?"},
        "labels": {"female": "Dona", "male": "Home"},
        "attention": 'Choose "{answer}".',
        "attention_options": ["Red", "Blue"],
        "attention_answer": "Blue",
    }
    language = Language("xx", None, tmp_path / "xx.yaml", json.dumps({"survey": words}))
    culture = CULTURE.model_copy(update={"language": "xx"})
    put(
        tmp_path / "table.csv",
        [
            ["respondent", "woman or man?", "How many  years?", 'Choose "Blue".', "q-1"],
            ["a", "dona", "60+", "Blue", "1"],
            ["b", "Home", "19-29", "red", "2"],
            ["c", "", "", "", "2"],
        ],
    )
    found = read_simple(tmp_path / "table.csv", QUESTIONS, culture, {}, language)
    assert found is not None and found.answers is not None
    assert found.answers.attributes == {
        "gender": ("female", "male", ""),
        "age_band": ("60+", "19-29", ""),
        "attention": ("passed", "failed", ""),
    }
    assert found.findings == ()
    told = [line.split(": ", 1)[1] for line in found.lines[1:]]
    assert told == [
        "respondents (3)",
        "question q-1 (3 answers)",
        "gender of the respondents (dona is female, Home is male)",
        "age_band of the respondents",
        "attention of the respondents (Blue is passed, red is failed)",
    ]


def test_counts_of_target_selection_say_how_many_people_answered(tmp_path: Path) -> None:
    """Who may choose several is not told by the votes; nobody takes 100 for granted."""
    options = ("Bakers", "Potters; glazers", "Weavers", "none")
    rows = [["question", "group", "count"], *(["q-2", name, "4"] for name in options)]
    put(tmp_path / "table.csv", rows)
    with pytest.raises(CurateError, match="how many people answered question q-2") as caught:
        read_simple(tmp_path / "table.csv", QUESTIONS, CULTURE, {})
    assert "survey.respondents in culture.yaml" in caught.value.hint
    written = Culture.model_validate({**CULTURE.model_dump(), "survey": {"respondents": 40}})
    found = read_simple(tmp_path / "table.csv", QUESTIONS, written, {})
    assert found is not None
    assert found.tallies[0].respondents == 40
    assert "  respondents of target selection: 40, by survey.respondents" in found.lines


def test_a_second_sheet_is_never_left_out_in_silence(tmp_path: Path) -> None:
    """One that holds a table of answers is refused, another one is named."""
    book = openpyxl.Workbook()
    first = book.worksheets[0]
    first.title = "May"
    for row in [["participant", "q-1"], ["a", "1"]]:
        first.append(row)
    other = book.create_sheet("Legend")
    other.append(["code", "text"])
    book.create_sheet("Empty")
    book.save(tmp_path / "table.xlsx")
    found = read_simple(tmp_path / "table.xlsx", QUESTIONS, CULTURE, {})
    assert found is not None
    assert votes(found) == {"q-1": (1, 0, 0)}
    assert found.lines[1] == "  sheet 'Legend': not read"
    assert not any("Empty" in line for line in found.lines)
    wave = book.create_sheet("June")
    for row in [["participant", "q-1"], ["b", "2"]]:
        wave.append(row)
    book.save(tmp_path / "table.xlsx")
    with pytest.raises(CurateError, match="sheets 'May' and 'June' both hold answers") as caught:
        read_simple(tmp_path / "table.xlsx", QUESTIONS, CULTURE, {})
    assert caught.value.where == f"{tmp_path / 'table.xlsx'}, sheet June, row 1"
    assert "--survey for each" in caught.value.hint


TYPED = question(3, "Côte d'Or", "Pêcheurs", "Pécheurs", "L\u2019Île", kind=QuestionKind.SELECT_ALL)


def spelling(found: Simple) -> list[tuple[str, str]]:
    """What is said of how answers are written."""
    rule = "survey-spelling"
    return [(i.severity.value, i.message) for i in found.findings if i.rule == rule]


def test_typographic_apostrophes_are_those_of_the_keyboard(tmp_path: Path) -> None:
    """In answers and in headings, in other capitals too; it is said once, with the count."""
    quoted = replace(PAIR, stereotype="N'aiment \u00ab rien \u00bb")
    asked = (quoted, TYPED)
    rows = [
        ["id", 'n\u2019aiment "rien"', "q-3"],
        ["a", "Bakers", "CÔTE D\u2019OR; L'Île"],
        ["b", "There\u00a0is none", "Côte d\u2019Or"],
        ["c", "Bakers", "CÔTE D\u2019OR; L'Île"],
    ]
    found = read(tmp_path, rows, questions=asked)
    assert votes(found) == {"q-1": (2, 0, 1), "q-3": (3, 0, 0, 2, 0)}
    assert spelling(found) == [
        (
            "info",
            "3 answers are written with different capital letters, apostrophes or quotation marks: "
            "'CÔTE D\u2019OR; L'Île' for 'Côte d'Or + L\u2019Île' (2), "
            "'Côte d\u2019Or' for 'Côte d'Or' (1)",
        )
    ]


def test_missing_accents_are_read_where_one_option_fits(tmp_path: Path) -> None:
    """With a warning; where two fit, both are named; another accent is another word."""
    found = read(tmp_path, [["id", "q-3"], ["a", "cote d'or"], ["b", "l'ile"]], questions=(TYPED,))
    assert votes(found) == {"q-3": (1, 0, 0, 1, 0)}
    ((severity, message),) = spelling(found)
    assert severity == "warning"
    assert message.startswith("2 answers are written without accents: 'cote d'or' for 'Côte d'Or'")
    with pytest.raises(CurateError, match="'pecheurs' can be read as '2: Pêcheurs' or as '3: Péch"):
        read(tmp_path, [["id", "q-3"], ["a", "pecheurs"]], questions=(TYPED,))
    with pytest.raises(CurateError, match="'Côté d'Or' is not an option"):
        read(tmp_path, [["id", "q-3"], ["a", "Côté d'Or"]], questions=(TYPED,))


def test_an_option_in_other_capitals_may_be_another_one(tmp_path: Path) -> None:
    """A code in small letters and a text as it stands are two readings."""
    options = (
        Option("A", ("b",), Role.TARGET, True, "b"),
        Option("B", ("a",), Role.NON_TARGET, True, "a"),
        Option("none", (), Role.NONE, False, "There is none"),
    )
    with pytest.raises(CurateError, match="'a' can be read as 'A: b' or as 'B: a'"):
        read(tmp_path, [["id", "q-1"], ["x", "a"]], questions=(replace(PAIR, options=options),))


def test_a_title_above_the_headings_is_to_be_deleted(tmp_path: Path) -> None:
    """Blank rows below it as well; a first row with several cells is no title."""
    title = [["Survey 2026", "", ""], ["", "", ""]]
    with pytest.raises(CurateError, match="the headings are in row 3, below a title") as caught:
        read(tmp_path, [*title, ["respondent", "question", "answer"], ["a", "q-1", "1"]])
    assert caught.value.hint == "delete rows 1 to 2, so that the headings are the first row"
    put(tmp_path / "table.csv", [["x", "y", "z"], ["respondent", "question", "answer"]])
    assert read_simple(tmp_path / "table.csv", QUESTIONS, CULTURE, {}) is None
