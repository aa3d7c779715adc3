"""The rule `form-empty`."""


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


def test_source_texts_are_looked_at(make):
    """The column is that of the source language."""
    found = make.found(make.untranslated(biased_answer="[N1: , old one]"))
    assert [item[:3] for item in found] == [
        ("form-empty", "warning", "bank.csv, row 2, column biased_answer_source"),
        ("form-empty", "warning", "bank.csv, row 3, column biased_answer_source"),
    ]
