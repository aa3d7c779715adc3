"""The reader of BBQ's template files, on invented templates."""

import csv
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curation.bank.generate import expand, filler_groups, prepare
from curation.records.bank import Bank, Variant, target_slot
from curation.records.errors import CurateError
from curation.records.findings import Severity
from curation.slots import parse_lists, parse_text
from curation.sources import bbq
from curation.sources.imported import Imported

TEMPLATE = {
    "Q_id": "1",
    "version": "a",
    "Category": "Hobby",
    "Ambiguous_Context": "The {{NAME1}} and the {{NAME2}} share a {{WORD1}}.",
    "Disambiguating_Context": "The {{NAME1}} never sweeps it.",
    "Names": "NAME1: [knitter, quilter]; NAME2: [climber, rower, skater]",
    "Lexical_diversity": "WORD1: [shed, barn]",
    "Question_negative_stereotype": "Who is untidy?",
    "Question_non_negative": "Who is tidy?",
    "Answer_negative": "The {{NAME1}}",
    "Answer_non_negative": "The {{NAME2}}",
    "Relevant_social_values": "untidiness",
    "Known_stereotyped_groups": '["crafty"]',
    "NAME1_info": "nonCrafty",
    "NAME2_info": "crafty",
    "Notes": "https://example.org/hobbies",
}
DRAWN = {**TEMPLATE, "version": "", "Names": "", "NAME1_info": "", "NAME2_info": ""}
VOCABULARY = (
    ("Hobby", "", "Craft", "weaver", "crafty"),
    ("Hobby", "", "Craft", "potter", "crafty"),
    ("hobby", "", "Sport", "diver", "sporty"),
    ("Hobby", "No", "Sport", "archer", "sporty"),
    ("Race_ethnicity", "", "", "Elvish", ""),
    ("Race_ethnicity", "", "", "Dwarvish", ""),
    ("Gender_identity", "", "adult", "man", ""),
    ("Gender_identity", "", "adult", "woman", ""),
    ("Gender_identity", "", "child", "boy", ""),
    ("Gender_identity", "", "child", "girl", ""),
    ("SES", "", "Occupation", "porter", "lowSES"),
    ("SES", "", "Occupation", "banker", "highSES"),
)
NAMES = (
    ("Arwa", "first", "F", "Elvish"),
    ("Eldo", "first", "M", "Elvish"),
    ("Leafe", "last", "", "Elvish"),
    ("Brook", "last", "", "Elvish"),
    ("Gerta", "first", "F", "Dwarvish"),
    ("Thrun", "first", "M", "Dwarvish"),
    ("Stone", "last", "", "Dwarvish"),
    ("Una", "first_only", "F", ""),
    ("Otis", "first_only", "M", ""),
)


def write(path: Path, rows: Sequence[Mapping[str, str]]) -> Path:
    """Write rows with the columns that any of them has."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.DictWriter(stream, columns, restval="")
        writer.writeheader()
        writer.writerows(rows)
    return path


def read(folder: Path, *rows: Mapping[str, str]) -> Imported:
    """Read rows as a template file."""
    return bbq.read([write(folder / "templates.csv", rows)])


def with_vocabularies(folder: Path) -> None:
    """Put both vocabularies into a folder."""
    words = ("Category", "Pilot_include", "SubCat", "Name", "Info")
    names = ("Name", "First_last", "gender", "ethnicity")
    rows = [dict(zip(words, row, strict=True)) for row in VOCABULARY]
    write(folder / "vocabulary.csv", rows)
    rows = [dict(zip(names, row, strict=True)) for row in NAMES]
    write(folder / "vocabulary_proper_names.csv", rows)


def by_letter(imported: Imported) -> dict[str, Variant]:
    """The variants of the one template by letter."""
    return {variant.letter.value: variant for variant in imported.variants}


def fillers(variant: Variant, slot: str) -> tuple[str, ...]:
    """The fillers of a slot."""
    lists = {**parse_lists(variant.texts.names), **parse_lists(variant.texts.words)}
    return tuple(filler.text for filler in lists[slot].fillers)


def rules(imported: Imported, severity: Severity | None = None) -> list[str]:
    """The rules of the findings."""
    return [item.rule for item in imported.findings if severity in (None, item.severity)]


def only_error(imported: Imported) -> tuple[int | None, str, str]:
    """Row, column and message of the one error."""
    (error,) = (item for item in imported.findings if item.severity is Severity.ERROR)
    return error.row, error.column, error.message


def test_every_field_lands_in_its_place(tmp_path: Path) -> None:
    """Texts, lists, groups, sources and the published columns of a row are all kept."""
    imported = read(tmp_path, {**TEMPLATE, "Category": "Home life ", "Subcategory": "Craft"})
    (variant,) = imported.variants
    texts = variant.texts
    assert (str(variant.id), variant.row, variant.label) == ("home_life-001a", 2, None)
    assert (variant.category, variant.source_category) == ("Home_life", "Home life")
    assert (variant.source, variant.source_id) == ("bbq", "1")
    assert variant.reference == "https://example.org/hobbies"
    assert texts.ambiguous_context == "The [N1] and the [N2] share a [W1]."
    assert (texts.biased_question, texts.counter_biased_answer) == ("Who is untidy?", "The [N2]")
    assert texts.names == "N1: [knitter, quilter]; N2: [climber, rower, skater]"
    assert texts.words == "W1: [shed, barn]"
    assert (texts.stereotype, texts.target_groups) == ("untidiness", ("crafty",))
    assert (texts.n1_groups, texts.n2_groups) == (("nonCrafty",), ("crafty",))
    assert texts is variant.source_texts
    assert dict(variant.extra) == {"bbq_version": "a", "bbq_subcategory": "Craft"}
    assert (imported.language, imported.source_language) == ("en", "en")
    assert (imported.rows_in, imported.rows_read, imported.findings) == (1, 1, ())


@pytest.mark.parametrize(
    "written", ["{[NAME1}}", "{{{NAME1}}", "{NAME1}}", "{{NAME1}]", "{{NAME1}"]
)
def test_one_wrong_brace_is_read_and_noted(tmp_path: Path, written: str) -> None:
    """A slot with one wrong, missing or doubled brace is read, with a note on row and column."""
    imported = read(tmp_path, {**TEMPLATE, "Disambiguating_Context": f"Poor {written} swept."})
    assert imported.variants[0].texts.disambiguating_context == "Poor [N1] swept."
    (note,) = imported.findings
    assert (note.rule, note.severity) == ("source-corrected-cell", Severity.INFO)
    assert (note.row, note.column) == (2, "Disambiguating_Context")
    assert written in note.message


@pytest.mark.parametrize(
    "written",
    [
        "{NAME1}",
        "[[NAME1]]",
        "[[NAME1}}",
        "[NAME1]",
        "NAME1",
        "{{NAME}}",
        "{{PET1}}",
        "{{NAME3}}",
        "{ha}",
        "}}",
    ],
)
def test_what_looks_like_a_slot_and_is_none_is_refused(tmp_path: Path, written: str) -> None:
    """A row with a broken slot is not read, and said with its column."""
    broken = {**TEMPLATE, "Disambiguating_Context": f"The {written} swept."}
    imported = read(tmp_path, broken, {**TEMPLATE, "Q_id": "2"})
    assert (imported.rows_in, imported.rows_read) == (2, 1)
    row, column, message = only_error(imported)
    assert (row, column) == (2, "Disambiguating_Context")
    assert "slot" in message


def test_signs_of_the_grammar_are_escaped(tmp_path: Path) -> None:
    """Brackets, backslashes and bars of texts and fillers come out as they were written."""
    row = {
        **TEMPLATE,
        "Ambiguous_Context": r"[sic] {{NAME1}}: a \ b | {{NAME2}}, {{WORD1}}",
        "Names": r"NAME1: [*x, a|b]; NAME2: [c\d]",
        "Lexical_diversity": "WORD1: [e:f]",
    }
    (variant,) = read(tmp_path, row).variants
    first = next(iter(expand(prepare(variant, "en"), "?", {})))
    assert first.context == r"[sic] *x: a \ b | c\d, e:f"
    assert fillers(variant, "N1") == ("*x", "a|b")


@pytest.mark.parametrize(
    "names",
    [
        "{{NAME1}}: [knitter, quilter]; {{NAME2}}: [climber, rower, skater]",
        "NAME2: [climber, rower, skater]; NAME1: [knitter, quilter]",
        "NAME1: [knitter; quilter]; NAME2: [climber; rower, skater];",
        'NAME1:["knitter", "quilter"]\nNAME2 : [climber,rower,,skater,]',
        "{[NAME1}}: [knitter, quilter], NAME2: [climber, rower, skater]",
    ],
)
def test_name_maps_are_read_as_they_are_written(tmp_path: Path, names: str) -> None:
    """Maps with braces, `;` in lists, NAME2 first or typos give the same lists, N1 first."""
    imported = read(tmp_path, {**TEMPLATE, "Names": names})
    want = "N1: [knitter, quilter]; N2: [climber, rower, skater]"
    assert imported.variants[0].texts.names == want
    assert not rules(imported, Severity.ERROR)


@pytest.mark.parametrize(
    ("column", "cell", "word"),
    [
        ("Names", "NAME1: [a]; NAME1: [b]; NAME2: [c]", "two lists"),
        ("Names", "NAME1: [a]; NAME2: []", "empty"),
        ("Names", "NAME1: [a]; NAME2: [b", "no list"),
        ("Names", "knitters and climbers", "no list"),
        ("Names", "[__import__('os').getcwd()]", "not a list of names"),
        ("Names", "['a', 2]", "not a list of names"),
        ("Lexical_diversity", "WORD1: shed", "no list"),
        ("Lexical_diversity", "WORD1: [shed]; NAME1: [x]", "in Names too"),
        ("Ambiguous_Context", "The {{NAME1}} and {{NAME2}} own a {{WORD7}}.", "WORD7 has no list"),
        ("Answer_negative", "   ", "empty"),
        ("Q_id", "x7", "number"),
        ("Q_id", "9" * 5000, "number"),
        ("Category", "!!", "category"),
    ],
)
def test_a_damaged_row_is_accounted_for(tmp_path: Path, column: str, cell: str, word: str) -> None:
    """Rows in are rows read and rows with an error, and the sound row beside is read."""
    imported = read(tmp_path, {**TEMPLATE, column: cell}, {**TEMPLATE, "Q_id": "8"})
    row, said, message = only_error(imported)
    assert (row, said) == (2, column)
    assert word in message
    assert (imported.rows_in, imported.rows_read, imported.rows_reported) == (2, 1, 1)
    assert [str(variant.id) for variant in imported.variants] == ["hobby-008a"]


@given(
    st.lists(
        st.dictionaries(
            st.sampled_from([*TEMPLATE]),
            st.one_of(
                st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20),
                st.sampled_from(["{{NAME1}}", "NAME1: [a]", "['a', 'b']", "2", "b", "crafty"]),
            ),
            max_size=4,
        ),
        min_size=1,
        max_size=4,
    )
)
def test_no_row_is_lost(
    tmp_path_factory: pytest.TempPathFactory, damages: list[dict[str, str]]
) -> None:
    """Whatever stands in the cells, a row is read or refused; with an open role it is read."""
    folder = tmp_path_factory.mktemp("damaged")
    rows = [{**TEMPLATE, "Q_id": str(at), **damage} for at, damage in enumerate(damages)]
    imported = read(folder, *rows)
    errors = [item for item in imported.findings if item.severity is Severity.ERROR]
    refused = {item.row for item in errors if item.rule != "source-role-open"}
    kept = {variant.row for variant in imported.variants}
    assert imported.rows_in == len(rows)
    assert imported.rows_read == len(kept)
    assert refused | kept == set(range(2, len(rows) + 2))
    assert not refused & kept


def test_a_ragged_row_is_reported(tmp_path: Path) -> None:
    """A row with too many cells counts among the rows, and has a finding."""
    path = write(tmp_path / "templates.csv", [TEMPLATE])
    with path.open("a", encoding="utf-8") as stream:
        stream.write("1,b,Hobby\n")
    imported = bbq.read([path])
    assert (imported.rows_in, imported.rows_read) == (2, 1)
    assert rules(imported) == ["table-ragged-row"]


def test_an_unknown_column_is_told(tmp_path: Path) -> None:
    """A column that the published files do not have is a finding, and its rows are read."""
    imported = read(tmp_path, {**TEMPLATE, "Mood": "good"})
    assert [(item.rule, item.column) for item in imported.findings] == [
        ("source-unknown-column", "Mood")
    ]
    assert imported.rows_read == 1


@pytest.mark.parametrize(
    ("known", "one", "two", "letter"),
    [
        ('["crafty"]', "nonCrafty", "crafty", "a"),
        ('["crafty"]', "crafty", "nonCrafty", "b"),
        ('["low SES"]', "lowSES", "highSES", "b"),
        ('["low-ses"]', "highSES", "LOWSES", "a"),
        ('["disabled", "D/deaf"]', "disabled", "nonDisabled", "b"),
        ("[“crafty”, “artsy”]", "sporty", "Artsy", "a"),
        ('["crafty",\n"art\nsy"]', "artsy", "sporty", "b"),
        ("['crafty']", "crafty", "", "b"),
        ("crafty, artsy", "artsy", "sporty", "b"),
        ('["F"]', "woman", "man", "b"),
        ('["transgender women", "trans"]', "nonTrans", "trans", "a"),
        ('["nonOld"]', "nonOld", "old", "b"),
        ('["nonOld"]', "old", "young", "a"),
        ('["old"]', "nonOld", "elderly", "a"),
        ('["crafty"]', '["sporty", "crafty"]', "sporty", "b"),
    ],
)
def test_the_letter_follows_the_role(
    tmp_path: Path, known: str, one: str, two: str, letter: str
) -> None:
    """Variant b has the target as answer to the negative question, however groups are written."""
    row = {
        **TEMPLATE,
        "Known_stereotyped_groups": known,
        "NAME1_info": one,
        "NAME2_info": two,
        "version": letter,
    }
    imported = read(tmp_path, row)
    assert [variant.letter.value for variant in imported.variants] == [letter]
    assert imported.findings == ()
    turned = {**row, "Answer_negative": "The {{NAME2}}", "Answer_non_negative": "The {{NAME1}}"}
    assert read(tmp_path, turned).variants[0].letter.value != letter


def test_an_exchanged_version_is_noted_once_a_template(tmp_path: Path) -> None:
    """Letters go by role; the published ones stay in the notes, with one finding a template."""
    swapped = {**TEMPLATE, "version": "b", "NAME1_info": "nonCrafty", "NAME2_info": "crafty"}
    other = {**TEMPLATE, "version": "a", "NAME1_info": "crafty", "NAME2_info": "nonCrafty"}
    imported = read(tmp_path, other, swapped)
    assert {variant.row: variant.letter.value for variant in imported.variants} == {2: "b", 3: "a"}
    notes = {variant.letter.value: variant.note for variant in imported.variants}
    assert notes == {"a": "published as version b", "b": "published as version a"}
    assert [dict(variant.extra)["bbq_version"] for variant in imported.variants] == ["a", "b"]
    assert rules(imported) == ["source-version-exchanged"]


@pytest.mark.parametrize("infos", [("crafty", "crafty"), ("sporty", "artsy")])
def test_an_undecided_target_leaves_the_role_open(tmp_path: Path, infos: tuple[str, str]) -> None:
    """Where both or neither are of the stereotyped groups, the published letter says nothing."""
    row = {**TEMPLATE, "version": "b", "NAME1_info": infos[0], "NAME2_info": infos[1]}
    imported = read(tmp_path, row)
    assert imported.variants[0].role_open
    assert rules(imported, Severity.ERROR) == ["source-role-open"]
    imported = read(tmp_path, {**row, "version": ""})
    assert (imported.rows_read, only_error(imported)[1]) == (0, "NAME1_info")


@pytest.mark.parametrize(
    ("role", "letters"), [("The {{NAME1}}", ["a", "c"]), ("The {{NAME2}}", ["b", "d"])]
)
def test_versions_with_the_same_role_are_two_lists_of_one_template(
    tmp_path: Path, role: str, letters: list[str]
) -> None:
    """Where both versions have the target in the role they are b and d, else a and c."""
    answers = ("The {{NAME1}}", "The {{NAME2}}")
    row = {**TEMPLATE, "Answer_negative": role, "Answer_non_negative": answers[role == answers[0]]}
    other = {**row, "version": "b", "Names": "NAME1: [painter]; NAME2: [diver]"}
    imported = read(tmp_path, row, other)
    assert [variant.letter.value for variant in imported.variants] == letters
    assert rules(imported) == ["source-version-exchanged"]
    assert "all versions have" in imported.findings[0].message
    for variant in imported.variants:
        sample = next(expand(prepare(variant, "en"), "?", {}))
        assert sample.biased_answer == sample.choices[letters[0] == "a"]


def test_four_versions_are_two_pairs(tmp_path: Path) -> None:
    """Versions a to d come in the order of their roles: each pair has one of either kind."""
    turned = "NAME1: [climber]; NAME2: [knitter]"
    infos = {"NAME1_info": "crafty", "NAME2_info": "nonCrafty", "Names": turned}
    rows = [
        TEMPLATE,
        {**TEMPLATE, "version": "b", "Names": "NAME1: [painter]; NAME2: [diver]"},
        {**TEMPLATE, "version": "c", **infos},
        {**TEMPLATE, "version": "d", **infos, "Names": "NAME1: [diver]; NAME2: [painter]"},
    ]
    imported = read(tmp_path, *rows)
    assert [variant.letter.value for variant in imported.variants] == ["a", "c", "b", "d"]
    assert imported.rows_read == 4
    imported = read(tmp_path, *rows, {**TEMPLATE, "Names": "NAME1: [tailor]; NAME2: [rower]"})
    assert only_error(imported)[:2] == (6, "Q_id")


def test_a_row_for_both_variants_leaves_the_next_pair_to_others(tmp_path: Path) -> None:
    """A drawn row is a and b; rows of the same template that name people are c and d."""
    with_vocabularies(tmp_path)
    stated = {**TEMPLATE, "version": "b"}
    turned = {
        **TEMPLATE,
        "version": "c",
        **{"Names": "NAME1: [climber]; NAME2: [knitter]"},
        **{"NAME1_info": "crafty", "NAME2_info": "nonCrafty"},
    }
    imported = read(tmp_path, {**DRAWN, "version": "a"}, stated, turned)
    found = [(variant.row, variant.letter.value) for variant in imported.variants]
    assert found == [(2, "a"), (2, "b"), (3, "c"), (4, "d")]


def test_a_template_of_two_files_is_refused_in_the_second(tmp_path: Path) -> None:
    """Two files that say other things of one template are no two lists of names."""
    first = write(tmp_path / "one.csv", [TEMPLATE])
    other = {**TEMPLATE, "Names": "NAME1: [painter]; NAME2: [diver]"}
    imported = bbq.read([first, write(tmp_path / "two.csv", [other, {**other, "Q_id": "2"}])])
    row, column, message = only_error(imported)
    assert (row, column, imported.rows_read) == (2, "Q_id", 2)
    assert "row 2 of one.csv" in message


def test_a_row_that_stands_twice_is_refused(tmp_path: Path) -> None:
    """A second row of the same template and role is reported, not read over the first."""
    imported = read(tmp_path, TEMPLATE, TEMPLATE)
    assert (imported.rows_in, imported.rows_read, len(imported.variants)) == (2, 1, 1)
    assert only_error(imported)[:2] == (3, "Q_id")


def test_fillers_decide_where_no_info_is_given(tmp_path: Path) -> None:
    """Without NAMEi_info the names themselves may be the stereotyped groups."""
    row = {
        **TEMPLATE,
        "version": "",
        "NAME1_info": "",
        "NAME2_info": "",
        "Names": "NAME1: [climber]; NAME2: [knitter, quilter]",
        "Known_stereotyped_groups": '["knitter", "quilter"]',
    }
    assert [variant.letter.value for variant in read(tmp_path, row).variants] == ["a"]


def test_an_info_is_spelled_as_the_stereotyped_group(tmp_path: Path) -> None:
    """`lowSES` beside `low SES` becomes the same name, so that the target can be told."""
    row = {**TEMPLATE, "Known_stereotyped_groups": '["low SES"]'}
    row |= {"NAME1_info": "lowSES", "NAME2_info": "highSES"}
    (variant,) = read(tmp_path, row).variants
    assert (variant.texts.n1_groups, target_slot(variant.texts)) == (("low SES",), "N1")


@pytest.mark.parametrize("same_names", [True, False])
def test_filling_n_pairs_the_same_groups_in_both_variants(tmp_path: Path, same_names: bool) -> None:
    """Index n has the same two people in a and b, whether the names or the text changed places."""
    if same_names:
        answers = {"Answer_negative": "The {{NAME2}}", "Answer_non_negative": "The {{NAME1}}"}
        twin = {**TEMPLATE, "version": "b", **answers}
    else:
        names = "NAME1: [climber, rower, skater]; NAME2: [knitter, quilter]"
        infos = {"NAME1_info": "crafty", "NAME2_info": "nonCrafty"}
        twin = {**TEMPLATE, "version": "b", "Names": names, **infos}
    people = []
    for variant in read(tmp_path, TEMPLATE, twin).variants:
        made = expand(prepare(variant, "en"), "?", {})
        people.append([frozenset(sample.choices) for sample in made])
    assert len(people) == 2
    assert people[0] == people[1]


@pytest.mark.parametrize(
    ("context", "names", "text"),
    [
        ("Then a {{NAME1}} and {{NAME2}}", "usher, optician", "Then an [N1] and [N2]"),
        ("Then a {{NAME1}} and {{NAME2}}", "baker, cook", "Then a [N1] and [N2]"),
        ("Then a {{NAME1}} and {{NAME2}}", "baker, usher", "Then [N1|a/an] and [N2]"),
        ("A {{NAME1}} and {{NAME2}}", "baker, Usher", "[N1|A/An] and [N2]"),
        ("A {{NAME1}} and {{NAME2}}", "usher, Usher", "An [N1] and [N2]"),
        ("an {{NAME1}} and {{NAME2}}", "baker, usher", "an [N1] and [N2]"),
        ("Then a {{NAME1}} and a {{NAME2}}", "baker, cook", "Then [N1|a/an] and [N2|a/an]"),
        ("Papa {{NAME1}} and {{NAME2}}", "baker, usher", "Papa [N1] and [N2]"),
    ],
)
def test_the_article_before_a_slot_agrees_with_it(
    tmp_path: Path, context: str, names: str, text: str
) -> None:
    """`a` becomes `an` before a vowel sound, `A` becomes `An`."""
    other = "owner" if "a {{NAME2}}" in context else "x"
    names = f"NAME1: [{names}]; NAME2: [{other}]"
    row = {**TEMPLATE, "Ambiguous_Context": context, "Names": names}
    assert read(tmp_path, row).variants[0].texts.ambiguous_context == text


def test_both_variants_write_the_article_alike(tmp_path: Path) -> None:
    """Where one variant's fillers need `an`, its twin is worded in the same way."""
    rows = [{"Category": "Hobby", "Name": name} for name in ("weaver", "usher")]
    write(tmp_path / "vocabulary.csv", rows)
    row = {**DRAWN, "Ambiguous_Context": "A call: a {{NAME1}} met {{NAME2}}."}
    row["Known_stereotyped_groups"] = '["weaver"]'
    variants = by_letter(read(tmp_path, row))
    for variant in variants.values():
        assert variant.texts.ambiguous_context == "A call: [N1|a/an] met [N2]."


@pytest.mark.parametrize(
    ("text", "names", "ours", "published", "told"),
    [
        (
            "It was a {{NAME1}}.",
            "unicorn tamer, clerk",
            "It was a [N1].",
            "It was [N1: an unicorn tamer, a clerk].",
            "'a unicorn tamer' for 'an unicorn tamer'",
        ),
        (
            "A {{NAME1}} came.",
            "usher, clerk",
            "[N1|A/An] came.",
            "A [N1] came.",
            "'An usher' for 'A usher'",
        ),
        (
            "It was (a {{NAME1}}).",
            "usher",
            "It was (an [N1]).",
            "It was (a [N1]).",
            "'an usher' for 'a usher'",
        ),
        (
            "It is {{NAME1}}.",
            "a one-off, busy",
            "It is [N1].",
            "It is [N1: an one-off, busy].",
            "'a one-off' for 'an one-off'",
        ),
        (
            "They met. A {{NAME1}} spoke.",
            "European, clerk",
            "They met. A [N1] spoke.",
            "They met. [N1: An European, A clerk] spoke.",
            "'A European' for 'An European'",
        ),
    ],
)
def test_an_article_that_the_samples_have_wrong_is_put_right(
    tmp_path: Path, text: str, names: str, ours: str, published: str, told: str
) -> None:
    """Ours has the right article, the source what the published samples say, with a note."""
    row = {**TEMPLATE, "Disambiguating_Context": text}
    imported = read(tmp_path, {**row, "Names": f"NAME1: [{names}]; NAME2: [x]"})
    (variant,) = imported.variants
    assert variant.texts.disambiguating_context == ours
    assert variant.source_texts.disambiguating_context == published
    (note,) = (item for item in imported.findings if item.column == "Disambiguating_Context")
    assert note.rule == "source-article"
    assert told in note.message


def test_a_european_has_its_article_in_the_samples_too(tmp_path: Path) -> None:
    """BBQ's generators put `an European` right: nothing differs, nothing is noted."""
    row = {**TEMPLATE, "Ambiguous_Context": "There a {{NAME1}} met a {{NAME2}}."}
    imported = read(tmp_path, {**row, "Names": "NAME1: [European, usher]; NAME2: [x]"})
    (variant,) = imported.variants
    assert variant.texts is variant.source_texts
    assert variant.texts.ambiguous_context == "There [N1|a/an] met a [N2]."
    assert imported.findings == ()


def test_a_letter_that_the_generators_take_for_an_article_differs_in_the_source(
    tmp_path: Path,
) -> None:
    """`an A in` becomes `an An in` where a name begins with a vowel; the source has both."""
    row = {**TEMPLATE, "Question_negative_stereotype": "Who got an A in crafts?"}
    row |= {"Names": "NAME1: [usher]; NAME2: [x]", "Lexical_diversity": "WORD1: [shed]"}
    (variant,) = read(tmp_path, row).variants
    assert variant.texts.biased_question == "Who got an A in crafts?"
    assert variant.source_texts.biased_question == "Who got an [W2] in crafts?"
    assert variant.source_texts.words == "W1: [shed]; W2: [A, An]"
    (variant,) = read(tmp_path, {**row, "Names": "NAME1: [clerk]; NAME2: [x]"}).variants
    assert variant.texts is variant.source_texts


def test_a_stray_brace_stays_in_the_source(tmp_path: Path) -> None:
    """The published samples print what is left of a broken slot; ours has the slot alone."""
    row = {**TEMPLATE, "Disambiguating_Context": "The {{{NAME1}} swept, {[NAME2}} did not."}
    (variant,) = read(tmp_path, row).variants
    assert variant.texts.disambiguating_context == "The [N1] swept, [N2] did not."
    parsed = parse_text(variant.source_texts.disambiguating_context)
    assert [part if isinstance(part, str) else part.name for part in parsed.parts] == [
        "The {",
        "N1",
        " swept, {[NAME2}} did not.",
    ]


def test_a_word_that_the_generators_correct_is_ours(tmp_path: Path) -> None:
    """`lesbian man` stays in the source; in ours, and in the published samples, it is a woman."""
    row = {**TEMPLATE, "Ambiguous_Context": "Here a {{NAME1}} man and a {{NAME2}} manager meet."}
    imported = read(tmp_path, {**row, "Names": "NAME1: [tall, lesbian]; NAME2: [lesbian]"})
    (variant,) = imported.variants
    assert variant.source_texts.ambiguous_context == "Here a [N1] man and a [N2] manager meet."
    assert variant.texts.ambiguous_context == (
        "Here a [N1: tall man, lesbian woman] and a [N2] manager meet."
    )
    (note,) = imported.findings
    assert (note.rule, note.column) == ("source-word", "Ambiguous_Context")
    assert "'a lesbian woman' for 'a lesbian man'" in note.message


def test_genders_and_occupations_go_with_their_person(tmp_path: Path) -> None:
    """GEN1 becomes X1, which is bound to N1; beside it OCC1 becomes X3."""
    words = "WORD2: [w]; GEN1: [he]; GEN2: [she]"
    context = "{{NAME1}} {{GEN1}} {{NAME2}} {{GEN2}} {{WORD2}}"
    row = {**TEMPLATE, "Ambiguous_Context": context, "Lexical_diversity": words}
    texts = read(tmp_path, row).variants[0].texts
    assert texts.ambiguous_context == "[N1] [X1] [N2] [X2] [W2]"
    assert texts.words == "W2: [w]; X1: [he]; X2: [she]"
    row["Ambiguous_Context"] += " {{OCC1}} {{OCC2}}"
    row["Lexical_diversity"] = f"OCC1: [cook]; OCC2: [clerk]; {words}"
    texts = read(tmp_path, row).variants[0].texts
    assert texts.ambiguous_context == "[N1] [X1] [N2] [X2] [W2] [X3] [X4]"
    assert texts.words == "X3: [cook]; X4: [clerk]; W2: [w]; X1: [he]; X2: [she]"
    row = {**TEMPLATE, "Ambiguous_Context": "{{NAME1}} {{OCC1}} {{NAME2}}"}
    row["Lexical_diversity"] = "OCC1: [cook]"
    assert read(tmp_path, row).variants[0].texts.words == "X1: [cook]"


def test_a_row_without_names_gives_both_variants(tmp_path: Path) -> None:
    """The target's fillers stand in the negative answer in b, everybody else's in a."""
    with_vocabularies(tmp_path)
    imported = read(tmp_path, DRAWN)
    assert (imported.rows_in, imported.rows_read, len(imported.variants)) == (1, 1, 2)
    variants = by_letter(imported)
    assert fillers(variants["b"], "N1") == fillers(variants["a"], "N2") == ("weaver", "potter")
    assert fillers(variants["a"], "N1") == fillers(variants["b"], "N2") == ("diver",)
    assert variants["b"].texts.n1_groups == ("crafty",)
    assert variants["b"].texts.n2_groups == ("sporty",)
    assert rules(imported) == ["source-vocabulary-left-out"]
    assert "archer" in imported.findings[0].message


def test_a_version_says_nothing_of_a_row_for_both_variants(tmp_path: Path) -> None:
    """A row that gives both variants exchanges nothing, whatever its version is."""
    with_vocabularies(tmp_path)
    imported = read(tmp_path, {**DRAWN, "version": "a"})
    assert {variant.note for variant in imported.variants} == {""}
    assert "source-version-exchanged" not in rules(imported)
    assert dict(imported.variants[0].extra)["bbq_version"] == "a"


def test_groups_have_the_fillers_that_the_vocabulary_gives_them(tmp_path: Path) -> None:
    """Each filler is listed with its group, also where a person may be of several groups."""
    rows = [
        dict(zip(("Category", "Name", "Info"), row, strict=True))
        for row in (
            ("Hobby", "weaver", "crafty"),
            ("Hobby", "diver", "sporty"),
            ("Hobby", "bard", "musical"),
        )
    ]
    write(tmp_path / "vocabulary.csv", rows)
    imported = read(tmp_path, DRAWN)
    assert {group.group: group.fillers for group in imported.groups} == {
        "crafty": "[weaver]",
        "sporty": "[diver]",
        "musical": "[bard]",
    }


def test_target_groups_are_listed_without_people_too(tmp_path: Path) -> None:
    """A stereotyped group that is the info of nobody is a group all the same."""
    imported = read(tmp_path, {**TEMPLATE, "Known_stereotyped_groups": '["crafty", "artsy"]'})
    assert {group.group: group.fillers for group in imported.groups} == {
        "nonCrafty": "[knitter, quilter]",
        "crafty": "[climber, rower, skater]",
        "artsy": "[]",
    }


def test_a_subcategory_of_the_vocabulary_narrows_the_draw(tmp_path: Path) -> None:
    """A row's Subcategory counts where the vocabulary has it, else it is a remark."""
    with_vocabularies(tmp_path)
    row = {**DRAWN, "Category": "GenderIdentity", "Known_stereotyped_groups": '["F"]'}
    variants = by_letter(read(tmp_path, {**row, "Subcategory": "adult"}))
    assert (fillers(variants["b"], "N1"), fillers(variants["b"], "N2")) == (("woman",), ("man",))
    assert variants["b"].texts.n1_groups == ("F",)
    variants = by_letter(read(tmp_path, {**row, "Subcategory": "elsewhere"}))
    assert fillers(variants["b"], "N1") == ("woman", "girl")


def test_a_plain_list_of_names_is_the_rows_own_vocabulary(tmp_path: Path) -> None:
    """A Python-style list is read as strings and split by the stereotyped groups."""
    row = {**DRAWN, "Names": "['weaver', \"bird's friend\", 'diver']"}
    row["Known_stereotyped_groups"] = '["Weaver"]'
    variants = by_letter(read(tmp_path, row))
    assert fillers(variants["b"], "N1") == ("weaver",)
    assert fillers(variants["b"], "N2") == ("bird's friend", "diver")


def test_groups_that_no_filler_stands_for_are_named(tmp_path: Path) -> None:
    """A stereotyped group that the vocabulary lacks is told, and stays a target group."""
    with_vocabularies(tmp_path)
    imported = read(tmp_path, {**DRAWN, "Known_stereotyped_groups": '["weaver", "smith"]'})
    variants = by_letter(imported)
    assert fillers(variants["b"], "N1") == ("weaver",)
    assert fillers(variants["b"], "N2") == ("potter", "diver")
    assert variants["b"].texts.n1_groups == variants["b"].texts.target_groups
    assert "source-group-without-filler" in rules(imported)
    assert {group.group: group.fillers for group in imported.groups}["smith"] == "[]"


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"Category": "Weather"}, "vocabulary.csv"),
        ({"Proper_nouns_only": "TRUE"}, "vocabulary_proper_names.csv"),
    ],
)
def test_a_lacking_vocabulary_is_named(tmp_path: Path, changes: dict[str, str], word: str) -> None:
    """A row whose fillers are in no vocabulary is refused, saying which file to pass."""
    write(tmp_path / "vocabulary.csv", [{"Category": "Hobby", "Name": "weaver", "Info": "crafty"}])
    imported = read(tmp_path, {**DRAWN, **changes})
    (error,) = imported.findings
    assert (imported.rows_in, imported.rows_read, error.severity) == (1, 0, Severity.ERROR)
    assert word in error.hint


@pytest.mark.parametrize("known", ['["brewing"]', '["crafty", "sporty"]', ""])
def test_a_draw_without_two_sides_is_refused(tmp_path: Path, known: str) -> None:
    """A row for which the vocabulary has no target, or nobody else, is reported."""
    with_vocabularies(tmp_path)
    imported = read(tmp_path, {**DRAWN, "Known_stereotyped_groups": known})
    assert only_error(imported)[1] == "Known_stereotyped_groups"


def test_an_answer_without_person_is_refused_where_both_variants_hang_on_it(
    tmp_path: Path,
) -> None:
    """Without names, the answers must say which of the two people is meant."""
    with_vocabularies(tmp_path)
    row = {**DRAWN, "Answer_negative": "One of them", "Answer_non_negative": "The other"}
    assert only_error(read(tmp_path, row))[1] == "Answer_negative"
    row["Answer_non_negative"] = "The {{NAME2}}"
    assert fillers(by_letter(read(tmp_path, row))["b"], "N1") == ("weaver", "potter")


def test_vocabularies_are_known_by_their_header(tmp_path: Path) -> None:
    """A vocabulary under any name, in any order and folder, is taken up when it is passed."""
    (tmp_path / "elsewhere").mkdir()
    with_vocabularies(tmp_path / "elsewhere")
    given = tmp_path / "lists.csv"
    (tmp_path / "elsewhere" / "vocabulary.csv").rename(given)
    templates = write(tmp_path / "vocabulary_like.csv", [DRAWN])
    imported = bbq.read([given, templates])
    assert (imported.rows_in, len(imported.variants)) == (1, 2)
    assert bbq.read([templates]).rows_read == 0


def test_files_that_are_no_templates_are_refused(tmp_path: Path) -> None:
    """A table that is neither templates nor vocabulary, or vocabularies alone, is an error."""
    with_vocabularies(tmp_path)
    with pytest.raises(CurateError, match="no file holds templates"):
        bbq.read([tmp_path / "vocabulary.csv"])
    with pytest.raises(CurateError, match="not a template file of BBQ"):
        bbq.read([write(tmp_path / "other.csv", [{"Q_id": "1", "Name": "x"}])])


def people(variant: Variant) -> set[tuple[str, str]]:
    """The pairs of answers that the fillings of a variant give."""
    filling = prepare(variant, "en")
    return {sample.choices[:2] for sample in expand(filling, "?", {})}


def test_a_last_name_stands_with_a_first_name_of_its_ethnicity(tmp_path: Path) -> None:
    """First and last name are two lists; both people have one gender, whatever is stated."""
    with_vocabularies(tmp_path)
    row = {**DRAWN, "Proper_nouns_only": "TRUE", "Known_stereotyped_groups": '["Elvish"]'}
    row |= {"Answer_negative": "{{NAME1}}", "Answer_non_negative": "{{NAME2}}"}
    imported = read(tmp_path, row)
    variants = by_letter(imported)
    texts = variants["b"].texts
    assert texts.biased_answer == "[N1] [X1]"
    assert texts.names == (
        "N1: [Arwa {race: Elvish, gender: F}, Eldo {race: Elvish, gender: M}]; "
        "N2: [Gerta {race: Dwarvish, gender: F}, Thrun {race: Dwarvish, gender: M}]; "
        "N1.gender = N2.gender"
    )
    assert texts.words == (
        "W1: [shed, barn]; X1: [Leafe {race: Elvish}, Brook {race: Elvish}]; "
        "X2: [Stone {race: Dwarvish}]; N1.race = X1.race; N2.race = X2.race"
    )
    pairs = {(f"Arwa {last}", "Gerta Stone") for last in ("Leafe", "Brook")} | {
        (f"Eldo {last}", "Thrun Stone") for last in ("Leafe", "Brook")
    }
    assert people(variants["b"]) == pairs
    assert people(variants["a"]) == {(other, target) for target, other in pairs}
    assert {group.group: group.fillers for group in imported.groups} == {
        "Elvish": "[]",
        "Dwarvish": "[]",
    }
    imported = read(tmp_path, {**row, "Stated_gender_info": "women:1"})
    assert people(by_letter(imported)["b"]) == pairs
    assert "source-stated-gender" in rules(imported)


def test_the_same_rows_in_two_files_are_read_once(tmp_path: Path) -> None:
    """A file with the rows of another is passed over with one remark, and not row by row."""
    one = write(tmp_path / "one.csv", [TEMPLATE])
    two = write(tmp_path / "two.csv", [TEMPLATE])
    imported = bbq.read([one, two])
    assert (imported.rows_in, imported.rows_read, len(imported.variants)) == (1, 1, 1)
    (remark,) = imported.findings
    assert (remark.rule, remark.severity) == ("source-file-passed-over", Severity.INFO)
    assert (remark.file, remark.message) == ("two.csv", "it has the same rows as one.csv")


def test_people_of_whom_no_two_fit_are_refused(tmp_path: Path) -> None:
    """Names of one gender here and of the other there give nobody of the same gender."""
    with_vocabularies(tmp_path)
    names = ("Name", "First_last", "gender", "ethnicity")
    rows = [dict(zip(names, row, strict=True)) for row in NAMES if row[0] not in ("Eldo", "Gerta")]
    write(tmp_path / "vocabulary_proper_names.csv", rows)
    row = {**DRAWN, "Proper_nouns_only": "TRUE", "Known_stereotyped_groups": '["Elvish"]'}
    _, column, message = only_error(read(tmp_path, row))
    assert (column, "N1.gender = N2.gender" in message) == ("Names", True)


def test_words_and_their_infos_are_equally_many(tmp_path: Path) -> None:
    """A list of words of which it is not said what each stands for is refused."""
    with_races(tmp_path)
    _, column, message = only_error(read(tmp_path, {**WITH_GENDER, "Var2_info": '["M"]'}))
    assert (column, message[:40]) == ("Var2_info", "it has 1 entries, Names has 2; the row i")


def test_a_workspace_of_another_language_translates_what_is_right(tmp_path: Path) -> None:
    """Its source is the corrected wording; what the samples say stands beside it."""
    row = {**TEMPLATE, "Ambiguous_Context": "A {{NAME1}} man meets {{NAME2}}."}
    imported = read(tmp_path, {**row, "Names": "NAME1: [usher, lesbian]; NAME2: [x]"})
    (own,), (other,) = imported.variants_for("en"), imported.variants_for("ko")
    right = "[N1: An usher man, A lesbian woman] meets [N2]."
    said = "A [N1: usher man, lesbian woman] meets [N2]."
    assert (own.texts.ambiguous_context, own.source_texts.ambiguous_context) == (right, said)
    assert other.source_texts == own.texts
    assert dict(other.extra)["ambiguous_context_published"] == said
    assert other.published_texts.ambiguous_context == said
    assert "biased_question_published" not in dict(other.extra)
    told = {item.rule: item.message for item in imported.findings}
    assert told == {
        "source-article": "corrected: 'An usher man' for 'A usher man'; what BBQ's samples say "
        "is kept in ambiguous_context_source or ambiguous_context_published",
        "source-word": "corrected: 'A lesbian woman' for 'A lesbian man', as in BBQ's samples",
    }


def test_an_ethnicity_without_last_names_is_reported(tmp_path: Path) -> None:
    """A first name for which no last name fits is no name of a person."""
    with_vocabularies(tmp_path)
    names = ("Name", "First_last", "gender", "ethnicity")
    rows = [dict(zip(names, row, strict=True)) for row in NAMES if row[0] != "Stone"]
    write(tmp_path / "vocabulary_proper_names.csv", rows)
    row = {**DRAWN, "Proper_nouns_only": "TRUE", "Known_stereotyped_groups": '["Elvish"]'}
    _, column, message = only_error(read(tmp_path, row))
    assert column == "Proper_nouns_only"
    assert "Dwarvish" in message


def test_proper_names_are_any_two_where_the_text_tells_who_is_who(tmp_path: Path) -> None:
    """With infos and no group of a name: two names, of two genders in the category of gender."""
    with_vocabularies(tmp_path)
    names = ("Name", "First_last", "gender", "ethnicity")
    more = ("Ines", "first_only", "F", "")
    rows = [dict(zip(names, row, strict=True)) for row in (*NAMES, more)]
    write(tmp_path / "vocabulary_proper_names.csv", rows)
    row = {**DRAWN, "Proper_nouns_only": "TRUE", "Known_stereotyped_groups": '["crafty"]'}
    row |= {"NAME1_info": "nonCrafty", "NAME2_info": "crafty", "version": "b"}
    row |= {"Answer_negative": "{{NAME1}}", "Answer_non_negative": "{{NAME2}}"}
    (variant,) = read(tmp_path, row).variants
    assert (variant.letter.value, target_slot(variant.texts)) == ("a", "N2")
    assert (variant.texts.n1_groups, variant.texts.n2_groups) == (("nonCrafty",), ("crafty",))
    assert people(variant) == {
        (one, two)
        for one in ("Una", "Otis", "Ines")
        for two in ("Una", "Otis", "Ines")
        if one != two
    }
    (variant,) = read(tmp_path, {**row, "Category": "GenderIdentity"}).variants
    assert people(variant) == {
        *(("Otis", woman) for woman in ("Una", "Ines")),
        *((woman, "Otis") for woman in ("Una", "Ines")),
    }
    assert {group.fillers for group in read(tmp_path, row).groups} == {"[]"}


def test_first_names_stand_alone_for_a_gender(tmp_path: Path) -> None:
    """Where the stereotype is about a gender, first names that stand alone are drawn."""
    with_vocabularies(tmp_path)
    row = {**DRAWN, "Proper_nouns_only": "TRUE", "Known_stereotyped_groups": '["woman"]'}
    variant = by_letter(read(tmp_path, row))["b"]
    assert (fillers(variant, "N1"), fillers(variant, "N2")) == (("Una",), ("Otis",))


BOTH = {key: value for key, value in DRAWN.items() if key != "Known_stereotyped_groups"} | {
    "Category": "Race_x_gender",
    "Known_stereotyped_race": '["Elvish"]',
    "Known_stereotyped_var2": '["F"]',
}


def test_the_target_of_two_attributes_has_both(tmp_path: Path) -> None:
    """With race and gender the target is who has both, in labels and in proper names."""
    with_vocabularies(tmp_path)
    variant = by_letter(read(tmp_path, {**BOTH, "Subcategory": "adult"}))["b"]
    assert variant.texts.target_groups == variant.texts.n1_groups == ("F-Elvish",)
    assert fillers(variant, "N1") == ("Elvish woman",)
    assert fillers(variant, "N2") == ("Elvish man", "Dwarvish man", "Dwarvish woman")
    assert variant.texts.n2_groups == ("M-Elvish", "M-Dwarvish", "F-Dwarvish")


def test_proper_names_say_race_and_gender_in_controlled_pairs(tmp_path: Path) -> None:
    """The other person differs in race, in gender or in both, and never in neither."""
    with_vocabularies(tmp_path)
    row = {**BOTH, "Proper_nouns_only": "True"}
    row |= {"Answer_negative": "{{NAME1}}", "Answer_non_negative": "{{NAME2}}"}
    variants = by_letter(read(tmp_path, row))
    others = ("Eldo Leafe", "Eldo Brook", "Gerta Stone", "Thrun Stone")
    pairs = {(target, other) for target in ("Arwa Leafe", "Arwa Brook") for other in others}
    assert people(variants["b"]) == pairs
    assert people(variants["a"]) == {(other, target) for target, other in pairs}
    assert variants["b"].texts.n2_groups == ("M-Elvish", "F-Dwarvish", "M-Dwarvish")


RACES = (("Elvish", ""), ("Elven", ""), ("Dwarvish", ""), ("Latino", ""))


def with_races(folder: Path) -> None:
    """Put vocabularies into a folder in which one race has two words."""
    with_vocabularies(folder)
    rows = [{"Category": "Race_ethnicity", "Name": name, "Info": ""} for name, _ in RACES]
    words = ("porter", "lowSES"), ("waiter", "lowSES"), ("banker", "highSES")
    rows += [{"Category": "SES", "Name": name, "Info": info} for name, info in words]
    write(folder / "vocabulary.csv", rows)


WITH_GENDER = {
    **BOTH,
    **{"Known_stereotyped_race": '["Elvish", "Elven"]', "Known_stereotyped_var2": "F"},
    **{"Names": '["guy", "lady"]', "Var2_info": '["M", "F"]'},
    **{
        "Answer_negative": "The {{NAME1}} {{GEN1}}",
        "Answer_non_negative": "The {{NAME2}} {{GEN2}}",
    },
    "Ambiguous_Context": "A {{NAME1}} {{GEN1}} and a {{NAME2}} {{GEN2}} share a {{WORD1}}.",
    "Disambiguating_Context": "The {{NAME1}} {{GEN1}} never sweeps it.",
}


def test_race_and_gender_come_in_the_three_controlled_pairs(tmp_path: Path) -> None:
    """Same word of the race and other gender, or other race and the same or the other gender."""
    with_races(tmp_path)
    imported = read(tmp_path, WITH_GENDER)
    assert set(rules(imported)) == {"source-article"}
    variants = by_letter(imported)
    pairs = {
        (f"The {race} lady", f"The {other}")
        for race in ("Elvish", "Elven")
        for other in (
            f"{race} guy",
            *(f"{name} {word}" for name in ("Dwarvish", "Latino") for word in ("guy", "lady")),
        )
    }
    assert people(variants["b"]) == pairs
    assert people(variants["a"]) == {(other, target) for target, other in pairs}
    texts = variants["b"].texts
    assert texts.ambiguous_context.startswith("[N1|A/An] [X1] and [N2|a/an] [X2]")
    assert texts.target_groups == texts.n1_groups == ("F-Elvish", "F-Elven")
    assert fillers(variants["b"], "X1") == ("lady",)
    assert fillers(variants["b"], "X2") == ("guy", "lady")
    groups = {
        sample.choices[1]: sample.n2_group
        for sample in expand(prepare(variants["b"], "en"), "?", filler_groups(imported.groups))
    }
    assert groups["The Elven guy"] == "M-Elven"
    assert groups["The Latino lady"] == "F-Latino"
    for index in (1, 2, 10):
        chosen = [
            next(expand(prepare(variants[letter], "en"), "?", {}, [index])) for letter in "ab"
        ]
        assert len({frozenset(sample.choices) for sample in chosen}) == 1


def test_one_word_of_a_race_needs_one_condition(tmp_path: Path) -> None:
    """The condition of the three pairs is written as short as it can be."""
    with_races(tmp_path)
    row = {**WITH_GENDER, "Known_stereotyped_race": '["Dwarvish"]'}
    texts = by_letter(read(tmp_path, row))["b"].texts
    assert texts.names.startswith("N1: [Dwarvish {race: Dwarvish}]; N2: [Elvish {race: Elvish},")
    assert texts.words.endswith(
        "X1: [lady {gender: F}]; X2: [guy {gender: M}, lady {gender: F}]; "
        "N1.race != N2.race or X1.gender != X2.gender"
    )


@pytest.mark.parametrize("own", ["Latino", "Dwarvish"])
def test_a_latina_is_no_man(tmp_path: Path, own: str) -> None:
    """`Latino woman` is `Latina woman` in ours, and `Latino woman` in the source."""
    with_races(tmp_path)
    row = {**WITH_GENDER, "Known_stereotyped_race": f'["{own}"]', "Names": '["man", "woman"]'}
    imported = read(tmp_path, row)
    assert "source-word" in rules(imported)
    variant = by_letter(imported)["b"]
    named = {name for pair in people(variant) for name in pair}
    assert {name for name in named if "Latin" in name} == {"The Latino man", "The Latina woman"}
    source = prepare(variant, "en", variant.source_texts)
    said = {sample.choices[1] for sample in expand(source, "?", {})}
    assert len(said) == len({pair[1] for pair in people(variant)})
    assert prepare(variant, "en").count == source.count


def test_a_latina_is_told_from_words_of_the_row_too(tmp_path: Path) -> None:
    """Where a list of words stands after the name, the corrected word goes with one of them."""
    with_races(tmp_path)
    row = {**DRAWN, "Category": "Race_ethnicity", "Known_stereotyped_groups": '["Dwarvish"]'}
    row |= {"Ambiguous_Context": "One {{NAME1}} {{WORD1}} and one {{NAME2}} {{WORD2}}."}
    row |= {"Lexical_diversity": "WORD1: [man, woman]; WORD2: [man, woman]"}
    row |= {"Answer_negative": "{{NAME1}} {{WORD1}}", "Answer_non_negative": "{{NAME2}} {{WORD2}}"}
    imported = read(tmp_path, row)
    variant = by_letter(imported)["b"]
    latin = {two for _, two in people(variant) if two.startswith("Latin")}
    assert latin == {"Latino man", "Latina woman"}
    groups = filler_groups(imported.groups)
    told = {
        sample.choices[1]: sample.n2_group for sample in expand(prepare(variant, "en"), "?", groups)
    }
    assert told["Latina woman"] == told["Latino man"] == "Latino"


def test_race_and_status_with_synonyms(tmp_path: Path) -> None:
    """Lists in the list are synonyms: where the status is the same, it is the same word."""
    with_races(tmp_path)
    row = {**WITH_GENDER, "Known_stereotyped_race": '["Dwarvish"]'}
    row |= {"Known_stereotyped_var2": "lowSES", "Var2_info": '["highSES", "lowSES"]'}
    row = {key: cell.replace("GEN", "OCC") for key, cell in row.items()}
    row["Names"] = '[["rich", "wealthy"], ["poor", "needy"]]'
    found = people(by_letter(read(tmp_path, row))["b"])
    assert ("The Dwarvish poor", "The Elvish poor") in found
    assert ("The Dwarvish poor", "The Elvish needy") not in found
    assert ("The Dwarvish poor", "The Dwarvish wealthy") in found
    assert len(found) == 2 * (2 + 3 * (2 + 1))
    no_names = {**row, "Names": "", "Var2_info": ""}
    found = people(by_letter(read(tmp_path, no_names))["b"])
    assert ("The Dwarvish waiter", "The Dwarvish banker") in found
    assert ("The Dwarvish waiter", "The Latino porter") not in found
    assert len(found) == 2 * (1 + 3 * (1 + 1))


def test_race_by_proper_name_and_status(tmp_path: Path) -> None:
    """Names keep the gender, the stated one; last names are numbered by their person."""
    with_vocabularies(tmp_path)
    row = {**WITH_GENDER, "Known_stereotyped_race": '["Elvish"]', "Proper_nouns_only": "TRUE"}
    row |= {"Known_stereotyped_var2": "lowSES", "Names": "", "Var2_info": ""}
    row = {key: cell.replace("GEN", "OCC") for key, cell in row.items()}
    variants = by_letter(read(tmp_path, row))
    for variant in variants.values():
        assert variant.texts.biased_answer == "The [N1] [X3] [X1]"
    expected = {
        (f"The {one} {last} porter", f"The {other} {status}")
        for one, other in (("Arwa", "Gerta Stone"), ("Eldo", "Thrun Stone"))
        for last in ("Leafe", "Brook")
        for status in ("porter", "banker")
    }
    assert people(variants["b"]) == expected
    assert people(variants["a"]) == {(other, target) for target, other in expected}
    stated = by_letter(read(tmp_path, {**row, "Stated_gender_info": "M"}))["b"]
    assert people(stated) == {pair for pair in expected if "Eldo" in pair[0]}


@pytest.mark.parametrize(
    ("one", "two", "letter"),
    [("F-Elvish", "M-Elvish", "b"), ("Dwarvish F", "Elvish_F", "a"), ("Elvish", "Dwarvish", "b")],
)
def test_two_attributes_are_read_from_one_info(
    tmp_path: Path, one: str, two: str, letter: str
) -> None:
    """A named person is the target if the info says race and gender, in either order."""
    row = {**BOTH, "Names": TEMPLATE["Names"], "NAME1_info": one, "NAME2_info": two}
    assert [variant.letter.value for variant in read(tmp_path, row).variants] == [letter]


def test_a_second_attribute_that_nobody_tells_is_warned_of(tmp_path: Path) -> None:
    """Where only the race can be told, it decides, with a warning."""
    with_vocabularies(tmp_path)
    row = {**BOTH, "Category": "Race_x_SES", "Known_stereotyped_var2": '["low SES"]'}
    imported = read(tmp_path, row)
    assert fillers(by_letter(imported)["b"], "N1") == ("Elvish",)
    assert rules(imported, Severity.WARNING) == ["source-second-attribute"]
    imported = read(tmp_path, {**BOTH, "Ambiguous_Context": "{{NAME1}} {{GEN1}} {{NAME2}}"})
    variant = by_letter(imported)["b"]
    assert (fillers(variant, "N1"), fillers(variant, "X1")) == (("Elvish",), ("woman", "girl"))
    assert rules(imported, Severity.WARNING) == []


def test_a_text_that_tells_the_second_attribute_gives_one_variant(tmp_path: Path) -> None:
    """Where the row says who is of the second group, the target race goes to that person."""
    with_vocabularies(tmp_path)
    row = {**BOTH, "Category": "Race_x_SES", "Known_stereotyped_var2": '["low SES"]'}
    row |= {"NAME1_info": "highSES", "NAME2_info": "lowSES"}
    (variant,) = read(tmp_path, row).variants
    assert variant.letter.value == "a"
    assert (fillers(variant, "N1"), fillers(variant, "N2")) == (("Dwarvish",), ("Elvish",))


@given(
    st.text(st.characters(exclude_characters="{}", exclude_categories=["Cs", "Cc"]), max_size=40)
)
def test_any_text_comes_out_as_it_went_in(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    """Whatever is written around the slots, also characters of the grammar, is filled as it was."""
    context = f"{{{{NAME1}}}}: {text} :{{{{NAME2}}}}"
    imported = read(tmp_path_factory.mktemp("any"), {**TEMPLATE, "Ambiguous_Context": context})
    for variant in imported.variants:
        filled = prepare(variant, "en").texts["ambiguous_context"].render((0, 0, 0))
        assert filled == f"knitter: {text} :climber"
        assert parse_text(variant.texts.ambiguous_context).names == ("N1", "N2")
    assert imported.variants or rules(imported, Severity.ERROR)


def test_templates_come_out_whole(tmp_path: Path) -> None:
    """The two versions of a template are one template of the bank with equally many fillings."""
    with_vocabularies(tmp_path)
    imported = read(tmp_path, DRAWN, {**DRAWN, "Q_id": "2"})
    templates = list(Bank(imported.variants).templates())
    assert [str(template.id) for template in templates] == ["hobby-001", "hobby-002"]
    for template in templates:
        assert len({prepare(variant, "en").count for variant in template.variants}) == 1


def test_files_of_something_else_are_passed_over_and_named(tmp_path: Path) -> None:
    """The folder as it is published also holds filler items: they cost nothing of the templates."""
    templates = write(tmp_path / "templates.csv", [TEMPLATE])
    other = tmp_path / "new_templates - Filler_items.csv"
    other.write_text("Q_id,Category,Context,Ans0\n101,Age,Text,A\n", encoding="utf-8")
    alone, both = bbq.read([templates]), bbq.read([templates, other])
    assert (both.variants, both.rows_in) == (alone.variants, alone.rows_in)
    (note,) = [item for item in both.findings if item not in alone.findings]
    assert (note.rule, note.severity) == ("source-file-passed-over", Severity.INFO)
    assert note.file == "new_templates - Filler_items.csv"
    assert "the header lacks Ambiguous_Context" in note.message
