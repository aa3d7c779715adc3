"""The rule `agreement-unknown`."""

from curation.checks.catalogue import run


def test_a_filler_whose_agreement_cannot_be_known_is_found(make):
    """The hint says how to give a reading; further fillers are counted."""
    variants = make.pair(
        ambiguous_context="[N1] and [N2] waited at [W1|a/an].", words="W1: [3rd stop, FBI, gate]"
    )
    message = "'3rd stop' cannot be read for [W1|a/an], and 1 more filler"
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
        "'FBI' cannot be read for [W1|a/an], and 2 more fillers"
    }
    assert all("FBI|reading" in item.hint for item in findings)


def test_lists_that_cannot_be_read_are_another_rules_matter(make):
    """Nothing is known of the fillers."""
    variants = make.pair(ambiguous_context="[N1] and [N2] waited at [W1|a/an].", words="W1: [gate")
    assert {item[0] for item in make.found(variants)} == {"slot-syntax"}
