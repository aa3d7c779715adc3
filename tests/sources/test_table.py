"""Templates of any table, by a mapping of its columns that is drafted from it."""

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from layouts import write_table as write

from curation.records.bank import GROUP_FIELDS, Texts
from curation.records.messages import CurateError
from curation.sources import table
from curation.sources.imported import answering
from curation.sources.table_draft import draft_templates

ROW = {
    "id": "1",
    "category": "Hobby",
    "context_ambiguous": "A <A> and a <B> share a <W1>.",
    "context_disambiguating": "The <A> never sweeps it.",
    "question_negative": "Who is untidy?",
    "question_nonneg": "Who is tidy?",
    "answer_negative": "The <A>",
    "answer_nonneg": "The <B>",
    "stereotyped_groups": "crafty",
    "group1": "crafty",
    "group2": "sporty",
    "names": "A: [knitter, weaver]; B: [climber]",
    "words": '{"W1": ["shed", "hut"]}',
}
BOTH = {name: text for name, text in ROW.items() if not {"question", "answer"} & {*name.split("_")}}
"""What rows with the two questions share."""
READ = Texts(
    target_groups=("crafty",),
    ambiguous_context="A [N1] and a [N2] share a [W1].",
    disambiguating_context="The [N1] never sweeps it.",
    biased_question="Who is untidy?",
    counter_biased_question="Who is tidy?",
    biased_answer="The [N1]",
    counter_biased_answer="The [N2]",
    names="N1: [knitter, weaver]; N2: [climber]",
    words="W1: [shed, hut]",
    n1_groups=("crafty",),
    n2_groups=("sporty",),
)


def drafted(path, *changed, like=None):
    """Read a file by its drafted mapping with a language; and what else a person has to decide."""
    found = draft_templates([like or path])
    text = found.text.replace("written_in: '?'", "written_in: [en, en]")
    for old, new in changed:
        assert old in text
        text = text.replace(old, new)
    mapping = path.with_suffix(".yaml")
    mapping.write_text(text, encoding="utf-8")
    got = table.read([path], table.read_format(mapping))
    assert got.rows_in == got.rows_read + got.rows_reported
    return got, [key for key in found.undecided if key != "written_in"]


def said(got):
    return [(item.row, item.column, item.message) for item in got.findings]


def with_slots(row, **slots):
    """A row whose slots are written otherwise."""
    told = lambda slot: slots.get(slot[1], slot[0])  # noqa: E731
    return {name: re.sub(r"<(\w+)>", told, text) for name, text in row.items()}


def texts_by_id(variants):
    """The wording of variants in both languages; KoBBQ names one group twice."""

    def plain(texts):
        named = ((name, getattr(texts, name)) for name in GROUP_FIELDS)
        groups = {name: tuple(dict.fromkeys(groups)) for name, groups in named}
        return replace(texts, **groups)

    return {str(item.id): (plain(item.texts), plain(item.source_texts)) for item in variants}


@pytest.mark.parametrize(
    ("name", "file", "language"),
    [
        ("kobbq", "kobbq/templates.tsv", ""),
        ("bbg", "bbg/EnBBG_templates.csv", "en"),
        ("bbg", "bbg/KoBBG_templates_part.csv", "ko"),
    ],
)
def test_a_drafted_mapping_reads_published_sets_as_their_own_readers_do(
    tmp_path, reference, name, file, language
):
    """Ids, letters and every text in both languages are equal, and nothing is to be decided."""
    path = tmp_path / Path(file).name
    path.write_bytes((reference / file).read_bytes())
    own = table.published(name, [path], language)
    got, undecided = drafted(path)
    assert undecided == []
    assert texts_by_id(got.variants) == texts_by_id(own.variants)


def test_roles_of_a_drafted_mapping_are_those_of_bharatbbqs_own_reader(tmp_path, reference):
    """`Pairing` is not known to the mapping: the groups of the people tell the same letters."""
    path = tmp_path / "Age.csv"
    path.write_bytes((reference / "bharatbbq/templates/Age.csv").read_bytes())
    own = table.published("bharatbbq", [path])
    got, undecided = drafted(path)
    assert undecided == [] and got.rows_read == 50
    pairs = [
        (one.row, one.letter.is_biased, other.letter.is_biased)
        for one in own.variants
        for other in got.variants
        if one.row == other.row and not one.role_open and not other.role_open
    ]
    differing = [row for row, one, other in pairs if one != other]
    assert (len(pairs), differing) == (48, [])


def test_gg_bbq_without_slots_for_people(tmp_path, reference):
    """The answers tell who is of the stereotyped group: rows of both roles."""
    path = tmp_path / "gg.csv"
    path.write_bytes((reference / "heads/gg-bbq/subset-1.csv").read_bytes())
    got, undecided = drafted(path)
    assert (undecided, got.rows_in, got.rows_read) == ([], 11, 11)
    assert [str(item.id) for item in got.variants[:6]] == [
        *("genderidentity-001a", "genderidentity-001b", "genderidentity-002a"),
        *("genderidentity-002c", "genderidentity-002b", "genderidentity-002d"),
    ]
    assert got.variants[2].texts.words == "W1: [Zentrum, B\u00fcro, Geb\u00e4ude]"


@pytest.mark.parametrize("brackets", ["<{}>", "{{{}}}", "{{{{{}}}}}", "[{}]"])
def test_slots_in_any_brackets(tmp_path, brackets):
    """What is a slot the draft finds, and who the two people are the answers say."""
    row = with_slots(ROW, **{name: brackets.format(name) for name in ("A", "B", "W1")})
    got, undecided = drafted(write(tmp_path / "t.csv", [row]))
    assert undecided == []
    assert [(str(item.id), item.texts) for item in got.variants] == [("hobby-001b", READ)]


def test_round_brackets_are_slots_where_the_mapping_says_so(tmp_path):
    """In a sentence they are mostly no slots: a letter alone in them is not taken for one."""
    row = {name: text.replace("<", "(").replace(">", ")") for name, text in ROW.items()}
    row["context_ambiguous"] += " (Or not.)"
    path = write(tmp_path / "t.csv", [row])
    got, undecided = drafted(path, ("slots: {(W1): W1}", "slots: {(A): N1, (B): N2, (W1): W1}"))
    ((texts, _),) = texts_by_id(got.variants).values()
    assert texts.ambiguous_context == f"{READ.ambiguous_context} (Or not.)"
    assert undecided == []


def test_two_rows_with_the_two_questions_make_a_variant(tmp_path):
    """The polarity of a row says which question it has; one without the other is reported."""
    first = {**BOTH, "question": "Who is untidy?", "answer": "The <A>", "polarity": "neg"}
    second = {**BOTH, "question": "Who is tidy?", "answer": "The <B>", "polarity": "nonneg"}
    alone = {**first, "id": "2"}
    clean = write(tmp_path / "clean.csv", [second, first])
    rows = [second, first, alone, {**second, "id": "2", "polarity": "maybe"}]
    got, undecided = drafted(write(tmp_path / "t.csv", rows), like=clean)
    assert undecided == []
    assert [(str(item.id), item.row, item.texts) for item in got.variants] == [
        ("hobby-001b", 3, READ)
    ]
    messages = [
        "the cell is not one of nonneg, neg",
        "there is no row with the other question for it",
    ]
    told = [
        (row, "polarity", f"{what}; the row is not read")
        for row, what in zip((5, 4), messages, strict=True)
    ]
    assert said(got) == told


def test_rows_with_the_two_questions_are_paired_by_all_that_they_share(tmp_path):
    """Not by their order: contexts, lists and groups tell; what they do not tell is not read."""
    swapped = {**BOTH, "context_disambiguating": "The <B> never sweeps it."}
    first = {"question": "Who is untidy?", "polarity": "neg"}
    second = {"question": "Who is tidy?", "polarity": "nonneg"}
    rows = [
        {**BOTH, **first, "answer": "The <A>"},
        {**swapped, **first, "answer": "The <B>"},
        {**swapped, **second, "answer": "The <A>"},
        {**BOTH, **second, "answer": "The <B>"},
    ]
    got, _ = drafted(write(tmp_path / "t.csv", rows))
    assert [
        (item.row, str(item.id), item.texts.biased_answer, item.texts.counter_biased_answer)
        for item in got.variants
    ] == [(2, "hobby-001b", "The [N1]", "The [N2]"), (3, "hobby-001a", "The [N2]", "The [N1]")]
    got, _ = drafted(write(tmp_path / "t.csv", [*rows, rows[0]]))
    assert [item.row for item in got.variants] == [3]
    assert [(item.row, item.rule) for item in got.findings] == [
        (row, "source-twin-missing") for row in (2, 6, 5)
    ]


def test_variants_in_columns(tmp_path):
    """A row holds both roles; what the columns of a letter do not say is common."""
    row = {**ROW, "telling": "The <B> never sweeps it.", "reply": "The <B>"}
    swapped = "{disambiguating_context: telling, biased_answer: reply, "
    swapped += "counter_biased_answer: answer_negative}"
    more = f"variants:\n  b: {{}}\n  a: {swapped}\nothers:"
    got, _ = drafted(write(tmp_path / "t.csv", [row]), ("others:", more))
    assert [(str(item.id), item.texts.biased_answer, item.role_open) for item in got.variants] == [
        ("hobby-001b", "The [N1]", ""),
        ("hobby-001a", "The [N2]", ""),
    ]


def test_versions_and_ids_that_are_words(tmp_path):
    """Wordings of one variant; ids are numbered in their order, and kept as source ids."""
    rows = [
        {**ROW, "id": "shed-x", "gender": "feminine"},
        {**ROW, "id": "shed-x", "gender": "masculine"},
        {**ROW, "id": "attic", "gender": "masculine"},
    ]
    got, undecided = drafted(write(tmp_path / "t.csv", rows))
    assert undecided == []
    assert [(str(item.id), item.source_id) for item in got.variants] == [
        ("hobby-001b.f", "shed-x"),
        ("hobby-001b.m", "shed-x"),
        ("hobby-002b.m", "attic"),
    ]


def test_words_are_numbered_over_files_and_imports(tmp_path):
    """Another file has other templates; a word that the bank knows keeps its number."""
    words = ("shed", "attic"), ("cellar", "shed", "roof")
    turned = {**ROW, "context_disambiguating": "The <B> never.", "answer_negative": "The <B>"}
    turned["answer_nonneg"] = "The <A>"
    rows = [{**ROW, "id": word} for word in words[0]], [{**turned, "id": word} for word in words[1]]
    files = [write(tmp_path / f"{at}.csv", own) for at, own in enumerate(rows)]
    mapping = tmp_path / "m.yaml"
    text = draft_templates(files).text.replace("written_in: '?'", "written_in: [en]")
    mapping.write_text(text, encoding="utf-8")
    form = table.read_format(mapping)
    together = table.read(files, form).variants
    wanted = [("hobby-001b", "shed"), ("hobby-002b", "attic"), ("hobby-003a", "cellar")]
    wanted += [("hobby-001a", "shed"), ("hobby-004a", "roof")]
    assert [(str(item.id), item.source_id) for item in together] == wanted
    first = table.read(files[:1], form).variants
    then = table.read(files[1:], form, first).variants
    assert [(str(item.id), item.source_id) for item in (*first, *then)] == wanted


@pytest.mark.parametrize("marks", ["% %", "__ __", "_ _", "$ $", "\u3010 \u3011"])
def test_brackets_alike(tmp_path, marks):
    """What merely stands between two marks is no slot, and is kept."""
    opens, closes = marks.split()
    row = {name: re.sub(r"<(\w+)>", rf"{opens}\1{closes}", text) for name, text in ROW.items()}
    row["context_ambiguous"] += " 5% of $6 are *paid* by _it_."
    got, undecided = drafted(write(tmp_path / "t.csv", [row]))
    assert (undecided, said(got)) == ([], [])
    told = f"{READ.ambiguous_context} 5% of $6 are *paid* by _it_."
    assert got.variants[0].texts == replace(READ, ambiguous_context=told)


@pytest.mark.parametrize("of_its_own", [False, True])
def test_the_context_that_all_rows_of_a_template_share_is_the_ambiguous_one(tmp_path, of_its_own):
    """If headings do not tell; a person decides if each row has both contexts of its own."""
    rows = []
    for at, people in enumerate((("<A>", "<B>"), ("<B>", "<A>"))):
        row = {key: text for key, text in ROW.items() if not key.startswith("context")}
        row["vignette"] = f"A <A> and a <B> share a <W1>{at if of_its_own else ''}."
        row["evidence"] = "The {} never sweeps it as {} does.".format(*people)
        row["answer_negative"], row["answer_nonneg"] = people
        rows.append(row)
    path = write(tmp_path / "t.csv", rows)
    found = draft_templates([path])
    assert sum("context" in key for key in found.undecided) == (2 if of_its_own else 0)
    assert of_its_own or "ambiguous_context: vignette" in found.text


def test_a_column_that_is_called_a_category_may_have_few_rows_of_each(tmp_path):
    rows = [
        {name: text for name, text in ROW.items() if name != "category"}
        | {"id": str(at // 2), "bias_type": ("Hobby", "Age", "Craft")[at // 2]}
        for at in range(6)
    ]
    text = draft_templates([write(tmp_path / "t.csv", rows)]).text
    assert "\ncategory: bias_type\n" in text


def test_categories_that_differ_by_a_mark_are_not_merged(tmp_path):
    """A vowel of Hindi is no blank between two words."""
    names = ("\u0932\u093f\u0902\u0917", "\u0932\u094b\u0917 x!")
    rows = [{**ROW, "category": name} for name in names]
    got, _ = drafted(write(tmp_path / "t.csv", rows))
    assert [str(item.id) for item in got.variants] == [
        f"{names[0]}-001b",
        f"{names[1][:-3]}_x-001b",
    ]


def test_categories_of_which_one_would_be_made_are_refused(tmp_path):
    """Marks are no part of a category's id; blanks are no other name."""
    names = ("LGBT", "LGBT+", "Age x Sex", "age_x-sex")
    rows = [{**ROW, "id": str(at), "category": name} for at, name in enumerate(names)]
    got, _ = drafted(write(tmp_path / "t.csv", rows))
    assert [str(item.id) for item in got.variants] == [
        "lgbt-000b",
        "age_x_sex-002b",
        "age_x_sex-003b",
    ]
    message = "'LGBT+' and 'LGBT' would be one category; the row is not read"
    assert said(got) == [(3, "category", message)]


def test_several_files_without_numbers_are_refused(tmp_path):
    """Their first rows would be variants of one template."""
    rows = [{name: text for name, text in ROW.items() if name != "id"}]
    other = [{**rows[0], "context_ambiguous": "<A> and <B> in a <W1>."}]
    files = [write(tmp_path / "a.csv", rows), write(tmp_path / "b.csv", other)]
    mapping = tmp_path / "m.yaml"
    text = draft_templates(files[:1]).text.replace("written_in: '?'", "written_in: [en]")
    mapping.write_text(text.replace("number: '?'", "number: none"), encoding="utf-8")
    form = table.read_format(mapping)
    assert [str(item.id) for item in table.read(files[:1], form).variants] == ["hobby-001b"]
    with pytest.raises(CurateError, match="no column numbers templates") as refused:
        table.read(files, form)
    assert refused.value.where == "b.csv"


def test_a_letter_is_taken_only_where_roles_agree(tmp_path):
    """Letters of another rule are left; where nothing tells roles, a person has to decide."""
    swapped = {**ROW, "answer_negative": "The <B>", "answer_nonneg": "The <A>"}
    right = [{**ROW, "version": "b"}, {**swapped, "version": "a"}]
    wrong = [{**ROW, "version": "a"}, {**swapped, "version": "b"}]
    blind = [{**item, "group1": "", "group2": "", "stereotyped_groups": ""} for item in right]
    for rows, wanted in ((right, "version"), (wrong, "none"), (blind, "'?'")):
        lines = (tmp_path / "t.jsonl", tmp_path / "u.jsonl")
        lines[0].write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
        lines[1].write_text(f"{json.dumps(rows[1] | {'id': '2'})}\n", encoding="utf-8")
        for paths in ([write(tmp_path / "t.csv", rows)], lines):
            assert f"\nletter: {wanted}\n" in draft_templates(paths).text
    path = write(tmp_path / "t.csv", wrong)
    got, _ = drafted(path, ("letter: none", "letter: version"), ("others: [version]", "others: []"))
    assert [bool(item.role_open) for item in got.variants] == [True, True]


@pytest.mark.parametrize(
    ("groups", "why"),
    [
        (("tall", "", ""), "no person is of a stereotyped group"),
        (("crafty", "crafty", "crafty"), "the stereotyped groups are those of both people or of"),
        (("crafty", "tall", "sporty"), "the stereotyped groups are those of both people or of"),
    ],
)
def test_nothing_says_who_is_the_target(tmp_path, groups, why):
    """The template is read, and its role is open: a finding, and no guess."""
    clean = write(tmp_path / "clean.csv", [ROW])
    names = ("stereotyped_groups", "group1", "group2")
    row = {**ROW, **dict(zip(names, groups, strict=True))}
    got, _ = drafted(write(tmp_path / "t.csv", [row]), like=clean)
    (variant,) = got.variants
    assert variant.role_open.startswith(why)
    assert [item.rule for item in got.findings] == ["source-role-open"]


@pytest.mark.parametrize(
    ("changed", "letter"),
    [
        ({"stereotyped_groups": "knitter\u060c tall; weaver", "group1": "", "group2": ""}, "b"),
        ({"stereotyped_groups": "climber", "group1": "", "group2": ""}, "a"),
        ({"answer_negative": "The <W1> of the <B>", "answer_nonneg": "Somebody"}, "a"),
        ({"answer_negative": "Nobody but the <B>", "answer_nonneg": "Somebody"}, "a"),
        ({"answer_negative": "Somebody", "answer_nonneg": "The <B>"}, "b"),
        ({"group1": "sporty", "group2": "crafty"}, "a"),
        ({"group1": "non-crafty", "group2": ""}, "a"),
        (
            {
                "stereotyped_groups": '[“crafty”, "tall"]',
                "group1": "non-(crafty, tall)",
                "group2": "tall, crafty",
            },
            "a",
        ),
        ({"stereotyped_groups": "low SES", "group1": "lowSES"}, "b"),
    ],
)
def test_letters_follow_groups_or_else_answers(tmp_path, changed, letter):
    """The target is a person of the stereotyped groups, or the answer that is called so."""
    clean = write(tmp_path / "clean.csv", [ROW])
    got, _ = drafted(write(tmp_path / "t.csv", [{**ROW, **changed}]), like=clean)
    assert [(item.letter, item.role_open) for item in got.variants] == [(letter, "")]


def test_what_goes_with_a_person_answers_as_that_person():
    found = [
        answering([one], [other])
        for one, other in (("X3", "X4"), ("X4", "W1"), ("W1", "N1"), ("W1", "W2"))
    ]
    assert found == [1, 2, 2, None]


def test_two_columns_that_could_be_the_target(tmp_path):
    """A person decides which of them it is; both are shown."""
    path = write(tmp_path / "t.csv", [{**ROW, "target_groups": "sporty"}])
    found = draft_templates([path])
    assert found.undecided == ("written_in", "texts.target_groups")
    told = "stereotyped_groups: 1 of 1 rows; crafty (1); target_groups: 1 of 1 rows; sporty (1)"
    assert told in found.text


def test_a_context_that_repeats_the_ambiguous_one(tmp_path):
    """Sets publish the whole disambiguated context: what comes before is left out, and told."""
    whole = f"{ROW['context_ambiguous']} {ROW['context_disambiguating']}"
    got, _ = drafted(write(tmp_path / "t.csv", [{**ROW, "context_disambiguating": whole}]))
    assert [item.texts for item in got.variants] == [READ]
    assert [item.severity.value for item in got.findings] == ["info"]


@pytest.mark.parametrize(
    ("column", "cell", "told"),
    [
        ("question_negative", "", "the text is empty"),
        ("question_negative", "#NAME?", "'#NAME?' is an error of a spreadsheet"),
        ("answer_nonneg", "The <C1>", "'<C1>' looks like a slot"),
        ("names", "A: [knitter]", "slot <B> has no list of fillers"),
        ("names", "A: [knitter]; Q: [x]", "'Q' looks like a slot"),
        ("names", "A: [knitter]; A: [x]", "A has two lists"),
        ("names", "knitters and climbers", "no list can be read at 'knitters"),
        ("category", "???", "cannot be the name of a category"),
        ("stereotyped_groups", '["open', "list of groups"),
    ],
)
def test_a_row_that_cannot_be_read_is_reported(tmp_path, column, cell, told):
    """Of nine rows eight are read, and one is named with what is wrong."""
    rows = [{**ROW, "id": str(at)} for at in range(1, 10)]
    clean = write(tmp_path / "clean.csv", rows)
    rows[4][column] = cell
    got, _ = drafted(write(tmp_path / "t.csv", rows), like=clean)
    assert len(got.variants) == 8
    ((row, _, message),) = said(got)
    assert row == 6 and told in message


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("written_in: [en, en]", "written_in: '?'", "'written_in' is not decided"),
        ("biased_question: question_negative", "biased_question: '?'", "'biased_question' is not"),
        ("<A>: N1", "<A>: P1", "'P1' is not a slot of the bank"),
        ("<A>: N1", "A: N1", "write 'A' with its brackets"),
        ("names: names", "naems: names", "'naems' is not one of"),
        ("number: id", "number: no", "the header lacks no"),
        ("stereotyped_groups", "their_groups", "the header lacks their_groups"),
        (
            "number: id",
            "number: id\npolarity: {column: id, words: {neg: non-negative}}",
            "'neg' is",
        ),
    ],
)
def test_a_mapping_that_does_not_fit(tmp_path, old, new, told):
    """It says which key or column, and nothing is read."""
    with pytest.raises(CurateError) as caught:
        drafted(write(tmp_path / "t.csv", [ROW]), (old, new))
    assert told in str(caught.value)


def test_json_lines_are_a_table_too(tmp_path):
    """Lists and objects are read as what they are."""
    path = tmp_path / "t.jsonl"
    row = {**ROW, "id": 1, "words": {"W1": ["shed", "hut"]}, "stereotyped_groups": ["crafty"]}
    path.write_text(json.dumps(row) + "\n", encoding="utf-8")
    got, undecided = drafted(path)
    assert undecided == []
    assert [(str(item.id), item.texts) for item in got.variants] == [("hobby-001b", READ)]


def test_names_of_slots_do_not_say_whose_groups_are_first(tmp_path):
    """People without numbers are in the order of their first use; their groups a person ties."""
    row = with_slots(ROW, A="{Weaver}", B="{Climber}")
    row["names"] = "Weaver: [knitter]; Climber: [climber]"
    found = draft_templates([write(tmp_path / "t.csv", [row])])
    assert "\nslots: {'{Weaver}': N1, '{Climber}': N2, <W1>: W1}\n" in found.text
    assert found.undecided == ("written_in", "texts.n1_groups", "texts.n2_groups")


def test_texts_with_braces_and_no_slots_are_refused(tmp_path):
    row = {name: text for name, text in ROW.items() if name not in ("names", "words")}
    path = write(tmp_path / "t.csv", [row])
    got, _ = drafted(path, ("slots: {<A>: N1, <B>: N2, <W1>: W1}", ""))
    what = "'<A>' looks like a slot, and the mapping does not name it; the row is not read"
    assert said(got) == [(2, "context_ambiguous", what)]


@pytest.mark.parametrize(
    ("cell", "names"),
    [
        ("knitter, tall; weaver", "N1: [knitter\\, tall, weaver]"),
        ("knitter, weaver", "N1: [knitter, weaver]"),
        ("knitter\u060c weaver", "N1: [knitter, weaver]"),
        ("knitter\u3001tall\uff1bweaver", "N1: [knitter\u3001tall, weaver]"),
        ("['knitter', 'weaver']", "N1: [knitter, weaver]"),
        ("knitter\nweaver", "N1: [knitter, weaver]"),
        ("knitter/weaver", ""),
        ("knitter | weaver", ""),
        ('["knitter/weaver"]', "N1: [knitter/weaver]"),
    ],
)
def test_what_divides_a_list(tmp_path, cell, names):
    """What may be of a name is refused."""
    row = {name: text for name, text in ROW.items() if name not in ("names", "words")}
    row |= {"A": cell, "B": "climber", "W1": '["shed", "hut"]'}
    got, _ = drafted(write(tmp_path / "t.csv", [row]))
    assert [item.texts.words for item in got.variants] == [READ.words] * bool(names)
    assert [item.texts.names for item in got.variants] == [f"{names}; N2: [climber]"] * bool(names)
    assert [item.column for item in got.findings] == ["A"] * (not names)


def test_an_object_may_have_lists_with_commas(tmp_path):
    row = {**ROW, "names": "{'A': 'knitter, weaver', 'B': ['climber']}"}
    like = write(tmp_path / "like.csv", [ROW])
    got, _ = drafted(write(tmp_path / "t.csv", [row]), like=like)
    assert [item.texts for item in got.variants] == [READ]


def test_a_draft_leaves_to_a_person_what_no_column_tells(tmp_path):
    """What a line with a question mark is about is not taken for another line."""
    one = {**BOTH, "question": "Who is untidy?", "answer": "The <A>", "polarity": "untidy"}
    other = {**BOTH, "question": "Who is tidy?", "answer": "The <B>", "polarity": "tidy"}
    named = {
        name.replace("negative", "stereotyped").replace("nonneg", "unstereotyped"): text
        for name, text in ROW.items()
    }
    plain = {name: text for name, text in ROW.items() if name != "id"}
    years = {f"The <A> and the <B> met in year {at}.": str(at // 2) for at in range(4, 8)}
    dated = [{**plain, "context_ambiguous": told, "x": years[told]} for told in years]
    tongues = [{**ROW, "lang": "en"}, {**ROW, "lang": "es"}]
    answers = [
        f"texts.{name}{kind}"
        for kind in ("biased_question", "biased_answer")
        for name in ("", "counter_")
    ]
    for rows, wanted in (
        ([one, other], ["polarity"]),
        ([named], [*answers, "slots"]),
        (dated, ["number"]),
        ([{**plain, "answer_template": "The <A>"}], ["number"]),
        (tongues, ["only"]),
    ):
        found = draft_templates([write(tmp_path / "t.csv", rows)])
        assert [key for key in found.undecided if key != "written_in"] == wanted
        assert "stereotype:" not in found.text
    path = tmp_path / "t.csv"
    got, _ = drafted(path, ("only: '?'", "only: {lang: es}"))
    assert (got.rows_in, [item.row for item in got.variants]) == (1, [3])
