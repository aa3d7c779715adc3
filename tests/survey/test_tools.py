"""One survey as the tools of the field give it back: read at once, or left open with what to do.

The people, their answers and the words are invented, in a language that we have no pack of.
"""

import csv
import json

import pytest
from openpyxl import load_workbook

from curation.records.messages import CurateError
from curation.records.survey import Option, Question, QuestionKind, Role
from survey.answers import count_answers
from survey.mapping import RespondentsPart
from survey.readers.inspection import inspect_file
from survey.readers.normalise import read_survey
from survey.readers.opening import open_file
from survey.readers.options import words_of
from tests.survey.readers.population import put, put_book

NONE = Option("none", (), Role.NONE, False, "Non hai tal idea")
CHOICE = Question(
    "q-xente-00000001",
    QuestionKind.CHOICE,
    "Xente",
    "Gardan as cordas vellas",
    (
        Option("1", ("Avós",), Role.TARGET, True, "Avós"),
        Option("2", ("Mozos",), Role.NON_TARGET, True, "Mozos, rapaces"),
        NONE,
    ),
)
SEVERAL = Question(
    "q-terra-00000002",
    QuestionKind.SELECT_ALL,
    "Terra",
    "Cantan ao amencer",
    (
        Option("1", ("Costa",), Role.GROUP, True, "Costa"),
        Option("2", ("Montes",), Role.GROUP, True, "Montes/altos"),
        Option("3", ("Ría",), Role.GROUP, True, "Ría, mar"),
        Option("4", ("Chaira",), Role.GROUP, True, "Chaira"),
        NONE,
    ),
)
QUESTIONS = (CHOICE, SEVERAL)
ASKED = ("En quen pensa a xente: «Gardan as cordas vellas»?", "E con isto: «Cantan ao amencer»?")
PEOPLE = (
    ("1", ("1", "2")),
    ("1", ("3",)),
    ("2", ("1", "3", "4")),
    ("none", ("none",)),
    ("1", ("4",)),
    ("", ("2", "4")),
    ("2", ("1",)),
    ("1", ("2", "3")),
)
COUNTS = {CHOICE.id: (7, (4, 2, 1)), SEVERAL.id: (8, (3, 3, 3, 3, 1))}


def text(question, code):
    return next((one.text for one in question.options if one.code == code), "")


def number(question, code):
    """An option's place, from 1."""
    codes = [one.code for one in question.options]
    return str(codes.index(code) + 1) if code in codes else ""


def as_text(choice):
    return text(CHOICE, choice)


def counted(at):
    return [str(at)]


def table(own, several, mine=counted, *, heads=ASKED, one=as_text, after=None):
    """A row a person: their own columns, the choice, those of the multi-select, and more behind."""
    behind = after or {}
    rows = [[*own, *heads, *behind]]
    for at, (choice, chosen) in enumerate(PEOPLE, start=1):
        more = (cell.format(at) for cell in behind.values())
        rows.append([*mine(at), one(choice), *several(chosen), *more])
    return rows


def joined(sign):
    return lambda chosen: [sign.join(text(SEVERAL, code) for code in chosen)]


def ticked(yes, no):
    return lambda chosen: [yes if one.code in chosen else no for one in SEVERAL.options]


def own_texts(chosen):
    """A column an option, with its text where it was chosen."""
    return [one.text if one.code in chosen else "" for one in SEVERAL.options]


def beside(first, then):
    return lambda chosen: [*first(chosen), *then(chosen)]


TEXTS = [one.text for one in SEVERAL.options]


def table_of(*columns, **how):
    """Writes such a table."""
    return lambda folder: put(folder / "a.csv", table(*columns, **how))


BOTH = beside(joined(", "), ticked("TRUE", "FALSE"))
NAMES = ["q_xente_00000001", "q_terra_00000002"]


def headed(pattern):
    """The choice's heading, and one for each option of the other question."""
    return [ASKED[0], *(pattern.format(ASKED[1], label) for label in TEXTS)]


tally = table_of(
    ["Submission ID", "Respondent ID", "Submitted at"],
    BOTH,
    lambda at: [f"s{at}", f"p{at}", "2026-03-02"],
    heads=[*ASKED, *headed("{} ({})")[1:]],
)
formr = table_of(
    ["session", "created", "modified", "ended", "expired"],
    joined(", "),
    lambda at: [f"abc{at}", *["2026-03-02 09:01:11"] * 3, ""],
    heads=NAMES,
)
mentions_by_text = table_of(
    ["ID"],
    lambda chosen: [text(SEVERAL, code) for code in [*chosen, "", "", ""][:3]],
    heads=[ASKED[0], *(f"{ASKED[1]} (mention {at})" for at in (1, 2, 3))],
)
mentions_by_code = table_of(
    ["ID"],
    lambda chosen: [*chosen, "", ""][:3],
    heads=[ASKED[0], *(f"{ASKED[1]} M{at}" for at in (1, 2, 3))],
    one=str,
)
airtable = table_of(["ID"], joined(","))
respondents_by_a_word = table_of(["респондент"], joined(", "))
a_line_an_option = table_of(["Submission ID"], joined("\n"), lambda at: [f"61112{at}"])
microsoft = table_of(
    ["ID", "Start time", "Completion time"],
    lambda c: ["".join(f"{text(SEVERAL, code)};" for code in c)],
    lambda at: [str(at), f"2026-03-02 09:0{at}", f"2026-03-02 09:1{at}"],
)
slashes = table_of(["ID"], joined(" / "), one=lambda choice: as_text(choice) or "Нет ответа")
DEVANAGARI = str.maketrans("0123456789", "०१२३४५६७८९")
native_digits = table_of(
    ["ID"],
    lambda chosen: [", ".join(number(SEVERAL, code) for code in chosen).translate(DEVANAGARI)],
    lambda at: [str(at).translate(DEVANAGARI)],
    one=lambda choice: number(CHOICE, choice).translate(DEVANAGARI) or ".a",
)
lettered = table_of(
    ["ID"],
    lambda chosen: [
        "┋".join(f"{chr(64 + int(number(SEVERAL, c)))}.{text(SEVERAL, c)}" for c in chosen)
    ],
    one=lambda choice: as_text(choice) or "(跳过)",
)
numbered_headings = table_of(
    ["序号", "所用时间"],
    joined("┋"),
    lambda at: [str(at), "182秒"],
    heads=[f"{at}、{asked}" for at, asked in enumerate(ASKED, start=1)],
)
redcap_raw = table_of(
    ["record_id"],
    ticked("1", "0"),
    heads=["q_xente_00000001", *(f"q_terra_00000002___{at}" for at in range(1, 6))],
    one=lambda choice: number(CHOICE, choice),
    after={"enquisa_complete": "2"},
)
TYPEFORM = {"Start Date (UTC)": "2026-03-0{}", "Submit Date (UTC)": "2026-03-0{}"}
typeform = table_of(
    ["#"],
    own_texts,
    lambda at: [f"k{at}"],
    heads=headed("{1}"),
    after={**TYPEFORM, "Network ID": "n{}", "Tags": ""},
)
lists_of_pandas = table_of(
    ["", "respondent"],
    lambda chosen: [str([text(SEVERAL, code) for code in chosen])],
    lambda at: [str(at - 1), f"r{at}"],
    heads=[CHOICE.id, SEVERAL.id],
)
question_above_the_first_option = table_of(
    ["序号", "所用时间"],
    ticked("\u2612", "\u2610"),
    lambda at: [at, "9秒"],
    heads=[f"1、{ASKED[0]}", f"2、{ASKED[1]}({TEXTS[0]})", *(f"2、({each})" for each in TEXTS[1:])],
)


def google(folder):
    """A typed text within a joined cell, and one alone."""
    rows = table(["Timestamp"], joined(", "), lambda at: [f"2026/03/0{at} 9:01:11"])
    rows[3][2] += ", xente das illas"
    rows[6][1] = "os que non sei"
    return put(folder / "a.csv", rows)


def limesurvey(folder):
    """Texts as headings and cells, typed texts in a column of their own."""
    rows = table(
        ["Response ID", "Date submitted", "Last page", "Start language"],
        ticked("Yes", "No"),
        lambda at: [str(at), "2026-03-02 09:01:11", "3", "gl"],
        heads=headed("{} [{}]"),
        after={f"{ASKED[1]} [Outro]": ""},
    )
    rows[2][-1] = "xente das illas"
    return put(folder / "a.csv", rows, quoting=csv.QUOTE_ALL)


def kobo_names(folder):
    """Names in place of texts; one record was not approved."""
    names = ["costa", "montes_altos", "ria_mar", "chaira", "non_hai_tal_idea"]
    slugs = dict(zip([o.code for o in SEVERAL.options], names, strict=True))
    choices = {"1": "avos", "2": "mozos_rapaces", "none": "non_hai_tal_idea", "": ""}
    own = {"_id": "{}", "_uuid": "u{}", "_submission_time": "2026-03-02"}
    rows = table(
        ["start", "end"],
        beside(lambda c: [" ".join(slugs[code] for code in c)], ticked("1", "0")),
        lambda at: [f"2026-03-02T09:0{at}:11.000+01:00"] * 2,
        heads=[*NAMES, *(f"{NAMES[1]}/{name}" for name in names)],
        one=choices.__getitem__,
        after={**own, "_validation_status": ""},
    )
    rows.append([*rows[1][:-4], "9", "u9", "2026-03-02", "Not approved"])
    return put(folder / "a.csv", rows, delimiter=";", encoding="utf-8-sig")


def odk(folder):
    """A record was rejected; of most nobody has said anything."""
    rows = table(
        ["SubmissionDate", "KEY", "ReviewState"],
        beside(lambda c: [" ".join(c)], ticked("1", "0")),
        lambda at: [f"2026-03-02T09:0{at}", f"uuid:{at}", "approved" if at == 2 else ""],
        heads=[*NAMES, *(f"{NAMES[1]}/{one.code}" for one in SEVERAL.options)],
        one=str,
    )
    rows.append([*rows[1][:1], "uuid:9", "rejected", *rows[1][3:]])
    return put(folder / "a.csv", rows)


def surveyjs(folder):
    found = []
    for at, (choice, chosen) in enumerate(PEOPLE, start=1):
        mine = {"id": at, "q_terra_00000002": [text(SEVERAL, code) for code in chosen]}
        found.append(mine | ({"q_xente_00000001": as_text(choice)} if choice else {}))
    found[1]["q_terra_00000002"].append("other")
    found[1]["q_terra_00000002-Comment"] = "xente das illas"
    (folder / "a.json").write_text(json.dumps(found), "utf-8")
    return folder / "a.json"


def jspsych(folder):
    rows = [["rt", "response", "trial_type", "trial_index", "participant_id"]]
    for at, (choice, chosen) in enumerate(PEOPLE, start=1):
        first = {"q_xente_00000001": as_text(choice)} if choice else {}
        second = {"q_terra_00000002": [text(SEVERAL, code) for code in chosen]}
        rows.append(["812", "0", "html-button-response", "0", f"p{at}"])
        rows.append(["2100", json.dumps(first), "survey-multi-choice", "1", f"p{at}"])
        rows.append(["3100", json.dumps(second), "survey-multi-select", "2", f"p{at}"])
    return put(folder / "a.csv", rows)


def pivoted(folder):
    """A row for each cell, as R's pivot_longer writes them."""
    rows = [["ID", "idade", "name", "value"]]
    for at, (choice, chosen) in enumerate(PEOPLE, start=1):
        rows.append([at, 30 + at % 2, ASKED[0], as_text(choice) or "NA"])
        for label, tick in zip(TEXTS, ticked("1", "0")(chosen), strict=True):
            rows.append([at, 30 + at % 2, f"{ASKED[1]} [{label}]", tick])
    return put(folder / "a.csv", rows)


def gorilla(folder):
    """Events of an experiment: the answer and its number, ticks, a beginning, and an end."""
    rows = [["Event Index", "Participant Private ID", "Question", "Key", "Response"]]
    for at, (choice, chosen) in enumerate(PEOPLE, start=1):
        rows += [
            ["1", f"70{at}", "", "", ""],
            ["2", f"70{at}", ASKED[0], "value", as_text(choice)],
            ["3", f"70{at}", ASKED[0], "quantised", number(CHOICE, choice)],
        ]
        for label, tick in zip(TEXTS, ticked("1", "0")(chosen), strict=True):
            rows.append(["4", f"70{at}", ASKED[1], label, tick])
    return put(folder / "a.csv", [*rows, ["END OF FILE", *[""] * 4]])


def jspsych_without_names(folder):
    """Trials all of which call their answer alike, beside the text that they showed."""
    rows = [["stimulus", "response", "trial_type", "trial_index", "subject"]]
    for at, (choice, chosen) in enumerate(PEOPLE, start=1):
        texts = [text(SEVERAL, code) for code in chosen]
        for asked, said in zip(ASKED, (as_text(choice), texts), strict=True):
            if said:
                rows.append([asked, json.dumps({"Q0": said}), "survey", "0", f"p{at}"])
    return put(folder / "a.csv", rows)


def jspsych_with_other_texts(folder):
    """Trials that name their questions, beside texts that were not always the same."""
    heads, *rows = rows_of(jspsych(folder))
    return put(folder / "a.csv", [["stimulus", *heads], *([row[-1], *row] for row in rows)])


def called_by_name(folder):
    rows = rows_of(airtable(folder))
    return put(folder / "a.csv", [["Name", *rows[0][1:]], *rows[1:]])


def through_a_web_page(folder):
    """Characters as a page's source has them, and empty cells as pandas has them."""
    source = str.maketrans({"í": "&#237;", "«": "&quot;", "»": "&quot;"})
    heads, *rows = ([cell.translate(source) for cell in row] for row in rows_of(airtable(folder)))
    return put(folder / "a.csv", [heads, *([cell or "nan" for cell in row] for row in rows)])


def mentions(folder):
    """The first, the second, ... option that was named, by the codes of a codebook."""
    rows = [["respondent_id", "V1", "V2M1", "V2M2", "V2M3"]]
    for at, (choice, chosen) in enumerate(PEOPLE, start=1):
        named = [int(number(SEVERAL, code)) for code in chosen]
        rows.append([at, int(number(CHOICE, choice) or -9), *named, *[0] * (3 - len(named))])
    codes = [["variable", "label", "code", "value label"]]
    for name, asked, question in (
        ("V1", ASKED[0], CHOICE),
        *((f"V2M{n}", ASKED[1], SEVERAL) for n in (1, 2, 3)),
    ):
        options = enumerate(question.options, start=1)
        codes += ([name, asked, place, one.text] for place, one in options)
        codes.append([name, asked, -9, "Non responde"])
    return put_book(folder / "a.xlsx", Sheet=rows, Codebook=codes)


def stata(folder):
    """Codes with labels, one of them for no answer, and a column an option."""
    import pandas

    rows = table(
        ["id"],
        ticked("1", "0"),
        heads=["V1", *(f"V2_{at}" for at in range(1, 6))],
        one=lambda choice: number(CHOICE, choice) or "-9",
    )
    labels = {int(number(CHOICE, one.code)): one.text for one in CHOICE.options}
    asked = {f"V2_{at}": f"{ASKED[1]} - {label}"[:80] for at, label in enumerate(TEXTS, start=1)}
    pandas.DataFrame(rows[1:], columns=rows[0]).astype(int).to_stata(
        folder / "a.dta",
        write_index=False,
        version=118,
        variable_labels={"V1": ASKED[0][:80], **asked},
        value_labels={"V1": {**labels, -9: "Non responde"}},
    )
    return folder / "a.dta"


def codebook_of_ticks(folder, tick=True):
    """Columns in an order of their own, of which the codebook calls the tick by the option."""
    order = [SEVERAL.options[at] for at in (2, 0, 4, 1, 3)]
    rows = [["resp_id", "V1", *(f"V2_{at}" for at in range(1, 6))]]
    for at, (choice, named) in enumerate(PEOPLE, start=1):
        rows.append([at, as_text(choice), *(int((one.code in named) == tick) for one in order)])
    codes = [["variable", "question", "code", "label"], ["V1", ASKED[0], "", ""]]
    for at, one in enumerate(order, start=1):
        codes.append([f"V2_{at}", ASKED[1], int(tick), one.text])
        if not tick:
            codes.append([f"V2_{at}", ASKED[1], 1, f"non {one.text}"])
    return put_book(folder / "a.xlsx", Sheet=rows, Codebook=codes)


def codebook_of_no_ticks(folder):
    """The mark 1 is called 'not' and the option."""
    return codebook_of_ticks(folder, tick=False)


def microsoft_quiz(folder):
    """Points and feedback beside each question, in Portuguese."""
    heads = [f"{part}{asked}" for asked in ASKED for part in ("", "Pontos - ", "Comentários - ")]
    rows = table(
        ["ID", "Hora de início", "Hora de conclusão", "Email", "Nome"],
        lambda chosen: ["", "", joined(";")(chosen)[0] + ";", "", ""],
        lambda at: [str(at), "3/2/26 9:00:11", "3/2/26 9:04:11", "anonymous", ""],
        heads=heads,
    )
    rows[1][7] = "si"
    return put(folder / "a.csv", rows)


AT_ONCE = (
    *(google, limesurvey, kobo_names, odk, typeform, tally, formr),
    *(airtable, lists_of_pandas, surveyjs, jspsych, mentions, stata, microsoft),
    *(codebook_of_ticks, codebook_of_no_ticks, respondents_by_a_word, jspsych_without_names),
    *(slashes, lettered, pivoted, gorilla),
    *(called_by_name, through_a_web_page, jspsych_with_other_texts),
    *(microsoft_quiz, a_line_an_option),
    *(numbered_headings, question_above_the_first_option, mentions_by_text, mentions_by_code),
)
TO_CONFIRM = (redcap_raw, native_digits)


def inspected(path, **how):
    opened = open_file(path, language="gl")
    return inspect_file(opened, QUESTIONS, path.parent / "forms", **how)


def refused(path):
    """What is said of a file that cannot be read by its draft."""
    found = inspected(path)
    if found.problem is not None:
        return f"{found.problem.what} {' '.join(found.to_do)}"
    return " ".join(found.to_do)


def rows_of(path):
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream))


def test_what_may_be_an_option_is_never_taken_for_own_words(tmp_path):
    """A text that is like an option, that many wrote, or beside which an option is never named."""
    for cells, said in (
        ({1: "Avós e avoas"}, "'Avós e avoas' (row 2)"),
        (dict.fromkeys((1, 2, 5), "Veciños"), "'Veciños'"),
        ({4: "Ninguén sabe"}, "'Ninguén sabe'"),  # nobody else chose the last option
    ):
        rows = rows_of(airtable(tmp_path))
        for at, cell in cells.items():
            rows[at][1] = cell
        assert f"no option is called {said}" in refused(put(tmp_path / "a.csv", rows))


def test_a_column_that_answers_where_another_does_not_is_nothing_beside_it(tmp_path):
    """Half of the people saw the form in another language, which has texts of its own."""
    spanish = {"1": "Abuelos", "2": "Chicos"}
    heads = [ASKED[0], f"{ASKED[0]} (ES)", ASKED[1]]
    rows = table(["id"], beside(lambda _: [""], joined(", ")), heads=heads)
    for row, (choice, _) in zip(rows[5:], PEOPLE[4:], strict=True):
        row[1:3] = "", spanish.get(choice, "")
    assert "nothing tells what its columns hold" in refused(put(tmp_path / "a.csv", rows))


def test_columns_of_what_was_not_chosen_are_refused_whatever_they_are_called(tmp_path):
    """Most people would have chosen all groups, or some beside 'no stereotype'."""
    rows = table(["ID"], ticked("0", "1"), heads=headed("{} [non {}]"))
    said = refused(put(tmp_path / "a.csv", rows))
    assert "7 of 8 people are said to have chosen 'no stereotype' and a group" in said


def test_a_cell_that_a_person_has_twice_is_not_made_one(tmp_path):
    """Rows of cells are read as rows of answers then, and a second answer is refused."""
    rows = [row for row in rows_of(pivoted(tmp_path)) if " [" not in row[2]]
    assert refused(put(tmp_path / "a.csv", rows)) == ""
    again = put(tmp_path / "a.csv", [*rows, [*rows[1][:3], text(CHOICE, "2")]])
    assert refused(again) != ""


def test_files_put_together_are_refused_as_that(tmp_path):
    """By two cells of a row that name questions; not by a text of what was shown."""
    rows = rows_of(airtable(tmp_path))
    other = ["Participant", *rows[0][:0:-1]]
    with pytest.raises(CurateError, match="row 6 holds headings of questions"):
        refused(put(tmp_path / "a.csv", [*rows[:5], other, *rows[5:]]))
    shown = [
        [*row, *(rows[0][1:] if at else ("Input.1", "Input.2"))] for at, row in enumerate(rows)
    ]
    assert "headings" not in refused(put(tmp_path / "a.csv", shown))


def test_a_question_that_was_asked_anew_has_two_columns(tmp_path):
    """No row fills both; places of columns are no options."""
    rows = rows_of(airtable(tmp_path))
    late = [[row[0], "", *row[1:]] for row in rows[5:]]
    again = [[*rows[0][:2], *rows[0][1:]], *([*row[:2], "", row[2]] for row in rows[1:5]), *late]
    assert "no row has two of them" in refused(put(tmp_path / "a.csv", again))


@pytest.mark.parametrize("encoding", ["cp1252", "mac-roman", "cp850", "utf-16"])
def test_the_questionnaires_words_tell_an_encoding(encoding, tmp_path):
    """Where the workspace's language is written in another one."""
    path = put(tmp_path / "a.csv", rows_of(airtable(tmp_path)), encoding=encoding)
    opened = open_file(path, language="ru", words=lambda: words_of(QUESTIONS))
    found = inspect_file(opened, QUESTIONS, tmp_path / "forms")
    assert (found.to_do, counts(found, path)) == ((), COUNTS)


def test_ids_that_lost_their_digits_and_rows_of_nobody_are_refused(tmp_path):
    """Nothing restores the digits; a title of any word names nobody."""
    rows = rows_of(airtable(tmp_path))
    shortened = [rows[0], *(["5.00E+23", *row[1:]] for row in rows[1:])]
    assert "kept only the first digits" in refused(put(tmp_path / "a.csv", shortened))
    said = refused(put(tmp_path / "a.csv", [["Title", *rows[0][1:]], *rows[1:]]))
    assert "no column names the respondents for sure: each row is taken for one person" in said


def test_a_codebook_of_another_wave_is_no_codebook_of_these_questions(tmp_path):
    """A number that it calls otherwise is no option, though the questionnaire has it as a code."""
    path = mentions(tmp_path)
    book = load_workbook(path)
    for row in book["Codebook"].iter_rows(min_row=2):
        if row[0].value == "V1" and row[2].value == 2:
            row[3].value = "Veciños"
    book.save(path)
    assert "no option is called 'Veciños'" in refused(path)


def test_the_second_sheet_of_a_form_that_was_linked_twice_is_not_passed_over(tmp_path):
    """Half of the people answered there; a sheet with other headings is no answer of anybody."""
    heads, *rows = rows_of(google(tmp_path))
    path = put_book(tmp_path / "a.xlsx", First=[heads, *rows[:4]], Second=[heads, *rows[4:]])
    with pytest.raises(CurateError) as refused:
        inspected(path)
    assert refused.value.where.endswith("sheet Second, row 1")
    other = [[heads[0], "Data", "Nota"], *rows[4:]]
    assert inspected(put_book(path, First=[heads, *rows[:4]], Second=other)).problem is None


def test_a_mapping_for_another_file_is_refused_as_that(tmp_path):
    """By how many of its columns are not there."""
    mapping = inspected(tally(tmp_path)).draft.mapping
    path = lists_of_pandas(tmp_path)
    with pytest.raises(CurateError, match="for another file: 6 of the 6 columns"):
        read_survey(open_file(path), mapping, QUESTIONS)


def test_a_list_of_people_tells_which_column_names_them(tmp_path):
    """A platform's own id is in no list; the drafted mapping says who counts."""
    rows = rows_of(airtable(tmp_path))
    named = ([at, f"pp{at}", *row[1:]] for at, row in enumerate(rows[1:], start=1))
    path = put(tmp_path / "a.csv", [["ID", "PROLIFIC_PID", *rows[0][1:]], *named])
    people = [["Submission id", "Participant id", "Status"]]
    people += [[f"s{at}", f"pp{at}", "RETURNED" if at == 3 else "APPROVED"] for at in range(1, 9)]
    put(tmp_path / "respondents.csv", people)
    mapping = inspected(path).draft.mapping
    kept = RespondentsPart(id="Participant id", keep={"Status": ("APPROVED",)})
    assert (mapping.respondent.id, mapping.respondents) == ("PROLIFIC_PID", kept)


def test_people_who_are_there_twice_and_tests_are_named_by_their_rows(tmp_path):
    """By any column that tells people apart, whether it is read or not."""
    rows = rows_of(airtable(tmp_path))
    names = ["Ana Rei", "Brais Sar", "Ana Rei", "Teste", "Icía Lo", "Xan Vi", "Uxía Mo", "Roi Pa"]
    arms = ["test", *["control"] * 7]
    mails = [*(f"p{at}@x.gl" for at in range(7)), "tester@x.gl"]
    pairs = zip(rows[1:], names, arms, mails, strict=True)
    heads = [*rows[0], "Full name", "arm", "E-mail"]
    path = put(tmp_path / "a.csv", [heads, *([*row, *own] for row, *own in pairs)])
    found = inspected(path)
    said = {one.rule: one.message for one in found.trial.findings}
    assert "(rows 2 and 4)" in said["survey-same-person"]
    assert "Ana" not in said["survey-same-person"]
    left = [one.message for one in found.trial.findings if one.rule == "survey-rows-left-out"]
    told = "1 of 8 rows are left out: "
    assert left == [f"{told}Full name is 'Teste'", f"{told}E-mail is 'tester'"]
    assert "row 2 (arm is 'test')" in said["survey-test-rows"]
    mapping = found.draft.mapping.model_copy(
        update={"keep": {"Full name": ("*",), "E-mail": ("*",)}}
    )
    assert not read_survey(open_file(path, mapping.read), mapping, QUESTIONS).excluded


def counts(found, path):
    """The respondents and votes of each question by the draft."""
    mapping = found.draft.mapping
    received = read_survey(open_file(path, mapping.read), mapping, QUESTIONS)
    tallies, _ = count_answers(received.answers)
    return {one.question.id: (one.respondents, tuple(one.votes)) for one in tallies}


@pytest.mark.parametrize("tool", [*AT_ONCE, *TO_CONFIRM])
def test_a_tools_file_is_read_by_its_draft(tool, tmp_path):
    """Exactly; and what is taken for granted of numbers is left to be confirmed."""
    path = tool(tmp_path)
    found = inspected(path)
    assert (found.problem, bool(found.to_do)) == (None, tool in TO_CONFIRM), found.to_do
    assert counts(found, path) == COUNTS
