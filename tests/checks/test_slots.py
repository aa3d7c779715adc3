"""The rules on slots, their lists and their forms."""

from dataclasses import replace

import pytest

from curation.checks.catalogue import run
from curation.checks.slots import slot_syntax
from curation.records.bank import Texts
from curation.slots import declared_lists, list_forms, parse_text, print_text

# slot-syntax


def test_a_bracket_that_is_not_closed_is_found_with_line_and_column(make):
    """The finding names the place within the cell."""
    text = "Who forgets\n[N1 things?"
    variants = [make.variant(), make.variant("craft-001b", counter_biased_question=text)]
    assert ("slot-syntax", "error") in {item[:2] for item in make.found(variants)}
    assert [item[2:] for item in make.found(variants) if item[0] == "slot-syntax"] == [
        (
            "bank.csv, row 3, column counter_biased_question",
            "slot N1 is followed by 't' (line 2, column 5)",
        )
    ]


def test_a_list_that_cannot_be_read_is_found_and_nothing_else_is_said_of_its_slots(make):
    """Other rules keep silent on what cannot be read."""
    variants = [make.variant(words="W1: station"), make.variant("craft-001b")]
    assert make.found(variants) == [
        (
            "slot-syntax",
            "error",
            "bank.csv, row 2, column words",
            "'[' was expected (line 1, column 5)",
        )
    ]


def test_the_syntax_of_source_texts_is_looked_at(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(biased_question="Who ] forgets?"))
    assert [item[:3] for item in found] == [
        ("slot-syntax", "error", "bank.csv, row 2, column biased_question_source"),
        ("slot-syntax", "error", "bank.csv, row 3, column biased_question_source"),
    ]


def test_a_list_is_looked_at_before_the_texts_are_written(make):
    """A target may be set before the translation begins."""
    first, second = make.untranslated()
    spoilt = make.variant("craft-001b", texts=type(second.texts)(names="N1: [Bob"))
    assert [item[:3] for item in make.found([first, spoilt])] == [
        ("slot-syntax", "error", "bank.csv, row 3, column names")
    ]


def test_escaped_brackets_are_text(make):
    """A backslash takes a bracket as it is."""
    assert make.found(make.pair(biased_question=r"Who \[of the two\] forgets?")) == []


def test_the_hint_is_that_of_the_place_and_else_the_rules_own(make):
    """What to do depends on what was written."""
    variants = [
        make.variant(biased_question="Who ] forgets?"),
        make.variant("craft-001b", words="W1: [station] W2: [red]"),
    ]
    by_row = {item.row: item.hint for item in run(make.subject(variants))}
    assert by_row[2] == "write \\] for a literal bracket"
    assert by_row[3] == slot_syntax.hint


# slot-declared-twice


def test_a_slot_with_a_list_in_names_and_in_words_is_found(make):
    """One finding for the variant, and none on what follows from it."""
    variants = [
        make.variant(words="W1: [station, market]; N1: [Eve, Eva]"),
        make.variant("craft-001b"),
    ]
    assert make.found(variants) == [
        (
            "slot-declared-twice",
            "error",
            "bank.csv, row 2, column words",
            "slot N1 has a list in names and one in words",
        )
    ]


def test_all_lists_may_stand_in_one_cell(make):
    """Where a list stands is free."""
    variants = [
        make.variant(names="N1: [Ann]; N2: [Bob]; W1: [station, market]", words=""),
        make.variant("craft-001b", names="N1: [Bob]; N2: [Ann]; W1: [station, market]", words=""),
    ]
    assert make.found(variants) == []


def test_two_lists_of_a_slot_are_found_in_source_texts_and_before_texts_are_written(make):
    """A list may be there first."""
    both = {"names": "N1: [Ann]; N2: [Bob]", "words": "W1: [market]; N2: [Ben]"}
    first, second = make.untranslated(**both)
    early = replace(second, texts=Texts(**both), source_texts=Texts())
    assert [item[:3] for item in make.found([first, early])] == [
        ("slot-declared-twice", "error", "bank.csv, row 2, column words_source"),
        ("slot-declared-twice", "error", "bank.csv, row 3, column words"),
    ]


def test_lists_that_cannot_be_read_are_not_said_to_be_declared_twice(make):
    """Nothing can be said of them."""
    variants = [make.variant(words="N1: [Eve"), make.variant("craft-001b")]
    assert "slot-declared-twice" not in {item[0] for item in make.found(variants)}


# slot-undeclared


def test_a_slot_without_list_is_found_once_in_each_cell(make):
    """A slot that occurs twice in a cell is said once."""
    variants = make.pair(biased_question="Who forgets [W2] and [W2]?")
    assert make.found(variants) == [
        (
            "slot-undeclared",
            "error",
            f"bank.csv, row {row}, column biased_question",
            "slot W2 has no list of fillers",
        )
        for row in (2, 3)
    ]


def test_a_slot_of_the_source_texts_without_list_is_found(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(words="", ambiguous_context="[N1] met [N2] at [W1]."))
    assert [item[:3] for item in found] == [
        ("slot-undeclared", "error", "bank.csv, row 2, column ambiguous_context_source"),
        ("slot-undeclared", "error", "bank.csv, row 3, column ambiguous_context_source"),
    ]


def test_an_open_list_is_a_list(make):
    """The survey will fill it."""
    assert make.found(make.pair(names="N1: [*]; N2: [*]")) == []


def test_a_slot_with_forms_needs_a_list_too(make):
    """Nobody knows what the forms belong to."""
    variants = make.pair(biased_question="Who forgets [W2: the key, keys]?")
    assert {item[0] for item in make.found(variants)} == {"slot-undeclared"}


# slot-unused


def test_a_list_whose_slot_stands_in_no_text_is_found(make):
    """Each of its fillers would repeat the same samples."""
    variants = make.pair(words="W1: [station, market]; W2: [red, blue]")
    assert make.found(variants) == [
        (
            "slot-unused",
            "warning",
            f"bank.csv, row {row}, column words",
            "slot W2 is declared but is in no text",
        )
        for row in (2, 3)
    ]


def test_a_list_of_the_source_texts_without_slot_is_found(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(ambiguous_context="[N1] met [N2]."))
    assert [item[:3] for item in found] == [
        ("slot-unused", "warning", "bank.csv, row 2, column words_source"),
        ("slot-unused", "warning", "bank.csv, row 3, column words_source"),
    ]


def test_one_use_in_one_text_is_enough(make):
    """A word may stand in a question only."""
    texts = {"ambiguous_context": "[N1] met [N2].", "biased_question": "Who forgets [W1]?"}
    assert make.found(make.pair(**texts)) == []


def test_nothing_is_said_while_a_text_cannot_be_read(make):
    """The slot may stand in it."""
    variants = make.pair(ambiguous_context="[N1] and [N2] waited at the [W1].]")
    assert {item[0] for item in make.found(variants)} == {"slot-syntax"}


# list-empty


def test_a_list_without_fillers_is_found(make):
    """It would make no samples."""
    assert make.found(make.pair(words="W1: []")) == [
        (
            "list-empty",
            "error",
            f"bank.csv, row {row}, column words",
            "the list of slot W1 is empty",
        )
        for row in (2, 3)
    ]


def test_a_list_that_the_survey_fills_is_not_empty(make):
    """`[*]` says that fillers will come."""
    assert make.found(make.pair(names="N1: [*]; N2: [*]")) == []


def test_empty_lists_are_found_in_source_texts_and_before_texts_are_written(make):
    """A list may be there first."""
    first, second = make.untranslated(words="W1: []")
    early = replace(second, texts=Texts(words="W1: []"), source_texts=Texts())
    assert [item[:3] for item in make.found([first, early])] == [
        ("list-empty", "error", "bank.csv, row 2, column words_source"),
        ("list-empty", "error", "bank.csv, row 3, column words"),
    ]


# form-count


def test_a_missing_form_is_found(make):
    """Fewer forms than fillers."""
    variants = make.pair(ambiguous_context="[N1: old Ann] and [N2] waited at the [W1].")
    assert make.found(variants) == [
        (
            "form-count",
            "error",
            f"bank.csv, row {row}, column ambiguous_context",
            f"slot N1 lists 1 form for 2 fillers: {names}",
        )
        for row, names in ((2, "Ann, Ada"), (3, "Bob, Ben"))
    ]


def test_of_a_long_list_the_first_fillers_are_named(make):
    """Eight of them, and that there are more."""
    names = "abcdefghij"
    words = f"W1: [{', '.join(names)}]"
    context = "[N1] and [N2] waited at the [W1: one, two]."
    found = make.found(make.pair(ambiguous_context=context, words=words))
    message = "slot W1 lists 2 forms for 10 fillers: a, b, c, d, e, f, g, h, ..."
    assert [item[3] for item in found] == [message] * 2


def test_forms_too_many_are_found(make):
    """More forms than fillers, at each slot of a cell."""
    context = "[N1: a, b, c, d] and [N2: a, b, c] waited at the [W1: bus station, fish market]."
    found = make.found([make.variant(ambiguous_context=context), make.variant("craft-001b")])
    assert found == [
        (
            "form-count",
            "error",
            "bank.csv, row 2, column ambiguous_context",
            f"slot {name} lists {forms} forms for 2 fillers: {names}",
        )
        for name, forms, names in (("N1", 4, "Ann, Ada"), ("N2", 3, "Bob, Ben"))
    ]


def test_forms_are_counted_in_source_texts(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(biased_answer="[N1: young one]"))
    assert [item[:3] for item in found] == [
        ("form-count", "error", "bank.csv, row 2, column biased_answer_source"),
        ("form-count", "error", "bank.csv, row 3, column biased_answer_source"),
    ]


def test_as_many_forms_as_fillers_are_right(make):
    """One form for each filler."""
    context = "[N1: one, other] and [N2] waited at the [W1: bus station, fish market]."
    assert make.found(make.pair(ambiguous_context=context)) == []


# form-open


def test_forms_of_an_open_list_are_found(make):
    """Which fillers they would go with, the survey says, so no form fits them."""
    context = "[N1: one, other] and [N2] waited at the [W1]; [N1: one, other] left."
    variants = make.pair(names="N1: [*]; N2: [*]", ambiguous_context=context)
    message = "slot N1 lists 2 forms, and its list, [*], is left to the survey"
    assert make.found(variants) == [
        ("form-open", "error", f"bank.csv, row {row}, column ambiguous_context", message)
        for row in (2, 3)
    ]


@pytest.mark.parametrize(
    ("language", "agreed"), [("en", ", [N1|a/an]"), ("tr", ", [N1|-(y)i]"), ("hi", ""), ("eu", "")]
)
def test_what_an_open_list_can_have_is_said(make, language, agreed):
    """The slot alone, the language's agreement after a name, or a form that fillers name."""
    context = "[N1: one] and [N2] waited at the [W1]."
    variants = make.pair(names="N1: [*]; N2: [*]", ambiguous_context=context)
    hints = {item.hint for item in run(make.subject(variants, language=language))}
    assert hints == {
        f"write [N1]{agreed} or a named form such as [N1.def], which the fillers in groups.csv "
        "name: nieta {def: la nieta}"
    }


@pytest.mark.parametrize("slot", ["N1", "N1|a/an", "N1.def"])
def test_what_fits_any_filler_may_stand_with_an_open_list(make, slot):
    """Nothing is said of it before the survey has filled the list."""
    context = f"[{slot}] and [N2] waited at the [W1]."
    assert make.found(make.pair(names="N1: [*]; N2: [*]", ambiguous_context=context)) == []


# form-empty


def test_an_empty_form_is_found(make):
    """Its place in the list is said."""
    variants = make.pair(ambiguous_context="[N1] and [N2] waited at the [W1: bus station, ].")
    assert make.found(variants) == [
        (
            "form-empty",
            "warning",
            f"bank.csv, row {row}, column ambiguous_context",
            "form 2 of slot W1 is empty",
        )
        for row in (2, 3)
    ]


def test_an_escaped_comma_makes_no_empty_form(make):
    """It belongs to the form."""
    context = r"[N1] and [N2] waited at the [W1: station\,, market]."
    assert make.found(make.pair(ambiguous_context=context)) == []


def test_an_empty_form_in_source_texts_is_found(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(biased_answer="[N1: , old one]"))
    assert [item[:3] for item in found] == [
        ("form-empty", "warning", "bank.csv, row 2, column biased_answer_source"),
        ("form-empty", "warning", "bank.csv, row 3, column biased_answer_source"),
    ]


# agreement-unknown


def test_a_filler_whose_agreement_cannot_be_known_is_found(make):
    """The hint says how to give a reading; further fillers are counted."""
    variants = make.pair(
        ambiguous_context="[N1] and [N2] waited at [W1|a/an].", words="W1: [3rd stop, FBI, gate]"
    )
    message = "the form of '3rd stop' cannot be known for [W1|a/an], and 1 more filler"
    assert make.found(variants) == [
        ("agreement-unknown", "error", f"bank.csv, row {row}, column ambiguous_context", message)
        for row in (2, 3)
    ]


def test_agreement_in_a_language_without_any_is_found(make):
    """It can only be written as forms."""
    variants = make.pair(ambiguous_context="[N1] and [N2] waited at [W1|a/an].")
    found = make.found(variants, language="eu")
    assert [item[3] for item in found] == [
        "no agreement is known for language 'eu', and 1 more filler"
    ] * 2


def test_agreement_that_the_language_does_not_have_is_found_in_source_texts(make):
    """The column is that of the source language."""
    variants = make.untranslated(ambiguous_context="[N1|x/y] and [N2] waited at the [W1].")
    assert [item[:3] for item in make.found(variants)] == [
        ("agreement-unknown", "error", "bank.csv, row 2, column ambiguous_context_source"),
        ("agreement-unknown", "error", "bank.csv, row 3, column ambiguous_context_source"),
    ]


def test_a_reading_shows_the_agreement(make):
    """The filler is written one way and read another."""
    variants = make.pair(
        ambiguous_context="[N1] and [N2] waited at [W1|a/an].", words="W1: [3rd stop|third stop]"
    )
    assert make.found(variants) == []


def test_the_hint_is_that_of_the_first_filler_and_all_others_are_counted(make):
    """Each filler would have a hint of its own."""
    variants = make.pair(
        ambiguous_context="[N1] and [N2] waited at [W1|a/an].", words="W1: [FBI, 3rd stop, NASA]"
    )
    findings = run(make.subject(variants))
    assert {item.message for item in findings} == {
        "the form of 'FBI' cannot be known for [W1|a/an], and 2 more fillers"
    }
    assert all("FBI|reading" in item.hint for item in findings)


def test_nothing_is_said_of_agreement_with_a_list_that_cannot_be_read(make):
    """Nothing is known of the fillers."""
    variants = make.pair(ambiguous_context="[N1] and [N2] waited at [W1|a/an].", words="W1: [gate")
    assert {item[0] for item in make.found(variants)} == {"slot-syntax"}


# form-missing


def test_a_filler_without_the_named_form_is_found(make):
    """Each slot of a text once, with the first filler and how many more there are."""
    names = "N1: [Ann {def: the Ann}, Ada, Amy]; N2: [Bob, Ben, Bo]"
    text = "[N1.def] and [N1.def] waited with [N2.base]."
    first = make.variant(names=names, ambiguous_context=text)
    found = make.found([first, make.variant("craft-001b")])
    assert found[0] == (
        "form-missing",
        "error",
        "bank.csv, row 2, column ambiguous_context",
        "'Ada' has no form 'def' for [N1.def], and 1 more filler",
    )
    assert [item[0] for item in found].count("form-missing") == 1


def test_a_named_form_that_is_empty_is_found(make):
    """It is there, and yet nothing would be."""
    names = "N1: [Ann {def: }, Ada {def: the Ada}]; N2: [Bob, Ben]"
    first = make.variant(names=names, ambiguous_context="[N1.def] or [N1.def] met [N2] in [W1].")
    found = make.found([first, make.variant("craft-001b")])
    assert [item for item in found if item[0] == "form-empty"] == [
        (
            "form-empty",
            "warning",
            "bank.csv, row 2, column ambiguous_context",
            "form 'def' of 'Ann' is empty",
        )
    ]


# article-fixed


def test_an_article_that_does_not_fit_every_filler_is_found(make):
    """The hint is the slot that does, also for a contracted one; what is not known is passed."""
    names = "N1: [nieto {gender: m}, nieta {gender: f}]; N2: [abuelo {gender: M}, tutor]"
    texts = {
        "names": names,
        "ambiguous_context": "Un [N1] y un [N2] leen la carta del [N1] y de [N1|el/la].",
        "disambiguating_context": "La [N1] escribe y el [N2] calla.",
    }
    found = run(make.subject(make.pair(**texts), language="es"))
    assert ("article-fixed", "warning") in {(item.rule, item.severity.value) for item in found}
    assert {
        (item.column, item.message, item.hint) for item in found if item.rule == "article-fixed"
    } == {
        (
            "ambiguous_context",
            "'Un [N1]' does not fit 'una nieta'",
            "let the article agree with the name: [N1|un/una]",
        ),
        (
            "ambiguous_context",
            "'del [N1]' does not fit 'la nieta'",
            "let the article agree with the name: [N1|el/la]",
        ),
        (
            "disambiguating_context",
            "'La [N1]' does not fit 'el nieto'",
            "let the article agree with the name: [N1|el/la]",
        ),
    }


def test_an_article_that_fits_is_not_spoken_of(make):
    """Nor one in a language whose articles do not follow gender."""
    names = "N1: [nieta {gender: f}]; N2: [abuelo {gender: m}]"
    texts = {"names": names, "ambiguous_context": "Una [N1] y el [N2] leen."}
    for language in ("es", "en"):
        found = run(make.subject(make.pair(**texts), language=language))
        assert "article-fixed" not in {item.rule for item in found}


# sentence-lower-case


@pytest.mark.parametrize(
    ("text", "names", "is_found"),
    [
        ("[N1] i [N2] czekali.", "N1: [wnuczka {nom: wnuczka}, Ewa]; N2: [dziadek]", True),
        ("Czekali. [N1] sen.", "N1: [wnuczka]; N2: [dziadek]", True),
        ("Czekali. \u201e[N1] sen\u201d.", "N1: [wnuczka]; N2: [dziadek]", True),
        ("[N1.nom] i [N2] czekali.", "N1: [wnuczka {nom: wnuczka}]; N2: [dziadek]", False),
        ("Wtedy [N1] i [N2] czekali.", "N1: [wnuczka]; N2: [dziadek]", False),
        ("[N1] i [N2] czekali.", "N1: [Ewa]; N2: [dziadek]", False),
        ("[N1] i [N2] czekali.", "N1: [\u0440]; N2: [dziadek]", True),
        ("[N1] \uae30\ub2e4\ub838\ub2e4.", "N1: [\ud560\uba38\ub2c8]; N2: [x]", False),
    ],
)
def test_a_sentence_that_begins_in_lower_case_is_found(make, text, names, is_found):
    """A bare slot gets no capital; scripts without capitals and answers are passed."""
    pair = make.pair(ambiguous_context=text, names=names, biased_answer="[N1]")
    found = run(make.subject(pair, language="pl"))
    small = [item for item in found if item.rule == "sentence-lower-case"]
    assert [(item.rule, item.severity.value, item.row, item.column) for item in small] == (
        [("sentence-lower-case", "warning", row, "ambiguous_context") for row in (2, 3)]
        if is_found
        else []
    )


def test_a_sentence_with_the_named_form_begins_with_a_capital(make):
    """What the hint says is enough; a text of the source says what was published."""
    names = "N1: [wnuczka]; N2: [dziadek]"
    pair = make.pair(ambiguous_context="Byli tu. [N1] sen.", names=names)
    first = next(
        item
        for item in run(make.subject(pair, language="pl"))
        if item.rule == "sentence-lower-case"
    )
    assert first.message == ("a sentence begins with [N1], and wnuczka is in lower case there")
    assert "wnuczka {nom: wnuczka}, and write [N1.nom] there" in first.hint
    lists = declared_lists("N1: [wnuczka {nom: wnuczka}]", "")
    text = list_forms(parse_text("Byli tu. [N1.nom] sen."), lists, "pl")
    assert print_text(text) == "Byli tu. [N1: Wnuczka] sen."


# name-unchanged

MEN = "N1: [Opa {gender: m}, Oma {gender: f}]; N2: [Kind {gender: n}, Enkel {gender: m, number: p}]"


@pytest.mark.parametrize(
    ("text", "message", "advised"),
    [
        (
            "Der Rat [N1|des/der] half.",
            "[N1|des/der] writes 'des Opa'",
            "[N1.gen] in its place, and the form with its article in the list of fillers: "
            "Opa {gen: des ...}",
        ),
        (
            "Wegen Eines [N1].",
            "'Eines [N1]' writes 'Eines Opa'",
            "[N1.gen] in its place, and the form with its article in the list of fillers: "
            "Opa {gen: Eines ...}",
        ),
        (
            "Mit [N2|dem/der/dem/den] dort.",
            "[N2|dem/der/dem/den] writes 'den Enkel'",
            "[N2.dat] in its place, and the form with its article in the list of fillers: "
            "Enkel {dat: den ...}",
        ),
        (
            "Der Rat [N2|des/der/des/der] half.",
            "[N2|des/der/des/der] writes 'des Kind'",
            "[N2.gen] in its place, and the form with its article in the list of fillers: "
            "Kind {gen: des ...}",
        ),
        ("Mit [N1|dem/der] dort, [N1|=eines/einer] Tages.", "", ""),
        ("[N2|das/die/das/die] und den [N1].", "", ""),
        ("Das Haus [N1.gen] steht.", "", ""),
    ],
)
def test_a_name_that_changes_in_its_case_is_found(make, text, message, advised):
    """In German those of the genitive, and plurals of the dative."""
    pair = make.pair(names=MEN, ambiguous_context=text)
    found = [
        item for item in run(make.subject(pair, language="de")) if item.rule == "name-unchanged"
    ]
    assert [(item.rule, item.severity.value) for item in found] == (
        [("name-unchanged", "warning")] * 2 if message else []
    )
    for item in found:
        assert item.message == f"{message}, and the name changes there"
        assert item.hint == f"write {advised}"


def test_a_form_of_a_filler_tells_that_its_name_changes(make):
    """A weak noun; a form without its article is named too, and one that is equal is right."""
    opa = "Opa {gender: m, gen: Opas, dat: dem Opa}"
    names = f"N1: [Student {{gender: m, dat: dem Studenten}}]; N2: [{opa}]"
    text = "Mit [N1|dem/der] und [N2|dem/der] half der Rat [N2|des/der] dem [N1]."
    found = run(make.subject(make.pair(names=names, ambiguous_context=text)[:1], language="de"))
    assert [(item.message, item.hint) for item in found if item.rule == "name-unchanged"] == [
        (
            f"{place} writes '{written}', and the name changes there",
            f"write {form} in its place, and the form with its article in the list of fillers: "
            f"{filler}",
        )
        for place, written, form, filler in (
            ("[N1|dem/der]", "dem Student", "[N1.dat]", "Student {dat: dem Studenten}"),
            ("[N2|des/der]", "des Opa", "[N2.gen]", "Opa {gen: des Opas}"),
            ("'dem [N1]'", "dem Student", "[N1.dat]", "Student {dat: dem Studenten}"),
        )
    ]


def test_plurals_in_n_or_s_stay_as_they_are(make):
    """The dative adds nothing to them."""
    names = "N1: [Omas {gender: f, number: p}, Nachbarn {gender: m, number: p}]; N2: [Wirt]"
    found = run(
        make.subject(
            make.pair(names=names, ambiguous_context="Mit [N1|dem/der/dem/den] [N2]."),
            language="de",
        )
    )
    assert "name-unchanged" not in {item.rule for item in found}
