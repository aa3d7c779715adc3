"""Simple tables: what is recognised, and what is refused because it has two readings."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from curation.records.culture import Culture
from curation.records.messages import CurateError, own_yaml
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.answers import count_answers, join_answers
from survey.mapping import SIMPLE, load_mapping, save_mapping
from survey.readers.inspection import Inspection, inspect_file
from survey.readers.normalise import read_survey, unread_finding
from survey.readers.opening import open_file
from survey.readers.options import QuestionNames
from survey.readers.people import shared_ids
from survey.readers.placing import About, holds_counts
from survey.readers.tallies import Counted, read_counts
from tests.survey.readers.population import put, put_book

CULTURE = Culture.model_validate({"culture": "Marevia", "language": "en", "unknown": "unknown"})
CASES = own_yaml(Path(__file__).with_name("simple.yaml").read_text("utf-8"))
RESULTS = {"votes", "told", "findings", "places", "respondents", "lines"}


def question(at, *texts, kind=QuestionKind.CHOICE):
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


def found_in(path, questions=QUESTIONS, culture=CULTURE):
    """What is found out of a table; by the mapping that it makes it is read so again.

    Raises:
        CurateError: If it cannot be read as a simple table.
    """
    about = About.of(culture, culture.language)
    found = inspect_file(open_file(path), questions, path.parent / "forms", about, keep=True)
    if found.refused is not None:
        raise found.refused
    if found.recognised.preset == SIMPLE and found.trial is not None:
        save_mapping(path.with_suffix(".yaml"), found.draft.mapping)
        mapping = load_mapping(path.with_suffix(".yaml"))
        again = read_survey(open_file(path, mapping.read), mapping, questions)
        assert same(again.answers, found.trial.answers)
        told = [one for one in found.trial.findings if one.rule != "survey-unread-sheets"]
        assert ([*again.findings], again.unread) == (told, found.trial.unread)
    return found


def same(one, other):
    columns = ("respondent", "question", "option", "state", "position", "row")
    return (one.respondents, one.attributes) == (other.respondents, other.attributes) and all(
        (getattr(one, name) == getattr(other, name)).all() for name in columns
    )


def read(folder, rows, *, questions=QUESTIONS):
    put(folder / "table.csv", rows)
    return found_in(folder / "table.csv", questions)


def votes(found):
    tallies = found[0] if isinstance(found, tuple) else count_answers(answers(found))[0]
    return {tally.question.id: list(tally.votes) for tally in tallies}


def answers(found):
    assert isinstance(found, Inspection)
    assert found.trial is not None
    return found.trial.answers


def places(found):
    own = answers(found)
    told = {}
    for at in range(len(own)):
        key = f"{own.respondents[own.respondent[at]]} {own.questions[own.question[at]].id}"
        told.setdefault(key, {})[int(own.option[at])] = int(own.position[at])
    return {key: [options[at] for at in sorted(options)] for key, options in told.items()}


def outcome(case, folder):
    """What a case says of its table, as it is read."""
    path = folder / "table.csv"
    path.write_text(case["file"], encoding="utf-8")
    settings = {"language": case.get("language", "en")}
    if "respondents_of_selection" in case:
        settings["survey"] = {"respondents": case["respondents_of_selection"]}
    culture = Culture.model_validate({**CULTURE.model_dump(exclude_unset=True), **settings})
    questions = [ASKED[name] for name in case["questions"]] if "questions" in case else QUESTIONS
    found: Inspection | Counted
    try:
        opened = open_file(path)
        if holds_counts(opened):
            about = About.of(culture, culture.language)
            found = read_counts(opened, QuestionNames(questions, {}), about)
        else:
            found = found_in(path, questions, culture)
    except CurateError as error:
        assert error.what and error.hint
        return {"refused": error.where.removeprefix(str(path)).removeprefix(", ")}
    findings = list(found[1]) if isinstance(found, tuple) else []
    tallies = found[0] if isinstance(found, tuple) else ()
    if isinstance(found, Inspection):
        if found.recognised.preset != SIMPLE or found.trial is None:
            return {"other": True}
        findings = [*found.trial.findings, *unread_finding(path.name, found.trial.unread)]
    results = {
        "votes": lambda: votes(found),
        "told": lambda: {name: list(told) for name, told in answers(found).attributes.items()},
        "findings": lambda: [f"{item.severity.value} {item.rule}" for item in findings],
        "places": lambda: places(found),
        "respondents": lambda: [tally.respondents for tally in tallies],
        "lines": lambda: [
            line.strip() for line in (found[2] if isinstance(found, tuple) else found.lines)[1:]
        ],
    }
    return {key: results[key]() for key in RESULTS & case.keys()}


def test_simple_tables_are_read_or_refused(tmp_path):
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


def _nasty(seed):
    """A questionnaire with texts drawn from the list, and what people answer."""
    draw = random.Random(seed)  # noqa: S311  # invented answers
    questions = []
    for at in range(1, 4):
        several = draw.random() < 0.5
        texts = draw.sample(NASTY, draw.randint(2, 6) if several else 2)
        kind = QuestionKind.SELECT_ALL if several else QuestionKind.CHOICE
        questions.append(question(at, *texts, kind=kind))
    people = {}
    for person in range(draw.randint(1, 12)):
        answers = people[f"r{person:02}"] = {}
        for asked in questions:
            groups = range(len(asked.options) - 1)
            most = len(groups) if asked.kind is QuestionKind.SELECT_ALL else 1
            chosen = draw.sample(groups, draw.randint(1, most))
            answers[asked.id] = tuple(chosen) if draw.random() < 0.9 else (len(groups),)
    return questions, people


@pytest.mark.parametrize("count", [12, pytest.param(500, marks=pytest.mark.nightly)])
def test_nasty_options_are_counted_right_or_refused(tmp_path, count):
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


def _written(questions, people, joiner, *, texts):
    def name(asked, place):
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


def test_a_second_sheet_is_never_left_out_in_silence(tmp_path):
    """One that holds a table of answers is refused, another one is named."""
    sheets = {"May": [["participant", "q-1"], ["a", "1"]]}
    sheets["Legend"] = [["code", "text"], ["participant", "q-1"]]  # it is told by its first row
    sheets["Empty"] = []
    path = put_book(tmp_path / "table.xlsx", **sheets)
    found = found_in(path)
    assert votes(found) == {"q-1": [1, 0, 0]}
    told = [one.message for one in found.trial.findings if "sheets" in one.rule]
    assert told == ["sheets of the workbook are not read: 'Legend'"]
    put_book(path, **sheets, June=[["participant", "q-1"], ["b", "2"]])
    with pytest.raises(CurateError) as caught:
        found_in(path)
    assert caught.value.where == f"{path}, sheet June, row 1"


def test_of_several_files_a_row_is_one_of_its_file(tmp_path):
    """Who contradicts themselves in the second file stands there, in the row that it has there."""
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    put(first, [["id", "q-2"], *([f"a{at}", "1"] for at in range(9))])
    put(second, [["id", "q-2"], ["b", "1"], ["c", "2;none"]])
    joined = join_answers([answers(found_in(path)) for path in (first, second)])
    _, (finding,) = count_answers(joined)
    assert (finding.file, finding.row) == (str(second), 3)


@pytest.mark.parametrize(
    ("people", "headings", "who"),
    [
        (("user: a b", "respondent: x y"), [], "respondent"),
        (("id: a b", "participant: x "), [], "id"),
        (("user: a b", "participant: x y"), [], "user"),
        (("user: a b", "participant: x y"), ["participant"], "participant"),
        (("user: a b", "respondent: x y"), ["user"], "user"),
        (("respondent_id: a b", "participant: x y"), ["participant"], "participant"),
        (("respondent_id: a b", "participant: x x"), ["participant"], None),
        (("user: a b", "participant: x y"), ["worker"], None),
        (("user: a b", "respondent: x y"), ["respondent_id"], "respondent"),
        (("respondent: a b", "participant: x y", "listed: x y"), ["respondent"], "participant"),
        (("respondent: a b", "participant: x x", "listed: x"), [], "participant"),
    ],
)
def test_of_columns_with_ids_the_list_and_the_other_file_choose(tmp_path, people, headings, who):
    """A list of people beside a file tells it, then what all files have, then the heading."""
    path = tmp_path / "table.csv"
    columns = {name: ids.split(" ") for name, ids in (each.split(": ") for each in people)}
    listed = [[name] for name in columns.pop("listed", [])]
    put(tmp_path / "respondents.csv", [["respondent_id"], *listed])
    put(path, [[*columns, "q-1"], *([*ids, "1"] for ids in zip(*columns.values(), strict=True))])
    shared = shared_ids([[*columns, "q-1"], [*headings, "q-2"]])
    found = inspect_file(open_file(path), QUESTIONS, tmp_path, shared=shared, keep=True)
    if who is None:
        assert found.refused is not None
    elif len({*columns[who]}) == 1:
        assert "x answers in rows" in str(found.refused)
    else:
        assert answers(found).respondents == tuple(columns[who])


def test_a_mapping_reads_the_next_wave(tmp_path):
    """Of an attribute whose cells mean themselves, it names none; of another, all."""
    quotas = {"questionnaire": {"quotas": {"gender": {"female": 0.5, "male": 0.5}}}}
    own = Culture.model_validate({**CULTURE.model_dump(exclude_unset=True), **quotas})
    first, second = tmp_path / "first.csv", tmp_path / "second.csv"
    put(first, [["id", "gender", "q-1"], ["a", "female", "1"]])
    put(second, [["id", "gender", "q-1"], ["a", "female", "1"], ["b", "diverse", "2"]])
    mapping = found_in(first, culture=own).draft.mapping
    again = read_survey(open_file(second, mapping.read), mapping, QUESTIONS)
    assert again.answers.attributes["gender"] == ("female", "diverse")
    put(first, [["id", "gender", "q-1"], ["a", "Female", "1"]])
    values = found_in(first, culture=own).draft.mapping.attributes["gender"].values
    assert values == {"Female": "female"}
