"""The reader of EsBBQ's and CaBBQ's workbooks, on invented templates."""

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import openpyxl
import pytest

from curation.bank.generate import filler_groups
from curation.bank.planning import plan
from curation.importing import import_templates
from curation.initial import init_workspace
from curation.records.bank import Bank, Label, Variant, target_slot
from curation.records.errors import CurateError
from curation.records.findings import Severity
from curation.records.sample import Sample
from curation.slots import parse_fillers, parse_lists
from curation.sources import esbbq
from curation.sources.imported import Imported

TEMPLATE = {
    "label": "t",
    "bbq_template_id": 7,
    "esbbq_template_id": 3,
    "version": "",
    "bbq_category": "Hobbies",
    "esbbq_category": "Hobby",
    "ambiguous_context_es": " Un {{NAME1}} y un {{NAME2}} van al taller. ",
    "ambiguous_context_ca": "Un {{NAME1}} i un {{NAME2}} van al taller.",
    "disambiguating_context_es": "El {{NAME2}} no barre nunca.",
    "disambiguating_context_ca": "{{NAME2-def}} no escombra mai.",
    "names_es": "NAME1: [tejedor]; NAME2: [remero]",
    "names_ca": "NAME1: [teixidor]; NAME1-def: [el teixidor]; NAME2: [home del rem]; "
    "NAME2-def: [l'home del rem]",
    "question_negative_stereotype_es": "¿Quién es desordenado?",
    "question_negative_stereotype_ca": "Qui és desordenat?",
    "question_non_negative_es": "¿Quién es ordenado?",
    "question_non_negative_ca": "Qui és ordenat?",
    "answer_negative_es": "El {{NAME2}}",
    "answer_negative_ca": "{{NAME2-def}}",
    "answer_non_negative_es": "El {{NAME1}}",
    "answer_non_negative_ca": "{{NAME1-def}}",
    "relevant_social_values_es": "desorden",
    "relevant_social_values_ca": "desordre",
    "stereotyped_groups": '["craft"]',
    "NAME1_info": "craft",
    "NAME2_info": "sport",
    "stated_gender_info": "m",
    "esbbq_source": '["https://example.org/a", "survey"]',
}
DRAWN = {
    **TEMPLATE,
    **{"names_es": "", "names_ca": "", "NAME1_info": "", "NAME2_info": ""},
    "disambiguating_context_ca": "El {{NAME2}} no escombra mai.",
    "answer_negative_ca": "El {{NAME2}}",
    "answer_non_negative_ca": "El {{NAME1}}",
    "stereotyped_groups": '["elfo", "enano"]',
}
PROPER = {
    **DRAWN,
    "version": "p",
    "proper_nouns_only": 1,
    **{
        f"{column}_{language}": text
        for language, word in (("es", "y"), ("ca", "i"))
        for column, text in {
            "ambiguous_context": f"Ayer vi a {{{{NAME1}}}} {word} a {{{{NAME2}}}}.",
            "disambiguating_context": "{{NAME1}} no barre.",
            "answer_negative": "{{NAME1}}",
            "answer_non_negative": "A {{NAME2}}",
        }.items()
    },
}
WORDS = (
    ("Hobby", "", "elfo", "elf", "l'elf", "elfa", "elfa", "l'elfa", "", ""),
    ("Hobby", "", "humano", "humà", "", "humana", "humana", "", "not-stereotyped", ""),
    ("Hobby", "", "gigante", "gegant", "", "", "", "", "not-stereotyped", False),
    ("Hobby", "Trade", "herrero", "ferrer", "", "herrera", "ferrera", "", "loud", ""),
    ("Hobby", "Trade", "poeta", "poeta", "", "", "", "", "quiet", ""),
    ("Hobby", "Trade", "pintor", "pintor", "", "pintora", "pintora", "", "quiet", ""),
)
WORD_COLUMNS = (
    *("category", "subcategory", "name_es", "name_ca", "name_def_ca", "f_es", "f_ca", "f_def_ca"),
    *("information", "include_name"),
)
NAMES = (
    ("Arwa", "Arwa", "l'Arwa", "f", "elfo", "elf"),
    ("Eldo", "Eldo", "l'Eldo", "m", "elfo", "elf"),
    ("Greta", "Greta", "la Greta", "f", "humano", "humà"),
    ("Otto", "Otto", "el Otto", "m", "humano", "humà"),
    ("Udo", "Udo", "el Udo", "m", "humano", "humà"),
)
NAME_COLUMNS = (
    *("proper_name_es", "proper_name_ca", "proper_name_def_ca", "gender"),
    *("ethnicity_es", "ethnicity_ca"),
)


def write(path: Path, rows: Sequence[Mapping[str, object]], first: str = "") -> Path:
    """Write a workbook with the columns that any of the rows has; `first` names a sheet before."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    if first:
        sheet.title = first
        sheet.append(["notes"])
        sheet = book.create_sheet("Sheet1")
    columns = list(dict.fromkeys(column for row in rows for column in row))
    sheet.append(columns)
    for row in rows:
        sheet.append([row.get(column, "") for column in columns])
    book.save(path)
    return path


def vocabulary(folder: Path) -> Path:
    """Write the vocabulary of words."""
    rows = [dict(zip(WORD_COLUMNS, row, strict=True)) for row in WORDS]
    return write(folder / "vocabulary.xlsx", rows)


def proper_names(folder: Path) -> Path:
    """Write the vocabulary of proper names."""
    rows = [dict(zip(NAME_COLUMNS, row, strict=True)) for row in NAMES]
    return write(folder / "vocabulary_proper_names.xlsx", rows)


def read(folder: Path, *rows: Mapping[str, object], language: str = "es") -> Imported:
    """Read rows as a template workbook, with both vocabularies."""
    paths = [write(folder / "Hobby.xlsx", rows), vocabulary(folder), proper_names(folder)]
    return esbbq.read(paths, language)


def of(imported: Imported, letter: str) -> Variant:
    """The first variant of a letter."""
    return next(item for item in imported.variants if item.letter.value == letter)


def given(imported: Imported, language: str = "es") -> list[Sample]:
    """The samples of what was read."""
    templates = list(Bank(imported.variants).templates())
    return list(plan(templates, language, "?", filler_groups(imported.groups)).samples())


def fillers(variant: Variant, slot: str) -> list[str]:
    """The fillers of a slot."""
    lists = {**parse_lists(variant.texts.names), **parse_lists(variant.texts.words)}
    return [item.text for item in lists[slot].fillers]


def the_error(imported: Imported) -> tuple[int | None, str, str]:
    """Row, column and message of the one error, whose row is not read."""
    (error,) = (item for item in imported.findings if item.severity is Severity.ERROR)
    assert (imported.rows_in - imported.rows_read, imported.rows_reported) == (1, 1)
    return error.row, error.column, error.message.removesuffix("; the row is not read")


def test_every_field_lands_in_its_place(tmp_path: Path) -> None:
    """Texts, lists, groups, sources and the published columns of a row are all kept."""
    imported = read(tmp_path, {**TEMPLATE, "version": "a", "subcategory": "Work"})
    variant = of(imported, "a")
    texts = variant.texts
    assert (str(variant.id), variant.row, variant.label) == (
        *("hobby-003a.m", 2),
        Label.SIMPLY_TRANSFERRED,
    )
    assert (variant.category, variant.source_category) == ("Hobby", "Hobbies")
    assert (variant.source, variant.source_id) == ("esbbq", "7")
    assert variant.reference == "https://example.org/a; survey"
    assert texts.stereotype == "desorden"
    assert (texts.target_groups, texts.n1_groups, texts.n2_groups) == (
        *(("craft",), ("craft",), ("sport",)),
    )
    assert texts.ambiguous_context == "Un [N1] y un [N2] van al taller."
    assert texts.names == "N1: [tejedor]; N2: [remero]"
    assert (texts.biased_answer, texts.counter_biased_answer) == ("El [N2]", "El [N1]")
    assert dict(variant.extra) == {
        "samples_once": "1",
        "esbbq_flipped": "original",
        "esbbq_version": "a",
        "esbbq_subcategory": "Work",
        "esbbq_stated_gender_info": "m",
    }
    assert (imported.source, imported.language, imported.source_language) == ("esbbq", "es", "es")


def test_role_and_order_of_mention_vary_apart(tmp_path: Path) -> None:
    """Two ambiguous contexts, each continued in two ways, each with two questions: twelve."""
    imported = read(tmp_path, TEMPLATE)
    assert [(item.id.short, dict(item.extra)["esbbq_flipped"]) for item in imported.variants] == [
        *(("a", "original"), ("b", "all"), ("c", "ambig"), ("d", "disambig")),
    ]
    found = given(imported)
    weaver_first = "Un tejedor y un remero van al taller."
    rower_first = "Un remero y un tejedor van al taller."
    contexts = {
        "hobby-003a-001-amb": weaver_first,
        "hobby-003a-001-dis": f"{weaver_first} El remero no barre nunca.",
        "hobby-003b-001-dis": f"{rower_first} El tejedor no barre nunca.",
        "hobby-003c-001-amb": rower_first,
        "hobby-003c-001-dis": f"{rower_first} El remero no barre nunca.",
        "hobby-003d-001-dis": f"{weaver_first} El tejedor no barre nunca.",
    }
    assert {item.sample_id: item.context for item in found} == {
        f"{name}-{question}": context
        for name, context in contexts.items()
        for question in ("bsd", "cnt")
    }
    for item in found:
        is_biased = item.question_type == "bsd"
        assert item.biased_answer == ("El tejedor" if is_biased else "El remero")
        sweeps_not = "El tejedor" if item.variant in "bd" else "El remero"
        other = "El remero" if item.variant in "bd" else "El tejedor"
        right = sweeps_not if is_biased else other
        assert item.answer == ("?" if item.context_type == "amb" else right)
        assert {item.n1_group, item.n2_group} == {"craft", "sport"}


def test_the_letter_says_who_is_in_the_role(tmp_path: Path) -> None:
    """Where the target answers the negative question the row as written is b."""
    imported = read(tmp_path, {**TEMPLATE, "stereotyped_groups": '["sport"]'})
    flipped = {item.letter.value: dict(item.extra)["esbbq_flipped"] for item in imported.variants}
    assert flipped == {"a": "all", "b": "original", "c": "disambig", "d": "ambig"}
    assert {target_slot(of(imported, letter).texts) for letter in "bd"} == {"N2"}
    assert {target_slot(of(imported, letter).texts) for letter in "ac"} == {"N1"}


def test_words_that_one_text_has_repeat_no_sample(tmp_path: Path) -> None:
    """A word of the disambiguating context varies the disambiguated samples alone."""
    words = {
        "disambiguating_context_es": "El {{NAME2}} no barre {{WORD1}}.",
        "lexical_diversity_es": "WORD1: [nunca, nada]",
    }
    found = given(read(tmp_path, {**TEMPLATE, **words}))
    assert Counter(item.context_type for item in found) == {"amb": 4, "dis": 16}


def test_catalan_is_read_from_its_own_columns(tmp_path: Path) -> None:
    """Named forms come by name, begin sentences with a capital and melt with what precedes."""
    row = {**TEMPLATE, "disambiguating_context_ca": "És de {{NAME1-def}}. {{NAME2-def}} no."}
    imported = read(tmp_path, row, language="ca")
    variant = of(imported, "a")
    assert variant.texts.names == (
        "N1: [teixidor {def: el teixidor}]; N2: [home del rem {def: l'home del rem}]"
    )
    assert variant.texts.biased_answer == "[N2.def]"
    context = "Un teixidor i un home del rem van al taller. És del teixidor. L'home del rem no."
    assert given(imported, "ca")[2].context == context
    assert given(imported, "ca")[2].choices == ("L'home del rem", "El teixidor", "?")


def test_both_languages_give_the_same_variants(tmp_path: Path) -> None:
    """Ids, labels, letters and groups do not depend on the columns that are read."""
    rows = [{**TEMPLATE, "version": version} for version in ("a", "b")]
    one, other = (read(tmp_path, *rows, language=language) for language in ("es", "ca"))
    shape = [[(item.id, item.label, item.extra) for item in each.variants] for each in (one, other)]
    assert shape[0] == shape[1]
    assert one.findings == other.findings == ()


@pytest.mark.parametrize(
    ("names", "written"),
    [
        ("NAME1: [ x , y]; NAME2: [z]; ", "N1: [x, y]; N2: [z]"),
        ('{{NAME1}}: ["x"]; NAME2:[z]', "N1: [x]; N2: [z]"),
        ("NAME1: [[x, y], [w]]; NAME2: [z]", "N1: [x, y, w]; N2: [z]"),
        (
            "NAME1-def: [el x]; NAME1-In-def: [un x]; NAME2: [z]",
            "N1: [x {def: el x, in_def: un x}]; N2: [z]",
        ),
        ('["craft", "oar"]', "N1: [craft]; N2: [oar]"),
    ],
)
def test_lists_are_read_as_they_are_written(tmp_path: Path, names: str, written: str) -> None:
    """Quotes, braces and lists in lists go; forms alone give the name without its article."""
    infos = {"NAME1_info": "craft", "NAME2_info": "oar"}
    assert of(read(tmp_path, {**TEMPLATE, **infos, "names_es": names}), "a").texts.names == written


def test_a_plain_slot_takes_a_capital_and_melts_as_a_form_does(tmp_path: Path) -> None:
    """It is written as the form that is the name itself where that makes a difference."""
    row = {
        **TEMPLATE,
        "names_es": "NAME1: [los remeros]; NAME2: [el Club Rojo]",
        "ambiguous_context_es": "{{NAME1}} son de {{NAME2}}. hay {{NAME2}} y {{NAME1}}.",
    }
    imported = read(tmp_path, row)
    assert of(imported, "a").texts.ambiguous_context == (
        "[N1.base] son de [N2.base]. hay [N2] y [N1]."
    )
    contexts = {item.context for item in given(imported) if item.context_type == "amb"}
    assert contexts == {
        "Los remeros son del Club Rojo. hay el Club Rojo y los remeros.",
        "El Club Rojo son de los remeros. hay los remeros y el Club Rojo.",
    }


def test_a_slot_after_a_slot_begins_no_sentence(tmp_path: Path) -> None:
    """Only the first of them takes a capital."""
    row = {**TEMPLATE, "ambiguous_context_es": "{{WORD1}} {{NAME1}} y {{NAME2}}."}
    variant = of(read(tmp_path, {**row, "lexical_diversity_es": "WORD1: [un, otro]"}), "a")
    assert variant.texts.ambiguous_context == "[W1.base] [N1] y [N2]."


# Versions.


def test_versions_are_those_of_the_variants(tmp_path: Path) -> None:
    """One template has a masculine and a feminine wording, with proper names or without."""
    rows = [
        *({**TEMPLATE, "version": version} for version in ("a", "b")),
        *({**PROPER, "version": version} for version in ("p-a", "p-b", "p")),
    ]
    imported = read(tmp_path, *rows)
    assert imported.findings == ()
    assert [str(item.id) for item in imported.variants if item.letter == "a"] == [
        *("hobby-003a.m", "hobby-003a.f", "hobby-003a.pm", "hobby-003a.pf", "hobby-003a.p"),
    ]
    (template,) = Bank(imported.variants).templates()
    assert sorted(int(dict(item.extra)["samples_once"]) for item in template.variants) == [
        *range(1, 21),
    ]


def test_a_version_without_the_other_gender_is_said(tmp_path: Path) -> None:
    """The row is read; proper names have twins of their own."""
    rows = [{**TEMPLATE, "version": version} for version in ("a", "p-b")]
    imported = read(tmp_path, *rows)
    assert [(item.rule, item.row, item.message) for item in imported.findings] == [
        ("source-version-alone", 2, "hobby-003 has version a and no b"),
        ("source-version-alone", 3, "hobby-003 has version p-b and no p-a"),
    ]
    assert len(imported.variants) == 8


@pytest.mark.parametrize(("version", "why"), [("", "is that of another row"), ("z", "not known")])
def test_a_version_that_has_no_place_makes_a_template(
    tmp_path: Path, version: str, why: str
) -> None:
    """No row is lost, and the number is none of the other templates'."""
    other = {**TEMPLATE, "version": version, "question_non_negative_es": "¿Quién barre?"}
    rows = [TEMPLATE, other, {**TEMPLATE, "esbbq_template_id": 9}]
    imported = read(tmp_path, *rows)
    names = dict.fromkeys(str(item.template_id) for item in imported.variants)
    assert list(names) == ["hobby-003", "hobby-010", "hobby-009"]
    (finding,) = imported.findings
    assert (finding.rule, finding.row) == ("source-version", 3)
    assert why in finding.message


def test_a_row_that_is_there_twice_is_refused(tmp_path: Path) -> None:
    """Its samples would be those of the other one."""
    imported = read(tmp_path, TEMPLATE, {**TEMPLATE, "esbbq_source": "elsewhere"})
    assert the_error(imported) == (3, "", "it repeats row 2 of hobby-003")
    assert len(imported.variants) == 4


def test_a_workbook_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    """Whatever name its copy has."""
    paths = [write(tmp_path / name, [TEMPLATE]) for name in ("Hobby.xlsx", "Hobby (1).xlsx")]
    imported = esbbq.read(paths, "es")
    assert (imported.rows_in, imported.rows_read, len(imported.variants)) == (1, 1, 4)
    (finding,) = imported.findings
    assert (finding.file, finding.message) == ("Hobby (1).xlsx", "this is a copy of Hobby.xlsx")


# People from the vocabularies.


def test_stereotyped_groups_stand_against_those_that_are_not(tmp_path: Path) -> None:
    """The vocabulary says which are not, and which of its words are used."""
    imported = read(tmp_path, DRAWN)
    variant = of(imported, "a")
    assert (fillers(variant, "N1"), fillers(variant, "N2")) == (["elfo", "enano"], ["humano"])
    assert (variant.texts.n1_groups, variant.texts.n2_groups) == (("elfo", "enano"), ("humano",))
    assert len(given(imported)) == 2 * 12


def test_a_row_may_name_the_groups_that_are_not_stereotyped(tmp_path: Path) -> None:
    """They stand in the place of the vocabulary's."""
    row = {**DRAWN, "non_stereotyped_groups_es": '["gigante", "enano"]'}
    row["stereotyped_groups"] = "elfo"
    variant = of(read(tmp_path, row), "a")
    assert (fillers(variant, "N1"), fillers(variant, "N2")) == (["elfo"], ["gigante", "enano"])


def test_a_subcategory_has_words_of_its_own(tmp_path: Path) -> None:
    """Those of the rest of the category are not drawn."""
    imported = read(tmp_path, {**DRAWN, "subcategory": "Trade"})
    assert the_error(imported) == (2, "stereotyped_groups", "there is no name for NAME2")


@pytest.mark.parametrize("stated", ["f", "fake-f"])
def test_texts_of_women_take_feminine_words(tmp_path: Path, stated: str) -> None:
    """A word without one stays; the group keeps its name, and gets the word as a filler."""
    imported = read(tmp_path, {**DRAWN, "stated_gender_info": stated})
    variant = of(imported, "a")
    assert (fillers(variant, "N1"), fillers(variant, "N2")) == (["elfa", "enano"], ["humana"])
    assert variant.texts.n1_groups == ("elfo", "enano")
    known = {
        item.group: [one.text for one in parse_fillers(item.fillers)] for item in imported.groups
    }
    assert known == {"elfo": ["elfa"], "enano": ["enano"], "humano": ["humana"]}
    assert {item.n1_group for item in given(imported)} == {"elfo", "enano", "humano"}


def test_words_of_a_status_stand_against_those_of_another(tmp_path: Path) -> None:
    """Where the stereotyped groups are what the vocabulary says of its words."""
    row = {**DRAWN, "subcategory": "Trade", "stereotyped_groups": '["quiet"]'}
    imported = read(tmp_path, {**row, "stated_gender_info": "f"})
    variant = of(imported, "a")
    assert (fillers(variant, "N1"), fillers(variant, "N2")) == (["poeta", "pintora"], ["herrera"])
    assert (variant.texts.n1_groups, variant.texts.n2_groups) == (("quiet",), ("loud",))
    found = given(imported)
    assert len(found) == 2 * 12
    # The publishers draw each word for each person, so both orders are as the row is written.
    flipped = {item.letter.value: dict(item.extra)["esbbq_flipped"] for item in imported.variants}
    asked = {flipped[item.variant] for item in found if item.context_type == "amb"}
    assert asked == {"original", "all"}


def test_forms_with_the_article_come_from_the_vocabulary(tmp_path: Path) -> None:
    """Catalan has a column of them for both genders."""
    row = {**DRAWN, "stereotyped_groups": '["elf"]', "stated_gender_info": "f"}
    row |= {"non_stereotyped_groups": '["elf"]', "answer_negative_ca": "{{NAME2-def}}"}
    variant = of(read(tmp_path, row, language="ca"), "a")
    assert variant.texts.names == "N1: [elfa {def: l'elfa}]; N2: [elfa {def: l'elfa}]"


def test_proper_names_of_stereotyped_ethnicities(tmp_path: Path) -> None:
    """They stand against names of the same gender whose ethnicity is not stereotyped."""
    imported = read(tmp_path, PROPER)
    variant = of(imported, "b")
    assert variant.texts.names == "N1: [Eldo]; N2: [Otto, Udo]"
    assert (variant.texts.n1_groups, variant.texts.n2_groups) == (("elfo",), ("humano",))
    assert variant.texts.target_groups == ("elfo", "enano")
    assert len(given(imported)) == 2 * 12
    every = read(tmp_path, {**PROPER, "stated_gender_info": ""})
    lists = "N1: [Arwa {gender: f}, Eldo {gender: m}]; N2: [Greta {gender: f}, Otto {gender: m}, "
    assert of(every, "b").texts.names == f"{lists}Udo {{gender: m}}]; N1.gender = N2.gender"
    assert len(given(every)) == 3 * 12


def test_proper_names_of_stereotyped_genders(tmp_path: Path) -> None:
    """The first person is a woman and the second a man."""
    row = {**PROPER, "stereotyped_groups": '["m"]', "stated_gender_info": ""}
    variant = of(read(tmp_path, row), "a")
    assert (fillers(variant, "N1"), fillers(variant, "N2")) == (["Greta"], ["Otto", "Udo"])
    assert (variant.texts.n1_groups, variant.texts.n2_groups) == (("f",), ("m",))


def test_proper_names_that_say_nothing_are_any_two(tmp_path: Path) -> None:
    """The text says who is who, so that every two names come in both orders and both roles."""
    infos = {"NAME1_info": "craft", "NAME2_info": "sport", "stereotyped_groups": '["craft"]'}
    imported = read(tmp_path, {**PROPER, **infos})
    assert [(item.id.short, dict(item.extra)["esbbq_flipped"]) for item in imported.variants] == [
        *(("a.p", "disambig"), ("b.p", "original")),
    ]
    one, other = imported.variants
    assert one.texts.names == "N1: [Otto, Udo]; N2: [Otto, Udo]; N1 != N2"
    assert other.texts.names == "N2: [Otto, Udo]; N1: [Otto, Udo]; N1 != N2"
    found = given(imported)
    assert [(item.sample_id, item.context) for item in found if item.question_type == "bsd"] == [
        ("hobby-003a.p-001-dis-bsd", "Ayer vi a Otto y a Udo. Udo no barre."),
        ("hobby-003a.p-002-dis-bsd", "Ayer vi a Udo y a Otto. Otto no barre."),
        ("hobby-003b.p-001-amb-bsd", "Ayer vi a Otto y a Udo."),
        ("hobby-003b.p-001-dis-bsd", "Ayer vi a Otto y a Udo. Otto no barre."),
        ("hobby-003b.p-002-amb-bsd", "Ayer vi a Udo y a Otto."),
        ("hobby-003b.p-002-dis-bsd", "Ayer vi a Udo y a Otto. Udo no barre."),
    ]
    assert {item.n1_group for item in found} == {"craft"}
    assert {item.group: item.fillers for item in imported.groups} == {"craft": "[]", "sport": "[]"}
    biased = {item.sample_id[:14]: item.biased_answer for item in found if item.variant == "b"}
    assert biased == {"hobby-003b.p-0": "A Otto"}


def test_catalan_names_stand_with_their_article(tmp_path: Path) -> None:
    """Whatever slot the text has, with a capital and melted as any form."""
    row = {**PROPER, "stereotyped_groups": '["elf"]'}
    found = given(read(tmp_path, row, language="ca"), "ca")
    assert found[0].context == "Ayer vi al Otto i a l'Eldo. El Otto no barre."
    assert found[0].choices == ("El Otto", "A l'Eldo", "?")


def test_names_in_place_of_which_texts_have_a_phrase(tmp_path: Path) -> None:
    """The language says which; the group keeps its name."""
    row = {**DRAWN, "stereotyped_groups": '["testigo de Jehová"]'}
    variant = of(read(tmp_path, row), "a")
    assert fillers(variant, "N1") == ["que es testigo de Jehová"]
    assert variant.texts.n1_groups == ("testigo de Jehová",)


def test_a_group_lists_each_name_once_with_the_forms_that_all_have(tmp_path: Path) -> None:
    """A form that only some of its names have would suit no text."""
    names = (
        "NAME1: [x]; NAME1-def: [el x]; NAME1-indef: [un x]; NAME2: [z]",
        "NAME1-def: [el x, la y]; NAME2: [z]",
    )
    texts = {"answer_negative_es": "{{NAME2}}", "answer_non_negative_es": "{{NAME1}}"}
    rows = [
        {**TEMPLATE, **texts, "esbbq_template_id": at, "names_es": cell}
        for at, cell in enumerate(names)
    ]
    groups = {item.group: item.fillers for item in read(tmp_path, *rows).groups}
    assert groups == {"craft": "[x {def: el x}, y {def: la y}]", "sport": "[z]"}


# What cannot be read.


@pytest.mark.parametrize(
    ("cells", "column", "message"),
    [
        ({"esbbq_template_id": "3b"}, "esbbq_template_id", "'3b' is not a template number"),
        ({"esbbq_category": "?"}, "esbbq_category", "'?' cannot be the name of a category"),
        ({"stated_gender_info": "n"}, "stated_gender_info", "'n' is not a gender"),
        ({"stereotyped_groups": ""}, "stereotyped_groups", "no stereotyped group is named"),
        (
            {"stereotyped_groups": "tall"},
            "NAME1_info",
            "neither NAME1 nor NAME2 is said to be of the stereotyped groups",
        ),
        ({"names_es": "NAME1 [a]"}, "names_es", "no list can be read at 'NAME1 [a]'"),
        ({"names_es": "NAME1: [a]; NAME1: [b]"}, "names_es", "NAME1 has two lists"),
        (
            {"names_es": "NAME1: [a, b]; NAME1-def: [la a]; NAME2: [c]"},
            "names_es",
            "the lists of NAME1 and NAME1-def have 2 and 1 names",
        ),
        ({"names_es": "NAME1: [a]"}, "stereotyped_groups", "there is no name for NAME2"),
        (
            {"answer_negative_es": "{{NAME2-def}}"},
            "answer_negative_es",
            "'tejedor' has no form 'def', which {{NAME2-def}} asks for",
        ),
        ({"question_non_negative_es": " "}, "question_non_negative_es", "the text is empty"),
        (
            {"ambiguous_context_es": "Un {{NAME1} y otro"},
            "ambiguous_context_es",
            "'n {{NAME1} y otro' looks like a slot and is not one",
        ),
        (
            {"ambiguous_context_es": "{{NAME3}}"},
            "ambiguous_context_es",
            "{{NAME3}} is not a slot: there are two people",
        ),
        (
            {"ambiguous_context_es": "{{WORD1}}"},
            "ambiguous_context_es",
            "WORD1 has no list of words",
        ),
        (
            {"answer_negative_es": "El {{NAME1}}"},
            "answer_negative_es",
            "the two answers do not name one person each",
        ),
        (
            {"lexical_diversity_es": "NAME1: [a]"},
            "lexical_diversity_es",
            "NAME1 is not a word",
        ),
    ],
)
def test_a_row_that_cannot_be_read_is_reported(
    tmp_path: Path, cells: dict[str, str], column: str, message: str
) -> None:
    """Row and column of its language are named, and the other rows are read."""
    good = {**TEMPLATE, "esbbq_template_id": 1}
    imported = read(tmp_path, good, {**TEMPLATE, **cells})
    row, found, said = the_error(imported)
    assert (row, found) == (3, column)
    assert message in said
    assert len(imported.variants) == 4


@pytest.mark.parametrize(
    ("row", "given_too", "message"),
    [
        (DRAWN, "", "the people are drawn from the vocabulary, and none was given"),
        (PROPER, "", "proper names are asked for, and no vocabulary of them was given"),
        (PROPER, "names", "the people are drawn from the vocabulary, and none was given"),
    ],
)
def test_a_vocabulary_that_is_missing_is_said(
    tmp_path: Path, row: Mapping[str, object], given_too: str, message: str
) -> None:
    """Only rows that need it are not read."""
    paths = [write(tmp_path / "Hobby.xlsx", [TEMPLATE, {**row, "version": "p"}])]
    paths += [proper_names(tmp_path)] if given_too else []
    imported = esbbq.read(paths, "es")
    assert the_error(imported)[2] == message
    assert len(imported.variants) == 4


def test_another_sheet_may_come_first(tmp_path: Path) -> None:
    """The sheet is found by its header, and findings name it."""
    path = write(tmp_path / "Hobby.xlsx", [{**TEMPLATE, "label": "x"}], first="Notes")
    imported = esbbq.read([path], "es")
    assert len(imported.variants) == 4
    assert imported.findings[0].file == "Hobby.xlsx, sheet Sheet1"


def test_a_label_that_is_none_is_left_out(tmp_path: Path) -> None:
    """The row is read without one; the three labels are those of the bank."""
    letters = dict(zip("tmnx", (*list(Label)[:2], Label.NEWLY_CREATED, None), strict=True))
    rows = [{**TEMPLATE, "label": label} for label in ("T", "m", "n", "x")]
    imported = read(tmp_path, *({**row, "esbbq_template_id": at} for at, row in enumerate(rows)))
    found = {item.template_id.number: item.label for item in imported.variants}
    assert list(found.values()) == list(letters.values())
    (finding,) = imported.findings
    assert (finding.rule, finding.severity, finding.row) == ("source-label", Severity.WARNING, 5)


def test_a_text_begins_with_a_capital_and_one_blank_is_between_sentences(tmp_path: Path) -> None:
    """As the publishers fill it; blanks within a sentence stay, and so does an abbreviation."""
    text = "¡ayer  vino p. ej. {{NAME1}}!   No dijo nada. \n{{NAME2}} tampoco."
    variant = of(read(tmp_path, {**TEMPLATE, "ambiguous_context_es": text}), "a")
    assert variant.texts.ambiguous_context == (
        "¡Ayer  vino p. ej. [N1]! No dijo nada. [N2.base] tampoco."
    )


def test_a_workbook_of_something_else_is_passed_over(tmp_path: Path) -> None:
    """It is named; without any template there is nothing to read."""
    other = write(tmp_path / "other.xlsx", [{"Category": "Hobby", "Ambiguous_Context": "..."}])
    imported = esbbq.read([other, write(tmp_path / "Hobby.xlsx", [TEMPLATE])], "es")
    (finding,) = imported.findings
    assert (finding.rule, finding.severity, finding.file) == (
        *("source-file-passed-over", Severity.INFO, "other.xlsx"),
    )
    with pytest.raises(CurateError, match=r"no sheet has the columns .*answer_negative_ca"):
        esbbq.read([other], "ca")
    with pytest.raises(CurateError, match="no workbook holds templates"):
        esbbq.read([vocabulary(tmp_path)], "es")


def test_unknown_columns_are_said(tmp_path: Path) -> None:
    """Columns of both languages are known, and those of other categories."""
    known = dict.fromkeys(("non_stereotyped_groups_ca", "subcategory", "names"), "")
    imported = read(tmp_path, {**TEMPLATE, **known, "mood": "x"})
    assert [(item.rule, item.column) for item in imported.findings] == [
        ("source-unknown-column", "mood"),
    ]


# From the workspace.


def test_the_workspace_chooses_the_language(tmp_path: Path) -> None:
    """Vocabularies beside the file are taken; with Spanish as the source its texts go there."""
    folder = tmp_path / "published"
    folder.mkdir()
    vocabulary(folder)
    path = write(folder / "Hobby.xlsx", [DRAWN])
    found = {}
    for language in ("es", "ca"):
        workspace = init_workspace(tmp_path / language, language)
        result = import_templates(workspace, "esbbq", [path])
        assert (result.rows_in, result.rows_read, result.findings) == (1, 1, ())
        found[language] = workspace.bank.variants[0].texts.stereotype
    assert found == {"es": "desorden", "ca": "desordre"}
    basque = init_workspace(tmp_path / "eu", "eu")
    text = basque.culture_file.read_text("utf-8")
    with pytest.raises(CurateError, match="esbbq holds es and ca, the workspace is for eu and en"):
        import_templates(basque, "esbbq", [path])
    basque.culture_file.write_text(text.replace("source_language: en", "source_language: es"))
    basque.refresh()
    import_templates(basque, "esbbq", [path])
    variant = basque.bank.variants[0]
    assert (variant.texts.stereotype, variant.source_texts.stereotype) == ("", "desorden")
