"""Simple tables: what is recognised, and what is refused because it has two readings."""

import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pytest
import yaml

from curation.records.culture import Culture
from curation.records.errors import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.readers.opening import open_file
from survey.readers.simple import Simple, read_simple
from survey.votes import count_answers
from tests.survey.readers.population import put

CULTURE = Culture.model_validate({"culture": "Marevia", "language": "en", "unknown": "unknown"})
CASES = yaml.safe_load(Path(__file__).with_name("simple.yaml").read_text("utf-8"))
RESULTS = {"votes", "told", "findings", "places", "respondents", "lines"}


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
ASKED = {
    "PAIR": PAIR,
    "TWIN": replace(PAIR, id="q-3"),
    "SHIFTED": question(1, "2", "1"),
    "LISTS": question(4, "A", "B", "A;B", kind=QuestionKind.SELECT_ALL),
    "TYPED": question(
        3, "Côte d'Or", "Pêcheurs", "Pécheurs", "L\u2019Île", kind=QuestionKind.SELECT_ALL
    ),
}


def read(folder: Path, rows: list[list[str]], *, questions: Any = QUESTIONS) -> Simple:
    """Read a table with these rows."""
    put(folder / "table.csv", rows)
    found = read_simple(open_file(folder / "table.csv"), questions, CULTURE, {})
    assert found is not None
    return found


def votes(found: Simple) -> dict[str, list[int]]:
    """The votes by question."""
    tallies = found.tallies
    if found.answers is not None:
        tallies = tuple(count_answers(found.answers)[0])
    return {tally.question.id: list(tally.votes) for tally in tallies}


def places(found: Simple) -> dict[str, list[int]]:
    """By respondent and question the place of each option."""
    answers = found.answers
    assert answers is not None
    told: dict[str, dict[int, int]] = {}
    for at in range(len(answers)):
        who = answers.respondents[answers.respondent[at]]
        key = f"{who} {answers.questions[answers.question[at]].id}"
        told.setdefault(key, {})[int(answers.option[at])] = int(answers.position[at])
    return {key: [options[at] for at in sorted(options)] for key, options in told.items()}


def outcome(case: dict[str, Any], folder: Path) -> Any:
    """What a case says of its table, as it is read."""
    path = folder / "table.csv"
    path.write_text(case["file"], encoding="utf-8")
    settings = {"language": case.get("language", "en")}
    if "respondents_of_selection" in case:
        settings["survey"] = {"respondents": case["respondents_of_selection"]}
    culture = Culture.model_validate({**CULTURE.model_dump(exclude_unset=True), **settings})
    questions = [ASKED[name] for name in case["questions"]] if "questions" in case else QUESTIONS
    try:
        found = read_simple(open_file(path), questions, culture, {})
    except CurateError as error:
        assert error.what and error.hint
        return {"refused": error.where.removeprefix(str(path)).removeprefix(", ")}
    if found is None:
        return {"other": True}
    told = found.answers.attributes if found.answers is not None else {}
    results = {
        "votes": lambda: votes(found),
        "told": lambda: {name: list(values) for name, values in told.items()},
        "findings": lambda: [f"{item.severity.value} {item.rule}" for item in found.findings],
        "places": lambda: places(found),
        "respondents": lambda: [tally.respondents for tally in found.tallies],
        "lines": lambda: [line.strip() for line in found.lines[1:]],
    }
    return {key: results[key]() for key in RESULTS & case.keys()}


def test_simple_tables_are_read_or_refused(tmp_path: Path) -> None:
    """Votes, what is known of respondents, or the place of what has two readings or none."""
    for case in CASES:
        wanted = {key: case[key] for key in (RESULTS | {"refused", "other"}) & case.keys()}
        assert outcome(case, tmp_path) == wanted, case["why"]


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


@pytest.mark.parametrize("count", [25, pytest.param(500, marks=pytest.mark.nightly)])
def test_nasty_options_are_counted_right_or_refused(tmp_path: Path, count: int) -> None:
    """Questionnaires, each written in six ways: never a wrong count."""
    right = refused = 0
    for seed in range(count):
        questions, people = _nasty(seed)
        truth = {
            item.id: [
                sum(place in answers[item.id] for answers in people.values())
                for place in range(len(item.options))
            ]
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


def test_a_second_sheet_is_never_left_out_in_silence(tmp_path: Path) -> None:
    """One that holds a table of answers is refused, another one is named."""
    book = openpyxl.Workbook()
    first = book.worksheets[0]
    for row in [["participant", "q-1"], ["a", "1"]]:
        first.append(row)
    book.create_sheet("Legend").append(["code", "text"])
    book.create_sheet("Empty")
    path = tmp_path / "table.xlsx"
    book.save(path)
    found = read_simple(open_file(path), QUESTIONS, CULTURE, {})
    assert found is not None
    assert votes(found) == {"q-1": [1, 0, 0]}
    assert [line for line in found.lines if line.startswith("  sheet")] == [
        "  sheet 'Legend': not read"
    ]
    wave = book.create_sheet("June")
    for row in [["participant", "q-1"], ["b", "2"]]:
        wave.append(row)
    book.save(path)
    with pytest.raises(CurateError) as caught:
        read_simple(open_file(path), QUESTIONS, CULTURE, {})
    assert caught.value.where == f"{path}, sheet June, row 1"
