"""The reader of EsBBQ's and CaBBQ's workbooks, on invented templates."""

import openpyxl
import pytest

from curation.bank.generate import filler_groups
from curation.bank.planning import plan
from curation.records.bank import Bank, Label
from curation.records.messages import Severity
from curation.sources import esbbq

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
    ("Udo", "Udo", "", "m", "humano", "humà"),
)
NAME_COLUMNS = (
    *("proper_name_es", "proper_name_ca", "proper_name_def_ca", "gender"),
    *("ethnicity_es", "ethnicity_ca"),
)


def write(path, rows, first=""):
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


def vocabulary(folder):
    rows = [dict(zip(WORD_COLUMNS, row, strict=True)) for row in WORDS]
    return write(folder / "vocabulary.xlsx", rows)


def proper_names(folder):
    rows = [dict(zip(NAME_COLUMNS, row, strict=True)) for row in NAMES]
    return write(folder / "vocabulary_proper_names.xlsx", rows)


def read(folder, *rows, language="es"):
    paths = [write(folder / "Hobby.xlsx", rows), vocabulary(folder), proper_names(folder)]
    return esbbq.read(paths, language)


def of(imported, letter):
    return next(item for item in imported.variants if item.letter.value == letter)


def given(imported, language="es"):
    templates = list(Bank(imported.variants).templates())
    return list(plan(templates, language, "?", filler_groups(imported.groups)).samples())


def the_error(imported):
    """Row, column and message of the one error, whose row is not read."""
    (error,) = (item for item in imported.findings if item.severity is Severity.ERROR)
    assert (imported.rows_in - imported.rows_read, imported.rows_reported) == (1, 1)
    return error.row, error.column, error.message.removesuffix("; the row is not read")


def test_every_field_lands_in_its_place(tmp_path):
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


def test_catalan_is_read_from_its_own_columns(tmp_path):
    """Named forms come by name, begin sentences with a capital and melt with what precedes."""
    row = {**TEMPLATE, "disambiguating_context_ca": "És de {{NAME1-def}}. {{NAME2-def}} no."}
    question = {"question_non_negative_ca": "{{NAME1}} {{NAME2}} o qui?"}
    imported = read(tmp_path, row | question, language="ca")
    variant = of(imported, "a")
    assert variant.texts.names == (
        "N1: [teixidor {def: el teixidor}]; N2: [home del rem {def: l'home del rem}]"
    )
    assert variant.texts.biased_answer == "[N2.def]"
    assert variant.texts.counter_biased_question == "[N1.base] [N2] o qui?"
    context = "Un teixidor i un home del rem van al taller. És del teixidor. L'home del rem no."
    assert given(imported, "ca")[2].context == context
    assert given(imported, "ca")[2].choices == ("L'home del rem", "El teixidor", "?")


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
def test_lists_are_read_as_they_are_written(tmp_path, names, written):
    """Quotes, braces and lists in lists go; forms alone give the name without its article."""
    infos = {"NAME1_info": "craft", "NAME2_info": "oar"}
    assert of(read(tmp_path, {**TEMPLATE, **infos, "names_es": names}), "a").texts.names == written


def test_a_version_that_another_row_has_makes_a_template_of_its_own(tmp_path):
    """A row that says what another one says, and one whose version is none, are refused."""
    first = {**TEMPLATE, "version": "a"}
    other = {**first, "ambiguous_context_es": "Otro {{NAME1}} y {{NAME2}}."}
    imported = read(tmp_path, first, other, first, {**TEMPLATE, "version": "q"})
    found = {str(item.id.template): dict(item.extra)["samples_once"] for item in imported.variants}
    assert found == {"hobby-003": "3", "hobby-004": "3"}
    assert [(item.rule, item.row) for item in imported.findings] == [
        *(("source-unreadable-row", 5), ("source-variant-twice", 4), ("source-template-split", 3))
    ]


def test_proper_names_of_stereotyped_ethnicities(tmp_path):
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
    for gender, answer in (("f", "[N1.def]"), ("m", "[N1]")):  # one man has no article
        row = {**PROPER, "stated_gender_info": gender, "stereotyped_groups": '["elf"]'}
        assert of(read(tmp_path, row, language="ca"), "b").texts.biased_answer == answer


BROKEN = [
    {"esbbq_template_id": "3b"},
    {"esbbq_category": "?"},
    {"stated_gender_info": "n"},
    {"stereotyped_groups": ""},
    {"NAME1_info": "", "stereotyped_groups": "tall"},
    {"NAME1_info": "craft", "NAME2_info": "craft"},
    {"names_es": "NAME1 [a]"},
    {"names_es": "NAME1: [a]; NAME1: [b]"},
    {"names_es": "NAME1: [a, b]; NAME1-def: [la a]; NAME2: [c]"},
    {"stereotyped_groups": TEMPLATE["stereotyped_groups"], "names_es": "NAME1: [a]"},
    {"answer_negative_es": "{{NAME2-def}}"},
    {"question_non_negative_es": " "},
    {"ambiguous_context_es": "Un {{NAME1} y otro"},
    {"ambiguous_context_es": "{{NAME3}}"},
    {"ambiguous_context_es": "{{WORD1}}"},
    {"answer_negative_es": "El {{NAME1}}"},
    {"lexical_diversity_es": "NAME1: [a]"},
]
"""Cells of rows that cannot be read; the column of the first is named."""


def test_a_row_that_cannot_be_read_is_reported(tmp_path):
    """Row and column of its language are named, and the other rows are read."""
    good = {**TEMPLATE, "esbbq_template_id": 1}
    for cells in BROKEN:
        imported = read(tmp_path, good, {**TEMPLATE, **cells})
        row, column, _ = the_error(imported)
        assert (row, column) == (3, next(iter(cells))), cells
        assert len(imported.variants) == 4
