"""Files as the tools of the field write them: the same twelve people, with known counts."""

import csv
import os
import shutil
from pathlib import Path

import pytest
import yaml

import survey
from curation import open_workspace
from curation.records.messages import CurateError
from tests.survey.readers.population import put, put_book

COUNTS = {
    "q-age-f201192b": (12, {"1": 9, "2": 2, "none": 1}),
    "q-age-e0cd161c": (12, {"1": 11, "2": 1, "none": 0}),
    "q-age-417e3c44": (12, {"1": 6, "2": 4, "none": 2}),
    "q-age-fb77345f": (11, {"1": 6, "2": 3, "none": 2}),
    "q-home-16a17cab": (12, {"1": 5, "2": 3, "3": 4, "4": 3, "5": 2, "6": 4, "none": 2}),
    "q-home-b7927794": (12, {"1": 4, "2": 5, "3": 3, "4": 7, "5": 2, "6": 4, "none": 0}),
}


@pytest.fixture(scope="module")
def cases():
    default = Path(__file__).parents[3] / "shared" / "reference"
    folder = Path(os.environ.get("CURATE_REFERENCE", default)).resolve().parent / "cases" / "field"
    if not folder.is_dir():
        pytest.skip(f"no reference data in {folder}: set CURATE_REFERENCE to have these tests")
    return folder


@pytest.fixture(scope="module")
def built(cases, tmp_path_factory):
    """The workspace as it was built, once."""
    made = tmp_path_factory.mktemp("field") / "workspace"
    (made / "templates_src").mkdir(parents=True)
    shutil.copyfile(cases / "culture.yaml", made / "culture.yaml")
    for name in ("bank.csv", "groups.csv"):
        shutil.copyfile(cases / name, made / "templates_src" / name)
    survey.build(open_workspace(made), per_form=40, orders=1)
    return made


@pytest.fixture
def folder(built, tmp_path):
    return shutil.copytree(built, tmp_path / "workspace")


@pytest.fixture
def answers(cases):
    """The heading of each question, and a row a person, their id first."""
    with (cases / "answers_plain.csv").open(encoding="utf-8", newline="") as stream:
        heads, *people = csv.reader(stream)
    return heads[1:], people


def filtered(folder, file, *mappings):
    return survey.filter(open_workspace(folder), [file], mappings=mappings, dry_run=True)


def counted(folder, file, *mappings):
    found = filtered(folder, file, *mappings)
    return {
        tally.question.id: (
            tally.respondents,
            {option.code: n for option, n in zip(tally.question.options, tally.votes, strict=True)},
        )
        for tally in found.tallies
    }


def inspected(folder, file):
    """What is found out of a file; the draft of its mapping is written."""
    (folder / "drafted.yaml").unlink(missing_ok=True)
    return survey.inspect(open_workspace(folder), file, out=folder / "drafted.yaml")


def drafted(folder, file):
    inspected(folder, file)
    return folder / "drafted.yaml"


CODES = "are taken for the questionnaire's codes"
FILES = {
    "answers_plain.csv": ("", 0),
    "panel_mentions.xlsx": ("", 0),
    "google_forms_other.csv": ("", 0),
    "surveymonkey_other.csv": ("", 0),
    "redcap_labels.csv": ("", 0),
    "kobo_labels.csv": ("", 0),
    "sosci_two_headers.csv": (CODES, 4),
    "pandas_floats.csv": ("'3.0' is not an option of question q-age-f201192b", 3),
}
"""What is said without a mapping, where a person has to look; and how many lines a draft asks to
be confirmed."""


@pytest.mark.parametrize("name", FILES)
def test_a_file_of_the_field_is_read_at_once_or_by_its_draft(name, folder, cases):
    """With the draft as it is; without a mapping where it leaves nothing to confirm."""
    said, lines = FILES[name]
    if said:
        with pytest.raises(CurateError, match=said):
            counted(folder, cases / name)
    else:
        assert counted(folder, cases / name) == COUNTS
    assert len(inspected(folder, cases / name).to_do) == lines
    assert counted(folder, cases / name, folder / "drafted.yaml") == COUNTS


def test_own_words_are_named_and_counted_for_nothing(folder, cases):
    """Within a joined cell the options beside them count; a column of them is no option."""
    for name, said in (
        ("google_forms_other.csv", "'people from the islands' (row 9)"),
        ("surveymonkey_other.csv", "'island folk' (row 10)"),
    ):
        found = filtered(folder, cases / name).findings
        own = [one.message for one in found if one.rule == "survey-own-words"]
        assert own
        assert all(said in message for message in own)


def test_a_respondent_is_who_is_named_in_every_row(folder, cases):
    """A time or an empty column names nobody."""
    for name, wanted in (("kobo_labels.csv", "_uuid"), ("sosci_two_headers.csv", "CASE")):
        assert inspected(folder, cases / name).draft.mapping.respondent.id == wanted


def test_what_says_the_same_again_is_compared(folder, cases):
    """A column with the options joined, beside a column for each of them."""
    file = folder / "kobo.csv"
    text = (cases / "kobo_labels.csv").read_text("utf-8-sig")
    file.write_text(text.replace('"Lake Plain"', '"Lake Coast"', 1), "utf-8")
    with pytest.raises(CurateError, match="'Lake Coast' says something else"):
        counted(folder, file)


def test_mentions_are_never_counted_for_their_place(folder, cases):
    """A panel's first, second, ... mention; a mapping that takes places for options is refused."""
    file = cases / "panel_mentions.xlsx"
    mapping = drafted(folder, file)
    data = yaml.safe_load(mapping.read_text("utf-8"))
    codes = ["1", "2", "3", "4", "5", "6", "none"]
    for part in data["questions"]:
        if part.pop("mentions", None):
            name = "Q5" if "16a17cab" in part["id"] else "Q6"
            part |= {"columns": f"{name}M{{code}}", "selected": list("1234567")}
            part["options"] = {str(at): code for at, code in enumerate(codes, start=1)}
    mapping.write_text(yaml.safe_dump(data), "utf-8")
    with pytest.raises(CurateError, match="to be about one option"):
        counted(folder, file, mapping)


def test_a_panels_list_is_read_beside_a_file_with_a_mapping_too(folder, cases):
    """With Prolific's headings: who was rejected does not vote, with a mapping and without."""
    file = folder / "answers_plain.csv"
    shutil.copyfile(cases / "answers_plain.csv", file)
    shutil.copyfile(cases / "prolific_respondents.csv", folder / "respondents.csv")
    mapping = drafted(folder, file)
    for mappings in ((), (mapping,)):
        found = filtered(folder, file, *mappings).respondents
        assert len(found.answers.respondents) == 9, mappings
        said = {(one.rule, one.respondent) for one in found.excluded}
        assert said == {("respondents", "r6"), ("respondents", "r7"), ("respondents", "r10")}


GROUPS = ["Coast", "Hills/uplands", "Moor & fen", "Lake", "Forest", "Plain"]
GROUPS.append("There is no such stereotype")


def _sent(at):
    return f"02.03.2026, 09:{at:02}:11"


def _beside(own, people, cells):
    """Each row its own columns, the four single answers, and what cells are made of the others."""
    return [
        [*own(at), *person[1:5], *cells(person[5].split("; ")), *cells(person[6].split("; "))]
        for at, person in enumerate(people, start=1)
    ]


def _ticks(mark):
    return lambda chosen: [(mark or name) if name in chosen else "" for name in GROUPS]


def _webform(asked, people):
    """As Drupal's webform does, Framaforms too: two rows above; `0` has no account."""
    own = ["Num\u00e9ro de s\u00e9rie", "SID", "Heure", "Adresse IP", "UID", "Nom d'utilisateur"]
    title = ["Enqu\u00eate", *[""] * 23]
    above = ["D\u00e9tails", *[""] * 9, asked[4], *[""] * 6, asked[5], *[""] * 6]
    rows = _beside(
        lambda at: [str(at), str(900 + at), _sent(at), "10.0.0.1", "0", "Anonyme"],
        people,
        _ticks("X"),
    )
    return [title, above, [*own, *asked[:4], *GROUPS, *GROUPS], *rows]


def _two_rows(blank):
    """A question above all of its options, or above the first of them, whatever the tool is."""

    def write(asked, people):
        several = [cell for text in asked[4:] for cell in (text, *[blank and text] * 6)]
        rows = _beside(lambda at: [str(7000 + at), _sent(at)], people, _ticks("1"))
        first = ["Response ID", "Timestamp", *asked[:4], *several]
        return [first, [*[""] * 6, *GROUPS, *GROUPS], *rows]

    return write


def _numbered(asked, people):
    """SurveyMonkey's numbers: a tick is the place of its option."""
    first = ["Respondent ID", "Collector ID", *asked[:4]]
    several = [cell for text in asked[4:] for cell in (text, *[""] * 6)]
    ticks = _beside(
        lambda at: [str(at), "4"],
        people,
        lambda chosen: [str(at) if name in chosen else "" for at, name in enumerate(GROUPS, 1)],
    )
    return [[*first, *several], ["", "", *["Response"] * 4, *GROUPS, *GROUPS], *ticks]


def _joined(titles, before, after=(), sign="; ", above=()):
    """A column a question, other columns before and behind, and rows above the headings."""

    def write(asked, people):
        rows = _beside(before, people, lambda chosen: [sign.join(chosen)])
        rows = [[*row, *(cell.format(at) for cell in after)] for at, row in enumerate(rows, 1)]
        wide = len(titles) + 6
        heads = [[*cells, *[""] * (wide - len(cells))] for cells in above]
        mine = len(titles) - len(after)
        return [*heads, [*titles[:mine], *asked, *titles[mine:]], *rows]

    return write


def _alchemer(asked, people):
    """A column an option, which is called before its question."""
    own = ["Response ID", "Time Started", "Date Submitted", "Status"]
    several = [f"{name}:{text}" for text in asked[4:] for name in GROUPS]
    rows = _beside(lambda at: [str(at), _sent(at), _sent(at), "Complete"], people, _ticks(""))
    out = ["99", _sent(1), "", "Disqualified", *[""] * 18]
    return [[*own, *asked[:4], *several], *rows, out]


def _vv(asked, people):
    """Texts above codes; who was not shown a question has words that say so."""
    boxes = [f"Q{of}_SQ{at:03}" for of in (5, 6) for at in range(1, 8)]
    codes = ["id", "submitdate", "lastpage", "Q1", "Q2", "Q3", "Q4", *boxes]
    several = [f"{text} [{name}]" for text in asked[4:] for name in GROUPS]
    rows = _beside(lambda at: [str(at), f"2026-03-02 09:{at:02}:11", "3"], people, _ticks("Y"))
    shown = [[cell or "{question_not_shown}" for cell in row[:7]] + row[7:] for row in rows]
    return [["Response ID", "Date submitted", "Last page", *asked[:4], *several], codes, *shown]


def _trials(own, before):
    """A row a question, whose answer is in a column of its own."""

    def write(asked, people):
        cells = [
            [*map(str, before(at, of)), *("" if place != of else cell for place in range(6))]
            for at, person in enumerate(people, 1)
            for of, cell in enumerate(person[1:])
        ]
        return [[*own, *asked], *cells]

    return write


def _labelled(asked, people):
    """YouGov's: names, and below them what they mean, each option before its question."""
    names = [f"q{of}_{at}" for of in (5, 6) for at in range(1, 8)]
    labels = [f"{name} - {text}" for text in asked[4:] for name in GROUPS]
    head = ["resp", "weight", "q1", "q2", "q3", "q4", *names]
    rows = _beside(lambda at: [str(at), f"0.{at}"], people, _ticks("selected"))
    shown = [[cell or "not selected" for cell in row[6:]] for row in rows]
    below = ["Response ID", "weight", *asked[:4], *labels]
    return [head, below, *([*row[:6], *ticks] for row, ticks in zip(rows, shown, strict=True))]


def _rows(titles, row, out=()):
    """A row a question; one more row is of somebody who does not count."""

    def write(asked, people):
        rows = [
            [*map(str, row(at, of, text, cell))]
            for at, person in enumerate(people, 1)
            for of, (text, cell) in enumerate(zip(asked, person[1:], strict=True))
            if cell
        ]
        return [titles, *rows, *([[*rows[0][: -len(out)], *out]] if out else ())]

    return write


TOOLS = {
    "a webform": _webform,
    "two rows, which go on": _two_rows(""),
    "two rows, which repeat": _two_rows("again"),
    "numbers of options": _numbered,
    "EUSurvey": _joined(
        ["Contribution ID", "Last update", "Languages"],
        lambda _: (),
        ("c-{}", "2026-03-02 09:{:02}", "EN"),
        ";",
        [["Alias", "survey"], ["Export Date", "2026-03-09"]],
    ),
    "a form in Georgian": _joined(
        ["\u10d3\u10e0\u10dd\u10d8\u10e1 \u10e8\u10e2\u10d0\u10db\u10de\u10d8"],
        lambda at: [_sent(at)],
        sign=", ",
    ),
    "a pilot, all of whom are called tests": _joined(["participant"], lambda at: [f"test{at}"]),
    "a condition that is called a test": _joined(
        ["participant"], lambda at: [f"{('test', 'control', 'other')[at % 3]}_{at}"]
    ),
    "YouGov": _labelled,
    "Alchemer": _alchemer,
    "VV of LimeSurvey": _vv,
    "Labvanced": _trials(["Rec_Session_Id", "Task_Name", "Trial_Nr"], lambda at, of: [at, "t", of]),
    "OpenSesame": _trials(
        ["subject_nr", "subject_parity", "count_x"], lambda at, of: [at, "o", of]
    ),
    "PsychoPy": _rows(
        ["question", "participant", "expName", "form.itemText", "form.response"],
        lambda at, of, asked, cell: ["", f"p{at}", "norms", asked, cell],
    ),
    "Toloka": _rows(
        ["INPUT:question", "OUTPUT:a", "ASSIGNMENT:worker_id", "ASSIGNMENT:status"],
        lambda at, of, asked, cell: [asked, cell, f"w{at}", "APPROVED"],
        ["REJECTED"],
    ),
    "Appen": _rows(
        ["question", "answer", "_unit_id", "_id", "_worker_id", "_tainted"],
        lambda at, of, asked, cell: [asked, cell, of, f"{at}{of}", f"w{at}", "false"],
        ["w99", "true"],
    ),
    "Formsite": _joined(
        ["Reference #", "User", "Duration (s)", "Status"],
        lambda at: [str(900 + at)],
        ("", "0:01:{:02}", "Complete"),
    ),
}


@pytest.mark.parametrize("tool", TOOLS)
def test_a_table_of_any_tool_is_read_by_its_structure(tool, folder, answers):
    """Ids that are one for all name nobody; ids or times of what was sent tell its rows apart."""
    assert counted(folder, put(folder / "tool.csv", TOOLS[tool](*answers))) == COUNTS


@pytest.mark.parametrize("again", [lambda at: min(at, 11), lambda at: (at + 1) // 2])
def test_rows_are_no_people_where_a_column_may_name_some_twice(again, folder, answers):
    """Each row has its time; of twelve cards one came twice, or all did."""
    asked, people = answers
    rows = ([_sent(at), f"k{again(at)}", *row[1:]] for at, row in enumerate(people, start=1))
    file = put(folder / "cards.csv", [["Hora", "Carnet", *asked], *rows])
    with pytest.raises(CurateError, match="'Carnet', 'Hora' may do it"):
        counted(folder, file)


def _as_tools_write(asked, people, head, tick):
    """The plain answers, with a column for each option of the two multi-selects."""
    named = list(enumerate(GROUPS, start=1))
    rows = [
        ["participant_id", *asked[:4], *(head(text, *one) for text in asked[4:] for one in named)]
    ]
    for person in people:
        chosen = (cell.split("; ") for cell in person[5:])
        ticks = (tick(at, name) if name in each else "" for each in chosen for at, name in named)
        rows.append([*person[:5], *ticks])
    return rows


def test_options_alone_above_their_columns_are_tied_by_a_person(folder, answers):
    """Two questions with the same options cannot be told apart; no count leaves them out."""
    rows = _as_tools_write(*answers, lambda _text, _at, name: name, lambda _, name: name)
    file = put(folder / "options.csv", rows)
    with pytest.raises(CurateError, match="14 columns are left over"):
        counted(folder, file)
    mapping = drafted(folder, file)
    text = mapping.read_text("utf-8")
    parts = [line[4:] for line in text.splitlines() if line.startswith("#   - {id: ")]
    data = yaml.safe_load(text)
    for line, question in zip(parts, list(COUNTS)[4:], strict=True):
        (part,) = yaml.safe_load(line)
        data["questions"].append({**part, "id": question, "kind": "select_all"})
    mapping.write_text(yaml.safe_dump(data), "utf-8")
    assert counted(folder, file, mapping) == COUNTS


def test_rows_are_joined_only_where_they_answer_other_questions(folder, answers):
    """Two trials that answer one question otherwise are refused, and so are tables of others."""
    file, rows = folder / "trials.csv", TOOLS["Labvanced"](*answers)
    put(file, [*rows, [*rows[1][:3], answers[1][1][1], *[""] * 5]])
    assert counted(folder, file) == COUNTS
    put(file, [*rows, [*rows[1][:3], "Young people", *[""] * 5]])
    with pytest.raises(CurateError, match=r"lose umbrellas\"\?' in rows 2, 74"):
        counted(folder, file)


def test_rows_of_options_with_a_flag_are_refused_whatever_they_are_called(folder, answers):
    """To keep the first row of each person, as is said of doubles, would count the first option."""
    asked, (person, *_) = answers
    cells = [("c1", asked[4], name, str(name in person[5]).upper()) for name in GROUPS]
    more = [("c2", *cell[1:]) for cell in cells]
    heads = ["caseid", "item", "alternative", "value"]
    file = put(folder / "rows.csv", [heads, *cells, *more])
    with pytest.raises(CurateError, match="'value' may say which options were chosen"):
        counted(folder, file)


def test_ids_of_rows_are_doubted_where_each_answers_one_question(folder, answers):
    """A row of a person each, though several questions are asked, may number the rows."""
    write = _rows(
        ["response_id", "who", "question", "answer"],
        lambda at, of, asked, cell: [f"r{at}{of}", f"m{at}", asked, cell],
    )
    found = filtered(folder, put(folder / "rows.csv", write(*answers))).findings
    doubted = [item.message for item in found if item.rule == "survey-row-of-each"]
    assert [said[:42] for said in doubted] == ["each of 71 rows has another 'response_id',"]


def test_a_codebook_that_numbers_otherwise_is_told(folder, answers):
    """It may be that of another wave; its labels decide, whatever their column is called."""
    (asked, *_), people = answers
    texts = ["Young people", "Old people", "There is no such stereotype"]
    chosen = ([person[0], texts.index(person[1]) + 1] for person in people)
    rows = [["Q1", asked, *row] for row in enumerate(texts, start=1)]
    codes = [["variable", "question", "code", "Bezug"], *rows]
    sheets = {"Sheet": [["respondent_id", "Q1"], *chosen], "codebook": codes}
    found = inspected(folder, put_book(folder / "panel.xlsx", **sheets))
    assert [item.rule for item in found.trial.findings if "codebook" in item.rule] == [
        "codebook-numbers"
    ]
    assert found.draft.mapping.questions[0].options == {"1": "2", "2": "1", "3": "none"}


def test_own_words_in_most_of_a_row_are_another_forms_options(folder, answers):
    """One of twelve answered in another language: each text is rare, and its row is looked at."""
    asked, people = answers
    words = {"Old people": "Y Cymry", "Young people": "Saeson", "Retired people": "Eraill"}
    other = ["r0", *map(words.get, people[0][1:5]), *people[0][5:]]
    file = put(folder / "two.csv", [["Response ID", *asked], other, *people[1:]])
    told = inspected(folder, file).to_do
    assert [line for line in told if line.startswith("most answers of 1 row (2) are none of")]


def test_seconds_are_read_in_the_ways_that_tools_write_them(folder, answers):
    """With a unit, as hours, minutes and seconds, and as a code for none."""
    asked, people = answers
    said = ["65", "65 s", "0:01:05", "-1", *["70"] * 8]
    rows = [[*person, seconds] for person, seconds in zip(people, said, strict=True)]
    file = put(folder / "times.csv", [["Response ID", *asked, "Duration (s)"], *rows])
    told = filtered(folder, file).respondents.answers.attributes["duration_s"]
    assert told[:5] == ("65", "65", "65", "", "70")


def test_a_list_of_people_may_be_any_panels(folder, answers):
    """Its ids are called as programs write words, and a status is whatever ends so."""
    asked, people = answers
    file = put(folder / "answers.csv", [["ParticipantId", *asked], *people])
    became = ["Approved"] * 9 + ["Rejected", "Returned", "TimedOut"]
    listed = [[person[0], state, "Retired"] for person, state in zip(people, became, strict=True)]
    titles = ["ParticipantId", "ParticipationStatus", "EmploymentStatus"]
    put(folder / "respondents.csv", [titles, *listed])
    left = filtered(folder, file).respondents.excluded
    assert [one.respondent for one in left] == ["r10", "r11", "r12"]


def _coded(own, name, after=()):
    """A column of numbers a question; one an option of the others, called by `name`."""

    def write(asked, people):
        ids = [code.replace("-", "_") for code in COUNTS]
        singles = {text: at for at, text in enumerate(["Old people", "Young people"], start=1)}
        rows = _beside(lambda at: [cell.format(at) for cell in own.values()], people, _ticks("1"))
        start = len(own)
        for row in rows:
            cells = ["1" if "Old" in cell else cell for cell in row[start : start + 4]]
            codes = [str(singles.get(cell, "3" if cell else "")) for cell in cells]
            row[start:] = [*codes, *(cell or "0" for cell in row[start + 4 :])]
        boxes = [name.format(code, at) for code in ids[4:] for at in range(1, 8)]
        return [[*own, *ids[:4], *boxes], *rows, *(filled(len(own) + 18) for filled in after)]

    return write


CODED = {
    "unipark": _coded(
        {"lfdn": "{}", "tester": "0", "dispcode": "31", "duration": "200"},
        "{}_{}",
        [lambda wide: ["99", "1", "31", "9", *["1"] * (wide - 4)]],
    ),
    "decipher": _coded({"record": "{}", "uuid": "u{}", "status": "3"}, "{}r{}"),
    "sawtooth": _coded({"sys_RespNum": "{}", "sys_RespStatus": "5"}, "{}_{}"),
    "otree": _coded(
        {"participant.code": "k{}", "participant._is_bot": "0", "session.code": "s"},
        "{}_{}",
        [lambda wide: ["k99", "1", "s", *["1"] * (wide - 3)]],
    ),
}


@pytest.mark.parametrize("tool", CODED)
def test_codes_of_a_tool_are_confirmed_and_nothing_else(tool, folder, answers):
    """Who tested the form, and robots, are left out; names of columns may end in `r1`."""
    file = put(folder / "codes.csv", CODED[tool](*answers))
    found = inspected(folder, file)
    assert found.recognised.preset == tool
    assert all(CODES in line for line in found.to_do)
    got = counted(folder, file, folder / "drafted.yaml")
    assert {name: got[name] for name in list(COUNTS)[4:]} == dict(list(COUNTS.items())[4:])


@pytest.mark.parametrize(("prefix", "read"), [("AO0", True), ("A", True), ("AB", False)])
def test_codes_behind_letters_are_places_that_a_person_confirms(prefix, read, folder, answers):
    """As LimeSurvey numbers answers; letters that differ are no such numbers."""
    asked, people = answers
    places = {"Old people": 1, "Old people, Retired people": 1, "Young people": 2}
    names = [prefix, "C" if not read else prefix]
    chosen = [places.get(person[1], 3) for person in people]
    codes = [f"{names[place == 2]}{place}" for place in chosen]
    rows = ([str(at), code] for at, code in enumerate(codes))
    file = put(folder / "codes.csv", [["Response ID", asked[0]], *rows])
    assert (CODES in inspected(folder, file).to_do[0]) is read
    if read:
        assert list(counted(folder, file, folder / "drafted.yaml").items()) == [
            ("q-age-f201192b", COUNTS["q-age-f201192b"])
        ]
